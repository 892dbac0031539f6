// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/space/cuda_space.h"
#include "recon/seam/image_filter.h"

namespace tof {

/// A CudaSpace that filters by cuFFT. inverseFilter() throws Unavailable where that is not installed.
class FilteringCudaSpace final : public CudaSpace {
  public:
    using CudaSpace::CudaSpace;
    [[nodiscard]] std::unique_ptr<ImageFilter> inverseFilter(const Blur& blur) override;
};

}  // namespace tof
