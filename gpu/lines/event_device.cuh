// SPDX-License-Identifier: Apache-2.0
// One event on one thread: what the kernels of list-mode share.
#pragma once

#include "gpu/lines/line_part.h"
#include "recon/systems/lines/event_tiles.h"
#include "recon/systems/lines/joseph_steps.h"

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

// What the index of a voxel, or of a plane, leaves of 32 bits in KeptSteps::places.
inline constexpr int kIndexBits = 27;
inline constexpr unsigned kIndex = (1U << kIndexBits) - 1;
inline constexpr int kKindShift = kIndexBits + 3;  ///< timeKind(), or
inline constexpr unsigned kNothing = 3;            ///< the event has no steps
static_assert(std::size_t{1} << kIndexBits == kMostKept);

/// Steps as they are kept; `place` is without a kind.
struct PackedSteps {
    float4 faces;
    float4 advances;
    unsigned place;
};

// A way to follow events has: Steps; through(), their steps through the whole lattice; inTile() and
// forEachTile(), through tiles, with false or no call where the tile sees nothing of the event; follow(),
// which calls visit(voxel, coefficient); packed() and unpacked().

/// Siddon's path.
struct SiddonWay {
    using Steps = EventSteps;
    /// The longest way through a voxel in units of the sum of its edges, at most.
    static constexpr float kWidest = 1;

    __device__ static bool through(const RayGrid& lattice, const EventRay& line, Steps* out) {
        *out = stepsOf(lattice, line, line.begin, line.end);
        return true;
    }
    __device__ static bool inTile(const TileGrid& tiles, const RayGrid& box, const EventRay& line, int tile,
                                  Steps* out) {
        double begin = line.begin;
        double end = line.end;
        if (!clipToTile(tiles, line.ray, tile, &begin, &end)) {
            return false;
        }
        *out = stepsOf(box, line, begin, end);
        return true;
    }
    /// Calls visit(tile, class of length, steps), the last being a function of no arguments.
    template <typename Visit>
    __device__ static void forEachTile(const TileGrid& tiles, const EventRay& line, const Visit& visit) {
        tof::forEachTile(tiles, line.ray, line.begin, line.end, [&](int tile, double begin, double end) {
            visit(tile, lengthClass(tiles, line.ray, begin, end),
                  [&] { return stepsOf(tiles.gridOf(tile), line, begin, end); });
        });
    }
    template <typename Integral, typename Visit>
    __device__ static void follow(const RayGrid&, const Steps& way, const Integral& integral,
                                  const Visit& visit) {
        followSteps(way, integral, visit);
    }
    __device__ static PackedSteps packed(const Steps& way) {
        auto place = static_cast<unsigned>(way.voxel);
        for (int k = 0; k < 3; ++k) {
            place |= way.step[k] < 0 ? 1U << (kIndexBits + k) : 0U;
        }
        return {{way.first[0], way.first[1], way.first[2], way.begin},
                {way.advance[0], way.advance[1], way.advance[2], way.limit},
                place};
    }
    /// An axis that the path does not move on is never stepped along.
    __device__ static Steps unpacked(const PackedSteps& kept, const int stride[3]) {
        Steps way;
        way.first[0] = kept.faces.x;
        way.first[1] = kept.faces.y;
        way.first[2] = kept.faces.z;
        way.begin = kept.faces.w;
        way.advance[0] = kept.advances.x;
        way.advance[1] = kept.advances.y;
        way.advance[2] = kept.advances.z;
        way.limit = kept.advances.w;
        for (int k = 0; k < 3; ++k) {
            way.step[k] = (kept.place >> (kIndexBits + k) & 1U) != 0 ? -stride[k] : stride[k];
        }
        way.voxel = static_cast<int>(kept.place & kIndex);
        return way;
    }
};

/// Joseph's interpolation. A tile has the planes in which the line reaches one of its voxels.
struct JosephWay {
    using Steps = JosephSteps;
    static constexpr float kWidest = 2;

    __device__ static bool through(const RayGrid& lattice, const EventRay& line, Steps* out) {
        return josephSteps(lattice, line.ray, line.origin, line.begin, line.end, out);
    }
    __device__ static bool inTile(const TileGrid&, const RayGrid& box, const EventRay& line, int,
                                  Steps* out) {
        return through(box, line, out);
    }
    template <typename Visit>
    __device__ static void forEachTile(const TileGrid& tiles, const EventRay& line, const Visit& visit) {
        int low[3];
        int high[3];
        for (int k = 0; k < 3; ++k) {
            const RayGrid& grid = tiles.grid;
            const double u = line.ray.direction[k];
            const double one = (line.ray.middle[k] + line.begin * u - grid.lower[k]) * grid.perMm[k];
            const double two = (line.ray.middle[k] + line.end * u - grid.lower[k]) * grid.perMm[k];
            // The first and the last plane reach beyond the ends by half a plane's way at most.
            const double beyond = 1.5 + 0.5 * fabs(u) * longestSpacing(grid) * grid.perMm[k] * 1.7320509;
            low[k] = firstVoxel(fmin(one, two) - beyond, 1.0, grid.size[k]) / tiles.edge[k];
            high[k] = firstVoxel(fmax(one, two) + beyond, 1.0, grid.size[k]) / tiles.edge[k];
        }
        for (int z = low[2]; z <= high[2]; ++z) {
            for (int y = low[1]; y <= high[1]; ++y) {
                for (int x = low[0]; x <= high[0]; ++x) {
                    const int tile = (z * tiles.count[1] + y) * tiles.count[0] + x;
                    Steps steps;
                    if (through(tiles.gridOf(tile), line, &steps)) {
                        visit(tile, classOf(tiles, steps), [&] { return steps; });
                    }
                }
            }
        }
    }
    template <typename Integral, typename Visit>
    __device__ static void follow(const RayGrid& box, const Steps& way, const Integral& integral,
                                  const Visit& visit) {
        followJosephSteps(way, box.size, box.stride, integral, visit);
    }
    __device__ static PackedSteps packed(const Steps& way) {
        return {{way.at[0], way.at[1], way.edge, way.begin},
                {way.slope[0], way.slope[1], way.advance, way.limit},
                static_cast<unsigned>(way.plane) | (way.step < 0 ? 1U << kIndexBits : 0U) |
                    static_cast<unsigned>(way.main) << (kIndexBits + 1)};
    }
    __device__ static Steps unpacked(const PackedSteps& kept, const int[3]) {
        Steps way;
        way.at[0] = kept.faces.x;
        way.at[1] = kept.faces.y;
        way.edge = kept.faces.z;
        way.begin = kept.faces.w;
        way.slope[0] = kept.advances.x;
        way.slope[1] = kept.advances.y;
        way.advance = kept.advances.z;
        way.limit = kept.advances.w;
        way.plane = static_cast<int>(kept.place & kIndex);
        way.step = (kept.place >> kIndexBits & 1U) != 0 ? -1 : 1;
        way.main = static_cast<int>(kept.place >> (kIndexBits + 1) & 3U);
        return way;
    }

  private:
    __device__ static double longestSpacing(const RayGrid& grid) {
        return fmax(fmax(grid.spacing[0], grid.spacing[1]), grid.spacing[2]);
    }
    /// A plane has four voxels, which take about as long as three of Siddon's.
    __device__ static int classOf(const TileGrid& tiles, const Steps& way) {
        const float planes = 1.0F + (way.limit - way.begin) / way.advance;
        const int shorter = static_cast<int>(3.0F * kTileLengths * planes / longestPiece(tiles));
        return shorter < kTileLengths ? kTileLengths - 1 - shorter : 0;
    }
};

/// Calls visit(voxel, coefficient) for every voxel of a box on the way; `pieces` are of the event's time bin.
template <bool timed, typename Way, typename Visit>
__device__ void followWay(const RayGrid& box, const typename Way::Steps& way, const EventTable& table,
                          const TimePiece* pieces, const Visit& visit) {
    Way::follow(
        box, way, [&](float distance) { return integralAt<timed>(table, pieces, distance); }, visit);
}

/// Calls visit(voxel, coefficient) for every voxel of the lattice that is left of a line.
template <bool timed, typename Way, typename Visit>
__device__ void follow(const LinePart& part, const EventRay& line, const EventTable& table,
                       const Visit& visit) {
    typename Way::Steps steps;
    if (Way::through(part.op.grid, line, &steps)) {
        followWay<timed, Way>(part.op.grid, steps, table, line.pieces, visit);
    }
}

template <typename Way>
__device__ void keep(const KeptSteps& kept, std::size_t at, const typename Way::Steps& way, int kind,
                     std::uint32_t datum) {
    const PackedSteps packed = Way::packed(way);
    kept.faces[at] = packed.faces;
    kept.advances[at] = packed.advances;
    kept.places[at] = {packed.place | static_cast<unsigned>(kind) << kKindShift, datum};
}

__device__ inline void keepNothing(const KeptSteps& kept, std::size_t at, std::uint32_t datum) {
    kept.places[at] = {kNothing << kKindShift, datum};
}

/// Steps as they were kept; `place` is theirs.
template <typename Way>
__device__ typename Way::Steps keptSteps(const KeptSteps& kept, std::size_t at, unsigned place,
                                         const int stride[3]) {
    return Way::unpacked({__ldcs(kept.faces.get() + at), __ldcs(kept.advances.get() + at), place}, stride);
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

/// What a kernel is made for.
template <bool isTimed, typename ItsWay>
struct Chosen {
    static constexpr bool timed = isTimed;
    using Way = ItsWay;
};

/// What choose(Chosen<...>) gives for a model.
template <typename Choose>
[[nodiscard]] auto chosenFor(bool timed, bool joseph, const Choose& choose) {
    if (joseph) {
        return timed ? choose(Chosen<true, JosephWay>()) : choose(Chosen<false, JosephWay>());
    }
    return timed ? choose(Chosen<true, SiddonWay>()) : choose(Chosen<false, SiddonWay>());
}

[[nodiscard]] inline std::size_t pieceBytes(const EventTable& table) {
    return static_cast<std::size_t>(pieceCount(table)) * sizeof(TimePiece);
}

}  // namespace tof::device
