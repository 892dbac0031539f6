// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QKeyEvent>
#include <QTimer>
#include <map>
#include <nlohmann/json.hpp>

#include "ui/desk/desk.h"
#include "ui/measure/measure.h"
#include "ui/measure/mixed_work.h"

namespace tof::ui {

namespace {

constexpr int kHandMs = 80;  ///< between two movements of a hand

/// Presses Tab, and lets go of it, in whatever has the focus.
void sendTab() {
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        if (QWidget* const focus = QApplication::focusWidget()) {
            QKeyEvent event(type, Qt::Key_Tab, Qt::NoModifier);
            QApplication::sendEvent(focus, &event);
        }
    }
}

/// A drag of so many moves from `from` by `step` each, whose first move presses and last one lets go.
void dragBy(QWidget& widget, QPointF from, QPointF step, Qt::MouseButton button, int move, int moves) {
    const QPointF at = from + move * step;
    if (move == 0) {
        sendMouse(widget, QEvent::MouseButtonPress, at, button, button);
    } else if (move == moves - 1) {
        sendMouse(widget, QEvent::MouseButtonRelease, at, button, Qt::NoButton);
    } else {
        sendMouse(widget, QEvent::MouseMove, at, Qt::NoButton, button);
    }
}

}  // namespace

MixedWork::MixedWork(Desk& desk, MainWindow& window)
    : QObject(&window), desk_(desk), window_(window), gaps_(this) {
    timer_.setInterval(kHandMs);
    connect(&timer_, &QTimer::timeout, this, [this] { act(); });
    addPictures();
    addCommands("layout.");
    addCommands("page.");
    work_.push_back({"page.slices", 2, [this](int /*move*/) { window_.commands().trigger("page.slices"); }});
}

void MixedWork::addPictures() {
    SlicePane* const pane = window_.viewer().pane(Plane::Transverse);
    SlicePane* const side = window_.viewer().pane(Plane::Coronal);
    const QPointF grip(60, 60);
    work_.push_back({"scroll", 12, [=](int /*move*/) { sendWheel(*pane, grip, -120); }});
    work_.push_back({"window and level", 12, [=](int move) {
                         dragBy(*pane, grip, {3, 2}, Qt::RightButton, move, 12);
                     }});
    work_.push_back({"read-out", 12, [=](int move) {
                         sendMouse(*side, QEvent::MouseMove, grip + QPointF(5.0 * move, 3.0 * move),
                                   Qt::NoButton, Qt::NoButton);
                     }});
    work_.push_back(
        {"zoom", 8, [=](int move) { sendWheel(*pane, grip, move < 4 ? 120 : -120, Qt::ControlModifier); }});
    work_.push_back({"pan", 8, [=](int move) { dragBy(*pane, grip, {4, 4}, Qt::MiddleButton, move, 8); }});
    for (const char* id : {"view.reset", "view.mip", "view.mip", "view.auto", "run.previous-iterate",
                           "run.previous-iterate", "run.next-iterate", "run.next-iterate"}) {
        work_.push_back({id, 2, [this, id](int move) {
                             if (move == 0) {
                                 window_.commands().trigger(id);
                             }
                         }});
    }
    constexpr int kMoves = 20;
    work_.push_back({"sphere", kMoves, [this, pane](int move) {
                         if (move == 0) {
                             drag_ = new RoiDragProbe(*pane, desk_, this);
                             drag_->start();
                         } else if (move == kMoves - 1) {
                             drag_->stop();
                             drag_->deleteLater();
                         }
                     }});
}

void MixedWork::addCommands(const QString& prefix) {
    for (const auto& command : window_.commands().all()) {
        if (!command->id.startsWith(prefix)) {
            continue;
        }
        // It is opened and gone through with Tab, as somebody would who looks for something there.
        work_.push_back({command->id, 8, [this, id = command->id](int move) {
                             if (move == 0) {
                                 window_.commands().trigger(id);
                             } else {
                                 sendTab();
                             }
                         }});
    }
}

void MixedWork::act() {
    if (desk_.runs().image() == nullptr) {
        return;  // nothing to work in yet
    }
    const Work& work = work_[at_];
    if (doing_.isEmpty()) {
        gaps_.start();
    } else {
        double& longest = longest_ms_[doing_];
        longest = std::max(longest, gaps_.takeLargest());
    }
    doing_ = work.name;
    work.act(move_);
    if (++move_ == work.moves) {
        move_ = 0;
        at_ = (at_ + 1) % work_.size();
        rounds_ += at_ == 0 ? 1 : 0;
    }
}

void MixedWork::stop() {
    timer_.stop();
    gaps_.stop();
}

nlohmann::json MixedWork::summary() const {
    const LoopGaps::Summary s = gaps_.summary();
    std::vector<std::pair<double, QString>> byLength;
    for (const auto& [name, ms] : longest_ms_) {
        byLength.emplace_back(ms, name);
    }
    std::sort(byLength.rbegin(), byLength.rend());
    nlohmann::json longest;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, byLength.size()); ++i) {
        longest.push_back({{"work", byLength[i].second.toStdString()}, {"ms", byLength[i].first}});
    }
    return {{"kinds_of_work", longest_ms_.size()},
            {"rounds", rounds_},
            {"seconds", s.seconds},
            {"median_ms", s.medianMs},
            {"p99_ms", s.p99Ms},
            {"max_ms", s.maxMs},
            {"longest", longest}};
}

}  // namespace tof::ui
