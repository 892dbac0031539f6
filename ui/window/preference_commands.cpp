// SPDX-License-Identifier: Apache-2.0
#include "ui/window/preference_commands.h"

#include "ui/desk/screen.h"
#include "ui/desk/session_keeper.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/view_model.h"
#include "ui/kit/preferences.h"
#include "ui/pictures/cine.h"
#include "ui/window/preferences_dialog.h"

namespace tof::ui {

ThemeKind preferredTheme(const Preferences& preferences, ThemeKind system) {
    const QString theme = preferences.value("theme");
    return theme == "system" ? system : themeFromName(theme);
}

PreferenceCommands::PreferenceCommands(CommandRegistry& commands, SettingsModel& settings, ViewModel& view,
                                       Screen& screen, Preferences& preferences, ThemeKind systemTheme,
                                       Cine& cine, SessionKeeper& keeper, QWidget& window)
    : QObject(&window),
      settings_(settings),
      view_(view),
      screen_(screen),
      preferences_(preferences),
      systemTheme_(systemTheme),
      cine_(cine),
      keeper_(keeper),
      window_(window) {
    commands.add({.id = "edit.preferences",
                  .menu = "Edit",
                  .text = tr("Preferences..."),
                  .help = tr("Theme, size, orientation, colour map, engine, saving and other habits"),
                  .icon = "settings",
                  .keys = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                  .run =
                      [this] {
                          auto* dialog = new PreferencesDialog(preferences_, &window_);
                          connect(dialog, &PreferencesDialog::changed, this, &PreferenceCommands::apply);
                          dialog->show();
                      },
                  .separatorBefore = true});
}

void PreferenceCommands::proposeMap(ThemeKind kind) {
    const QString map = preferences_.value("colour-map");
    view_.proposeColourMap(map != "theme" ? map : kind == ThemeKind::Light ? "inverse-grey" : "grey");
}

void PreferenceCommands::apply(const QString& key) {
    const QString value = preferences_.value(key);
    ViewModel& view = view_;
    if (key == "theme") {
        Q_EMIT themeRequested(preferredTheme(preferences_, systemTheme_));
    } else if (key == "colour-map") {
        proposeMap(Theme::of(window_).kind);
    } else if (key == "orientation") {
        view.setOrientation(value == "neurological" ? viz::Orientation::Neurological
                                                    : viz::Orientation::Radiological);
    } else if (key == "units") {
        screen_.setUnits(unitsShownFromName(value));
    } else if (key == "interpolation") {
        view.setFlag(ViewModel::Flag::Interpolation, value == "on");
    } else if (key == "cine-rate") {
        cine_.setRate(value.toDouble());
    } else if (key == "autosave") {
        keeper_.setInterval(value.toInt());
    } else if (preferenceInfo(key).takes == PreferenceTakes::Next) {
        settings_.set(key.toStdString(), value.toStdString());
    }
}

void PreferenceCommands::applyAll() {
    for (const PreferenceInfo& info : preferenceTable()) {
        // The theme was there before the window, and defaults are what everything begins with.
        if (info.key != "theme" &&
            (preferences_.value(info.name()) != info.start() || info.key == "colour-map")) {
            apply(info.name());
        }
    }
}

}  // namespace tof::ui
