// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/event_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "recon/base/error.h"

namespace tof {

namespace {

/// What it takes to begin a piece, in voxels crossed.
constexpr double kBeginning = 24;
constexpr std::uint64_t kWarp = 32;

int odd(int n) {
    return n | 1;
}

TileGrid cut(const RayGrid& grid, const std::array<int, 3>& count) {
    TileGrid tiles{};
    tiles.grid = grid;
    for (std::size_t k = 0; k < 3; ++k) {
        tiles.edge[k] = (grid.size[k] + count[k] - 1) / count[k];
        tiles.count[k] = (grid.size[k] + tiles.edge[k] - 1) / tiles.edge[k];
    }
    tiles.stride[0] = 1;
    tiles.stride[1] = odd(tiles.edge[0]);
    tiles.stride[2] = odd(tiles.stride[1] * tiles.edge[1]);
    tiles.words = tiles.stride[2] * tiles.edge[2];
    return tiles;
}

/// Faces between tiles that a ray of unit length meets.
double crossings(const TileGrid& tiles, const Vec3& direction) {
    const double along[3] = {direction.x, direction.y, direction.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        if (tiles.count[k] > 1) {
            sum += along[k] / (tiles.edge[k] * tiles.grid.spacing[k]);
        }
    }
    return sum;
}

/// Tiles along the last axis that are enough where the first two have `nx` and `ny`; 0: no number is.
int enough(const RayGrid& grid, int nx, int ny, std::size_t words) {
    const TileGrid whole = cut(grid, {nx, ny, 1});
    const auto least = static_cast<std::size_t>(whole.words) / words;
    for (int nz = std::max(1, static_cast<int>(least)); nz <= grid.size[2]; ++nz) {
        if (static_cast<std::size_t>(cut(grid, {nx, ny, nz}).words) <= words) {
            return nz;
        }
    }
    return 0;
}

/// Work of a piece of a length class.
double workOf(const TileGrid& tiles, std::size_t lengthClass) {
    return kBeginning +
           (kTileLengths - static_cast<double>(lengthClass) - 0.5) * longestPiece(tiles) / kTileLengths;
}

/// How many items each tile gets, at most `items` in all where no tile needs one for itself.
std::vector<double> itemsPerTile(const std::vector<double>& work, std::size_t items) {
    double share = std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(items);
    std::vector<double> parts(work.size());
    const auto most = static_cast<double>(std::max(items, work.size()));
    do {
        std::transform(work.begin(), work.end(), parts.begin(),
                       [&](double w) { return w > 0 ? std::max(1.0, std::round(w / share)) : 0.0; });
        share *= 1.01;
    } while (std::accumulate(parts.begin(), parts.end(), 0.0) > most);
    return parts;
}

}  // namespace

TileGrid tileGrid(const RayGrid& grid, const Vec3& direction, std::size_t words) {
    if (words == 0) {
        throw WrongUse("the memory for a tile of the image holds not even one voxel");
    }
    TileGrid best{};
    double fewest = 0;
    for (int nx = 1; nx <= grid.size[0]; ++nx) {
        for (int ny = 1; ny <= grid.size[1]; ++ny) {
            const int nz = enough(grid, nx, ny, words);
            if (nz == 0) {
                continue;
            }
            const TileGrid tiles = cut(grid, {nx, ny, nz});
            const double met = crossings(tiles, direction);
            if (best.words == 0 || met < fewest) {
                best = tiles;
                fewest = met;
            }
            if (nz == 1) {
                break;  // more along y meet more
            }
        }
    }
    return best;
}

Vec3 meanDirection(const LineEvents& events) {
    constexpr std::size_t kSample = 4096;
    const std::size_t step = std::max<std::size_t>(1, events.pairs.size() / kSample);
    Vec3 sum{0, 0, 0};
    double lines = 0;
    for (std::size_t i = 0; i < events.pairs.size(); i += step) {
        const Vec3 along = events.points[events.pairs[i][1]] - events.points[events.pairs[i][0]];
        const double length = norm(along);
        if (length > 0) {
            sum = sum + 1 / length * Vec3{std::abs(along.x), std::abs(along.y), std::abs(along.z)};
            lines += 1;
        }
    }
    return lines > 0 ? 1 / lines * sum : Vec3{1, 1, 1};
}

std::vector<TileItem> tileItems(const TileGrid& tiles, const std::vector<std::uint32_t>& counts,
                                std::uint64_t first, std::size_t items) {
    const auto classes = static_cast<std::size_t>(kTileLengths);
    const auto tileCount = static_cast<std::size_t>(tiles.tiles());
    std::vector<double> work(tileCount, 0.0);
    for (std::size_t i = 0; i < tileCount * classes; ++i) {
        work[i / classes] += counts[i] * workOf(tiles, i % classes);
    }
    const std::vector<double> partsOf = itemsPerTile(work, items);
    std::vector<std::pair<double, TileItem>> cuts;
    for (std::size_t tile = 0; tile < tileCount; ++tile) {
        const double parts = partsOf[tile];
        const std::size_t before = cuts.size();
        TileItem item{static_cast<std::uint32_t>(tile), 0, first, 0};
        double mine = 0;
        for (std::size_t i = 0; i < classes; ++i) {
            const double each = workOf(tiles, i);
            std::uint64_t left = counts[tile * classes + i];
            while (left > 0) {
                const double room = work[tile] / parts - mine;
                // Whole warps; a warp may hold pieces of two classes.
                const std::uint64_t wanted = static_cast<std::uint64_t>(std::max(0.0, room / each)) + 1;
                const std::uint64_t whole = (item.count + wanted + kWarp - 1) / kWarp * kWarp - item.count;
                const std::uint64_t taken = std::min(left, whole);
                item.count += static_cast<std::uint32_t>(taken);
                left -= taken;
                mine += static_cast<double>(taken) * each;
                if (mine >= work[tile] / parts && item.count % kWarp == 0) {
                    cuts.emplace_back(mine, item);
                    item.first += item.count;
                    item.count = 0;
                    mine = 0;
                }
            }
        }
        if (item.count > 0) {
            cuts.emplace_back(mine, item);
        }
        first = item.first + item.count;
        for (std::size_t i = before; i < cuts.size(); ++i) {
            cuts[i].second.shares = static_cast<std::uint32_t>(cuts.size() - before);
        }
    }
    std::stable_sort(cuts.begin(), cuts.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<TileItem> out(cuts.size());
    std::transform(cuts.begin(), cuts.end(), out.begin(), [](const auto& c) { return c.second; });
    return out;
}

}  // namespace tof
