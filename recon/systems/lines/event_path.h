// SPDX-License-Identifier: Apache-2.0
// The path of one list-mode event in single precision after a set-up in double, and the integrated weight of
// its time bin from a table: what makes list-mode fast on devices. Shared by host and device.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

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
    const float shifted = fminf(fmaxf(cells, 0.0F), static_cast<float>(count - 1)) + kShift;
    const float t = cells - (shifted - kShift);
#if defined(__CUDA_ARCH__)
    const TimePiece p = pieces[__float_as_int(shifted) - kShiftBits];
#else
    const TimePiece p = pieces[std::bit_cast<int>(shifted) - kShiftBits];
#endif
    return fmaf(fmaf(fmaf(p.third, t, p.second), t, p.first), t, p.value);
}

/// Follows Siddon's path from `start` up to arc length `end`; distances are measured from `origin`. Calls
/// visit(voxel, integral(there) - integral(here)) for every voxel.
template <class Integral, class Visit>
TOF_HD void followEvent(const SiddonStart& start, double origin, double begin, double end,
                        const Integral& integral, Visit&& visit) {
    float first[3];
    float advance[3];
    float limit = static_cast<float>(end - origin);
    for (int k = 0; k < 3; ++k) {
        const bool moves = start.step[k] != 0;
        first[k] = moves ? static_cast<float>(start.next[k] - origin) : 3e38F;
        advance[k] = static_cast<float>(start.advance[k]);
        // The face where the lattice ends, by the arithmetic of the loop: no step can pass it.
        limit = fminf(limit, fmaf(static_cast<float>(start.left[k]), advance[k], first[k]));
    }
    float crossed[3] = {0, 0, 0};
    float next[3] = {first[0], first[1], first[2]};
    int voxel = start.voxel;
    float before = integral(static_cast<float>(begin - origin));
    while (true) {
        const float face = fminf(fminf(next[0], next[1]), next[2]);
        const float there = integral(fminf(face, limit));
        visit(voxel, fmaxf(there - before, 0.0F));
        if (face >= limit) {
            return;
        }
        before = there;
        const bool x = next[0] == face;
        const bool y = !x && next[1] == face;
        const bool z = !x && !y;
        if (x) {
            crossed[0] += 1.0F;
            voxel += start.step[0];
            next[0] = fmaf(crossed[0], advance[0], first[0]);
        }
        if (y) {
            crossed[1] += 1.0F;
            voxel += start.step[1];
            next[1] = fmaf(crossed[1], advance[1], first[1]);
        }
        if (z) {
            crossed[2] += 1.0F;
            voxel += start.step[2];
            next[2] = fmaf(crossed[2], advance[2], first[2]);
        }
    }
}

}  // namespace tof
