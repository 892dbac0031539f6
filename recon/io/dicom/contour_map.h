// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io/dicom.
#pragma once

#include "recon/io/dicom/label_volume.h"

namespace tof {

/// A structure set on the lattice of the images that it was drawn on, where they lie in the same folder, else
/// on one of 1 mm pixels and the distance of its planes, which is told. A voxel is inside where its centre
/// is; of lines of one structure in one plane, those within another are holes, and those that
/// cross are one area. Throws BadInput.
[[nodiscard]] LabelVolume contourVolume(const std::string& path);

}  // namespace tof
