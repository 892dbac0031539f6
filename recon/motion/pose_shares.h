// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/motion/pose_steps.h"
#include "recon/motion/rigid_motion.h"

namespace tof {

/// Poses side by side on [0, 1), each as wide as its weight. Immutable; share between threads.
class PoseShares {
  public:
    /// Weights add up to 1; there is one pose at least.
    explicit PoseShares(std::vector<WeighedPose> poses);

    [[nodiscard]] const std::vector<WeighedPose>& poses() const { return poses_; }
    /// Number of the pose that lies at `share`, in [0, 1).
    [[nodiscard]] std::size_t at(double share) const;

  private:
    std::vector<WeighedPose> poses_;
    std::vector<double> ends_;
};

inline constexpr double kMotionOver_ms = 1e6;
/// A motion of kMotionOver_ms that has the poses one after the other, each for its share of the time.
[[nodiscard]] RigidMotion motionOver(const std::vector<WeighedPose>& poses);

}  // namespace tof
