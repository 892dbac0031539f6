// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/experiment/experiment.h"
#include "recon/systems/measurement.h"

namespace tof {

/// The user's own data where they are of a system ("histo", "lines", "panel"). Throws WrongUse for data of
/// another, BadInput.
[[nodiscard]] std::shared_ptr<const Measurement> ownData(const ExperimentContext& context,
                                                         const std::string& system);
[[nodiscard]] std::shared_ptr<const Measurement> ownHistoImages(const ExperimentContext& context);

}  // namespace tof
