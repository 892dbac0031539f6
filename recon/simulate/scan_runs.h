// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

/// Runs of the Monte Carlo that one scan without randoms is put together from, as that of a phantom which
/// moves or has a course in time; simulateStretches() makes those with randoms. Not thread-safe; references
/// outlive this.
class ScanRuns {
  public:
    /// `what` begins the sentence of WrongUse, which is thrown for hooks of delayeds and singles.
    ScanRuns(const std::string& what, const Scanner& scanner, const SimulationSettings& settings,
             const ThreadPool& pool, const SimulationHooks& hooks);

    /// Events of a run with a seed of its own; `duration_s` as SimulationSettings has it. The first rank gets
    /// them, and all get the decays.
    [[nodiscard]] EventList make(const Phantom& phantom, std::uint64_t events, double duration_s);
    /// A seed for each run, so that scans of neighbouring seeds share no numbers.
    [[nodiscard]] std::uint64_t seed();
    /// What became of the pairs of all runs.
    [[nodiscard]] SimulationReport& total() { return total_; }

  private:
    const Scanner& scanner_;
    const SimulationSettings& settings_;
    const ThreadPool& pool_;
    const SimulationHooks& hooks_;
    SimulationReport total_;
    std::uint64_t made_ = 0;
    std::uint64_t runs_ = 0;
};

/// What every list of such a scan says of itself; hooks get delayeds that say it, too, and may take events.
void finishScan(const Scanner& scanner, const SimulationSettings& settings, const std::string& phantom,
                double duration_s, const SimulationReport& total, const SimulationHooks& hooks,
                EventList& list);

}  // namespace tof
