// SPDX-License-Identifier: Apache-2.0
#include "gpu/joined/cuda_warps.h"

#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "gpu/joined/warp_kernels.h"
#include "gpu/space/cuda_space.h"
#include "recon/base/error.h"

namespace tof {

namespace {

class CudaWarps : public DeviceWarps {
  public:
    explicit CudaWarps(std::shared_ptr<CudaSpace> space)
        : space_(std::move(space)), largest_(space_->buffer<unsigned>(1, "maximum of an image")) {}

    void apply(const Warp& warp, ConstView x, MutableView y) override {
        device::applyWarp(arraysOf(warp), x.data, y.data, space_->stream());
    }
    void transpose(const Warp& warp, ConstView y, MutableView x, Write write) override {
        if (sums_.size() < x.size) {
            sums_ = space_->buffer<unsigned long long>(x.size, "sums of a transposed warp");
        }
        const float keep = write == Write::Add ? 1.0F : 0.0F;
        device::transposeWarp(arraysOf(warp), y.data, x.data, keep, sums_.get(), largest_.get(),
                              space_->stream());
    }

  private:
    using Field = std::array<DeviceBuffer<float>, 3>;

    /// Displacements go to the device when they are first needed.
    [[nodiscard]] device::WarpArrays arraysOf(const Warp& warp) {
        device::WarpArrays arrays{warp.map(), {}};
        if (warp.field() == nullptr) {
            return arrays;
        }
        auto found = fields_.find(&warp);
        if (found == fields_.end()) {
            Field field;
            for (std::size_t axis = 0; axis < field.size(); ++axis) {
                field[axis] = space_->uploaded(warp.field()->mm[axis], "displacements");
            }
            found = fields_.emplace(&warp, std::move(field)).first;
        }
        for (std::size_t axis = 0; axis < found->second.size(); ++axis) {
            arrays.mm[axis] = found->second[axis].get();
        }
        return arrays;
    }

    std::shared_ptr<CudaSpace> space_;
    std::map<const Warp*, Field> fields_;
    DeviceBuffer<unsigned long long> sums_;
    DeviceBuffer<unsigned> largest_;
};

}  // namespace

std::unique_ptr<DeviceWarps> cudaWarps(const std::shared_ptr<Space>& space) {
    auto cuda = std::dynamic_pointer_cast<CudaSpace>(space);
    if (cuda == nullptr) {
        throw InternalError("the cuda engine was given another engine's space");
    }
    return std::make_unique<CudaWarps>(std::move(cuda));
}

}  // namespace tof
