// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/space/cuda_space.h"
#include "recon/seam/image_filter.h"

namespace tof {

/// CudaSpace::inverseFilter() by cuFFT. Throws Unavailable where that is not installed.
[[nodiscard]] std::unique_ptr<ImageFilter> makeCufftFilter(CudaSpace& space, const Blur& blur);

}  // namespace tof
