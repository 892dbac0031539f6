// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/data/framed_counts.h"

namespace tof::test {

/// A frame with whole counts that have hardly any noise: what rounding leaves of expected ones goes to the
/// next voxel.
inline FrameCounts ditheredFrame(const TimeFrame& time, const std::vector<double>& expected,
                                 std::size_t voxelsPerView) {
    FrameCounts frame;
    frame.time = time;
    frame.firsts.push_back(0);
    double left = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        left += expected[i];
        const auto counts = static_cast<std::size_t>(left);
        left -= static_cast<double>(counts);
        frame.voxels.insert(frame.voxels.end(), counts, static_cast<std::uint32_t>(i % voxelsPerView));
        if ((i + 1) % voxelsPerView == 0) {
            frame.firsts.push_back(frame.voxels.size());
        }
    }
    frame.kept = frame.voxels.size();
    return frame;
}

}  // namespace tof::test
