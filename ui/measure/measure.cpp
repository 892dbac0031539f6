// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure.h"

#include <malloc.h>
#include <QApplication>
#include <QMouseEvent>
#include <QSlider>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "ui/desk/desk.h"
#include "ui/measure/mixed_work.h"
#include "ui/measure/responsiveness.h"
#include "viz/surface.h"

namespace tof::ui {

namespace {

constexpr int kEveryMs = 60;     ///< between gestures, as a hand would
constexpr int kTurnsEach = 12;   ///< gestures of one kind in a row
constexpr int kGiveUpMs = 2000;  ///< a gesture that changed nothing is dropped

nlohmann::json summary(const std::vector<double>& ms) {
    nlohmann::json o = summaryOf(ms);
    o["n"] = ms.size();
    return o;
}

double heapBytes() {
    return static_cast<double>(mallinfo2().uordblks) + static_cast<double>(mallinfo2().hblkhd);
}

/// Sends real mouse and wheel events to the transverse picture, one after the other, and takes the time until
/// that picture, and until all three, are painted again.
class RepaintProbe : public QObject {
  public:
    enum class Gesture { Scroll, Level, Fade };
    struct Times {
        std::vector<double> first;  ///< ms until the picture under the pointer
        std::vector<double> all;    ///< ms until all three pictures
    };

    RepaintProbe(Desk& desk, MainWindow& window) : QObject(&window), desk_(desk), window_(window) {
        next_.setInterval(kEveryMs);
        connect(&next_, &QTimer::timeout, this, &RepaintProbe::act);
        for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
            connect(window_.viewer().pane(plane), &SlicePane::painted, this,
                    [this, i = static_cast<std::size_t>(plane)] { painted(i); });
        }
    }

    void start() { next_.start(); }
    void stop() { next_.stop(); }
    [[nodiscard]] const Times& times(Gesture gesture) { return times_[gesture]; }

  private:
    void act() {
        SlicePane* pane = window_.viewer().pane(Plane::Transverse);
        if (desk_.runs().image() == nullptr) {
            return;
        }
        if (waiting_) {
            waiting_ = clock_.elapsed() < kGiveUpMs;
            return;
        }
        const int n = turn_ % kTurnsEach;
        const int kinds = desk_.layers().stacked() ? 3 : 2;  // the fusion slider, where there is one
        gesture_ = static_cast<Gesture>(turn_ / kTurnsEach % kinds);
        ++turn_;
        // Presses and releases are not timed: only what is seen to move.
        const QPointF grip(60, 60);
        if (gesture_ == Gesture::Level && n == 0) {
            sendMouse(*pane, QEvent::MouseButtonPress, grip, Qt::RightButton, Qt::RightButton);
            return;
        }
        if (gesture_ == Gesture::Level && n == kTurnsEach - 1) {
            sendMouse(*pane, QEvent::MouseButtonRelease, grip, Qt::RightButton, Qt::NoButton);
            return;
        }
        seen_ = {};
        waiting_ = true;
        clock_.start();
        if (gesture_ == Gesture::Fade) {
            auto* slider = window_.findChild<QSlider*>("layer.opacity.0");
            slider->setSliderDown(n < kTurnsEach - 1);
            slider->setSliderPosition(30 + 3 * n);
        } else if (gesture_ == Gesture::Scroll) {
            sendWheel(*pane, grip, turn_ / kTurnsEach % 4 == 0 ? 120 : -120);
        } else {
            sendMouse(*pane, QEvent::MouseMove, grip + QPointF(3.0 * n, 2.0 * n), Qt::NoButton,
                      Qt::RightButton);
        }
    }

    void painted(std::size_t pane) {
        if (!waiting_) {
            return;
        }
        const double ms = msOf(clock_);
        if (pane == static_cast<std::size_t>(Plane::Transverse) && !seen_[pane]) {
            times_[gesture_].first.push_back(ms);
        }
        seen_[pane] = true;
        if (std::all_of(seen_.begin(), seen_.end(), [](bool s) { return s; })) {
            times_[gesture_].all.push_back(ms);
            waiting_ = false;
        }
    }

    Desk& desk_;
    MainWindow& window_;
    QTimer next_;
    QElapsedTimer clock_;
    Gesture gesture_ = Gesture::Scroll;
    int turn_ = 0;
    bool waiting_ = false;
    std::array<bool, 3> seen_{};
    std::map<Gesture, Times> times_;
};

}  // namespace

void measureResponsiveness(Desk& desk, MainWindow& window, double seconds, Gestures gestures) {
    auto* gaps = new LoopGaps(&window);
    auto* probe = new RepaintProbe(desk, window);
    auto* drag = new RoiDragProbe(*window.viewer().pane(Plane::Transverse), desk, &window);
    auto* mixed = new MixedWork(desk, window);
    const int beforeId = desk.runs().image() != nullptr ? desk.runs().selectedId() : 0;
    if (desk.queue().start() == 0) {
        throw WrongUse("--measure-responsiveness: " + desk.queue().whyNoRun().toStdString());
    }
    QObject::connect(&desk.runs(), &RunList::changed, &window, [&desk] {
        if (desk.queue().active() == nullptr && !desk.busy()) {
            desk.queue().start();
        }
    });
    window.commands().trigger("page.slices");
    // Once there is an image to work in; one that was there is better than waiting for the run's first.
    auto* begin = new QTimer(&window);
    QObject::connect(begin, &QTimer::timeout, &window, [=, &desk] {
        desk.runs().select(beforeId);
        if (desk.runs().image() != nullptr) {
            begin->stop();
            if (gestures == Gestures::DragRoi) {
                drag->start();
            } else if (gestures == Gestures::Mixed) {
                mixed->start();
            } else {
                probe->start();
            }
        }
    });
    begin->start(50);
    gaps->start();
    QTimer::singleShot(static_cast<int>(seconds * 1000), &window, [=, &window, &desk] {
        gaps->stop();
        probe->stop();
        drag->stop();
        mixed->stop();
        const LoopGaps::Summary s = gaps->summary();
        nlohmann::json o{{"seconds", s.seconds},
                         {"turns", s.turns},
                         {"median_ms", s.medianMs},
                         {"p99_ms", s.p99Ms},
                         {"max_ms", s.maxMs},
                         {"lattice", desk.view().lattice().text()},
                         {"renderer", viz::surfaceDriver()},
                         {"width", window.width()},
                         {"height", window.height()}};
        if (gestures == Gestures::Mixed) {
            o["mixed"] = mixed->summary();
        } else if (gestures == Gestures::DragRoi) {
            const RoiDragProbe::Summary d = drag->summary();
            o["roi_drag"] = {
                {"moves", d.moves},  {"median_ms", d.medianMs},        {"p95_ms", d.p95Ms},
                {"max_ms", d.maxMs}, {"cpu_median_ms", d.cpuMedianMs}, {"cpu_p95_ms", d.cpuP95Ms}};
        } else {
            const auto add = [&](const char* name, RepaintProbe::Gesture gesture) {
                o[name] = {{"picture", summary(probe->times(gesture).first)},
                           {"all_pictures", summary(probe->times(gesture).all)}};
            };
            add("scroll", RepaintProbe::Gesture::Scroll);
            add("window_level", RepaintProbe::Gesture::Level);
            if (desk.layers().stacked()) {
                add("fusion", RepaintProbe::Gesture::Fade);
            }
        }
        printJson(o);
        QCoreApplication::exit(0);
    });
}

void measureCycles(Desk& desk, MainWindow& window, int cycles) {
    const QStringList files = desk.study().files();
    if (files.isEmpty()) {
        throw WrongUse("--measure-cycles: open a study, data, run or volume first");
    }
    struct State {
        int done = 0;
        std::vector<double> ms;
        std::vector<double> heap;
        QElapsedTimer clock;
        bool opening = false;
    };
    const auto state = std::make_shared<State>();
    auto* timer = new QTimer(&window);
    // A slice where there is an image, else the window with the data.
    const auto seen = [state](bool slice) {
        if (slice && state->opening) {
            state->ms.push_back(msOf(state->clock));
            state->opening = false;
        }
    };
    QObject::connect(window.viewer().pane(Plane::Transverse), &SlicePane::painted, &window,
                     [seen] { seen(true); });
    QObject::connect(timer, &QTimer::timeout, &window, [state, timer, seen, files, cycles, &desk] {
        if (desk.busy()) {
            return;
        }
        if (!desk.study().files().isEmpty()) {
            seen(desk.runs().items().empty());
            if (state->opening) {
                return;  // read, but not painted yet
            }
            desk.close();
            return;
        }
        state->heap.push_back(heapBytes());
        if (state->done++ < cycles) {
            state->opening = true;
            state->clock.start();
            desk.open(files);
            return;
        }
        timer->stop();
        const std::size_t tenth = std::max<std::size_t>(1, state->heap.size() / 10);
        printJson({{"cycles", cycles},
                   {"open_to_slice", summary(state->ms)},
                   {"first_open_ms", state->ms.empty() ? 0 : state->ms.front()},
                   {"heap_after_a_tenth_bytes", state->heap[tenth]},
                   {"heap_at_the_end_bytes", state->heap.back()}});
        QCoreApplication::exit(0);
    });
    timer->start(0);
}

double percentileOf(std::vector<double> values, double share) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

nlohmann::json summaryOf(const std::vector<double>& ms) {
    return {{"median_ms", percentileOf(ms, 0.5)},
            {"p95_ms", percentileOf(ms, 0.95)},
            {"max_ms", percentileOf(ms, 1)}};
}

void sendMouse(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button,
               Qt::MouseButtons held) {
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, held, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

void sendWheel(QWidget& widget, QPointF at, int turn, Qt::KeyboardModifiers held) {
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt::NoButton, held,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

void printJson(const nlohmann::json& o) {
    std::puts(jsonText(o).c_str());
    std::fflush(stdout);
}

}  // namespace tof::ui
