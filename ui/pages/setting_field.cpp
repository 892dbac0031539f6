// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/setting_field.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

/// Names as people write them, not as files do.
QString shownChoice(const std::string& choice) {
    for (const char* capitals : {"ramla", "osem", "mlem"}) {
        if (choice == capitals) {
            return QString::fromStdString(choice).toUpper();
        }
    }
    return QString::fromStdString(choice);
}

}  // namespace

SettingField::SettingField(const SettingInfo& info, Desk& desk, QWidget* parent)
    : QWidget(parent), info_(info), desk_(desk), fault_(new ElidedLabel(ElidedLabel::Role::Caption)) {
    setObjectName("setting." + QString::fromStdString(info.key));
    const QString label = word(info.label);
    QString help = word(info.help);
    if (info.kind == OptionKind::Integer || info.kind == OptionKind::Number) {
        help += "\n" + tr("%1 to %2 %3")
                           .arg(QString::number(info.low, 'g', 12), QString::number(info.high, 'g', 12),
                                word(info.unit))
                           .trimmed();
    }
    setToolTip(help);
    auto* name = new ElidedLabel(label + (info.unit.empty() ? "" : ", " + word(info.unit)));
    auto* row = makeRow(nullptr, {0, 3, 0, 3});
    name->setToolTip(name->text() + "\n" + help);
    row->addWidget(name, 1);
    if (info.kind == OptionKind::Choice) {
        choices_ = new ComboBox;
        choices_->setFixedWidth(kFieldWidth);
        choices_->setAccessibleName(label);
        for (const std::string& choice : info.choices) {
            choices_->addItem(shownChoice(choice), QString::fromStdString(choice));
        }
        connect(choices_, &QComboBox::activated, this,
                [this](int index) { commit(choices_->itemData(index).toString()); });
        row->addWidget(choices_);
    } else {
        field_ = new QLineEdit;
        field_->setFixedWidth(kFieldWidth);
        field_->setAccessibleName(label);
        field_->setAlignment(info.kind == OptionKind::Text ? Qt::AlignLeft : Qt::AlignRight);
        if (info.fallback.empty()) {
            field_->setPlaceholderText(tr("default"));
        }
        connect(field_, &QLineEdit::editingFinished, this, [this] { commit(field_->text()); });
        row->addWidget(field_);
    }
    auto* all = makeColumn(this);
    all->addLayout(row);
    all->addWidget(fault_);
    fault_->hide();
    refresh();
}

void SettingField::refresh() {
    const QString value = QString::fromStdString(desk_.settings().current().get(info_.key));
    if (choices_ != nullptr) {
        choices_->setCurrentIndex(choices_->findData(value));
    } else if (!field_->hasFocus()) {
        field_->setText(value);
    }
}

void SettingField::commit(const QString& text) {
    try {
        QString plain = text.trimmed();
        desk_.settings().set(info_.key, plain.replace(QChar(0x2212), '-').toStdString());
        fault_->hide();
        if (field_ != nullptr) {
            field_->setProperty("bad", false);
        }
    } catch (const WrongUse& fault) {
        fault_->setText(fault.what());
        fault_->setToolTip(fault.what());
        fault_->show();
        field_->setProperty("bad", true);
    }
    if (field_ != nullptr) {
        field_->setStyle(field_->style());  // the style sheet looks at properties only when it is set
    }
}

}  // namespace tof::ui
