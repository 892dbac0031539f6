// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/dial.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "ui/kit/theme.h"

namespace tof::ui {

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
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
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

}  // namespace tof::ui
