// SPDX-License-Identifier: Apache-2.0
// What a reconstruction tells while it runs, and what it leaves behind.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/run_control.h"
#include "recon/sources/data_hold.h"
#include "recon/sources/sensitivity_cache.h"

namespace tof {

/// Bytes that a run holds now.
struct RunMemory {
    std::size_t host = 0;    ///< data, tables and arrays in this machine's memory
    std::size_t device = 0;  ///< taken from the device since the run began; other programs' changes are in it
};

/// What a job tells while it prepares and runs; calls come from the thread that runs it.
class JobListener : public RunControl {
  public:
    /// A stage before the first iteration: "tables", "sensitivities"; for the status line.
    virtual void preparing(const std::string& what) = 0;
    /// Figures of merit of a whole iterate, when the ROIs are known. Called before iterateDone.
    virtual void figures(const Figures& figures) = 0;
    /// What the run holds, told when it is ready to iterate and after each iterate.
    virtual void memory(const RunMemory& /*memory*/) {}
};

struct JobOutput {
    std::string runFile;  ///< empty: keep nothing on disk
    /// Empty: none; else rewritten after a whole iterate when the interval has passed, and when the run is
    /// interrupted; removed at a good end.
    std::string checkpointFile;
    std::chrono::milliseconds checkpointInterval{5000};
    int saveEvery = 1;        ///< keep every n-th iterate in the run file, and the last
    bool resume = false;      ///< continue from checkpointFile
    std::string startFile;    ///< start image, or empty
    bool background = false;  ///< compute threads at lower priority, so that a window stays responsive
    std::shared_ptr<SensitivityCache> sensitivities;  ///< kept between jobs of one program; null: none
    std::shared_ptr<DataHold> placedData;  ///< likewise; the caller clears it when memory is wanted
};

}  // namespace tof
