// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gpu/lines/stack_kernels.h"
#include "gpu/space/cuda_space.h"
#include "recon/seam/system_model.h"
#include "recon/systems/lines/plane_stack.h"

namespace tof {

/// The transverse paths and planes of a model in device memory, for projectors whose planes share them.
class StackTables {
  public:
    /// Nothing when the planes cannot share paths, or the tables do not fit a quarter of the free memory.
    [[nodiscard]] static std::optional<StackTables> of(const LineModel& model, const LineTable& lines,
                                                       CudaSpace& space);

    [[nodiscard]] device::StackPart part(std::size_t index) const;
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t columnCount() const { return columnCount_; }

    /// p = F x, by way of an image of columns kept here.
    void forward(cudaStream_t stream, std::size_t part, const float* image, float* p);
    /// image = (or +=) F^T p.
    void back(cudaStream_t stream, std::size_t part, const float* p, bool add, float* image);

  private:
    StackTables() = default;

    device::StackPart part_;  ///< of the first part
    std::size_t linesPerPart_ = 0;
    std::size_t columnCount_ = 0;
    std::size_t dataPerPart_ = 0;
    DeviceBuffer<PathStep> steps_;
    DeviceBuffer<std::uint32_t> begins_;
    DeviceBuffer<float> transverse_;
    DeviceBuffer<PlaneLine> planes_;
    DeviceBuffer<float> rises_;
    DeviceBuffer<std::int32_t> places_;
    DeviceBuffer<PlaneFamily> families_;
    DeviceBuffer<float> columns_;
    DeviceBuffer<unsigned long long> sums_;
    DeviceBuffer<unsigned> largest_;
};

}  // namespace tof
