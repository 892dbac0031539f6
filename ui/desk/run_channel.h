// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "recon/settings/eta.h"
#include "recon/work/job_listener.h"
#include "ui/desk/image_facts.h"
#include "ui/desk/run_news.h"

namespace tof::ui {

/// Between a run and the window: the run's listener on one side, orders and news on the other. Thread-safe.
///
/// The run never waits for the window except where it was told to pause. News are kept until taken; of
/// snapshots only the newest is kept, and at most `snapshotsPerSecond` are asked for.
class RunChannel : public JobListener {
  public:
    using Seconds = std::function<double()>;  ///< a clock that never goes back
    explicit RunChannel(Seconds clock = {}, double snapshotsPerSecond = 15);

    /// Before the run: its iterates are told with their automatic ranges known.
    void setFacts(std::shared_ptr<ImageFacts> facts) { facts_ = std::move(facts); }
    enum class NewsOf { Iterate, Other };
    /// Before the run: called in its thread, maybe a thousand times a second, when there is something to
    /// take.
    void setTold(std::function<void(NewsOf)> told) { told_ = std::move(told); }

    /// What a run is told; each takes effect at its next block boundary.
    void pause() { setGait(Gait::Pause); }
    void resume() { setGait(Gait::Go); }
    void stepBlock() { setGait(Gait::StepBlock); }          ///< one block, then pause
    void stepIteration() { setGait(Gait::StepIteration); }  ///< to the end of the iteration, then pause
    void finish() { end(finish_); }  ///< end and keep the last whole iterate; also ends a pause
    void cancel() { end(cancel_); }  ///< end and keep nothing; also ends a pause

    /// What happened since the last call.
    [[nodiscard]] RunNews take();
    /// True while a pause was asked for, reached or not.
    [[nodiscard]] bool pauseRequested() const;

    // The run's side.
    void checkpoint() override;
    [[nodiscard]] bool finishRequested() override;
    void progress(const RunProgress& progress) override;
    [[nodiscard]] bool wantsSnapshot() override;
    void offer(const RunProgress& progress, std::unique_ptr<Snapshot> snapshot) override;
    [[nodiscard]] bool wantsIteratesAtOnce() override;
    void iterateDone(Iterate iterate) override;
    void preparing(const std::string& what) override;
    void shareReady(const std::string& what, double share) override;
    void engineChosen(const std::string& engine) override;
    void figures(const Figures& figures) override;
    void memory(const RunMemory& memory) override;

  private:
    enum class Gait { Go, Pause, StepBlock, StepIteration };
    void setGait(Gait gait);
    void end(bool& how);
    /// Changes what is to be taken, and tells of it.
    template <typename Change>
    void note(NewsOf what, const Change& change);
    /// Under `lock`: until there is no reason to pause.
    void standStill(std::unique_lock<std::mutex>& lock);

    Seconds clock_;
    std::shared_ptr<ImageFacts> facts_;
    std::function<void(NewsOf)> told_;
    double snapshotInterval_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Gait gait_ = Gait::Go;
    bool finish_ = false;
    bool cancel_ = false;
    bool standing_ = false;
    bool blockDone_ = false;  ///< a block was finished since the step was ordered
    bool iterateDone_ = false;
    RunNews news_;
    std::vector<Figures> figures_;  ///< belong to the iterate that is about to come; both are taken together
    EtaEstimator eta_;
    double pausedSeconds_ = 0;
    std::optional<double> firstBlock_;
    double lastSnapshot_ = -1e9;
};

}  // namespace tof::ui
