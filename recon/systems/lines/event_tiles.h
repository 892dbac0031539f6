// SPDX-License-Identifier: Apache-2.0
// A lattice cut into boxes ("tiles") that fit fast memory, and the pieces of rays that lie in each of them:
// how devices add list-mode events without meeting in slow memory. Shared by host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/scanner/line_events.h"
#include "recon/systems/lines/ray_path.h"

namespace tof {

/// Tiles of equal size; the last ones along an axis may be smaller. Plain data, copied to devices as it is.
struct TileGrid {
    RayGrid grid;   ///< the lattice
    int edge[3];    ///< voxels of a tile
    int count[3];   ///< tiles along each axis
    int stride[3];  ///< stride of a voxel's word in its tile
    int words;      ///< words of a tile, some of them unused

    [[nodiscard]] TOF_HD int tiles() const { return count[0] * count[1] * count[2]; }
    /// First voxel of a tile along each axis.
    TOF_HD void firstOf(int tile, int first[3]) const {
        first[0] = tile % count[0] * edge[0];
        first[1] = tile / count[0] % count[1] * edge[1];
        first[2] = tile / count[0] / count[1] * edge[2];
    }
    /// Voxels of a tile along an axis whose first one there is `first`.
    [[nodiscard]] TOF_HD int sizeFrom(int axis, int first) const {
        const int left = grid.size[axis] - first;
        return left < edge[axis] ? left : edge[axis];
    }
    /// A tile as rays see it; the index of a voxel is its word.
    [[nodiscard]] TOF_HD RayGrid gridOf(int tile) const {
        RayGrid out = grid;
        int first[3];
        firstOf(tile, first);
        for (int k = 0; k < 3; ++k) {
            out.lower[k] = grid.lower[k] + first[k] * grid.spacing[k];
            out.size[k] = sizeFrom(k, first[k]);
            out.stride[k] = stride[k];
        }
        return out;
    }
};

/// The tiles of at most `words` words that rays of mean |direction| cross least often. Strides are odd, so
/// that neighbours lie in different banks. Throws WrongUse when `words` is 0.
[[nodiscard]] TileGrid tileGrid(const RayGrid& grid, const Vec3& direction, std::size_t words);

/// Mean |direction| of a list's lines, from some thousand of them spread over the list.
[[nodiscard]] Vec3 meanDirection(const LineEvents& events);

/// Part of a ray inside a tile, given its part inside the lattice; false when there is none. The tiles that a
/// ray crosses share it out without gaps; along an axis on which it does not move the tile is taken to hold
/// it.
[[nodiscard]] TOF_HD inline bool clipToTile(const TileGrid& tiles, const Ray& ray, int tile, double* begin,
                                            double* end) {
    int first[3];
    tiles.firstOf(tile, first);
    double low = *begin;
    double high = *end;
    for (int k = 0; k < 3; ++k) {
        if (ray.direction[k] == 0.0) {
            continue;
        }
        const double inverse = ray.inverse[k];
        const int last = first[k] + tiles.sizeFrom(k, first[k]);
        // Neighbours compute the face they share from the same number.
        const double a = (tiles.grid.lower[k] + first[k] * tiles.grid.spacing[k] - ray.middle[k]) * inverse;
        const double b = (tiles.grid.lower[k] + last * tiles.grid.spacing[k] - ray.middle[k]) * inverse;
        const double enter = a < b ? a : b;
        const double leave = a < b ? b : a;
        // The faces of the lattice have clipped the ray already.
        const bool entersHere = ray.direction[k] > 0 ? first[k] > 0 : last < tiles.grid.size[k];
        const bool leavesHere = ray.direction[k] > 0 ? last < tiles.grid.size[k] : first[k] > 0;
        low = entersHere && enter > low ? enter : low;
        high = leavesHere && leave < high ? leave : high;
    }
    *begin = low;
    *end = high;
    return high > low;
}

/// Calls visit(tile, begin, end) for the tiles that a ray crosses between `begin` and `end`, which are as
/// clipRay() leaves them.
template <class Visit>
TOF_HD void forEachTile(const TileGrid& tiles, const Ray& ray, double begin, double end, Visit&& visit) {
    int low[3];
    int high[3];
    for (int k = 0; k < 3; ++k) {
        const RayGrid& grid = tiles.grid;
        const double u = ray.direction[k];
        const double from = settledCells((ray.middle[k] + begin * u - grid.lower[k]) * grid.perMm[k]);
        const double to = settledCells((ray.middle[k] + end * u - grid.lower[k]) * grid.perMm[k]);
        const int one = firstVoxel(from, u, grid.size[k]) / tiles.edge[k];
        const int two = firstVoxel(to, -u, grid.size[k]) / tiles.edge[k];
        low[k] = one < two ? one : two;
        high[k] = one < two ? two : one;
    }
    for (int z = low[2]; z <= high[2]; ++z) {
        for (int y = low[1]; y <= high[1]; ++y) {
            for (int x = low[0]; x <= high[0]; ++x) {
                const int tile = (z * tiles.count[1] + y) * tiles.count[0] + x;
                double from = begin;
                double to = end;
                if (clipToTile(tiles, ray, tile, &from, &to)) {
                    visit(tile, from, to);
                }
            }
        }
    }
}

/// Pieces are kept by length, so that neighbours end together: 0 is the longest.
inline constexpr int kTileLengths = 64;

/// About how many voxels the longest piece in a tile crosses.
[[nodiscard]] TOF_HD inline int longestPiece(const TileGrid& tiles) {
    return tiles.edge[0] + tiles.edge[1] + tiles.edge[2];
}

/// Class of a piece by the number of voxels it crosses.
[[nodiscard]] TOF_HD inline int lengthClass(const TileGrid& tiles, const Ray& ray, double begin, double end) {
    double steps = 0;
    for (int k = 0; k < 3; ++k) {
        steps += (end - begin) * fabs(ray.direction[k]) / tiles.grid.spacing[k];
    }
    const int shorter = static_cast<int>(kTileLengths * steps / longestPiece(tiles));
    return shorter < kTileLengths ? kTileLengths - 1 - shorter : 0;
}

/// A sum is kept as a word that holds its lower 32 bits: what adding `value` to a word that was `before` adds
/// to the upper ones.
[[nodiscard]] TOF_HD inline int upperOf(std::uint32_t before, std::int32_t value) {
    const auto added = static_cast<std::uint32_t>(value);
    return (before + added < added ? 1 : 0) - (value < 0 ? 1 : 0);
}

/// Pieces [first, first + count) of one tile, to be added by one block. Plain data.
struct TileItem {
    std::uint32_t tile;
    std::uint32_t count;
    std::uint64_t first;
    std::uint32_t shares;  ///< items of its tile
};

/// Shares pieces out in at most `items` items, or one per tile, of about equal work, largest first. `counts`
/// is [tile] [length class]; the pieces lie in this order, from `first` on. Items begin at multiples of 32
/// pieces of their tile. Tiles without pieces have none.
[[nodiscard]] std::vector<TileItem> tileItems(const TileGrid& tiles, const std::vector<std::uint32_t>& counts,
                                              std::uint64_t first, std::size_t items);

}  // namespace tof
