// SPDX-License-Identifier: Apache-2.0
// The motion that a list is binned with.
#pragma once

#include <memory>
#include <vector>

#include "recon/data/framed_counts.h"
#include "recon/forms/form/bin_context.h"
#include "recon/motion/rigid_motion.h"

namespace tof {

/// The motion that was asked for, of a list that is `duration_s` long; null: none, or nothing ever leaves the
/// reference pose. Throws BadInput.
[[nodiscard]] std::shared_ptr<const RigidMotion> motionOfList(const BinContext& context, double duration_s);

/// The poses of a list, and of each of the frames that it is cut into.
struct ListPoses {
    PoseSteps steps;                 ///< weighed by the time of all frames together
    std::vector<FramePoses> frames;  ///< empty: the list is not cut
};

/// The poses of a motion, those one that lie within `alike_mm`, which a remark says; what decays is the
/// request's nuclide.
[[nodiscard]] ListPoses posesOfList(const BinContext& context, const RigidMotion& motion, double duration_s,
                                    double alike_mm);

}  // namespace tof
