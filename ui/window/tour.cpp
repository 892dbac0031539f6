// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tour.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "ui/kit/basic.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kWidth = 340;
constexpr int kGap = 10;  ///< px between the card and what it is about

/// Around the control, over everything, deaf to the mouse.
class TourFrame : public QWidget {
  public:
    explicit TourFrame(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setObjectName("tour.frame");
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(*this).focus, 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 5, 5);
    }
};

}  // namespace

std::vector<TourStep> tourSteps() {
    return {
        {Text::tr("Open something"),
         Text::tr("Studies, measured data, runs and volumes open here; files can also be dropped anywhere "
                  "into the window. The start page offers the demo study, which is simulated and "
                  "reconstructed at its first use."),
         "file.open.button", "page.slices"},
        {Text::tr("The kernel"),
         Text::tr("The kernel says how far counts spread. This list, and the settings below it, are those of "
                  "the next run; a change touches no run that is there."),
         "setting.kernel", ""},
        {Text::tr("Run"),
         Text::tr("Run reconstructs what is open, beside the runs that are there. Beside it: pause, one "
                  "step, finish with the last whole iterate, cancel."),
         "run.start.button", ""},
        {Text::tr("Runs"),
         Text::tr("Every run and volume is a row. A click shows it, F2 renames it, Del deletes it and Undo "
                  "brings it back."),
         "runs", ""},
        {Text::tr("Pictures"),
         Text::tr("Three planes through one cursor. A left press moves the cursor, the wheel goes through "
                  "slices, a right drag changes brightness and contrast, Ctrl and the wheel zoom."),
         "pane.transverse", "page.slices"},
        {Text::tr("Display range"),
         Text::tr("All runs of a study share one range, so that going up and down in the list is a fair "
                  "comparison. The list beside Auto has ranges by name."),
         "view.ranges", "page.slices"},
        {Text::tr("Regions"),
         Text::tr("Draw takes a shape in hand. The table follows every iterate; spheres and backgrounds give "
                  "contrast recovery and noise."),
         "rois.draw", ""},
        {Text::tr("Curves"),
         Text::tr(
             "Contrast recovery against noise, a point per iterate. A click on a point shows that iterate."),
         "chart.curve", ""},
        {Text::tr("Compare"),
         Text::tr("Two images and their difference, side by side, as a swipe or as a checkerboard, at the "
                  "same iterate or at matched noise."),
         "page.compare.button", ""},
        {Text::tr("Kernel lab"),
         Text::tr("What a kernel is and does: drag its widths and see projections, errors and times follow."),
         "page.lab.button", ""},
        {Text::tr("Help"),
         Text::tr("Messages stand here. F1 shows every key, Ctrl+Shift+P finds a command by what you want to "
                  "do, and Help has the manual, the glossary and this tour."),
         "status", ""}};
}

QString tourText() {
    QString text;
    int n = 0;
    for (const TourStep& step : tourSteps()) {
        text += QString("%1. **%2.** %3\n").arg(++n).arg(step.title, step.text);
    }
    return text;
}

Tour::Tour(CommandRegistry& commands, QWidget& window)
    : QWidget(&window),
      commands_(commands),
      window_(window),
      steps_(tourSteps()),
      frame_(new TourFrame(&window)) {
    setObjectName("tour");
    setAccessibleName(tr("Guided tour"));
    setFocusPolicy(Qt::StrongFocus);
    count_ = new QLabel;
    count_->setObjectName("tour.count");
    count_->setStyleSheet("font-size: 11px;");
    title_ = new QLabel;
    title_->setObjectName("tour.title");
    title_->setFont(textFont(15, QFont::DemiBold));
    text_ = new QLabel;
    text_->setObjectName("tour.text");
    text_->setWordWrap(true);
    const auto button = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text);
        made->setObjectName(name);
        made->setAutoDefault(false);
        made->setFocusPolicy(Qt::TabFocus);
        return made;
    };
    auto* close = button(tr("Close"), "tour.close");
    close->setToolTip(tr("Ends the tour; Help > Guided tour begins it again"));
    back_ = button(tr("Back"), "tour.back");
    back_->setToolTip(tr("The step before"));
    next_ = button(tr("Next"), "tour.next");
    next_->setToolTip(tr("The next step"));
    connect(close, &QPushButton::clicked, this, &Tour::end);
    connect(back_, &QPushButton::clicked, this, [this] { go(step_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] { go(step_ + 1); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(count_);
    column->addWidget(title_);
    column->addWidget(text_);
    auto* row = new QHBoxLayout;
    row->addWidget(close);
    row->addStretch();
    row->addWidget(back_);
    row->addWidget(next_);
    column->addLayout(row);
    window_.installEventFilter(this);
    hide();
    frame_->hide();
}

void Tour::begin() {
    go(0);
}

void Tour::end() {
    step_ = -1;
    hide();
    frame_->hide();
}

void Tour::go(int step) {
    if (step >= static_cast<int>(steps_.size())) {
        end();
        return;
    }
    step_ = std::max(0, step);
    const TourStep& now = steps_[static_cast<std::size_t>(step_)];
    if (!now.command.isEmpty() && !commands_.action(now.command)->isChecked()) {
        static_cast<void>(commands_.trigger(now.command));
    }
    count_->setText(tr("Guided tour, %1 of %2").arg(step_ + 1).arg(steps_.size()));
    title_->setText(now.title);
    text_->setText(now.text);
    setAccessibleDescription(now.title + ". " + now.text);
    back_->setEnabled(step_ > 0);
    next_->setText(step_ + 1 == static_cast<int>(steps_.size()) ? tr("Done") : tr("Next"));
    arrange();
    show();
    raise();
    setFocus(Qt::OtherFocusReason);
    // A page that was just turned to has its places after this turn of the event loop.
    QTimer::singleShot(0, this, &Tour::arrange);
}

QWidget* Tour::target() const {
    if (step_ < 0) {
        return nullptr;
    }
    for (QWidget* found : window_.findChildren<QWidget*>(steps_[static_cast<std::size_t>(step_)].target)) {
        if (found->isVisible()) {
            return found;
        }
    }
    return nullptr;
}

/// Beside the control where there is room: right, left, below, above; over the middle of the window without
/// one.
void Tour::arrange() {
    if (step_ < 0) {
        return;
    }
    layout()->activate();
    const int height = std::max(sizeHint().height(), layout()->totalHeightForWidth(kWidth));
    resize(kWidth, height);
    const QRect room = window_.rect().adjusted(kGap, kGap, -kGap, -kGap);
    QWidget* control = target();
    frame_->setVisible(control != nullptr);
    QRect card(QPoint(), size());
    if (control == nullptr) {
        card.moveCenter(room.center());
        move(card.topLeft());
        return;
    }
    const QRect about =
        QRect(control->mapTo(&window_, QPoint()), control->size()).intersected(window_.rect());
    frame_->setGeometry(about.adjusted(-4, -4, 4, 4).intersected(window_.rect()));
    frame_->raise();
    raise();
    const std::array<QPoint, 4> places{
        QPoint(about.right() + kGap, about.top()), QPoint(about.left() - kGap - width(), about.top()),
        QPoint(about.left(), about.bottom() + kGap), QPoint(about.left(), about.top() - kGap - height)};
    QPoint best = room.center() - QPoint(width() / 2, height / 2);
    for (const QPoint& place : places) {
        QRect there(place, size());
        there.moveLeft(std::clamp(there.left(), room.left(), std::max(room.left(), room.right() - width())));
        there.moveTop(std::clamp(there.top(), room.top(), std::max(room.top(), room.bottom() - height)));
        if (!there.intersects(about)) {
            best = there.topLeft();
            break;
        }
    }
    move(best);
}

bool Tour::event(QEvent* event) {
    return claimsKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space,
                              Qt::Key_Escape}) ||
           QWidget::event(event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    const bool returns = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (auto* button = qobject_cast<QPushButton*>(focusWidget());
        returns && button != nullptr && button->hasFocus()) {
        button->click();
        return;
    }
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space: go(step_ + 1); break;
        case Qt::Key_Left: go(step_ - 1); break;
        case Qt::Key_Escape: end(); break;
        default: QWidget::keyPressEvent(event);
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && event->type() == QEvent::Resize) {
        QTimer::singleShot(0, this, &Tour::arrange);
    }
    return QWidget::eventFilter(watched, event);
}

void Tour::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.focus, 1));
    painter.setBrush(theme.ctl);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

}  // namespace tof::ui
