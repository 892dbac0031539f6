// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/systems/measurement.h"

namespace tof {

/// Histo-images whose frames take what `correct` has found of crystals (FramedCounts::crystals) in the mean
/// over their own poses, which is computed when a frame is asked for; any other measurement as it is. The
/// scanner's tables are made with the first frame and kept, and frames throw BadInput where the data's
/// scanner has not as many crystals.
[[nodiscard]] std::shared_ptr<const Measurement> withFactorsOfFrames(
    std::shared_ptr<const Measurement> measurement);

}  // namespace tof
