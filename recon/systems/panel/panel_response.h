// SPDX-License-Identifier: Apache-2.0
// The response of a pair of crystals to a point, as host and device integrate it.
//
// Of a ray the chance to interact first in a crystal is exp(-mu before) (1 - exp(-mu inside)). The way inside
// is exact. The way before crosses other crystals and the gaps between them: along y and along z the part of
// it that is no gap is exact, and both together are their product, which is exact where the ray stays in a
// gap or meets none, and right on average elsewhere.
#pragma once

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/scanner/panel_geometry.h"

namespace tof {

/// A pair of crystals and what all its rays have in common. x of the middle plane is 0; y and z are counted
/// from the lower edge of the cell of head 0's crystal. Plain data, copied to devices as it is.
struct PanelPair {
    double face = 30;  ///< |x| of both heads
    double pitch[2] = {2.4, 2.4};
    double width[2] = {2.1, 2.1};
    double depth0[2] = {0, 20};  ///< of the layer of head 0 below its face: from, to
    double depth1[2] = {0, 20};
    double offset[2] = {0, 0};  ///< of head 1's crystal along y and z, mm
    double mu = 0.083;
    double scale = 1;  ///< both efficiencies
};

[[nodiscard]] inline PanelPair panelPair(const PanelGeometry& g, const PanelClass& c) {
    PanelPair pair;
    pair.face = 0.5 * g.separation_mm;
    const double layer = g.depth_mm / g.layers;
    for (int axis = 0; axis < 2; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        pair.pitch[axis] = g.pitch_mm[a];
        pair.width[axis] = g.crystal_mm[a];
        pair.depth0[axis] = layer * (c.layer0 + axis);
        pair.depth1[axis] = layer * (c.layer1 + axis);
        pair.offset[axis] = g.pitch_mm[a] * (axis == 0 ? c.dy : c.dz);
    }
    pair.mu = g.attenuation_per_mm;
    pair.scale = g.efficiency * g.efficiency;
    return pair;
}

/// How much of 0..u is crystal where cells of `pitch` hold crystals of `width` in their middle; odd about 0
/// up to the phase. Its differences are what is asked for.
[[nodiscard]] TOF_HD inline double panelMaterial(double u, double pitch, double width) {
    const double cell = std::floor(u / pitch);
    const double inside = u - cell * pitch - 0.5 * (pitch - width);
    return cell * width + (inside < 0 ? 0 : inside > width ? width : inside);
}

/// Share of a ray's way from depth 0 to `depth` that is no gap of one axis; `u` where it enters, `slope` per
/// depth.
[[nodiscard]] TOF_HD inline double panelShare(double u, double slope, double depth, double pitch,
                                              double width) {
    const double way = slope * depth;
    if (std::fabs(way) < 1e-6) {
        const double inside = u - std::floor(u / pitch) * pitch - 0.5 * (pitch - width);
        return inside >= 0 && inside <= width ? 1.0 : 0.0;
    }
    return (panelMaterial(u + way, pitch, width) - panelMaterial(u, pitch, width)) / way;
}

/// Chance that a photon which enters a head at (y, z), moving by (sy, sz) per depth, interacts first in the
/// crystal of the cell whose lower edge is (cy, cz), between two depths. `stretch`: length of the way per
/// depth.
[[nodiscard]] TOF_HD inline double panelFirst(const PanelPair& p, const double* depth, double y, double z,
                                              double sy, double sz, double cy, double cz, double stretch) {
    double from = depth[0];
    double to = depth[1];
    const double at[2] = {y, z};
    const double slope[2] = {sy, sz};
    const double cell[2] = {cy, cz};
    for (int axis = 0; axis < 2; ++axis) {
        const double low = cell[axis] + 0.5 * (p.pitch[axis] - p.width[axis]) - at[axis];
        const double high = low + p.width[axis];
        if (std::fabs(slope[axis]) < 1e-9) {
            if (low > 0 || high < 0) {
                return 0;
            }
            continue;
        }
        const double one = low / slope[axis];
        const double two = high / slope[axis];
        from = std::fmax(from, std::fmin(one, two));
        to = std::fmin(to, std::fmax(one, two));
    }
    if (!(to > from)) {
        return 0;
    }
    const double before = from <= 0 ? 0
                                    : from * panelShare(y, sy, from, p.pitch[0], p.width[0]) *
                                          panelShare(z, sz, from, p.pitch[1], p.width[1]);
    const double mu = p.mu * stretch;
    return std::exp(-mu * before) * -std::expm1(-mu * (to - from));
}

/// Recorded pairs per annihilation at (x, y, z) and per dty dtz of the line's tangents dy/dx and dz/dx along
/// the way from head 0 to head 1, that is towards -x: y grows by ty for each mm that x falls.
[[nodiscard]] TOF_HD inline double panelIntegrand(const PanelPair& p, double x, double y, double z, double ty,
                                                  double tz) {
    const double stretch = std::sqrt(1 + ty * ty + tz * tz);
    const double up = p.face - x;
    const double one = panelFirst(p, p.depth0, y - up * ty, z - up * tz, -ty, -tz, 0, 0, stretch);
    if (one == 0) {
        return 0;
    }
    const double down = p.face + x;
    const double two =
        panelFirst(p, p.depth1, y + down * ty, z + down * tz, ty, tz, p.offset[0], p.offset[1], stretch);
    // Both directions of the line are drawn from the whole sphere: 2 / (4 pi) of solid angle.
    return p.scale * one * two / (2 * kPi * stretch * stretch * stretch);
}

/// Tangents of one axis that lines through (x, u) to both crystals can have; empty where low >= high.
struct PanelTangents {
    double low = 0;
    double high = 0;
};
[[nodiscard]] TOF_HD inline PanelTangents panelTangents(const PanelPair& p, int axis, double x, double u) {
    const double edge = 0.5 * (p.pitch[axis] - p.width[axis]);
    // Away from the point, head 0 lies from `near` to `far` and its crystal from `a` to `b` against the sense
    // of t.
    PanelTangents result{-1e300, 1e300};
    for (int head = 0; head < 2; ++head) {
        const double* const depth = head == 0 ? p.depth0 : p.depth1;
        const double gap = head == 0 ? p.face - x : p.face + x;
        const double low = (head == 0 ? 0.0 : p.offset[axis]) + edge - u;
        const double high = low + p.width[axis];
        const double a = head == 0 ? -high : low;
        const double b = head == 0 ? -low : high;
        const double near = gap + depth[0];
        const double far = gap + depth[1];
        result.low = std::fmax(result.low, a / (a > 0 ? far : near));
        result.high = std::fmin(result.high, b / (b > 0 ? near : far));
    }
    return result;
}

/// Recorded pairs per annihilation at a point: midpoints of `n` x `n` equal parts of the tangents.
[[nodiscard]] TOF_HD inline double panelResponse(const PanelPair& p, int n, double x, double y, double z) {
    const PanelTangents ty = panelTangents(p, 0, x, y);
    const PanelTangents tz = panelTangents(p, 1, x, z);
    if (!(ty.high > ty.low) || !(tz.high > tz.low)) {
        return 0;
    }
    const double stepY = (ty.high - ty.low) / n;
    const double stepZ = (tz.high - tz.low) / n;
    double sum = 0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            sum += panelIntegrand(p, x, y, z, ty.low + (i + 0.5) * stepY, tz.low + (j + 0.5) * stepZ);
        }
    }
    return sum * stepY * stepZ;
}

}  // namespace tof
