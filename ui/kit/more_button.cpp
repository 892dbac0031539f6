// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/more_button.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/kit/basic.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kCaptionWidth = 120;

/// Over the window; Esc closes it and is nobody else's.
class Panel : public QFrame {
  public:
    explicit Panel(QWidget* parent) : QFrame(parent, Qt::Popup) { setFrameShape(QFrame::StyledPanel); }

  protected:
    bool event(QEvent* event) override { return claimsKey(*event, {Qt::Key_Escape}) || QFrame::event(event); }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Escape) {
            hide();
        } else {
            QFrame::keyPressEvent(event);
        }
    }
};

}  // namespace

MoreButton::MoreButton(const QString& objectName, QWidget* parent) : QToolButton(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("More tools"));
    setToolTip(tr("Tools that the bar has no room for"));
    setFocusPolicy(Qt::TabFocus);
    setProperty("kind", "square");
    panel_ = new Panel(this);
    panel_->setObjectName(objectName + ".panel");
    panel_->setAccessibleName(accessibleName());
    rows_ = new QVBoxLayout(panel_);
    rows_->setContentsMargins(12, 8, 12, 8);
    rows_->setSpacing(8);
    connect(this, &QToolButton::clicked, this, &MoreButton::open);
    hide();
}

QWidget* MoreButton::hold(QWidget* tool, const QString& caption) {
    Held held;
    held.tool = tool;
    held.place = new QWidget;
    makeRow(held.place, {})->addWidget(tool);
    held.row = new QWidget(panel_);
    QHBoxLayout* row = makeRow(held.row, {});
    auto* label = new QLabel(caption);
    label->setMinimumWidth(kCaptionWidth);
    label->setBuddy(tool);
    row->addWidget(label);
    row->addStretch(1);
    held.row->hide();
    rows_->addWidget(held.row);
    held_.push_back(held);
    return held.place;
}

void MoreButton::setStowed(QWidget* tool, bool away) {
    const auto held =
        std::find_if(held_.begin(), held_.end(), [tool](const Held& each) { return each.tool == tool; });
    if (held == held_.end() || held->away == away) {
        return;
    }
    held->away = away;
    (away ? held->row : held->place)->layout()->addWidget(tool);
    held->row->setVisible(away);
    held->place->setVisible(!away);
    const bool any = std::any_of(held_.begin(), held_.end(), [](const Held& each) { return each.away; });
    setVisible(any);
    if (!any) {
        panel_->hide();
    }
}

bool MoreButton::stowed(const QWidget* tool) const {
    return std::any_of(held_.begin(), held_.end(),
                       [tool](const Held& each) { return each.tool == tool && each.away; });
}

void MoreButton::paintEvent(QPaintEvent* event) {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    // The style sheet takes the ground out of a button's own palette: the bar's says which theme it is.
    painter.drawPixmap((width() - 16) / 2, (height() - 16) / 2,
                       iconPixmap("more", Theme::of(*parentWidget()).text, 16, devicePixelRatioF()));
}

void MoreButton::open() {
    panel_->adjustSize();
    QPoint at = mapToGlobal(QPoint(width() - panel_->width(), height() + 2));
    if (const QScreen* shown = screen()) {
        const QRect room = shown->availableGeometry();
        at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - panel_->width())));
    }
    panel_->move(at);
    panel_->show();
    for (const Held& each : held_) {
        if (each.away && each.tool->focusPolicy() != Qt::NoFocus && each.tool->isVisible()) {
            each.tool->setFocus(Qt::PopupFocusReason);
            break;
        }
    }
}

}  // namespace tof::ui
