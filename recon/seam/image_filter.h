// SPDX-License-Identifier: Apache-2.0
// Filters that undo a blur, in Fourier space.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "recon/base/fourier.h"
#include "recon/base/hd.h"
#include "recon/seam/space.h"

namespace tof {

/// What a frequency is multiplied with of which a blur keeps the share `kept`, 0 to 1: (1 - (1 - kept)^steps)
/// / kept. It is what so many steps of Landweber's method make of it, from nothing on, all of it in the end.
[[nodiscard]] TOF_HD inline float inverseFactor(float kept, float steps) {
    constexpr float kNothing = 1e-7F;
    const float share = kept < 1.0F ? kept : 1.0F;
    return share > kNothing ? -expm1f(steps * log1pf(-share)) / share : steps;
}

/// The Gaussian's share of sample k of an axis of `size` samples, sigma in samples: exp(-2 (pi sigma f)^2).
[[nodiscard]] TOF_HD inline float gaussianShare(int k, int size, float sigma) {
    const float turns = static_cast<float>(2 * k > size ? k - size : k) / static_cast<float>(size);
    const float angle = 3.14159265F * sigma * turns;
    return expf(-2.0F * angle * angle);
}

/// What an image has to be filtered for.
struct Blur {
    std::array<int, 3> size{};     ///< the image's, x, y, z
    ConstView response;            ///< what a point of 1 in the middle voxel (size / 2) has become
    float steps = 1;               ///< inverseFactor()'s; the share is that of what is kept of frequency 0
    std::array<float, 3> sigma{};  ///< a Gaussian's that the result is blurred by, in voxels
};

/// Undoes a blur that is alike everywhere. Belongs to its space, which must outlive it.
class ImageFilter {
  public:
    virtual ~ImageFilter() = default;
    /// The image, of the blur's size, becomes what would have been blurred to it.
    virtual void apply(MutableView image) = 0;
};

/// The grid of the transforms: for each axis its size and as far as a response of half of it reaches, which
/// no voxel then sees from the other side.
[[nodiscard]] inline std::array<int, 3> filterGrid(const std::array<int, 3>& size) {
    std::array<int, 3> grid{};
    for (std::size_t d = 0; d < grid.size(); ++d) {
        grid[d] = size[d] == 1 && d > 0 ? 1 : smoothSize(size[d] + (size[d] + 1) / 2);
    }
    return grid;
}

}  // namespace tof
