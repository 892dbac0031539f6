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
    const TimePiece* pieces;  ///< pieces of its kind of time bin
};

/// Integrated weight of a time bin from far below up to a distance from its middle; `pieces` are of its kind.
template <bool timed>
[[nodiscard]] __device__ float integralAt(const EventTable& table, const TimePiece* pieces, float distance) {
    if constexpr (timed) {
        return timeIntegral(pieces, table.count, table.perMm, distance);
    } else {
        return distance;
    }
}

/// Part of a line as steps through a lattice, the image's or a tile's.
[[nodiscard]] __device__ inline EventSteps stepsOf(const RayGrid& grid, const EventRay& line, double begin,
                                                   double end) {
    return eventSteps(startSiddon(grid, line.ray, begin), line.origin, begin, end);
}

template <bool timed>
[[nodiscard]] __device__ int kindOf(const LinePart& part, const EventRecord& event) {
    return timed ? timeKind(part.op.tof, event.timeBin) : 0;
}

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
    followSteps(
        stepsOf(part.op.grid, line, line.begin, line.end),
        [&](float distance) { return integralAt<timed>(table, line.pieces, distance); }, visit);
}

// What the index of a voxel leaves of 32 bits in KeptSteps::places.
inline constexpr int kIndexBits = 27;
inline constexpr unsigned kBackwards = 1U << kIndexBits;  ///< along x; y and z in the next bits
inline constexpr int kKindShift = kIndexBits + 3;         ///< timeKind(), or
inline constexpr unsigned kNothing = 3;                   ///< the event has no steps
static_assert(std::size_t{1} << kIndexBits == kMostKept);

__device__ inline void keep(const KeptSteps& kept, std::size_t at, const EventSteps& way, int kind,
                            std::uint32_t datum) {
    unsigned place = static_cast<unsigned>(way.voxel) | static_cast<unsigned>(kind) << kKindShift;
    for (int k = 0; k < 3; ++k) {
        place |= way.step[k] < 0 ? kBackwards << k : 0U;
    }
    kept.faces[at] = {way.first[0], way.first[1], way.first[2], way.begin};
    kept.advances[at] = {way.advance[0], way.advance[1], way.advance[2], way.limit};
    kept.places[at] = {place, datum};
}

__device__ inline void keepNothing(const KeptSteps& kept, std::size_t at, std::uint32_t datum) {
    kept.places[at] = {kNothing << kKindShift, datum};
}

/// Steps as they were kept; `place` is theirs. An axis that the path does not move on is never stepped along.
__device__ inline EventSteps keptSteps(const KeptSteps& kept, std::size_t at, unsigned place,
                                       const int stride[3]) {
    const float4 faces = __ldcs(kept.faces.get() + at);
    const float4 advances = __ldcs(kept.advances.get() + at);
    EventSteps way;
    way.first[0] = faces.x;
    way.first[1] = faces.y;
    way.first[2] = faces.z;
    way.begin = faces.w;
    way.advance[0] = advances.x;
    way.advance[1] = advances.y;
    way.advance[2] = advances.z;
    way.limit = advances.w;
    for (int k = 0; k < 3; ++k) {
        way.step[k] = (place & kBackwards << k) != 0 ? -stride[k] : stride[k];
    }
    way.voxel = static_cast<int>(place & (kBackwards - 1));
    return way;
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
