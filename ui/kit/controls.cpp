// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/controls.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kFieldWidth = 82;

}  // namespace

Dial::Dial(const QString& name, QWidget* parent) : QWidget(parent) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setFixedSize(sizeHint());
    setToolTip(tr("%1, degrees: drag, wheel or arrow keys turn it").arg(name));
}

void Dial::setValue(double degrees) {
    if (degrees != degrees_) {
        degrees_ = degrees;
        setAccessibleDescription(tr("%1 degrees").arg(numberText(degrees, 1)));
        update();
    }
}

void Dial::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre(width() / 2.0, height() / 2.0);
    const double radius = std::min(width(), height()) / 2.0 - 2;
    painter.setPen(QPen(hasFocus() ? theme.focus : theme.ctlBorder, hasFocus() ? 2 : 1));
    painter.setBrush(theme.input);
    painter.drawEllipse(centre, radius, radius);
    painter.setPen(QPen(theme.text3, 1));
    for (int tick = 0; tick < 360; tick += 15) {
        const double a = tick * kRadPerDeg;
        const QPointF direction(std::cos(a), std::sin(a));
        const double inner = radius - (tick % 45 == 0 ? 7 : 4);
        painter.drawLine(centre + inner * direction, centre + (radius - 1.5) * direction);
    }
    const double a = degrees_ * kRadPerDeg;
    const QPointF needle = (radius - 13) * QPointF(std::cos(a), std::sin(a));
    painter.setPen(QPen(theme.text, 1.75, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre - needle, centre + needle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawEllipse(centre + needle, 4.5, 4.5);
}

void Dial::turnTo(QPointF position) {
    const QPointF d = position - QPointF(width() / 2.0, height() / 2.0);
    if (d.manhattanLength() < 3) {
        return;
    }
    double degrees = std::atan2(d.y(), d.x()) / kRadPerDeg;
    degrees = std::fmod(degrees + 360, 180.0);  // a line has no sense
    degrees = std::fmod(std::round(degrees * 2) / 2, 180.0);
    setValue(degrees);
    Q_EMIT turned(degrees_, Edit::Dragging);
}

void Dial::turnBy(double degrees) {
    setValue(std::fmod(degrees_ + degrees + 360, 180.0));
    Q_EMIT turned(degrees_, Edit::Whole);
}

void Dial::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        turnTo(event->position());
    }
}

void Dial::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) {
        turnTo(event->position());
    }
}

void Dial::mouseReleaseEvent(QMouseEvent*) {
    Q_EMIT released();
}

void Dial::wheelEvent(QWheelEvent* event) {
    turnBy(event->angleDelta().y() / 120.0 * (event->modifiers() & Qt::ShiftModifier ? 10 : 1));
    event->accept();
}

bool Dial::event(QEvent* event) {
    return claimsKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down}) ||
           QWidget::event(event);
}

void Dial::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Up) {
        turnBy(step);
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Down) {
        turnBy(-step);
    } else {
        QWidget::keyPressEvent(event);
    }
}

NumberRow::NumberRow(const Info& info, const QString& objectName, Setter setter, QWidget* parent)
    : QWidget(parent), info_(info), setter_(std::move(setter)) {
    setFixedHeight(34);
    auto* row = makeRow(this, {0, 3, 0, 3});
    label_ = new ElidedLabel(info_.name, ElidedLabel::Role::Caption);
    label_->setFixedWidth(52);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(objectName + ".slider");
    slider_->setAccessibleName(info_.name);
    slider_->setRange(0, static_cast<int>(std::lround((info_.high - info_.low) / info_.step)));
    slider_->setToolTip(info_.help);
    field_ = makeNumberField(objectName, info_.name, info_.help, kFieldWidth);
    label_->setToolTip(info_.help);
    row->addWidget(label_);
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
