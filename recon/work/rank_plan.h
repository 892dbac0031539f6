// SPDX-License-Identifier: Apache-2.0
// What a reconstruction over ranks will need, from a model (docs/ranks.md): predictions, not
// measurements.
#pragma once

#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/forms/forms.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// The run of these views with a kernel. Throws as KernelOutline does.
[[nodiscard]] PlannedRun plannedRun(const Lattice& lattice, const std::vector<View>& views,
                                    const KernelSpec& kernel);

/// The run of data whose form says what it asks of ranks (Form::plan), with one part for each update. Throws
/// WrongUse for others.
[[nodiscard]] PlannedRun plannedRun(const Measurement& data, const FormTable& forms = builtInForms());

/// What machines do. As they stand: an H200 as docs/gpu.md measures it, eight to a machine, and a network of
/// 400 Gbit/s for each.
struct PlanRates {
    double mac_per_s = 36e12;          ///< useful taps x voxels of a projection
    double copy_bytes_per_s = 4.2e12;  ///< read plus written
    /// Forward and back, as docs/lines.md and docs/gpu.md measure them in images of the size that is usual
    /// there.
    double event_per_s = 2.3e9;
    double bin_per_s = 2.25e9;
    double panelLine_per_s = 57e6;
    double memoryBytes = 139e9;      ///< memory of a rank's device
    double feed_bytes_per_s = 50e9;  ///< from the host's memory, where data do not fit
    int ranksPerMachine = 8;
    double near_bytes_per_s = 350e9;  ///< between ranks of a machine, each way
    double far_bytes_per_s = 45e9;    ///< between machines, per rank, each way
    double message_s = 5e-6;          ///< before a message's first byte
};

/// The rates that `bench` has measured, from its JSON: those of the fastest case with engine `engine` (empty:
/// of all). What it does not measure (links, memory) stays as in `others`. Throws BadInput.
[[nodiscard]] PlanRates ratesFromBench(const std::string& json, const std::string& source,
                                       const std::string& engine, const PlanRates& others);

/// What a number of ranks will need.
struct RankPlan {
    int ranks = 1;
    std::string division;      ///< "views" or "slabs"; "lines", or "lines of each part" where there are few
    double memoryBytes = 0;    ///< memory of a rank, if it keeps its data
    double streamedBytes = 0;  ///< bytes of its data that do not fit, each iteration; events have to fit
    double sentBytes = 0;      ///< by a rank, each iteration
    double compute_s = 0;      ///< time of an iteration: projections and element-wise work
    double feed_s = 0;         ///< bringing what does not fit, beside the computing
    double network_s = 0;      ///< after the computing: nothing is overlapped as yet
    double iteration_s = 0;
};
/// Throws WrongUse for more ranks than there are planes or views to divide.
[[nodiscard]] RankPlan planOf(const PlannedRun& run, const PlanRates& rates, int ranks);

}  // namespace tof
