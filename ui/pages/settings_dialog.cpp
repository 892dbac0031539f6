// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QScrollArea>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"
#include "ui/pages/setting_words.h"

namespace tof::ui {

namespace {

/// A setting as a row, whose field takes the words that stand for numbers, too.
BoundRow settingRow(const SettingInfo& info, RunSettings& settings) {
    const bool chosen = info.kind == OptionKind::Choice;
    BoundRow row;
    static_cast<OptionInfo&>(row) = info;
    if (!chosen) {
        row.kind = OptionKind::Text;
        row.choices.clear();
    }
    row.read = [&info, &settings, chosen] {
        const std::string value = settings.get(info.key);
        return chosen ? value : shownSetting(info.key, value).toStdString();
    };
    row.write = [&info, &settings, chosen](const std::string& text) {
        const std::string value = chosen ? text : typedSetting(info.key, QString::fromStdString(text));
        if (const QString why = whyNotSetting(info, value); !why.isEmpty()) {
            throw WrongUse(why.toStdString());
        }
        settings.set(info.key, value);
    };
    row.applies = [] { return true; };
    return row;
}

}  // namespace

std::optional<RunSettings> askForSettings(QWidget* parent, const QString& title, const RunSettings& settings,
                                          const std::string& system) {
    RunSettings asked = settings;
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setObjectName("settings.dialog");
    auto* form = new RequestForm("settings.dialog");
    for (const SettingInfo& info : settingsTable()) {
        if (appliesTo(info, system)) {
            form->add(settingRow(info, asked));
            if (auto* list = qobject_cast<ChoiceList*>(form->field(info.key))) {
                list->setChoices(shownChoices(info, settings, EngineRegistry(), system));
            }
        }
    }
    auto* area = new QScrollArea;
    area->setAccessibleName(Text::tr("Settings"));
    area->setWidget(form);
    area->setWidgetResizable(true);
    QVBoxLayout* column = dialogColumn(dialog);
    column->addWidget(area);
    column->addWidget(makeAnswers(dialog, Text::tr("Run"), [form] { return form->check(); }));
    dialog.resize(460, 620);
    return dialog.exec() == QDialog::Accepted ? std::optional(asked) : std::nullopt;
}

}  // namespace tof::ui
