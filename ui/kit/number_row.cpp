// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/number_row.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kFieldWidth = 82;

}  // namespace

NumberRow::NumberRow(const Info& info, const QString& objectName, Setter setter, QWidget* parent)
    : QWidget(parent), info_(info), setter_(std::move(setter)) {
    setFixedHeight(34);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 3, 0, 3);
    row->setSpacing(8);
    auto* label = new ElidedLabel(ElidedLabel::Role::Caption);
    label_ = label;
    label->setText(info_.name);
    label->setFixedWidth(52);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(objectName + ".slider");
    slider_->setAccessibleName(info_.name);
    slider_->setRange(0, static_cast<int>(std::lround((info_.high - info_.low) / info_.step)));
    slider_->setToolTip(info_.help);
    field_ = new QLineEdit;
    field_->setObjectName(objectName);
    field_->setAccessibleName(info_.name);
    field_->setAlignment(Qt::AlignRight);
    field_->setFixedWidth(kFieldWidth);
    field_->setToolTip(info_.help);
    label->setToolTip(info_.help);
    row->addWidget(label);
    row->addWidget(slider_, 1);
    row->addWidget(field_);
    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        commit(info_.low + position * info_.step, slider_->isSliderDown() ? Edit::Dragging : Edit::Whole);
    });
    connect(slider_, &QSlider::sliderReleased, this, &NumberRow::released);
    connect(field_, &QLineEdit::editingFinished, this, [this] {
        if (!field_->isModified()) {
            return;
        }
        QString text = field_->text().trimmed();
        const QString unit = info_.unit.trimmed();
        if (!unit.isEmpty() && text.endsWith(unit)) {
            text.chop(unit.size());
        }
        bool ok = false;
        const double value = text.trimmed().replace(QChar(0x2212), '-').toDouble(&ok);
        field_->setModified(false);
        commit(ok ? value : std::nan(""), Edit::Whole);
    });
}

void NumberRow::showValue(double value) {
    value_ = value;
    const QSignalBlocker quiet(slider_);
    if (!slider_->isSliderDown()) {
        slider_->setValue(static_cast<int>(std::lround((value - info_.low) / info_.step)));
    }
    if (!field_->hasFocus() || !field_->isModified()) {
        // No more digits than wanted, but never fewer than the value has.
        const QString shortest = QString::number(value, 'g', 10);
        const auto point = shortest.indexOf('.');
        const auto digits = point < 0 ? 0 : static_cast<int>(shortest.size() - point - 1);
        field_->setText(numberText(value, std::clamp(digits, info_.decimals, 6)) + info_.unit);
        field_->setModified(false);
    }
}

void NumberRow::setCompact(bool compact) {
    label_->setVisible(!compact);
    slider_->setVisible(!compact);
    field_->setFixedWidth(compact ? kCompactWidth : kFieldWidth);
}

void NumberRow::setValue(double value) {
    if (value != value_ || field_->text().isEmpty()) {
        showValue(value);
    }
}

void NumberRow::commit(double value, Edit edit) {
    bool bad = false;
    try {
        if (!std::isfinite(value)) {
            throw WrongUse(tr("a number is needed").toStdString());
        }
        setter_(value, edit);
        field_->setToolTip(info_.help);
        showValue(value);
    } catch (const Error& fault) {
        bad = true;
        field_->setToolTip(fault.what());
    }
    if (field_->property("bad").toBool() != bad) {
        field_->setProperty("bad", bad);
        field_->style()->polish(field_);  // the style sheet looks at properties only then
    }
}

}  // namespace tof::ui
