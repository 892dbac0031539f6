// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "recon/work/job_listener.h"

namespace tof {

/// The inline runner: a run in the calling thread, told on the console. Signals cancel at the next block.
class InlineRunner : public JobListener {
  public:
    explicit InlineRunner(Console& console) : console_(console) {}

    void preparing(const std::string& what) override;
    void shareReady(const std::string& what, double share) override;
    void checkpoint() override;
    void progress(const RunProgress& progress) override;
    void notice(const std::string& sentence) override;
    void figures(const Figures& figures) override;
    void iterateDone(Iterate iterate) override;

    /// Number of the last whole iterate of this run, 0 before the first.
    [[nodiscard]] int lastIteration() const { return lastIteration_; }
    /// Seconds per stage and per iteration, as paper 000's Table IV: a table for people.
    [[nodiscard]] std::string timingTable() const;
    /// Total seconds of the iterations done here, then by Stage.
    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] const std::array<double, kStages>& stageSeconds() const { return stageSeconds_; }
    [[nodiscard]] const std::vector<Figures>& allFigures() const { return figures_; }

  private:
    Console& console_;
    std::unique_ptr<ProgressBar> bar_;
    std::unique_ptr<ProgressBar> setUpBar_;
    int toldPercent_ = -1;  ///< what is said of what is being prepared, where no bar is seen
    std::vector<Figures> figures_;
    std::array<double, kStages> stageSeconds_{};
    double seconds_ = 0;
    int iterationsHere_ = 0;
    int lastIteration_ = 0;
};

}  // namespace tof
