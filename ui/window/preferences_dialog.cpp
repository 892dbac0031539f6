// SPDX-License-Identifier: Apache-2.0
#include "ui/window/preferences_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "ui/kit/preferences.h"
#include "ui/pages/setting_words.h"

namespace tof::ui {

namespace {

constexpr int kFieldWidth = 190;

}  // namespace

PreferencesDialog::PreferencesDialog(Preferences& preferences, QWidget* parent)
    : QDialog(parent), preferences_(preferences), note_(new ElidedLabel(ElidedLabel::Role::Caption)) {
    setObjectName("preferences");
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(24);
    form->setVerticalSpacing(6);
    QString group;
    for (const PreferenceInfo& info : preferenceTable()) {
        if (info.group != group) {
            auto* title = new ElidedLabel(ElidedLabel::Role::Caption);
            title->setText(info.group.toUpper());
            title->setFixedHeight(group.isEmpty() ? 24 : 36);
            form->addRow(title);
            group = info.group;
        }
        auto* label = new QLabel(info.title());
        QWidget* field = fieldFor(info.name());
        label->setBuddy(field);
        label->setToolTip(field->toolTip());
        form->addRow(label, field);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* close = buttons->button(QDialogButtonBox::Close);
    close->setText(tr("Close"));
    close->setObjectName("preferences.close");
    QPushButton* reset = buttons->addButton(tr("Reset to defaults"), QDialogButtonBox::ResetRole);
    reset->setObjectName("preferences.reset");
    reset->setToolTip(tr("Every preference as at the first start"));
    connect(reset, &QPushButton::clicked, this, &PreferencesDialog::resetAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(note_);
    column->addWidget(buttons);
    refresh();
}

QWidget* PreferencesDialog::fieldFor(const QString& key) {
    const PreferenceInfo& info = preferenceInfo(key);
    QWidget* field = nullptr;
    switch (info.kind) {
        case OptionKind::Choice: {
            auto* box = new ComboBox;
            for (std::size_t i = 0; i < info.choices.size(); ++i) {
                box->addItem(info.shown[static_cast<qsizetype>(i)], QString::fromStdString(info.choices[i]));
            }
            connect(box, &QComboBox::activated, this,
                    [this, key, box](int index) { apply(key, box->itemData(index).toString()); });
            shows_.emplace_back(
                [this, key, box] { box->setCurrentIndex(box->findData(preferences_.value(key))); });
            field = box;
            break;
        }
        case OptionKind::Switch: {
            auto* on = new Switch(QString());
            connect(on, &QAbstractButton::toggled, this,
                    [this, key](bool checked) { apply(key, checked ? "on" : "off"); });
            shows_.emplace_back([this, key, on] { on->setChecked(preferences_.isOn(key)); });
            field = on;
            break;
        }
        case OptionKind::Text: throw InternalError("a preference that is a text has no field");
        case OptionKind::Number:
        case OptionKind::Integer: {
            auto* box = new QDoubleSpinBox;
            box->setButtonSymbols(QAbstractSpinBox::NoButtons);
            box->setAlignment(Qt::AlignRight);
            box->setRange(info.low, info.high);
            box->setDecimals(info.kind == OptionKind::Integer ? 0 : 1);
            // A zero that means something else than none of it is said in words.
            if (const QString zero = shownSetting(info.key, "0"); info.low == 0 && zero != "0") {
                box->setSpecialValueText(zero);
            }
            box->setSuffix(info.unit.empty() ? QString() : " " + QString::fromStdString(info.unit));
            connect(box, &QDoubleSpinBox::valueChanged, this,
                    [this, key](double value) { apply(key, QString::number(value)); });
            shows_.emplace_back([this, key, box] { box->setValue(preferences_.value(key).toDouble()); });
            field = box;
            break;
        }
    }
    field->setObjectName("preference." + key);
    field->setAccessibleName(info.title());
    QString help = QString::fromStdString(info.help);
    if (info.takes == PreferenceTakes::Restart) {
        help += "\n" + tr("Takes effect at the next start");
    } else if (info.takes == PreferenceTakes::Next) {
        help += "\n" + tr("What the settings of the next run begin with");
    }
    field->setToolTip(help);
    field->setFixedWidth(info.kind == OptionKind::Switch ? field->sizeHint().width() : kFieldWidth);
    return field;
}

void PreferencesDialog::apply(const QString& key, const QString& value) {
    if (filling_ || preferences_.value(key) == value) {
        return;
    }
    try {
        preferences_.setValue(key, value);
        const bool restart = preferenceInfo(key).takes == PreferenceTakes::Restart;
        note_->setText(restart ? tr("%1: takes effect at the next start").arg(preferenceInfo(key).title())
                               : QString());
        Q_EMIT changed(key);
    } catch (const WrongUse& fault) {
        note_->setText(fault.what());
    }
}

void PreferencesDialog::resetAll() {
    preferences_.reset();
    refresh();
    note_->setText(QString());
    for (const PreferenceInfo& info : preferenceTable()) {
        Q_EMIT changed(info.name());
    }
}

void PreferencesDialog::refresh() {
    filling_ = true;
    for (const auto& show : shows_) {
        show();
    }
    filling_ = false;
}

}  // namespace tof::ui
