// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/list_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "recon/forms/form/list_cut.h"
#include "recon/motion/motion_file.h"

namespace tof {

namespace {

/// Parts of a sum that is 1; empty where the sum is 0.
std::vector<double> sharesOf(std::vector<double> parts) {
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    if (!(sum > 0)) {
        return {};
    }
    std::transform(parts.begin(), parts.end(), parts.begin(), [sum](double part) { return part / sum; });
    return parts;
}

/// `times`: by frame and pose. A frame that is never on has no poses.
void weighByFrames(const std::vector<std::vector<double>>& times, ListPoses& poses) {
    std::vector<double> all(poses.steps.poses.size(), 0.0);
    for (const std::vector<double>& lasted : times) {
        std::transform(all.begin(), all.end(), lasted.begin(), all.begin(), std::plus<>());
        poses.frames.push_back({sharesOf(lasted), nullptr});
    }
    const std::vector<double> shares = sharesOf(all);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        poses.steps.poses[i].weight = shares[i];
    }
}

}  // namespace

std::shared_ptr<const RigidMotion> motionOfList(const BinContext& context, double duration_s) {
    const BinRequest& request = context.request();
    if (!request.moves()) {
        return nullptr;
    }
    auto motion = std::make_shared<const RigidMotion>(motionFrom(request.motion));
    motion->requireCover(duration_s, request.input);
    return motion->still() ? nullptr : motion;
}

ListPoses posesOfList(const BinContext& context, const RigidMotion& motion, double duration_s,
                      double alike_mm) {
    const double halfLife_s = halfLifeOf(context.request());
    ListPoses poses{motion.steps(duration_s, halfLife_s, alike_mm), {}};
    PoseSteps& steps = poses.steps;
    if (steps.poses.size() != motion.poses().size()) {
        context.note(
            fmt::format("{}: its {} poses are taken as {}; those are one whose points up to 150 mm from the "
                        "centre lie within {:g} mm",
                        motion.source(), motion.poses().size(), steps.poses.size(), alike_mm));
    }
    if (context.request().cut()) {
        weighByFrames(cutterFor(context.request(), duration_s).poseTimes(steps, halfLife_s), poses);
    }
    return poses;
}

}  // namespace tof
