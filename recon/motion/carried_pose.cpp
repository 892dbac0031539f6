// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/carried_pose.h"

#include <array>
#include <cstddef>

#include "recon/base/error.h"

namespace tof {

Pose poseThatCarries(std::span<const Vec3> from, std::span<const Vec3> to) {
    // The first point, the one farthest from it, and the one farthest from the line through both.
    std::size_t far = 0;
    std::size_t aside = 0;
    double distance = 0;
    double area = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (const double d = norm(from[i] - from[0]); d > distance) {
            distance = d;
            far = i;
        }
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (const double a = norm(cross(from[i] - from[0], from[far] - from[0])); a > area) {
            area = a;
            aside = i;
        }
    }
    if (!(area > 0)) {
        throw InternalError("points on one line tell no pose");
    }
    const auto axesOf = [&](std::span<const Vec3> p) {
        const Vec3 x = normalized(p[far] - p[0]);
        const Vec3 z = normalized(cross(x, p[aside] - p[0]));
        return std::array<Vec3, 3>{x, cross(z, x), z};
    };
    const std::array<Vec3, 3> a = axesOf(from);
    const std::array<Vec3, 3> b = axesOf(to);
    Pose pose;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            pose.turn[3 * row + column] =
                b[0][row] * a[0][column] + b[1][row] * a[1][column] + b[2][row] * a[2][column];
        }
    }
    pose.turn = nearestRotation(pose.turn);
    pose.shift = to[0] - pose.turned(from[0]);
    return pose;
}

}  // namespace tof
