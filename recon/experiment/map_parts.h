// SPDX-License-Identifier: Apache-2.0
// What the experiments about priors have in common.
#pragma once

#include <memory>
#include <string>

#include "recon/experiment/experiment.h"
#include "recon/experiment/quiet_run.h"
#include "recon/systems/measurement.h"

namespace tof {

/// A phantom's JSON: spheres of 10 mm ("small") and 22 mm ("large") in turn, 4 to 1, in a cylinder of water.
[[nodiscard]] std::string smallAndLargeSpheres();

/// What detectors of 5.8 mm and 400 ps would count of it along lines that are hardly tilted: Poisson numbers
/// about so many counts, or, for 0, 100 million expected ones without noise.
[[nodiscard]] std::shared_ptr<const Measurement> mapData(const ExperimentContext& context,
                                                         const std::string& phantom, double counts,
                                                         double from, double to);

/// Settings with the kernel of those data and the relative difference prior.
[[nodiscard]] RunSettings mapSettings(const ExperimentContext& context, const std::string& algorithm,
                                      int iterations, double beta);

}  // namespace tof
