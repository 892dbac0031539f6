// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/reorient.h"

#include <cstddef>

namespace tof {

std::vector<float> reorient(std::vector<float> values, const std::array<int, 3>& size, const AxisMap& map) {
    if (map.isIdentity()) {
        return values;
    }
    const std::array<std::ptrdiff_t, 3> stored = {1, size[0], std::ptrdiff_t{size[0]} * size[1]};
    std::array<std::ptrdiff_t, 3> stride{};
    std::array<int, 3> count{};
    std::ptrdiff_t start = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto from = static_cast<std::size_t>(map.from[axis]);
        count[axis] = size[from];
        stride[axis] = map.reversed[axis] ? -stored[from] : stored[from];
        start += map.reversed[axis] ? stored[from] * (size[from] - 1) : 0;
    }
    std::vector<float> result;
    result.reserve(values.size());
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            const std::ptrdiff_t row = start + z * stride[2] + y * stride[1];
            for (int x = 0; x < count[0]; ++x) {
                result.push_back(values[static_cast<std::size_t>(row + x * stride[0])]);
            }
        }
    }
    return result;
}

}  // namespace tof
