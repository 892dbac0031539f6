// SPDX-License-Identifier: Apache-2.0
#include "recon/register/rigid_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "recon/base/error.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/register/moved_image.h"
#include "recon/register/mutual_information.h"
#include "recon/register/rigid_place.h"

namespace tof {

namespace {

/// One resolution after the other, the coarse ones for the way and the fine ones for the place.
struct Level {
    double spacing_mm;  ///< edge of voxels, and the FWHM that images are smoothed with
    std::size_t points;
    double firstStep_mm;  ///< no step is longer
    double lastStep_mm;   ///< none is shorter
};
constexpr Level kLevels[] = {{8, 40000, 8, 0.1}, {4, 80000, 2, 0.02}, {3, 400000, 1, 0.01}};
constexpr int kMostSteps = 100;  ///< on one level
constexpr double kTiny = 1e-30;  ///< so that nothing is divided by 0
constexpr double kLeastInside = 0.25;

Volume smoothed(const Volume& image, double spacing_mm, const ThreadPool& pool) {
    return gaussianFiltered(blockMeans(image, spacing_mm), spacing_mm, pool);
}

/// A turn about the images' middle, in mm that it moves points at their reach, and a shift in mm.
using Step = Eigen::Matrix<double, 6, 1>;
using Curvature = Eigen::Matrix<double, 6, 6>;

Step gradientOf(const MutualInformation::Value& value, double reach_mm) {
    const Vec3 turn = (1 / reach_mm) * value.byTurn;
    Step gradient;
    gradient << turn.x, turn.y, turn.z, value.byShift.x, value.byShift.y, value.byShift.z;
    return gradient;
}

Pose stepped(const Pose& place, const Step& step, const MutualInformation& both) {
    const Vec3 turn{step[0], step[1], step[2]};
    return smallMotion((1 / both.reach_mm()) * turn, {step[3], step[4], step[5]}, both.middle()).after(place);
}

void requireShared(const MutualInformation::Value& value) {
    if (value.inside < kLeastInside) {
        throw BadInput(
            "the moving image covers {:.0f} % of the fixed one; put it nearer by hand, as {:.0f} % are "
            "needed",
            100 * value.inside, 100 * kLeastInside);
    }
}

/// Takes what a step has told of the slope into account (BFGS, of the inverse).
void learn(Curvature& inverse, const Step& step, const Step& fell) {
    const double along = step.dot(fell);
    if (!(along > 0)) {
        return;  // no maximum lies that way yet
    }
    const Curvature left = Curvature::Identity() - step * fell.transpose() / along;
    inverse = left * inverse * left.transpose() + step * step.transpose() / along;
}

/// Climbs on one level until steps are shorter than the last one.
void climb(const MutualInformation& both, const Level& level, RigidFit& fit, const ThreadPool& pool) {
    constexpr double kEnough = 1e-4;  // of what the slope promises
    MutualInformation::Value value = both.at(fit.place, pool);
    fit.informationBefore = value.information;
    Step gradient = gradientOf(value, both.reach_mm());
    Curvature inverse = Curvature::Identity() * (level.firstStep_mm / std::max(gradient.norm(), kTiny));
    for (int i = 0; i < kMostSteps; ++i) {
        requireShared(value);
        Step step = inverse * gradient;
        step *= std::min(1.0, level.firstStep_mm / std::max(step.norm(), kTiny));
        MutualInformation::Value next = both.at(stepped(fit.place, step, both), pool);
        while (next.information < value.information + kEnough * step.dot(gradient) &&
               step.norm() >= level.lastStep_mm) {
            step /= 2;
            next = both.at(stepped(fit.place, step, both), pool);
        }
        if (step.norm() < level.lastStep_mm) {
            break;
        }
        fit.place = stepped(fit.place, step, both);
        const Step after = gradientOf(next, both.reach_mm());
        learn(inverse, step, gradient - after);
        gradient = after;
        value = next;
        ++fit.steps;
    }
    requireShared(value);
    fit.information = value.information;
    fit.inside = value.inside;
}

}  // namespace

RigidFit fitRigid(const Volume& moving, const Volume& fixed, const Pose& start, const ThreadPool& pool,
                  const std::function<void(double)>& heed) {
    RigidFit fit;
    fit.place = start;
    double done = 0;
    for (const Level& level : kLevels) {
        heed(done);
        const Volume from = smoothed(moving, level.spacing_mm, pool);
        const Volume to = smoothed(fixed, level.spacing_mm, pool);
        heed(done);
        climb(MutualInformation(to, from, level.points), level, fit, pool);
        done += 1.0 / static_cast<double>(std::size(kLevels));
    }
    heed(1);
    return fit;
}

}  // namespace tof
