// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "recon/base/parallel.h"

namespace tof {

/// Smallest 2^a 3^b 5^c 7^d not below n: sizes that transform fast.
[[nodiscard]] int smoothSize(int n);

/// The transform of real volumes [z][y][x] to half of their spectrum, [kz][ky][kx] with kx = 0 .. x / 2, and
/// back. Sizes are positive, that of x 2 or more. Safe from any one thread at a time; it runs in the pool.
class RealTransform {
  public:
    using Pair = std::complex<float>;
    RealTransform(std::array<int, 3> size, const ThreadPool& pool) : size_(size), pool_(pool) {}

    [[nodiscard]] std::size_t reals() const;
    [[nodiscard]] std::size_t pairs() const;
    /// Leaves `real` as it is.
    void forward(const float* real, Pair* pairs) const;
    /// The inverse, with its factor 1 / reals(). Leaves `pairs` undefined.
    void backward(Pair* pairs, float* real) const;

  private:
    enum class Way { Forward, Backward };
    /// Transforms the lines of pairs along an axis, 1 or 2, in place.
    void along(std::size_t axis, Way way, Pair* pairs) const;

    std::array<int, 3> size_;
    const ThreadPool& pool_;
};

}  // namespace tof
