// SPDX-License-Identifier: Apache-2.0
// The numbers that photons are followed with, on host and device alike.
#pragma once

#include <cmath>
#include <cstddef>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/vec3.h"

namespace tof {

/// Single precision: a metre is right to 6e-5 mm and a flight to 4e-4 ps, far below any blur.
using Real = float;

/// A place or direction of a photon; turns into a Vec3 and back.
struct Real3 {
    Real x = 0;
    Real y = 0;
    Real z = 0;

    constexpr Real3() = default;
    TOF_HD constexpr Real3(Real a, Real b, Real c) : x(a), y(b), z(c) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    TOF_HD constexpr Real3(const Vec3& v)
        : x(static_cast<Real>(v.x)), y(static_cast<Real>(v.y)), z(static_cast<Real>(v.z)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    [[nodiscard]] TOF_HD constexpr operator Vec3() const {
        return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    }
    [[nodiscard]] TOF_HD constexpr Real operator[](std::size_t axis) const {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] TOF_HD constexpr Real& operator[](std::size_t axis) {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
};

[[nodiscard]] TOF_HD constexpr Real3 operator+(const Real3& a, const Real3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] TOF_HD constexpr Real3 operator-(const Real3& a, const Real3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] TOF_HD constexpr Real3 operator-(const Real3& a) {
    return {-a.x, -a.y, -a.z};
}
[[nodiscard]] TOF_HD constexpr Real3 operator*(Real k, const Real3& a) {
    return {k * a.x, k * a.y, k * a.z};
}
[[nodiscard]] TOF_HD constexpr Real dot(const Real3& a, const Real3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// A random number as a Real, in (0, 1]: the last of them is what rounding makes of those next to 1.
template <class Random>
[[nodiscard]] TOF_HD Real drawReal(Random& random) {
    return static_cast<Real>(random.uniform());
}

/// Told where up to so many numbers are about to be drawn: a device's streams then make them together. Others
/// need no telling.
template <class Random>
TOF_HD void ready(Random& /*random*/, int /*words*/) {}

/// Minus the natural logarithm of a random number: right to 4e-7, as a device's own function is, which moves
/// a photon by less than 1e-4 mm.
[[nodiscard]] TOF_HD inline Real minusLog(Real random) {
#if defined(__CUDA_ARCH__)
    return -__logf(random);
#else
    return -std::log(random);
#endif
}

struct SineCosine {
    Real sine;
    Real cosine;
};

/// Sine and cosine of a part of a turn, 0..1; right to 5e-7 on a device.
[[nodiscard]] TOF_HD inline SineCosine sineCosine(Real turns) {
#if defined(__CUDA_ARCH__)
    // Half a turn is taken off, because the device's functions are that good between -pi and pi alone.
    const Real angle = static_cast<Real>(2 * kPi) * (turns - Real{0.5});
    return {-__sinf(angle), -__cosf(angle)};
#else
    const Real angle = static_cast<Real>(2 * kPi) * turns;
    return {std::sin(angle), std::cos(angle)};
#endif
}

}  // namespace tof
