// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Volumes of NIfTI-1 (.nii, .nii.gz, .hdr with .img). Own code because libnifti trusts the numbers of a
/// header and leaves turning the axes to left-posterior-superior to its caller.
[[nodiscard]] Format niftiFormat();

}  // namespace tof
