// SPDX-License-Identifier: Apache-2.0
// The sidecar of BIDS beside a volume (bids-specification.readthedocs.io, PET). Internal to recon/io.
#pragma once

#include <cstddef>
#include <string>

#include "recon/data/dynamic_image.h"

namespace tof {

/// Its name: that of the volume with the ending .json.
[[nodiscard]] std::string sidecarOf(const std::string& path);

/// "Bq/ml" for "Bq/mL", "g/ml" for "SUV": units as this program spells them.
[[nodiscard]] std::string unitsFromBids(const std::string& text);

/// Whether there is one that has FrameTimesStart.
[[nodiscard]] bool saysFrameTimes(const std::string& path);

/// Reads FrameTimesStart, FrameDuration, ImageDecayCorrected, ImageDecayCorrectionTime and TracerRadionuclide
/// into `info`. Throws BadInput where there are no `frames` frames of one scan.
void readFrameTimes(const std::string& path, std::size_t frames, DynamicInfo& info);

/// The text of a sidecar with those fields and Units.
[[nodiscard]] std::string sidecarText(const DynamicInfo& info);

}  // namespace tof
