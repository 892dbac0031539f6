// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/settings/settings.h"
#include "recon/systems/measurement.h"

namespace tof {

/// What experiments look at in a reconstruction.
struct QuietRun {
    std::vector<Figures> figures;               ///< one per iteration, when there were ROIs
    std::vector<Volume> slices;                 ///< the slice that was asked for, one per iteration
    std::vector<std::vector<double>> stages_s;  ///< [iteration][Stage]
    std::vector<double> seconds;                ///< wall time of each iteration
    double tables_s = 0;                        ///< wall time of the kernel's tables, before the first
    std::string engine;                         ///< that ran, with its device
    std::shared_ptr<const Volume> image;        ///< the last iterate
    std::map<int, std::shared_ptr<const Volume>> iterates;  ///< those that were asked for, by their number

    /// Mean over the iterations.
    [[nodiscard]] double mean_s(Stage stage) const;
};

/// Reconstructs in the calling thread without a file. `from` and `to` are the shares of the context's
/// progress that it spans; `slice` is a z index, negative to keep no pictures; `keep` are iterations from 1;
/// `start` is the image to begin with, null for a uniform one.
/// Throws what reconstruct() throws.
[[nodiscard]] QuietRun runQuietly(const ExperimentContext& context,
                                  const std::shared_ptr<const Measurement>& data, RunSettings settings,
                                  const std::optional<RoiSet>& rois, int slice, const std::string& what,
                                  double from, double to, const std::vector<int>& keep = {},
                                  const std::shared_ptr<const Volume>& start = nullptr);

[[nodiscard]] RunSettings settingsOf(const std::string& algorithm, const std::string& engine, int iterations);

}  // namespace tof
