// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/motion/pose.h"

namespace tof {

/// A pose and the share of the measured time that it stands for.
struct WeighedPose {
    Pose pose;
    double weight = 1;
};

/// Poses of a list as few as lie apart, and which of them holds when. Steps follow one another without gaps.
struct PoseSteps {
    std::vector<WeighedPose> poses;  ///< weights add up to 1
    std::vector<double> starts_ms;   ///< when each step begins; ascending
    std::vector<std::size_t> which;  ///< its pose

    /// Number of the pose that holds at a time; before the first step that of the first.
    [[nodiscard]] std::size_t at(double time_ms) const;
    /// The weights of the poses between two times; with a half life > 0 of what decays meanwhile. They add
    /// up to 1. The last step goes on for ever.
    [[nodiscard]] std::vector<double> weights(double from_ms, double to_ms, double halfLife_s) const;
    /// Adds to `lasted`, by pose, how long each did between two times, s, of which a decaying activity leaves
    /// that much.
    void addTime(double from_ms, double to_ms, double halfLife_s, std::vector<double>& lasted) const;
};

}  // namespace tof
