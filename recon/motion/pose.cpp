// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/pose.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tof {

namespace {

/// A rotation as a unit quaternion: w, x, y, z.
using Quaternion = std::array<double, 4>;

double dotOf(const Quaternion& a, const Quaternion& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

Quaternion normalised(Quaternion q) {
    const double length = std::sqrt(dotOf(q, q));
    for (double& v : q) {
        v /= length;
    }
    return q;
}

/// Begins with the largest of the four: the others are divided by it.
Quaternion quaternionOf(const std::array<double, 9>& m) {
    const double trace = m[0] + m[4] + m[8];
    if (trace > std::max({m[0], m[4], m[8]})) {
        return normalised({1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1]});
    }
    if (m[0] >= m[4] && m[0] >= m[8]) {
        return normalised({m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6]});
    }
    if (m[4] >= m[8]) {
        return normalised({m[2] - m[6], m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]});
    }
    return normalised({m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4]});
}

std::array<double, 9> matrixOf(const Quaternion& q) {
    const auto [w, x, y, z] = q;
    return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
            2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

Vec3 rowOf(const std::array<double, 9>& m, std::size_t row) {
    return {m[3 * row], m[3 * row + 1], m[3 * row + 2]};
}

}  // namespace

Pose Pose::inverse() const {
    Pose back{{turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8]}, {}};
    back.shift = -back.turned(shift);
    return back;
}

Pose Pose::after(const Pose& first) const {
    Pose both;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            both.turn[3 * row + column] =
                dot(rowOf(turn, row), {first.turn[column], first.turn[3 + column], first.turn[6 + column]});
        }
    }
    both.shift = moved(first.shift);
    return both;
}

double Pose::distance(const Pose& other, double reach_mm) const {
    double farthest = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const auto side = [&](unsigned bit) { return (corner & bit) != 0 ? reach_mm : -reach_mm; };
        const Vec3 p{side(1), side(2), side(4)};
        farthest = std::max(farthest, norm(moved(p) - other.moved(p)));
    }
    return farthest;
}

double rotationFault(const std::array<double, 9>& matrix) {
    double fault = std::abs(dot(cross(rowOf(matrix, 0), rowOf(matrix, 1)), rowOf(matrix, 2)) - 1);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = i; j < 3; ++j) {
            const double product = dot(rowOf(matrix, i), rowOf(matrix, j));
            fault = std::max(fault, std::abs(product - (i == j ? 1 : 0)));
        }
    }
    return fault;
}

std::array<double, 9> nearestRotation(const std::array<double, 9>& matrix) {
    return matrixOf(quaternionOf(matrix));
}

Pose between(const Pose& from, const Pose& to, double share) {
    const Quaternion a = quaternionOf(from.turn);
    Quaternion b = quaternionOf(to.turn);
    double cosine = dotOf(a, b);
    if (cosine < 0) {  // the same turn, the shorter way
        b = {-b[0], -b[1], -b[2], -b[3]};
        cosine = -cosine;
    }
    const double angle = std::acos(std::min(cosine, 1.0));
    constexpr double kStraight = 1e-6;  // the sine's ratio is that of the angles to 1e-12
    const double sine = std::sin(angle);
    const double first = angle < kStraight ? 1 - share : std::sin((1 - share) * angle) / sine;
    const double second = angle < kStraight ? share : std::sin(share * angle) / sine;
    Quaternion mixed{};
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] = first * a[i] + second * b[i];
    }
    return {matrixOf(normalised(mixed)), (1 - share) * from.shift + share * to.shift};
}

}  // namespace tof
