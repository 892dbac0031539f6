// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/setting_field.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"
#include "ui/desk/open_study.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/setting_words.h"
#include "ui/pages/undo_steps.h"

namespace tof::ui {

namespace {

constexpr int kDragUndo = 1;  // steps of a drag are one of undo

}  // namespace

SettingField::SettingField(const SettingInfo& info, SettingsModel& settings, const OpenStudy& study,
                           const EngineRegistry& engines, QUndoStack& undo, QWidget* parent)
    : QWidget(parent),
      info_(info),
      settings_(settings),
      study_(study),
      engines_(engines),
      undo_(undo),
      fault_(new ElidedLabel(ElidedLabel::Role::Caption)) {
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
    if (isChosen(info)) {
        choices_ = new ChoiceList;
        choices_->setFixedWidth(kFieldWidth);
        choices_->setAccessibleName(label);
        // What engines there are takes a moment to find out: only the open list says so.
        choices_->setChoices(shownChoices(info, settings_.current(), EngineRegistry(), systemOfData()));
        choices_->setSource(
            [this] { return shownChoices(info_, settings_.current(), engines_, systemOfData()); });
        connect(choices_, &QComboBox::activated, this,
                [this](int index) { commit(choices_->itemData(index).toString()); });
        row->addWidget(choices_);
    } else {
        field_ = new QLineEdit;
        field_->setFixedWidth(kFieldWidth);
        field_->setAccessibleName(label);
        field_->setAlignment(info.kind == OptionKind::Text ? Qt::AlignLeft : Qt::AlignRight);
        connect(field_, &QLineEdit::editingFinished, this, [this] { commit(field_->text()); });
        field_->installEventFilter(this);
        row->addWidget(field_);
    }
    auto* all = makeColumn(this);
    all->addLayout(row);
    if (info.slideLow > 0) {
        addSlider(*all, label, help);
    }
    all->addWidget(fault_);
    fault_->hide();
    refresh();
}

void SettingField::addSlider(QVBoxLayout& column, const QString& label, const QString& help) {
    constexpr double kPerDecade = 40;
    const double low = info_.slideLow;
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(objectName() + ".slider");
    slider_->setAccessibleName(label);
    slider_->setToolTip(help);
    slider_->setRange(0, static_cast<int>(std::lround(kPerDecade * std::log10(info_.slideHigh / low))));
    connect(slider_, &QSlider::valueChanged, this, [this, low](int place) {
        commit(QString::number(low * std::pow(10, place / kPerDecade), 'g', 2), Step::OfADrag);
    });
    column.addWidget(slider_);
}

bool SettingField::eventFilter(QObject* watched, QEvent* event) {
    // A word goes as a whole when something is typed in its place.
    if (watched == field_ && event->type() == QEvent::FocusIn) {
        QTimer::singleShot(0, field_, &QLineEdit::selectAll);
    }
    return QWidget::eventFilter(watched, event);
}

void SettingField::refresh() {
    const QString value = QString::fromStdString(settings_.current().get(info_.key));
    if (slider_ != nullptr && !slider_->isSliderDown()) {
        const QSignalBlocker quiet(slider_);
        const double ratio = std::max(value.toDouble(), info_.slideLow) / info_.slideLow;
        const double all = std::log10(info_.slideHigh / info_.slideLow);
        slider_->setValue(static_cast<int>(std::lround(slider_->maximum() * std::log10(ratio) / all)));
    }
    if (choices_ != nullptr) {
        if (choices_->findData(value) < 0) {  // a strategy of an engine that was not asked yet
            choices_->addItem(value, value);
        }
        choices_->setCurrentIndex(choices_->findData(value));
    } else if (!field_->hasFocus()) {
        field_->setText(shownSetting(info_.key, value.toStdString()));
    }
}

std::string SettingField::systemOfData() const {
    const auto& open = study_.measurement();
    return open != nullptr ? open->system() : DirectModel::kSystem;
}

void SettingField::commit(const QString& text, Step step) {
    QString fault;
    try {
        const std::string value = choices_ != nullptr ? text.toStdString() : typedSetting(info_.key, text);
        if (const QString why = whyNotSetting(info_, value); !why.isEmpty()) {
            throw WrongUse(why.toStdString());
        }
        setSetting(settings_, undo_, info_.key, value, step == Step::OfADrag ? kDragUndo : -1);
    } catch (const WrongUse& wrong) {
        fault = wrong.what();
    }
    fault_->setText(fault);
    fault_->setToolTip(fault);
    fault_->setVisible(!fault.isEmpty());
    if (field_ != nullptr) {
        if (fault.isEmpty()) {
            field_->setText(shownSetting(info_.key, settings_.current().get(info_.key)));
        }
        field_->setProperty("bad", !fault.isEmpty());
        field_->setStyle(field_->style());  // the style sheet looks at properties only when it is set
    }
}

}  // namespace tof::ui
