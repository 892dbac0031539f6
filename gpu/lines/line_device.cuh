// SPDX-License-Identifier: Apache-2.0
// The lines of one datum on one thread: what kernels of sinograms share.
#pragma once

#include "gpu/lines/line_part.h"

namespace tof::device {

/// What neighbouring threads take: data as they come, radial bins of one time bin, or sinograms.
enum class Lanes { AsTheyCome, Radial, Sinograms };

/// Datum of thread `i` of a part of sinograms.
template <Lanes lanes>
__device__ std::size_t datumOf(const LinePart& part, std::size_t i) {
    const auto sinograms = static_cast<std::size_t>(part.sinograms);
    const auto perLine = static_cast<std::size_t>(part.timeBins);
    const auto radials = static_cast<std::size_t>(part.radialBins);
    if constexpr (lanes == Lanes::Radial) {
        const std::size_t radial = i % radials;
        const std::size_t time = i / radials % perLine;
        return (i / radials / perLine * radials + radial) * perLine + time;
    } else if constexpr (lanes == Lanes::Sinograms) {
        const std::size_t sinogram = i % sinograms;
        const std::size_t time = i / sinograms % perLine;
        const std::size_t radial = i / sinograms / perLine % radials;
        const std::size_t slot = i / sinograms / perLine / radials;
        return ((slot * sinograms + sinogram) * radials + radial) * perLine + time;
    } else {
        return i;
    }
}

/// Calls ray(one, two, time bin) for all rays of a datum of sinograms.
template <typename Body>
__device__ void forEachRayOf(const LinePart& part, std::size_t datum, const Body& ray) {
    const auto timeBins = static_cast<std::size_t>(part.timeBins);
    const auto radials = static_cast<std::size_t>(part.radialBins);
    const auto sinograms = static_cast<std::size_t>(part.sinograms);
    const std::size_t line = datum / timeBins;
    const std::size_t row = line / radials;
    const PlaneEnds plane = part.planes[row % sinograms];
    const double* const shifts =
        part.axialShifts.get() + row % sinograms * static_cast<std::size_t>(part.axialRays);
    const TransverseLine* const first = part.transverse.get() + (row / sinograms * radials + line % radials) *
                                                                    static_cast<std::size_t>(part.radialRays);
    for (int r = 0; r < part.radialRays; ++r) {
        const TransverseLine t = first[r];
        for (int a = 0; a < part.axialRays; ++a) {
            const double shift = shifts[a];
            ray(Vec3{t.x1, t.y1, plane.z1 + shift}, Vec3{t.x2, t.y2, plane.z2 + shift},
                static_cast<int>(datum % timeBins));
        }
    }
}

/// Calls visit(voxel, coefficient) for all rays of a datum; coefficients of several rays are not averaged.
template <typename Visit>
__device__ void followDatum(const LinePart& part, std::size_t datum, const Visit& visit) {
    if (!part.points.empty()) {
        const uint2 pair = part.pairs[datum];
        followLine(part.op, part.points[pair.x], part.points[pair.y],
                   part.eventTimeBins.empty() ? 0 : part.eventTimeBins[datum], visit);
        return;
    }
    forEachRayOf(part, datum,
                 [&](Vec3 one, Vec3 two, int timeBin) { followLine(part.op, one, two, timeBin, visit); });
}

/// Share of each ray of a datum in it.
__device__ inline float rayShare(const LinePart& part) {
    return 1.0F / static_cast<float>(part.radialRays * part.axialRays);
}

}  // namespace tof::device
