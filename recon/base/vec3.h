// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

#include "recon/base/hd.h"

namespace tof {

/// A point or direction in the scanner frame, mm or unitless; +x to the patient's left, +y posterior, +z
/// superior.
struct Vec3 {
    double x = 0;
    double y = 0;
    double z = 0;

    /// The coordinate along axis 0 (x), 1 (y) or 2 (z).
    [[nodiscard]] TOF_HD constexpr double operator[](std::size_t axis) const {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] TOF_HD constexpr double& operator[](std::size_t axis) {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] bool operator==(const Vec3&) const = default;
};

[[nodiscard]] TOF_HD constexpr Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] TOF_HD constexpr Vec3 operator-(Vec3 a, Vec3 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] TOF_HD constexpr Vec3 operator-(Vec3 a) {
    return {-a.x, -a.y, -a.z};
}
[[nodiscard]] TOF_HD constexpr Vec3 operator*(double k, Vec3 a) {
    return {k * a.x, k * a.y, k * a.z};
}
[[nodiscard]] TOF_HD constexpr double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] TOF_HD constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline double norm(Vec3 a) {
    return std::sqrt(dot(a, a));
}
[[nodiscard]] inline Vec3 normalized(Vec3 a) {
    return (1.0 / norm(a)) * a;
}

}  // namespace tof
