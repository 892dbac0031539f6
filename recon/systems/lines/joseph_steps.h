// SPDX-License-Identifier: Apache-2.0
// Joseph's interpolation along one list-mode event in single precision after a set-up in double, within a box
// of voxels: the lattice, or a tile of it. Shared by host and device.
#pragma once

#include "recon/base/lesser.h"
#include "recon/systems/lines/event_path.h"

namespace tof {

/// What it takes to follow an event from plane to plane across its main axis, in single precision. Distances
/// are measured from the middle of its time bin, places in voxels of the box from the middle of its first
/// one.
struct JosephSteps {
    float at[2];     ///< place in the first plane, along the two axes after the main one
    float slope[2];  ///< voxels per plane
    float edge;      ///< where the share of the first plane ends
    float advance;   ///< between such edges
    float begin;
    float limit;  ///< where the path ends
    int plane;    ///< the first one, in the box
    int step;     ///< 1, or -1 against the axis
    int main;     ///< axis across which the planes lie
};

/// Planes of a box, both ends included.
struct JosephPlanes {
    int first;
    int last;
};

/// Planes of the box in which the line between two arc lengths reaches a voxel of it; false when there is
/// none. A plane more at either end does no harm, as its weights in the box are zero.
[[nodiscard]] TOF_HD inline bool josephPlanes(const RayGrid& box, const Ray& ray, double begin, double end,
                                              JosephPlanes* planes) {
    const int main = mainAxis(ray);
    const double u = ray.direction[main];
    const double one = (ray.middle[main] + begin * u - box.lower[main]) * box.perMm[main];
    const double two = (ray.middle[main] + end * u - box.lower[main]) * box.perMm[main];
    const double low = settledCells(one < two ? one : two);
    const double high = settledCells(one < two ? two : one);
    if (!(high > 0 && low < box.size[main])) {
        return false;
    }
    double first = firstVoxel(low, 1.0, box.size[main]);
    double last = firstVoxel(high, -1.0, box.size[main]);
    for (int next = 1; next < 3; ++next) {
        const int k = (main + next) % 3;
        const double perPlane = box.spacing[main] * ray.inverse[main] * ray.direction[k] * box.perMm[k];
        const double a = (box.lower[main] + 0.5 * box.spacing[main] - ray.middle[main]) * ray.inverse[main];
        const double place = (ray.middle[k] + a * ray.direction[k] - box.lower[k]) * box.perMm[k] - 0.5;
        if (perPlane == 0.0) {
            if (!(place > -1 && place < box.size[k])) {
                return false;
            }
            continue;
        }
        const double enters = (-1 - place) / perPlane;
        const double leaves = (box.size[k] - place) / perPlane;
        first = greater(first, ceil(lesser(enters, leaves) - kTieCells));
        last = lesser(last, floor(greater(enters, leaves) + kTieCells));
    }
    if (!(first <= last)) {
        return false;
    }
    *planes = {static_cast<int>(first), static_cast<int>(last)};
    return true;
}

/// The steps of Joseph's path through a box; `begin` and `end` as clipRay() leaves them for the lattice that
/// holds it. False when no voxel of the box is reached.
[[nodiscard]] TOF_HD inline bool josephSteps(const RayGrid& box, const Ray& ray, double origin, double begin,
                                             double end, JosephSteps* out) {
    JosephPlanes planes;
    if (!josephPlanes(box, ray, begin, end, &planes)) {
        return false;
    }
    const int main = mainAxis(ray);
    const bool upwards = ray.direction[main] > 0;
    const int left = planes.last - planes.first;
    const double advance = box.spacing[main] * fabs(ray.inverse[main]);
    out->main = main;
    out->step = upwards ? 1 : -1;
    out->plane = upwards ? planes.first : planes.last;
    const double a =
        (box.lower[main] + (out->plane + 0.5) * box.spacing[main] - ray.middle[main]) * ray.inverse[main];
    for (int next = 1; next < 3; ++next) {
        const int k = (main + next) % 3;
        out->at[next - 1] =
            static_cast<float>((ray.middle[k] + a * ray.direction[k] - box.lower[k]) * box.perMm[k] - 0.5);
        out->slope[next - 1] = static_cast<float>(advance * ray.direction[k] * box.perMm[k]);
    }
    const double from = greater(begin, a - 0.5 * advance);
    const double to = lesser(end, a + (left + 0.5) * advance);
    out->edge = static_cast<float>(a + 0.5 * advance - origin);
    out->advance = static_cast<float>(advance);
    out->begin = static_cast<float>(from - origin);
    // The edge of the last plane, by the arithmetic of followJosephSteps(): no step can pass it.
    out->limit =
        lesser(static_cast<float>(to - origin), fmaf(static_cast<float>(left), out->advance, out->edge));
    return to > from;
}

/// Calls visit(voxel, coefficient) for the voxels of the box on the way; `stride` is the box's.
template <class Integral, class Visit>
TOF_HD void followJosephSteps(const JosephSteps& way, const int size[3], const int stride[3],
                              const Integral& integral, Visit&& visit) {
    const int b = way.main == 2 ? 0 : way.main + 1;
    const int c = way.main == 0 ? 2 : way.main - 1;
    const int sizeB = size[b];
    const int sizeC = size[c];
    const int strideB = stride[b];
    const int strideC = stride[c];
    const int step = way.step * stride[way.main];
    int plane = way.plane * stride[way.main];
    float crossed = 0;
    float edge = way.edge;
    float before = integral(way.begin);
    while (true) {
        const float there = integral(lesser(edge, way.limit));
        const float share = greater(there - before, 0.0F);
        const float pb = fmaf(crossed, way.slope[0], way.at[0]);
        const float pc = fmaf(crossed, way.slope[1], way.at[1]);
        const float wholeB = floorf(pb);
        const float wholeC = floorf(pc);
        const int ib = static_cast<int>(wholeB);
        const int ic = static_cast<int>(wholeC);
        const float farB = share * (pb - wholeB);
        const float nearB = share - farB;
        const float farC = pc - wholeC;
        const float nearC = 1.0F - farC;
        const int voxel = plane + ib * strideB + ic * strideC;
        // Unsigned numbers hold negative places to be too large.
        const bool hasC = static_cast<unsigned>(ic) < static_cast<unsigned>(sizeC);
        const bool hasNextC = static_cast<unsigned>(ic + 1) < static_cast<unsigned>(sizeC);
        if (static_cast<unsigned>(ib) < static_cast<unsigned>(sizeB)) {
            if (hasC) {
                visit(voxel, nearB * nearC);
            }
            if (hasNextC) {
                visit(voxel + strideC, nearB * farC);
            }
        }
        if (static_cast<unsigned>(ib + 1) < static_cast<unsigned>(sizeB)) {
            if (hasC) {
                visit(voxel + strideB, farB * nearC);
            }
            if (hasNextC) {
                visit(voxel + strideB + strideC, farB * farC);
            }
        }
        if (edge >= way.limit) {
            return;
        }
        before = there;
        crossed += 1.0F;
        plane += step;
        edge = fmaf(crossed, way.advance, way.edge);
    }
}

}  // namespace tof
