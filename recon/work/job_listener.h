// SPDX-License-Identifier: Apache-2.0
// What a reconstruction tells while it runs.
#pragma once

#include <string>

#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/run_control.h"

namespace tof {

/// Bytes that a run holds now.
struct RunMemory {
    std::size_t host = 0;    ///< data, tables and arrays in this machine's memory
    std::size_t device = 0;  ///< taken from the device since the run began; other programs' changes are in it
};

/// What a job tells while it prepares and runs; calls come from the thread that runs it.
class JobListener : public RunControl {
  public:
    /// A stage before the first iteration: "kernel tables", "sensitivities"; for the status line.
    virtual void preparing(const std::string& /*what*/) {}
    /// How much of such a stage is done, 0..1, where it may take minutes: some times a second. Comes from the
    /// run's own threads, one at a time.
    virtual void shareReady(const std::string& what, double /*share*/) { preparing(what); }
    /// The engine that was chosen, with its device: "cpu, 2 threads".
    virtual void engineChosen(const std::string& /*engine*/) {}
    /// Figures of merit of a whole iterate, when the ROIs are known. Called before iterateDone.
    virtual void figures(const Figures& /*figures*/) {}
    /// Whether iterateDone() is to come before the next iteration begins; else it may come beside that.
    [[nodiscard]] virtual bool wantsIteratesAtOnce() { return false; }
    /// What the run holds, told when it is ready to iterate and after each iterate.
    virtual void memory(const RunMemory& /*memory*/) {}
};

}  // namespace tof
