// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure.h"

#include <QApplication>
#include <QTimer>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/desk/desk.h"

namespace tof::ui {

namespace {

constexpr int kMoveMs = 16;         ///< between two moves of a hand
constexpr double kTurn_moves = 40;  ///< moves of one way up and down
constexpr double kReach_px = 24;

/// Presses, moves and lets go; takes the time to the paintings that show it.
class KernelDragProbe : public QObject {
  public:
    KernelDragProbe(MainWindow& window, double seconds)
        : QObject(&window), page_(window.labPage()), lab_(page_.lab()), seconds_(seconds) {
        connect(&lab_, &KernelLab::computed, this, &KernelDragProbe::look);
        connect(page_.pane(2, Plane::Coronal), &LabPane::painted, this, &KernelDragProbe::painted);
        connect(&next_, &QTimer::timeout, this, &KernelDragProbe::move);
        look();
    }

  private:
    enum class Phase { First, Dragging, Released };

    void look() {
        if (phase_ == Phase::First && !lab_.results().busy() && lab_.results().pictures() != nullptr) {
            begin();
        } else if (phase_ != Phase::First && lab_.results().pictures() != nullptr &&
                   lab_.results().pictures() != shown_) {
            shown_ = lab_.results().pictures();
            shownAfter_ms_ = lab_.results().picturesLatency_ms();
            computedAt_ms_ = msOf(clock_);
            page_.pane(2, Plane::Coronal)->update();  // even if nothing in it has changed
        }
    }

    void begin() {
        const auto [s, w] = lab_.knots()[static_cast<std::size_t>(lab_.selectedKnot())];
        grip_ = page_.plot()->place(s, w);
        phase_ = Phase::Dragging;
        clock_.start();
        shown_ = lab_.results().pictures();
        sendMouse(*page_.plot(), QEvent::MouseButtonPress, grip_, Qt::LeftButton, Qt::LeftButton);
        next_.start(kMoveMs);
    }

    void move() {
        if (msOf(clock_) > seconds_ * 1000) {
            next_.stop();
            phase_ = Phase::Released;
            releasedAt_ms_ = msOf(clock_);
            sendMouse(*page_.plot(), QEvent::MouseButtonRelease, at_, Qt::LeftButton, Qt::NoButton);
            finishWhenExact();
            return;
        }
        ++moves_;
        at_ = grip_ - QPointF(0, kReach_px * (1 + std::sin(moves_ * 6.28 / kTurn_moves)));
        sendMouse(*page_.plot(), QEvent::MouseMove, at_, Qt::NoButton, Qt::LeftButton);
    }

    void painted() {
        if (shown_ == nullptr || shown_ == paintedPictures_ || phase_ == Phase::First) {
            return;
        }
        paintedPictures_ = shown_;
        const double painting = msOf(clock_) - computedAt_ms_;
        if (phase_ == Phase::Dragging) {
            times_.push_back(shownAfter_ms_ + painting);
            paintings_.push_back(painting);
        }
        finishWhenExact();
    }

    void finishWhenExact() {
        if (phase_ == Phase::Released && !lab_.results().busy() &&
            paintedPictures_ == lab_.results().pictures()) {
            print(msOf(clock_) - releasedAt_ms_);
            QCoreApplication::exit(0);
        }
    }

    void print(double exact_ms) {
        const nlohmann::json o{{"kernel", lab_.originName().toStdString()},
                               {"points", lab_.points().size()},
                               {"lattice", lab_.lattice().text()},
                               {"moves", moves_},
                               {"pictures", times_.size()},
                               {"pictures_per_s", static_cast<double>(times_.size()) / seconds_},
                               {"change_to_painted", summaryOf(times_)},
                               {"painting", summaryOf(paintings_)},
                               {"release_to_exact_ms", exact_ms}};
        printJson(o);
    }

    KernelLabPage& page_;
    KernelLab& lab_;
    double seconds_;
    Phase phase_ = Phase::First;
    QTimer next_;
    QElapsedTimer clock_;
    QPointF grip_;
    QPointF at_;
    int moves_ = 0;
    double computedAt_ms_ = 0;
    double releasedAt_ms_ = 0;
    double shownAfter_ms_ = 0;
    std::shared_ptr<const LabPictures> shown_;
    std::shared_ptr<const LabPictures> paintedPictures_;
    std::vector<double> times_;
    std::vector<double> paintings_;
};

}  // namespace

void measureKernelDrag(MainWindow& window, double seconds) {
    KernelLab& lab = window.labPage().lab();
    if (!window.labPage().isVisible()) {
        window.commands().trigger("page.lab");
    }
    if (lab.spread() == KernelLab::Spread::Measured) {
        throw WrongUse("--measure-kernel-drag: the widths of a measured kernel cannot be dragged");
    }
    static_cast<void>(new KernelDragProbe(window, seconds));
}

}  // namespace tof::ui
