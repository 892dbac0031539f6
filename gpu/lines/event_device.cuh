// SPDX-License-Identifier: Apache-2.0
// One event on one thread: what the kernels of list-mode share.
#pragma once

#include "gpu/lines/line_part.h"

namespace tof::device {

/// An event's line with the part of it that its time bin and the lattice leave.
struct EventRay {
    Ray ray;
    double origin;  ///< from which distances are measured: the middle of the time bin
    double begin;
    double end;
    const TimePiece* pieces;  ///< of its kind of time bin

    template <bool timed>
    [[nodiscard]] __device__ float integral(const EventTable& table, float distance) const {
        if constexpr (timed) {
            return timeIntegral(pieces, table.count, table.perMm, distance);
        } else {
            return distance;
        }
    }
};

/// False when nothing is left of the line between two points.
template <bool timed>
__device__ bool rayOf(const LinePart& part, Vec3 one, Vec3 two, int timeBin, const EventTable& table,
                      const TimePiece* pieces, EventRay* out) {
    const RayGrid& grid = part.op.grid;
    out->ray = makeRay(grid, one, two);
    out->begin = -out->ray.half;
    out->end = out->ray.half;
    out->origin = 0;
    out->pieces = pieces;
    if constexpr (timed) {
        const RayTof& tof = part.op.tof;
        out->origin = tof.edge(timeBin) + 0.5 * tof.width_mm;
        out->begin = tof.from(timeBin);
        out->end = tof.to(timeBin);
        out->pieces += timeKind(tof, timeBin) * table.count;
    }
    return clipRay(grid, out->ray, &out->begin, &out->end);
}

template <bool timed>
__device__ bool rayOf(const LinePart& part, const EventRecord& event, const EventTable& table,
                      const TimePiece* pieces, EventRay* out) {
    return rayOf<timed>(part, part.points[event.one], part.points[event.two], event.timeBin, table, pieces,
                        out);
}

/// Calls visit(voxel, coefficient) for every voxel of what is left of a line.
template <bool timed, typename Visit>
__device__ void follow(const LinePart& part, const EventRay& line, const EventTable& table,
                       const Visit& visit) {
    followEvent(
        startSiddon(part.op.grid, line.ray, line.begin), line.origin, line.begin, line.end,
        [&](float distance) { return line.integral<timed>(table, distance); }, visit);
}

/// Pieces of the table, 16 bytes each.
[[nodiscard]] __host__ __device__ inline int pieceCount(const EventTable& table) {
    return 3 * table.count;
}

/// Copies the table to the begin of a block's dynamic shared memory; other threads may not have copied their
/// share yet.
template <bool timed>
__device__ const TimePiece* copyPieces(const EventTable& table, float4* sm_pieces) {
    if constexpr (timed) {
        const auto* const from = reinterpret_cast<const float4*>(table.pieces.get());
        for (int i = static_cast<int>(threadIdx.x); i < pieceCount(table);
             i += static_cast<int>(blockDim.x)) {
            sm_pieces[i] = from[i];
        }
    }
    return reinterpret_cast<const TimePiece*>(sm_pieces);
}

[[nodiscard]] inline std::size_t pieceBytes(const EventTable& table) {
    return static_cast<std::size_t>(pieceCount(table)) * sizeof(TimePiece);
}

}  // namespace tof::device
