// SPDX-License-Identifier: Apache-2.0
// A reconstruction that keeps what experiments look at.
#pragma once

#include <array>
#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/work/reconstruct.h"

namespace tof {

struct QuietRun {
    std::vector<Figures> figures;               ///< one per iteration, when there were ROIs
    std::vector<Volume> slices;                 ///< the slice that was asked for, one per iteration
    std::vector<std::vector<double>> stages_s;  ///< [iteration][Stage]
    std::vector<double> seconds;                ///< wall time of each iteration
    std::string engine;                         ///< that ran, with its device
};

/// Reconstructs in the calling thread without a file. `from` and `to` are the shares of the context's
/// progress that it spans; `slice` is a z index, negative to keep no pictures. Throws what reconstruct()
/// throws.
[[nodiscard]] QuietRun runQuietly(const ExperimentContext& context,
                                  const std::shared_ptr<const Measurement>& data, RunSettings settings,
                                  const std::optional<RoiSet>& rois, int slice, const std::string& what,
                                  double from, double to);

}  // namespace tof
