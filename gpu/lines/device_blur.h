// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gpu/space/cuda_space.h"
#include "recon/systems/lines/image_blur.h"

namespace tof {

/// An ImageBlur on a card: three passes, one axis each, through two images of its own.
class DeviceBlur {
  public:
    DeviceBlur(const ImageBlur& blur, const Lattice& lattice, CudaSpace& space);

    /// The blurred image; stands until the next call.
    [[nodiscard]] ConstView of(ConstView image);
    /// An image to be filled for ofInput().
    [[nodiscard]] MutableView input() { return one_.view(); }
    /// input(), blurred; stands until the next call.
    [[nodiscard]] ConstView ofInput();
    [[nodiscard]] std::size_t bytes() const { return (one_.size() + two_.size()) * sizeof(float); }

  private:
    void pass(std::size_t axis, ConstView in, MutableView out);

    CudaSpace& space_;
    std::array<int, 3> size_;
    std::array<DeviceBuffer<float>, 3> weights_;
    Array one_;
    Array two_;
};

}  // namespace tof
