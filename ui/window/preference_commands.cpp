// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/session_keeper.h"
#include "ui/kit/preference_table.h"
#include "ui/pictures/cine.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"

namespace tof::ui {

void MainWindow::addPreferenceCommands() {
    commands_->add({.id = "edit.preferences",
                    .menu = "Edit",
                    .text = tr("Preferences"),
                    .help = tr("Theme, size, orientation, colour map, engine, saving and other habits"),
                    .icon = "settings",
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                    .run =
                        [this] {
                            auto* dialog = new PreferencesDialog(preferences_, this);
                            connect(dialog, &PreferencesDialog::changed, this, &MainWindow::applyPreference);
                            dialog->show();
                        },
                    .separatorBefore = true});
}

ThemeKind preferredTheme(const Preferences& preferences, ThemeKind system) {
    const QString theme = preferences.value("theme");
    return theme == "system" ? system : theme == "light" ? ThemeKind::Light : ThemeKind::Dark;
}

bool MainWindow::asks() const {
    return options_.askBeforeClosing && preferences_.isOn("confirm");
}

void MainWindow::proposeMap(ThemeKind kind) {
    const QString map = preferences_.value("colour-map");
    workspace_.view().proposeColourMap(map != "theme"            ? map
                                       : kind == ThemeKind::Dark ? "grey"
                                                                 : "inverse-grey");
}

void MainWindow::applyPreference(const QString& key) {
    const QString value = preferences_.value(key);
    ViewModel& view = workspace_.view();
    if (key == "theme") {
        showTheme(preferredTheme(preferences_, options_.systemTheme));
    } else if (key == "colour-map") {
        proposeMap(Theme::of(*this).kind);
    } else if (key == "orientation") {
        view.setOrientation(value == "neurological" ? viz::Orientation::Neurological
                                                    : viz::Orientation::Radiological);
    } else if (key == "units") {
        workspace_.setUnitsShown(unitsShownFromName(value));
    } else if (key == "interpolation") {
        view.setFlag(ViewModel::Flag::Interpolation, value == "on");
    } else if (key == "cine-rate") {
        cine_->setRate(value.toDouble());
    } else if (key == "autosave") {
        keeper_->setInterval(value.toInt());
    } else if (preferenceInfo(key).takes == PreferenceTakes::Next) {
        workspace_.setSetting(key.toStdString(), value.toStdString());
    }
}

void MainWindow::applyPreferences() {
    for (const PreferenceInfo& info : preferenceTable()) {
        // The theme was there before the window, and defaults are what everything begins with.
        if (info.key != "theme" &&
            (preferences_.value(info.key) != info.fallback || info.key == "colour-map")) {
            applyPreference(info.key);
        }
    }
}

}  // namespace tof::ui
