// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>

#include "recon/base/log.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/engine.h"
#include "recon/work/reconstruct.h"
#include "ui/desk/image_facts.h"
#include "ui/desk/run_channel.h"
#include "ui/desk/run_list.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// Reconstructs one run at a time, away from the window, and keeps its row of the list up to date.
///
/// The run tells a RunChannel and waits for nobody. Its iterates go into the row as soon as they are there;
/// other news, of which there may be a thousand a second, after a rest. All calls and signals are of the
/// window's thread. Its owner cancels and joins before it goes.
class RunDriver : public QObject {
    Q_OBJECT

  public:
    /// `rest_ms`: between two times that news other than iterates are taken. `engines` and `runs` outlive
    /// this.
    RunDriver(const EngineRegistry& engines, RunList& runs, Threading threading, int rest_ms);

    [[nodiscard]] Threading threading() const { return worker_.threading(); }
    /// Where runs are noted from now on; nowhere at the start.
    void setLog(std::shared_ptr<Log> log) { log_ = std::move(log); }
    /// Where the automatic ranges of iterates are kept, which are found in the run's thread, and where the
    /// activity of phantoms is looked up.
    void setFacts(std::shared_ptr<ImageFacts> facts) { facts_ = std::move(facts); }
    /// From start() until ended() was told.
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    /// The run in work, or null.
    [[nodiscard]] RunItem* item() { return runs_.find(id_); }
    /// Begins with a run whose row has begun; `roiRevision` is that of the ROIs, the log setLog()'s. Throws
    /// InternalError when busy.
    void start(const RunItem& item, ReconstructRequest request, std::uint64_t roiRevision);

    // What the run in work is told, each without effect when there is none; see RunChannel.
    /// Resumes when paused, else pauses.
    void togglePause();
    void stepBlock() { tell(&RunChannel::stepBlock); }
    void stepIteration() { tell(&RunChannel::stepIteration); }
    void finish() { tell(&RunChannel::finish, RunOrder::Finish); }
    void cancel() { tell(&RunChannel::cancel, RunOrder::Cancel); }
    /// Waits; ended() is told before this returns.
    void join() { worker_.join(); }

    /// Takes news from the run; called when there are some, and by tests.
    void drain();

  Q_SIGNALS:
    /// A whole iterate of the run in work is about to go into its row, for the first time.
    void resultsBegin();
    /// It is over. Without a fault the row says so; with one, of Cancelled too, that is the owner's.
    void ended(int id, const std::exception_ptr& fault, const tof::RunFiles& files);
    /// Its own: from the run's thread to the window's.
    void newsPosted();

  private:
    struct Result {
        ReconstructResult run;
        std::vector<int> saved;        ///< iterates in the run file
        std::string bands;             ///< what it says of replicates
        std::shared_ptr<Volume> mean;  ///< mean of its replicates; null: there are none
        std::shared_ptr<Volume> sd;
    };
    /// `order`: what its row says from now on.
    void tell(void (RunChannel::*what)(), std::optional<RunOrder> order = {});
    void give(RunOrder order);
    void newsCame();
    void finished(const std::exception_ptr& fault, const RunFiles& files, const Result& result);

    const EngineRegistry& engines_;
    RunList& runs_;
    int id_ = 0;
    std::uint64_t roiRevision_ = 0;
    bool hasResults_ = false;
    std::shared_ptr<RunChannel> channel_;
    std::unique_ptr<Snapshot> snapshot_;  ///< on its way
    QTimer rest_;                         ///< runs after news were taken
    bool newsWait_ = false;               ///< for the end of the rest
    std::atomic<bool> newsPosted_ = false;
    std::atomic<bool> iterateCame_ = false;
    std::shared_ptr<Log> log_ = std::make_shared<NoLog>();
    std::shared_ptr<ImageFacts> facts_;
    Worker worker_;  ///< last: its destructor waits
};

}  // namespace tof::ui
