// SPDX-License-Identifier: Apache-2.0
// The path of one list-mode event in single precision after a set-up in double, and the integrated weight of
// its time bin from a table: what makes list-mode fast on devices. Shared by host and device.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "recon/base/lesser.h"
#include "recon/systems/lines/ray_path.h"

namespace tof {

/// A cubic piece of the integrated weight of a time bin, in cells from the piece's middle.
struct TimePiece {
    float value;  ///< mm
    float first;
    float second;
    float third;
};

/// Integral of timeShare() from far below up to a distance from the bin's middle, for a bin in the middle,
/// the first bin and the last bin, as pieces of equal width.
struct TimeTable {
    std::vector<TimePiece> pieces;  ///< [middle, first, last][piece]; empty without time of flight
    int count = 0;                  ///< pieces per kind
    float perMm = 0;                ///< pieces per mm

    /// Empty pieces when there is one bin or none, or when bins so wide would need more than 1024 pieces.
    [[nodiscard]] static TimeTable of(const RayTof& tof);
};

/// Which table a bin has.
[[nodiscard]] TOF_HD inline int timeKind(const RayTof& tof, int bin) {
    return bin == 0 ? 1 : (bin == tof.count - 1 ? 2 : 0);
}

/// The table at a distance from the bin's middle; linear beyond its ends. Conversions, which devices are slow
/// at, are left out: adding 1.5 x 2^23 rounds to the nearest whole number, which is then in the last bits.
[[nodiscard]] TOF_HD inline float timeIntegral(const TimePiece* pieces, int count, float perMm,
                                               float distance) {
    constexpr float kShift = 12582912.0F;
    constexpr int kShiftBits = 0x4B400000;
    const float cells =
        fmaf(distance, perMm, 0.5F * static_cast<float>(count) - 0.5F);  // from the first middle
    const float shifted = lesser(greater(cells, 0.0F), static_cast<float>(count - 1)) + kShift;
    const float t = cells - (shifted - kShift);
#if defined(__CUDA_ARCH__)
    const TimePiece p = pieces[__float_as_int(shifted) - kShiftBits];
#else
    const TimePiece p = pieces[std::bit_cast<int>(shifted) - kShiftBits];
#endif
    return fmaf(fmaf(fmaf(p.third, t, p.second), t, p.first), t, p.value);
}

/// What it takes to follow the path of an event, in single precision. Distances are measured from the middle
/// of its time bin.
struct EventSteps {
    float first[3];    ///< to the next face along each axis; 3e38 along one that the path does not move on
    float advance[3];  ///< between faces
    float begin;
    float limit;  ///< where the path ends
    int step[3];  ///< step of the linear index
    int voxel;
};

/// The steps of Siddon's path from `start`, at arc length `begin`, up to arc length `end`; distances are
/// measured from `origin`.
[[nodiscard]] TOF_HD inline EventSteps eventSteps(const SiddonStart& start, double origin, double begin,
                                                  double end) {
    EventSteps out;
    out.begin = static_cast<float>(begin - origin);
    out.limit = static_cast<float>(end - origin);
    out.voxel = start.voxel;
    for (int k = 0; k < 3; ++k) {
        const bool moves = start.step[k] != 0;
        out.first[k] = moves ? static_cast<float>(start.next[k] - origin) : 3e38F;
        out.advance[k] = static_cast<float>(start.advance[k]);
        out.step[k] = start.step[k];
        // The face where the lattice ends, by the arithmetic of followSteps(): no step can pass it.
        out.limit = lesser(out.limit, fmaf(static_cast<float>(start.left[k]), out.advance[k], out.first[k]));
    }
    return out;
}

/// Calls visit(voxel, integral(there) - integral(here)) for every voxel on the way.
template <class Integral, class Visit>
TOF_HD void followSteps(const EventSteps& way, const Integral& integral, Visit&& visit) {
    float crossed[3] = {0, 0, 0};
    float next[3] = {way.first[0], way.first[1], way.first[2]};
    int voxel = way.voxel;
    float before = integral(way.begin);
    while (true) {
        const float face = lesser(lesser(next[0], next[1]), next[2]);
        const float there = integral(lesser(face, way.limit));
        visit(voxel, greater(there - before, 0.0F));
        if (face >= way.limit) {
            return;
        }
        before = there;
        const bool x = next[0] == face;
        const bool y = !x && next[1] == face;
        const bool z = !x && !y;
        if (x) {
            crossed[0] += 1.0F;
            voxel += way.step[0];
            next[0] = fmaf(crossed[0], way.advance[0], way.first[0]);
        }
        if (y) {
            crossed[1] += 1.0F;
            voxel += way.step[1];
            next[1] = fmaf(crossed[1], way.advance[1], way.first[1]);
        }
        if (z) {
            crossed[2] += 1.0F;
            voxel += way.step[2];
            next[2] = fmaf(crossed[2], way.advance[2], way.first[2]);
        }
    }
}

}  // namespace tof
