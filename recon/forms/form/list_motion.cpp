// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/list_motion.h"

#include <fmt/format.h>

#include "recon/motion/motion_file.h"
#include "recon/physics/nuclide.h"

namespace tof {

std::shared_ptr<const RigidMotion> motionOfList(const BinContext& context, double duration_s) {
    const BinRequest& request = context.request();
    if (!request.moves()) {
        return nullptr;
    }
    auto motion = std::make_shared<const RigidMotion>(motionFrom(request.motion));
    motion->requireCover(duration_s, request.input);
    return motion->still() ? nullptr : motion;
}

PoseSteps stepsOfList(const BinContext& context, const RigidMotion& motion, double duration_s,
                      double alike_mm) {
    const std::string& nuclide = context.request().nuclide;
    PoseSteps steps =
        motion.steps(duration_s, nuclide.empty() ? 0.0 : petNuclide(nuclide).halfLife_s, alike_mm);
    if (steps.poses.size() != motion.poses().size()) {
        context.note(
            fmt::format("{}: its {} poses are taken as {}; those are one whose points up to 150 mm from the "
                        "centre lie within {:g} mm",
                        motion.source(), motion.poses().size(), steps.poses.size(), alike_mm));
    }
    return steps;
}

}  // namespace tof
