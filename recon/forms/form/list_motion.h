// SPDX-License-Identifier: Apache-2.0
// The motion that a list is binned with.
#pragma once

#include <memory>

#include "recon/forms/form/bin_context.h"
#include "recon/motion/rigid_motion.h"

namespace tof {

/// The motion that was asked for, of a list that is `duration_s` long; null: none, or nothing ever leaves the
/// reference pose. Throws BadInput.
[[nodiscard]] std::shared_ptr<const RigidMotion> motionOfList(const BinContext& context, double duration_s);

/// Its poses, those one that lie within `alike_mm`, which a remark says; what decays is the request's
/// nuclide.
[[nodiscard]] PoseSteps stepsOfList(const BinContext& context, const RigidMotion& motion, double duration_s,
                                    double alike_mm);

}  // namespace tof
