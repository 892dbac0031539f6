// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/pose_shares.h"

#include <algorithm>
#include <utility>

namespace tof {

PoseShares::PoseShares(std::vector<WeighedPose> poses) : poses_(std::move(poses)) {
    double end = 0;
    for (const WeighedPose& one : poses_) {
        ends_.push_back(end += one.weight);
    }
}

std::size_t PoseShares::at(double share) const {
    // The last pose takes what rounding leaves of 1.
    const auto found = std::upper_bound(ends_.begin(), ends_.end() - 1, share);
    return static_cast<std::size_t>(found - ends_.begin());
}

RigidMotion motionOver(const std::vector<WeighedPose>& poses) {
    std::vector<TimedPose> timed;
    double share = 0;
    for (const WeighedPose& one : poses) {
        if (one.weight > 0) {
            timed.push_back({kMotionOver_ms * share, one.pose});
        }
        share += one.weight;
    }
    return {std::move(timed), kMotionOver_ms, PoseBetween::Hold, "poses of the data"};
}

}  // namespace tof
