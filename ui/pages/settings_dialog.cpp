// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <functional>

#include "recon/base/error.h"
#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/pages/setting_words.h"

namespace tof::ui {

std::optional<RunSettings> askForSettings(QWidget* parent, const QString& title, const RunSettings& settings,
                                          const std::string& system) {
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.setObjectName("settings.dialog");
    auto* form = new QFormLayout;
    form->setVerticalSpacing(6);
    std::vector<std::pair<std::string, std::function<QString()>>> fields;
    for (const SettingInfo& info : settingsTable()) {
        if (!appliesTo(info, system)) {
            continue;
        }
        const QString value = QString::fromStdString(settings.get(info.key));
        const QString unit = word(info.unit);
        QWidget* field = nullptr;
        if (info.kind == OptionKind::Choice) {
            auto* box = new ChoiceList;
            box->setChoices(shownChoices(info, settings, EngineRegistry(), system));
            box->setCurrentIndex(box->findData(value));
            fields.emplace_back(info.key, [box] { return box->currentData().toString(); });
            field = box;
        } else {
            auto* edit = new QLineEdit(shownSetting(info.key, value.toStdString()));
            fields.emplace_back(info.key, [edit, key = info.key] {
                return QString::fromStdString(typedSetting(key, edit->text()));
            });
            field = edit;
        }
        field->setObjectName("settings.dialog." + QString::fromStdString(info.key));
        field->setAccessibleName(word(info.label));
        field->setToolTip(word(info.help));
        form->addRow(word(info.label) + (unit.isEmpty() ? "" : ", " + unit), field);
    }
    auto* content = new QWidget;
    content->setLayout(form);
    auto* area = new QScrollArea;
    area->setAccessibleName(Text::tr("Settings"));
    area->setWidget(content);
    area->setWidgetResizable(true);
    auto* note = new ElidedLabel(ElidedLabel::Role::Caption);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(Text::tr("Run"));
    RunSettings out = settings;
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, [&] {
        try {
            for (const auto& [key, text] : fields) {
                const std::string value = text().toStdString();
                if (const QString why = whyNotSetting(settingInfo(key), value); !why.isEmpty()) {
                    throw WrongUse(why.toStdString());
                }
                out.set(key, value);
            }
            dialog.accept();
        } catch (const WrongUse& fault) {
            note->setText(fault.what());
            note->setToolTip(fault.what());
        }
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addWidget(area);
    column->addWidget(note);
    column->addWidget(buttons);
    dialog.resize(460, 620);
    return dialog.exec() == QDialog::Accepted ? std::optional(out) : std::nullopt;
}

}  // namespace tof::ui
