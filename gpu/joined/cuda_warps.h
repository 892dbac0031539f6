// SPDX-License-Identifier: Apache-2.0
// Warps of images on NVIDIA devices, behind a header without CUDA types.
#pragma once

#include <memory>

#include "recon/joined/warps_images.h"

namespace tof {

/// Warps in a space of the engine `cuda`: Warp::apply() and transpose() up to the rounding of sums. Throws
/// InternalError for another engine's space.
[[nodiscard]] std::unique_ptr<DeviceWarps> cudaWarps(const std::shared_ptr<Space>& space);

}  // namespace tof
