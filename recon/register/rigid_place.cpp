// SPDX-License-Identifier: Apache-2.0
#include "recon/register/rigid_place.h"

#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"

namespace tof {

namespace {

Pose aboutPoint(const std::array<double, 9>& turn, Vec3 shift_mm, Vec3 middle) {
    Pose pose{turn, {}};
    pose.shift = middle + shift_mm - pose.turned(middle);
    return pose;
}

}  // namespace

Pose poseOf(const RigidPlace& place, Vec3 middle) {
    const Vec3 a = kRadPerDeg * place.turn_deg;
    const double cx = std::cos(a.x);
    const double sx = std::sin(a.x);
    const double cy = std::cos(a.y);
    const double sy = std::sin(a.y);
    const double cz = std::cos(a.z);
    const double sz = std::sin(a.z);
    return aboutPoint({cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx,  //
                       sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx,  //
                       -sy, cy * sx, cy * cx},
                      place.shift_mm, middle);
}

RigidPlace placeOf(const Pose& pose, Vec3 middle) {
    const auto& m = pose.turn;
    const double cosine = std::hypot(m[0], m[3]);
    constexpr double kUpright = 1e-9;  // turned by 90 degrees about y, the others are one turn
    Vec3 turn{std::atan2(m[7], m[8]), std::atan2(-m[6], cosine), std::atan2(m[3], m[0])};
    if (cosine < kUpright) {
        turn.x = std::atan2(-m[5], m[4]);
        turn.z = 0;
    }
    return {pose.moved(middle) - middle, (1 / kRadPerDeg) * turn};
}

Pose smallMotion(Vec3 turn_rad, Vec3 shift_mm, Vec3 middle) {
    const double angle = norm(turn_rad);
    const Vec3 u = angle > 0 ? (1 / angle) * turn_rad : Vec3{0, 0, 1};
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double v = 1 - c;
    return aboutPoint({c + v * u.x * u.x, v * u.x * u.y - s * u.z, v * u.x * u.z + s * u.y,  //
                       v * u.y * u.x + s * u.z, c + v * u.y * u.y, v * u.y * u.z - s * u.x,  //
                       v * u.z * u.x - s * u.y, v * u.z * u.y + s * u.x, c + v * u.z * u.z},
                      shift_mm, middle);
}

double angle_deg(const Pose& pose) {
    const auto& m = pose.turn;
    // By sine and cosine: the cosine alone says nothing of small angles.
    const double sine = 0.5 * norm({m[7] - m[5], m[2] - m[6], m[3] - m[1]});
    return std::atan2(sine, 0.5 * (m[0] + m[4] + m[8] - 1)) / kRadPerDeg;
}

Vec3 middleOf(const Lattice& lattice) {
    return lattice.centre((lattice.size[0] - 1) / 2.0, (lattice.size[1] - 1) / 2.0,
                          (lattice.size[2] - 1) / 2.0);
}

}  // namespace tof
