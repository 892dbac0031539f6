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
    enum class Slots { None, EachPiece };

    /// How many half of the free memory holds.
    [[nodiscard]] static std::size_t room(const CudaSpace& space) {
        constexpr std::size_t kBytesEach = 2 * sizeof(float4) + sizeof(uint2) + sizeof(unsigned);
        return space.bytesFree() / 2 / kBytesEach;
    }

    StepsBuffer() = default;
    StepsBuffer(CudaSpace& space, std::size_t count, Slots slots) {
        if (count > 0) {
            faces_ = space.buffer<float4>(count, "steps of events");
            advances_ = space.buffer<float4>(count, "steps of events");
            places_ = space.buffer<uint2>(count, "steps of events");
            if (slots == Slots::EachPiece) {
                slots_ = space.buffer<unsigned>(count, "places of pieces");
            }
        }
    }
    [[nodiscard]] device::KeptSteps span() const {
        return {faces_.span(), advances_.span(), places_.span(), slots_.span()};
    }
    [[nodiscard]] bool empty() const { return places_.size() == 0; }
    [[nodiscard]] std::size_t bytes() const {
        return faces_.bytes() + advances_.bytes() + places_.bytes() + slots_.bytes();
    }

  private:
    DeviceBuffer<float4> faces_;
    DeviceBuffer<float4> advances_;
    DeviceBuffer<uint2> places_;
    DeviceBuffer<unsigned> slots_;
};

}  // namespace tof
