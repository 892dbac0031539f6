// SPDX-License-Identifier: Apache-2.0
// Boxes with faces along the axes, and where a line p + t d passes through them, as an interval of t.
#pragma once

#include <algorithm>
#include <limits>

#include "recon/base/vec3.h"

namespace tof {

/// Its ends are in mm; low < high on every axis.
struct Box {
    Vec3 low;
    Vec3 high;
    [[nodiscard]] Vec3 middle() const { return 0.5 * (low + high); }
};

/// Empty when begin >= end.
struct Interval {
    double begin = -std::numeric_limits<double>::infinity();  ///< everything, as it comes
    double end = std::numeric_limits<double>::infinity();

    [[nodiscard]] static Interval nothing() { return {Interval().end, Interval().begin}; }
    [[nodiscard]] double length() const { return end - begin; }
};

[[nodiscard]] inline Interval overlap(Interval a, Interval b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// Where low <= p + t d <= high, of one coordinate; faces belong to the slab.
[[nodiscard]] inline Interval insideSlab(double p, double d, double low, double high) {
    if (d == 0) {
        return p >= low && p <= high ? Interval() : Interval::nothing();
    }
    const double a = (low - p) / d;
    const double b = (high - p) / d;
    return {std::min(a, b), std::max(a, b)};
}

[[nodiscard]] inline Interval insideBox(Vec3 p, Vec3 d, Vec3 low, Vec3 high) {
    Interval inside;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        inside = overlap(inside, insideSlab(p[axis], d[axis], low[axis], high[axis]));
    }
    return inside;
}

}  // namespace tof
