// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/responsiveness.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "recon/base/percentile.h"
#include "ui/desk/desk.h"

namespace tof::ui {

namespace {

constexpr double kBin_ms = 0.1;
constexpr std::size_t kBins = 100000;

/// Processor time of the calling thread.
double threadCpu_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

LoopGaps::LoopGaps(QObject* parent) : QObject(parent) {
    // One millisecond keeps the loop turning without taking a core for itself.
    timer_.setInterval(1);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] { turn(); });
}

void LoopGaps::start() {
    counts_.assign(kBins, 0);
    turns_ = 0;
    longest_ms_ = 0;
    lately_ms_ = 0;
    clock_.start();
    last_ = clock_.nsecsElapsed();
    timer_.start();
}

void LoopGaps::turn() {
    const qint64 now = clock_.nsecsElapsed();
    const double ms = static_cast<double>(now - last_) * 1e-6;
    last_ = now;
    ++counts_[std::min(kBins - 1, static_cast<std::size_t>(ms / kBin_ms))];
    ++turns_;
    longest_ms_ = std::max(longest_ms_, ms);
    lately_ms_ = std::max(lately_ms_, ms);
}

double LoopGaps::percentile_ms(double share) const {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(turns_)));
    std::size_t below = 0;
    std::size_t bin = 0;
    while (bin < counts_.size() && (below += counts_[bin]) < rank) {
        ++bin;
    }
    return (static_cast<double>(bin) + 0.5) * kBin_ms;
}

LoopGaps::Summary LoopGaps::summary() const {
    Summary s;
    s.turns = turns_;
    if (turns_ > 0) {
        s.seconds = static_cast<double>(last_) * 1e-9;
        s.medianMs = percentile_ms(0.5);
        s.p99Ms = percentile_ms(0.99);
        s.maxMs = longest_ms_;
    }
    return s;
}

RoiDragProbe::RoiDragProbe(SlicePane& pane, Desk& desk, QObject* parent)
    : QObject(parent), pane_(pane), desk_(desk) {
    timer_.setInterval(40);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] { move(); });
}

void RoiDragProbe::start() {
    constexpr double kRadius_mm = 25;
    Roi roi;
    roi.name = "probe";
    roi.shape = Roi::Shape::Sphere;
    roi.centre = desk_.view().cursor();
    roi.radius_mm = kRadius_mm;
    stepsBefore_ = desk_.rois().undo().index();
    desk_.rois().add({roi}, "Probe");
    desk_.view().flush();
    const QPointF middle = pane_.toWidget(roi.centre);
    const QPointF edge = pane_.toWidget(roi.centre + Vec3{kRadius_mm, kRadius_mm, kRadius_mm});
    grip_ = {middle.x() - std::abs(edge.x() - middle.x()), middle.y()};
    pane_.installEventFilter(this);
    post(QEvent::MouseButtonPress, grip_);
    clock_.start();
    timer_.start();
}

void RoiDragProbe::post(QEvent::Type type, QPointF at) {
    const bool moves = type == QEvent::MouseMove;
    const bool up = type == QEvent::MouseButtonRelease;
    QCoreApplication::postEvent(
        &pane_, new QMouseEvent(type, at, pane_.mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                                up ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier));
}

void RoiDragProbe::move() {
    if (waiting_) {
        return;  // as a mouse does: moves that nobody took are merged
    }
    ++step_;
    const double angle = 0.2 * step_;
    waiting_ = true;
    posted_ = clock_.nsecsElapsed();
    postedCpu_ms_ = threadCpu_ms();
    post(QEvent::MouseMove, grip_ + 40.0 * QPointF(std::cos(angle), std::sin(angle)));
}

bool RoiDragProbe::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint && waiting_) {
        waiting_ = false;
        // Behind this round of painting, which goes on after the filter.
        QMetaObject::invokeMethod(
            this,
            [this, posted = posted_, cpu = postedCpu_ms_] {
                cpu_ms_.push_back(threadCpu_ms() - cpu);
                latencies_ms_.push_back(static_cast<double>(clock_.nsecsElapsed() - posted) * 1e-6);
            },
            Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void RoiDragProbe::stop() {
    timer_.stop();
    pane_.removeEventFilter(this);
    if (stepsBefore_ >= 0) {
        // Measuring leaves no trace in the study.
        desk_.rois().abandonDrag();
        desk_.rois().undo().setIndex(stepsBefore_);
    }
}

RoiDragProbe::Summary RoiDragProbe::summary() const {
    Summary s;
    s.moves = latencies_ms_.size();
    if (!latencies_ms_.empty()) {
        std::vector<double> latencies = latencies_ms_;
        s.medianMs = percentile(latencies, 0.5);
        s.p95Ms = percentile(latencies, 0.95);
        s.maxMs = percentile(latencies, 1);
        std::vector<double> cpu = cpu_ms_;
        s.cpuMedianMs = percentile(cpu, 0.5);
        s.cpuP95Ms = percentile(cpu, 0.95);
    }
    return s;
}

}  // namespace tof::ui
