// SPDX-License-Identifier: Apache-2.0
// Rigid motion of what is measured, such as a head, as a tracker saw it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/motion/pose.h"
#include "recon/motion/pose_steps.h"

namespace tof {

/// What is known between two poses of a tracker.
enum class PoseBetween {
    Hold,        ///< a pose holds until the next one
    Interpolate  ///< it goes evenly from one to the next
};

/// Motion as it is asked for.
struct MotionRequest {
    std::string file;  ///< poses of a tracker (motion_file.h), or empty: nothing moves
    PoseBetween between = PoseBetween::Hold;
};

/// A pose from a time on.
struct TimedPose {
    double time_ms = 0;
    Pose pose;  ///< carries points of the reference pose to where they are then, both in the scanner's frame
};

/// Poses over time. Immutable; share between threads.
class RigidMotion {
  public:
    /// `poses` ascend in time, the last one holds until `end_ms`, and there is one at least; `source` names
    /// them in messages. Throws BadInput.
    RigidMotion(std::vector<TimedPose> poses, double end_ms, PoseBetween between, std::string source);

    [[nodiscard]] const std::vector<TimedPose>& poses() const { return poses_; }
    [[nodiscard]] PoseBetween rule() const { return between_; }
    [[nodiscard]] double start_ms() const { return poses_.front().time_ms; }
    [[nodiscard]] double end_ms() const { return end_ms_; }
    [[nodiscard]] const std::string& source() const { return source_; }

    /// Throws BadInput unless there are poses at all times of the `list`, which is `duration_s` long; 0: it
    /// does not say.
    void requireCover(double duration_s, const std::string& list) const;

    /// Looks poses up whose times come nearly in order: the last place is tried first. Each thread has its
    /// own.
    class Walk {
      public:
        explicit Walk(const RigidMotion& motion) : motion_(motion) {}
        /// What carries points at a time back to the reference pose. Throws BadInput where no pose is known.
        [[nodiscard]] const Pose& back(double time_ms);

      private:
        const RigidMotion& motion_;
        std::size_t at_ = 0;
        Pose made_;
    };

    /// True where nothing ever leaves the reference pose.
    [[nodiscard]] bool still() const;
    /// The poses of a list that is `duration_s` long, when they hold, and their shares of the time; with a
    /// half life > 0 of what decays meanwhile. Poses that lie within `alike_mm` of the mean of others are one
    /// with them, at the mean of all.
    [[nodiscard]] PoseSteps steps(double duration_s, double halfLife_s, double alike_mm) const;
    /// The poses of steps() that are alike to kAlike_mm.
    [[nodiscard]] std::vector<WeighedPose> weighed(double duration_s, double halfLife_s) const {
        return steps(duration_s, halfLife_s, kAlike_mm).poses;
    }

    /// Poses are one where no corner of a cube of +-150 mm lies farther apart, mm.
    static constexpr double kAlike_mm = 1;

  private:
    [[nodiscard]] std::size_t indexAt(double time_ms) const;
    [[nodiscard]] double endOf(std::size_t index) const {
        return index + 1 < poses_.size() ? poses_[index + 1].time_ms : end_ms_;
    }
    [[nodiscard]] bool goesOn(std::size_t index) const;
    [[nodiscard]] Pose poseAt(std::size_t index, double time_ms) const;

    std::vector<TimedPose> poses_;
    std::vector<Pose> back_;  ///< inverses of `poses_`
    double end_ms_;
    PoseBetween between_;
    std::string source_;
};

}  // namespace tof
