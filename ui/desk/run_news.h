// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/run_control.h"
#include "recon/work/job_listener.h"

namespace tof::ui {

/// What has happened in a run since its news were taken last.
struct RunNews {
    std::optional<RunProgress> progress;
    std::string engine;     ///< the engine that was chosen, with its device; empty when told before
    std::string preparing;  ///< stage before the first iteration; empty once that has begun
    std::optional<double> preparedShare;  ///< share of that stage, 0..1, where it takes long
    bool paused = false;                  ///< the run stands still at a checkpoint
    std::vector<Iterate> iterates;
    std::vector<Figures> figures;
    std::unique_ptr<Snapshot> snapshot;
    RunProgress snapshotProgress;
    std::optional<double> remainingSeconds;
    double workSeconds = 0;  ///< since the first block, pauses left out
    std::optional<RunMemory> memory;
};

}  // namespace tof::ui
