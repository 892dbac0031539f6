// SPDX-License-Identifier: Apache-2.0
// Turning images of other axes into the scanner frame. Internal to recon/io.
#pragma once

#include <array>
#include <vector>

namespace tof {

/// Says for each axis of the result (x, y, z) which stored axis it is (0 fastest) and whether it runs
/// backwards.
struct AxisMap {
    std::array<int, 3> from{0, 1, 2};
    std::array<bool, 3> reversed{false, false, false};
    [[nodiscard]] bool isIdentity() const {
        return from == std::array<int, 3>{0, 1, 2} && reversed == std::array<bool, 3>{false, false, false};
    }
};

/// Reorders `values` of stored sizes `size` (fastest first).
[[nodiscard]] std::vector<float> reorient(std::vector<float> values, const std::array<int, 3>& size,
                                          const AxisMap& map);

}  // namespace tof
