// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io/dicom.
#pragma once

#include "recon/io/dicom/label_volume.h"

namespace tof {

/// A segmentation on the smallest lattice that holds its slices; slices that are not stored are empty. Where
/// segments overlap the later one counts, which is told. Oblique ones are resampled. Throws BadInput.
[[nodiscard]] LabelVolume segmentVolume(const std::string& path);

}  // namespace tof
