// SPDX-License-Identifier: Apache-2.0
// The response of a pair of crystals to a point, as host and device integrate it.
//
// The chance of a ray to interact first in a crystal is exp(-mu before) (1 - exp(-mu inside)): the ways
// through other crystals and inside are exact, gaps left out.
#pragma once

#include <cmath>

#include "recon/base/constants.h"
#include "recon/base/hd.h"
#include "recon/base/lesser.h"
#include "recon/scanner/panel_geometry.h"

namespace tof {

/// A pair of crystals and what all its rays have in common. x of the middle plane is 0; y and z are counted
/// from the lower edge of the cell of head 0's crystal. Plain data, copied to devices as it is.
struct PanelPair {
    double face = 30;  ///< |x| of both heads
    double pitch[2] = {2.4, 2.4};
    double width[2] = {2.1, 2.1};
    double depth0[2] = {0, 20};  ///< depths of the layer of head 0 below its face: from, to
    double depth1[2] = {0, 20};
    double offset[2] = {0, 0};  ///< offset of head 1's crystal along y and z, mm
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

/// Depth that lies in crystal, not in gaps, while one coordinate goes from u by `slope` per depth for
/// `depth`.
[[nodiscard]] TOF_HD inline double panelWay(double u, double slope, double depth, double pitch,
                                            double width) {
    if (std::fabs(slope * depth) < 1e-6) {
        const double inside = u - std::floor(u / pitch) * pitch - 0.5 * (pitch - width);
        return inside >= 0 && inside <= width ? depth : 0.0;
    }
    return (panelMaterial(u + slope * depth, pitch, width) - panelMaterial(u, pitch, width)) / slope;
}

/// A tangent of a quadrature along one axis, and what a ray with it does in both heads as far as this axis
/// goes.
struct PanelRay {
    double tangent = 0;
    double weight = 0;
    double at[2] = {0, 0};     ///< where the ray enters head 0, head 1
    double slope[2] = {0, 0};  ///< slope of the way below the face, per depth
    double from[2] = {0, 0};   ///< depths between which it is in the layer and the crystal's width
    double to[2] = {0, 0};
};

/// The tangents of rays through a point, by one axis. Both axes together are the quadrature of all rays.
struct PanelRays {
    static constexpr int kMost = 28;  ///< seven stretches of four points
    int count = 0;
    PanelRay rays[kMost];
};

/// Points and weights of Gauss and Legendre on -1..1, 1 to 4 of them.
TOF_HD inline void panelGauss(int points, double* place, double* weight) {
    switch (points) {
        case 1:
            place[0] = 0;
            weight[0] = 2;
            break;
        case 2:
            place[0] = -0.57735026918962576;
            place[1] = 0.57735026918962576;
            weight[0] = weight[1] = 1;
            break;
        case 3:
            place[0] = -0.77459666924148338;
            place[1] = 0;
            place[2] = 0.77459666924148338;
            weight[0] = weight[2] = 5.0 / 9;
            weight[1] = 8.0 / 9;
            break;
        default:
            place[0] = -0.86113631159405258;
            place[1] = -0.33998104358485626;
            place[2] = 0.33998104358485626;
            place[3] = 0.86113631159405258;
            weight[0] = weight[3] = 0.34785484513745386;
            weight[1] = weight[2] = 0.65214515486254614;
            break;
    }
}

/// Depths below the face of each head: from, to.
struct PanelDepths {
    double head[2][2] = {{0, 0}, {0, 0}};
};

TOF_HD inline PanelRay panelRay(const PanelPair& p, int axis, const PanelDepths& depths, double x, double u,
                                double tangent, double weight) {
    PanelRay ray;
    ray.tangent = tangent;
    ray.weight = weight;
    for (int head = 0; head < 2; ++head) {
        const double* const depth = depths.head[head];
        const double side = head == 0 ? -1 : 1;
        ray.slope[head] = side * tangent;
        ray.at[head] = u + (p.face + side * x) * ray.slope[head];
        const double low =
            (head == 0 ? 0.0 : p.offset[axis]) + 0.5 * (p.pitch[axis] - p.width[axis]) - ray.at[head];
        const double high = low + p.width[axis];
        ray.from[head] = depth[0];
        ray.to[head] = depth[1];
        if (std::fabs(ray.slope[head]) < 1e-9) {
            ray.to[head] = low <= 0 && high >= 0 ? depth[1] : depth[0];
            continue;
        }
        const double one = low / ray.slope[head];
        const double two = high / ray.slope[head];
        ray.from[head] = greater(depth[0], lesser(one, two));
        ray.to[head] = lesser(depth[1], greater(one, two));
    }
    return ray;
}

/// Rays through (x, u), u along `axis`, that meet both crystals between two depths. Lines through the corners
/// of the crystals part the tangents; between two of them the ways inside are smooth, and `points` (1 to 4)
/// Gauss points stand for them. visit(ray) one after the other.
template <typename Visit>
TOF_HD inline void eachPanelRay(const PanelPair& p, int axis, const PanelDepths& depths, double x, double u,
                                int points, const Visit& visit) {
    double edges[8];
    double low = -1e300;
    double high = 1e300;
    const double edge = 0.5 * (p.pitch[axis] - p.width[axis]);
    for (int head = 0; head < 2; ++head) {
        const double side = head == 0 ? -1 : 1;
        double least = 1e300;
        double most = -1e300;
        for (int corner = 0; corner < 4; ++corner) {
            const double reach = p.face + side * x + depths.head[head][corner / 2];
            const double place =
                (head == 0 ? 0.0 : p.offset[axis]) + edge + (corner % 2 == 0 ? 0 : p.width[axis]) - u;
            const double tangent = side * place / reach;
            edges[4 * head + corner] = tangent;
            least = lesser(least, tangent);
            most = greater(most, tangent);
        }
        low = greater(low, least);
        high = lesser(high, most);
    }
    if (!(high > low)) {
        return;
    }
    for (int i = 1; i < 8; ++i) {  // by insertion
        const double value = edges[i];
        int j = i;
        for (; j > 0 && edges[j - 1] > value; --j) {
            edges[j] = edges[j - 1];
        }
        edges[j] = value;
    }
    double place[4];
    double weight[4];
    panelGauss(points, place, weight);
    for (int i = 0; i < 7; ++i) {
        const double a = greater(low, edges[i]);
        const double b = lesser(high, edges[i + 1]);
        if (!(b - a > 1e-9)) {
            continue;
        }
        for (int k = 0; k < points; ++k) {
            const double half = 0.5 * (b - a);
            visit(panelRay(p, axis, depths, x, u, a + half + half * place[k], half * weight[k]));
        }
    }
}

/// By y alone: rays that meet both crystals at any depth of their layers.
TOF_HD inline void panelRaysOfY(const PanelPair& p, double x, double y, int points, PanelRays& found) {
    const PanelDepths layers{{{p.depth0[0], p.depth0[1]}, {p.depth1[0], p.depth1[1]}}};
    found.count = 0;
    eachPanelRay(p, 0, layers, x, y, points, [&](const PanelRay& ray) { found.rays[found.count++] = ray; });
}

/// Depth in crystal down to `depth` of a head: crystal after crystal along y, in each of them along z.
[[nodiscard]] TOF_HD inline double panelBefore(const PanelPair& p, const PanelRay& y, const PanelRay& z,
                                               int head, double depth) {
    const double slope = y.slope[head];
    const double edge = 0.5 * (p.pitch[0] - p.width[0]);
    const double first = y.at[head];
    if (std::fabs(slope * depth) < 1e-6) {
        return panelWay(first, slope, depth, p.pitch[0], p.width[0]) / depth *
               panelWay(z.at[head], z.slope[head], depth, p.pitch[1], p.width[1]);
    }
    const double last = first + slope * depth;
    const double least = lesser(first, last);
    const double most = greater(first, last);
    double sum = 0;
    for (double cell = std::floor(least / p.pitch[0]) * p.pitch[0]; cell < most; cell += p.pitch[0]) {
        const double low = greater(least, cell + edge);
        const double high = lesser(most, cell + edge + p.width[0]);
        if (high > low) {
            const double from = ((slope > 0 ? low : high) - first) / slope;
            sum += panelWay(z.at[head] + z.slope[head] * from, z.slope[head], (high - low) / std::fabs(slope),
                            p.pitch[1], p.width[1]);
        }
    }
    return sum;
}

/// Recorded pairs per annihilation and per tangents of the ray that two axes make.
TOF_HD inline double panelIntegrand(const PanelPair& p, const PanelRay& y, const PanelRay& z) {
    double before = 0;
    double from[2];
    double inside[2];
    for (int head = 0; head < 2; ++head) {
        from[head] = greater(y.from[head], z.from[head]);
        inside[head] = lesser(y.to[head], z.to[head]) - from[head];
        if (!(inside[head] > 0)) {
            return 0;
        }
    }
    for (int head = 0; head < 2; ++head) {
        if (from[head] > 0) {
            before += panelBefore(p, y, z, head, from[head]);
        }
    }
    const double stretch2 = 1 + y.tangent * y.tangent + z.tangent * z.tangent;
    const double stretch = std::sqrt(stretch2);
    const double mu = p.mu * stretch;
    // Both directions of the line are drawn from the whole sphere: 2 / (4 pi) of solid angle.
    return std::exp(-mu * before) * std::expm1(-mu * inside[0]) * std::expm1(-mu * inside[1]) *
           (p.scale / (2 * kPi * stretch2 * stretch));
}

/// Recorded pairs per annihilation at a point: the rays that have one of `alongY` go on along z at the depths
/// where it is inside, so that both integrals are of smooth stretches.
TOF_HD inline double panelResponse(const PanelPair& p, const PanelRays& alongY, int points, double x,
                                   double z) {
    double sum = 0;
    for (int i = 0; i < alongY.count; ++i) {
        const PanelRay& y = alongY.rays[i];
        if (!(y.to[0] > y.from[0] && y.to[1] > y.from[1])) {
            continue;
        }
        const PanelDepths inside{{{y.from[0], y.to[0]}, {y.from[1], y.to[1]}}};
        double row = 0;
        eachPanelRay(p, 1, inside, x, z, points,
                     [&](const PanelRay& ray) { row += ray.weight * panelIntegrand(p, y, ray); });
        sum += y.weight * row;
    }
    return sum;
}

/// First and last of the voxels first..last along z, each `spacing` long, that rays which have one of
/// `alongY` may reach from x; others have no response. None where last < first.
struct PanelStrip {
    int first = 0;
    int last = -1;
};
[[nodiscard]] TOF_HD inline PanelStrip panelStrip(const PanelPair& p, const PanelRays& alongY, double x,
                                                  double spacing, int first, int last) {
    double from[2] = {1e300, 1e300};
    double to[2] = {-1e300, -1e300};
    for (int i = 0; i < alongY.count; ++i) {
        const PanelRay& ray = alongY.rays[i];
        if (ray.to[0] > ray.from[0] && ray.to[1] > ray.from[1]) {
            for (int head = 0; head < 2; ++head) {
                from[head] = lesser(from[head], ray.from[head]);
                to[head] = greater(to[head], ray.to[head]);
            }
        }
    }
    if (!(to[0] > from[0])) {
        return {};
    }
    // The hull of what is left of both crystals has straight edges; a voxel more on either side for rounding.
    const double edge = 0.5 * (p.pitch[1] - p.width[1]);
    double low = 1e300;
    double high = -1e300;
    for (int corner = 0; corner < 4; ++corner) {
        const double a = corner % 2 == 0 ? from[0] : to[0];
        const double b = corner / 2 == 0 ? from[1] : to[1];
        const double share = (p.face + a - x) / (2 * p.face + a + b);
        low = lesser(low, edge + share * p.offset[1]);
        high = greater(high, edge + p.width[1] + share * p.offset[1]);
    }
    const int lowest = static_cast<int>(low / spacing) - 1;
    const int highest = static_cast<int>(high / spacing) + 1;
    return {lowest > first ? lowest : first, highest < last ? highest : last};
}

/// The response of one point alone.
TOF_HD inline double panelResponse(const PanelPair& p, int points, double x, double y, double z) {
    PanelRays alongY;
    panelRaysOfY(p, x, y, points, alongY);
    return panelResponse(p, alongY, points, x, z);
}

/// Where the points of a voxel lie along one axis, voxel edges from -0.5 to 0.5, and their weights, which sum
/// to 1.
struct PanelPoints {
    int count = 0;
    double place[16];
    double weight[16];
};

/// `points` (1 to 4) of Gauss and Legendre; along y and z in each quarter of a voxel where the crystals lie
/// no more than two apart along that axis: lines that are nearly upright see the edges of crystals and gaps
/// sharply. Along x pass many for `apart`.
[[nodiscard]] TOF_HD inline PanelPoints panelPoints(int points, int apart) {
    double place[4];
    double weight[4];
    panelGauss(points, place, weight);
    const int parts = apart <= 2 ? 4 : 1;
    PanelPoints result;
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < points; ++i) {
            result.place[result.count] = (part + 0.5 + 0.5 * place[i]) / parts - 0.5;
            result.weight[result.count++] = 0.5 * weight[i] / parts;
        }
    }
    return result;
}

}  // namespace tof
