// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "gpu/cufft/cufft_kernels.h"
#include "gpu/cufft/cufft_library.h"
#include "gpu/space/cuda_space.h"

namespace tof {

/// A lattice in the corner of a grid.
[[nodiscard]] inline device::GridPair gridPair(const std::array<int, 3>& size,
                                               const std::array<int, 3>& grid) {
    return {{size[0], size[1], size[2]}, {grid[0], grid[1], grid[2]}};
}

/// Two plans of one grid with a shared work area.
class CufftPlans {
  public:
    CufftPlans(std::shared_ptr<const CufftLibrary> library, CudaSpace& space, const std::array<int, 3>& grid)
        : library_(std::move(library)) {
        std::size_t most = 1;
        for (auto& [handle, type] : plans_) {
            CufftLibrary::check(library_->create(&handle), "create a plan");
            CufftLibrary::check(library_->setAutoAllocation(handle, 0), "take over the work area");
            std::size_t bytes = 0;
            CufftLibrary::check(library_->makePlan3d(handle, grid[2], grid[1], grid[0], type, &bytes),
                                "plan a transform");
            most = std::max(most, bytes);
        }
        work_ = space.buffer<std::byte>(most, "the work area of cuFFT");
        for (auto& [handle, type] : plans_) {
            CufftLibrary::check(library_->setWorkArea(handle, work_.get()), "set the work area");
            CufftLibrary::check(library_->setStream(handle, space.stream()), "set the stream");
        }
    }
    ~CufftPlans() {
        for (auto& [handle, type] : plans_) {
            if (handle != 0) {
                static_cast<void>(library_->destroy(handle));
            }
        }
    }
    CufftPlans(const CufftPlans&) = delete;
    CufftPlans& operator=(const CufftPlans&) = delete;

    void forward(const float* real, float2* pairs) const {
        // The transform out of place leaves its input alone; the interface only lacks the const.
        CufftLibrary::check(library_->execR2C(plans_[0].handle, const_cast<float*>(real), pairs),
                            "transform");
    }
    /// Leaves `pairs` undefined.
    void backward(float2* pairs, float* real) const {
        CufftLibrary::check(library_->execC2R(plans_[1].handle, pairs, real), "transform back");
    }
    [[nodiscard]] std::size_t bytes() const { return work_.bytes(); }

  private:
    struct Plan {
        cufftHandle handle = 0;
        cufftType type;
    };
    std::shared_ptr<const CufftLibrary> library_;
    std::array<Plan, 2> plans_{Plan{0, CUFFT_R2C}, Plan{0, CUFFT_C2R}};
    DeviceBuffer<std::byte> work_;
};

}  // namespace tof
