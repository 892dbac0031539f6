// SPDX-License-Identifier: Apache-2.0
// Paths of events, made once and kept where memory has room for them: what they are made from takes a third
// of the instructions of a projection.
#pragma once

#include <cstddef>

#include "gpu/lines/line_part.h"
#include "gpu/space/cuda_space.h"

namespace tof {

/// The memory of KeptSteps, or none.
class StepsBuffer {
  public:
    static constexpr std::size_t kBytesEach = 2 * sizeof(float4) + sizeof(uint2);

    StepsBuffer() = default;
    /// It is none where it would take more than half of what is free.
    StepsBuffer(CudaSpace& space, std::size_t count) {
        if (count > 0 && count <= space.bytesFree() / 2 / kBytesEach) {
            faces_ = space.buffer<float4>(count, "steps of events");
            advances_ = space.buffer<float4>(count, "steps of events");
            places_ = space.buffer<uint2>(count, "steps of events");
        }
    }
    [[nodiscard]] device::KeptSteps span() const { return {faces_.span(), advances_.span(), places_.span()}; }
    [[nodiscard]] std::size_t bytes() const { return faces_.bytes() + advances_.bytes() + places_.bytes(); }

  private:
    DeviceBuffer<float4> faces_;
    DeviceBuffer<float4> advances_;
    DeviceBuffer<uint2> places_;
};

}  // namespace tof
