// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measure.h"

#include <QCoreApplication>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/desk/desk.h"

namespace tof::ui {

namespace {

constexpr double kGrowth =
    1.002;  ///< ratio of beta, or of the kernel's axial width, from one change to the next

/// Changes beta where the algorithm has a prior, else the kernel, waits for the pictures, and again.
class LiveTuningProbe : public QObject {
  public:
    LiveTuningProbe(Desk& desk, MainWindow& window, int changes, std::function<void(const Error&)> fail)
        : QObject(&window), desk_(desk), window_(window), fail_(std::move(fail)), left_(changes + 1) {
        connect(&desk_.live(), &LiveTuning::changed, this, &LiveTuningProbe::look);
        connect(window_.viewer().pane(Plane::Transverse), &SlicePane::painted, this,
                &LiveTuningProbe::painted);
    }

    void change() {
        computed_ = false;
        const RunSettings now = desk_.settings().current();
        if (now.beta > 0 && isUsed(settingInfo("beta"), now)) {
            clock_.start();
            desk_.settings().set("beta", std::to_string(now.beta * kGrowth));
            return;
        }
        KernelSpec kernel = now.kernel();
        kernel.name.clear();
        kernel.axial_mm *= kGrowth;
        clock_.start();
        desk_.settings().set("kernel", kernel.toJson());
    }

  private:
    void look() {
        const RunItem* run = desk_.runs().find(desk_.live().runId());
        if (run != nullptr && run->state() == RunState::Failed) {
            fail_(Unavailable("live tuning: " + run->error().toStdString()));
            return;
        }
        if (!computed_ && run != nullptr && run->state() == RunState::Done && !desk_.live().busy()) {
            computed_ = true;
            window_.viewer().pane(Plane::Transverse)->update();  // even if nothing in this plane has changed
        }
    }

    void painted() {
        if (!computed_) {
            return;
        }
        computed_ = false;
        const LiveTuning::Times& times = *desk_.live().times();
        // The first change also moves the data to the device and wakes it.
        if (first_ == 0) {
            first_ = msOf(clock_);
        } else {
            firstImage_.push_back(times.firstImage_ms);
            done_.push_back(times.done_ms);
            painted_.push_back(msOf(clock_));
        }
        if (--left_ > 0) {
            QTimer::singleShot(0, this, [this] { change(); });
            return;
        }
        print();
        QCoreApplication::exit(0);
    }

    void print() {
        const RunItem* run = desk_.runs().find(desk_.live().runId());
        const nlohmann::json o{{"changes", painted_.size()},
                               {"iterations", desk_.live().iterations()},
                               {"engine", run->engine().toStdString()},
                               {"lattice", run->lattice().text()},
                               {"first_change_ms", first_},
                               {"first_image", summaryOf(firstImage_)},
                               {"last_iterate", summaryOf(done_)},
                               {"painted", summaryOf(painted_)}};
        printJson(o);
    }

    Desk& desk_;
    MainWindow& window_;
    std::function<void(const Error&)> fail_;
    int left_;
    bool computed_ = false;  ///< all iterations are done, the pictures not yet painted
    double first_ = 0;
    QElapsedTimer clock_;
    std::vector<double> firstImage_;
    std::vector<double> done_;
    std::vector<double> painted_;
};

}  // namespace

void measureLiveTuning(Desk& desk, MainWindow& window, int changes, std::function<void(const Error&)> fail) {
    if (desk.study().measurement() == nullptr) {
        throw WrongUse("--measure-live-tuning: open a study or data first");
    }
    window.commands().trigger("page.slices");
    auto* probe = new LiveTuningProbe(desk, window, changes, std::move(fail));
    desk.live().setOn(true);
    probe->change();
}

}  // namespace tof::ui
