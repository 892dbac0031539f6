// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/space/cuda_space.h"
#include "recon/systems/lines/line_blur.h"

namespace tof {

/// A LineBlur on a card, through images of its own. For one thread at a time.
class DeviceBlur {
  public:
    virtual ~DeviceBlur() = default;

    /// The blurred image; stands until the next call. What input() held is lost.
    [[nodiscard]] virtual ConstView forward(ConstView image) = 0;
    /// An image to be filled for backOfInput().
    [[nodiscard]] virtual MutableView input() = 0;
    /// The adjoint of input(), which is lost; stands until the next call.
    [[nodiscard]] virtual ConstView backOfInput() = 0;
    /// What its images take of the card's memory.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Keeps a reference to `space`.
[[nodiscard]] std::unique_ptr<DeviceBlur> deviceBlur(const LineBlur& blur, const Lattice& lattice,
                                                     CudaSpace& space);

}  // namespace tof
