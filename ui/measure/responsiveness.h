// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <QString>
#include <QTimer>
#include <utility>
#include <vector>

#include "ui/pictures/slice_pane.h"

namespace tof::ui {

/// Gaps between turns of an event loop: a timer that is always due runs once per turn, and how late it comes
/// is how long the window did not answer.
class LoopGaps : public QObject {
  public:
    explicit LoopGaps(QObject* parent = nullptr);
    void start();
    void stop() { timer_.stop(); }

    struct Summary {
        std::size_t turns = 0;
        double seconds = 0;
        double medianMs = 0;
        double p99Ms = 0;  ///< 99th percentile of the gaps
        double maxMs = 0;
    };
    /// Percentiles to 0.1 ms; a gap above 10 s counts as one of 10 s there.
    [[nodiscard]] Summary summary() const;
    /// The longest gap since the last call, ms.
    [[nodiscard]] double takeLargest() { return std::exchange(lately_ms_, 0.0); }

  private:
    void turn();
    [[nodiscard]] double percentile_ms(double share) const;

    QTimer timer_;
    QElapsedTimer clock_;
    qint64 last_ = 0;
    /// How many gaps there were of 0.1 ms, 0.2 ms and so on: an hour of them takes no more memory than one.
    std::vector<std::size_t> counts_;
    std::size_t turns_ = 0;
    double longest_ms_ = 0;
    double lately_ms_ = 0;
};

/// From a mouse event that drags an ROI to the moment at which the picture and everything with it is painted.
/// Presses the left end of a sphere's outline and moves in circles, an event every 40 ms, each through the
/// event queue behind whatever waits there.
class RoiDragProbe : public QObject {
  public:
    RoiDragProbe(SlicePane& pane, Desk& desk, QObject* parent);
    void start();
    void stop();

    struct Summary {
        std::size_t moves = 0;  ///< that were painted
        double medianMs = 0;
        double p95Ms = 0;
        double maxMs = 0;
        double cpuMedianMs =
            0;  ///< processor time of the window's thread: what a machine with nothing else to do would need
        double cpuP95Ms = 0;
    };
    [[nodiscard]] Summary summary() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void move();
    void post(QEvent::Type type, QPointF at);

    SlicePane& pane_;
    Desk& desk_;
    QTimer timer_;
    QElapsedTimer clock_;
    QPointF grip_;
    int step_ = 0;
    int stepsBefore_ = -1;  ///< steps of undo; negative before start()
    bool waiting_ = false;  ///< an event has been posted and not been painted
    qint64 posted_ = 0;
    double postedCpu_ms_ = 0;
    std::vector<double> latencies_ms_;
    std::vector<double> cpu_ms_;
};

}  // namespace tof::ui
