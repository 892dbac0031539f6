// SPDX-License-Identifier: Apache-2.0
// Volumes in NIfTI-1. Internal to recon/io.
#pragma once

#include <string>
#include <string_view>

#include "recon/base/lattice.h"

namespace tof {

/// True when the first 348 bytes of a file (gzip undone) are a NIfTI-1, NIfTI-2 or Analyze header.
[[nodiscard]] bool isNifti(const std::string& path, std::string_view start);

/// .nii, .nii.gz, or .hdr with .img beside it. Axis-aligned orientations are turned to
/// left-posterior-superior.
[[nodiscard]] Volume readVolumeNifti(const std::string& path);
enum class Compress { No, Yes };
/// As float32; label maps (units "label") as 16-bit whole numbers, which programs for segmentations ask for.
void writeVolumeNifti(const std::string& path, const Volume& volume, Compress compress);

}  // namespace tof
