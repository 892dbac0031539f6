// SPDX-License-Identifier: Apache-2.0
// A block has a tile of a plane and goes along z. Three planes of the tile with the voxels around it lie in
// shared memory, so that every value is fetched from memory about once for all its 26 neighbours.
#include "gpu/space/penalty_kernels.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace {

constexpr int kTileX = 32;
constexpr int kTileY = 8;
constexpr int kWide = kTileX + 2;
constexpr int kHigh = kTileY + 2;
constexpr int kPlanesOfBlock = 8;  // along z; the two beside them are read twice
constexpr int kPlanes = 3;

struct Arrays {
    const float* x;
    const float* kappa;
    const float* vector;
    const float* chosen;  ///< null: all
    float* out;
    float factor;
    bool add;
};

/// Planes of a tile; a voxel that is not there has kappa 0.
struct Tile {
    float x[kPlanes][kHigh][kWide];
    float kappa[kPlanes][kHigh][kWide];
    float chosen[kPlanes][kHigh][kWide];
};
struct TileWithVector : Tile {
    float vector[kPlanes][kHigh][kWide];
};

__device__ inline std::size_t placeOf(const Neighbourhood& n, int x, int y, int z) {
    return (static_cast<std::size_t>(z) * n.size[1] + y) * n.size[0] + x;
}

/// What a thread has of a block's tile: a voxel in each of its planes.
struct Column {
    int x;
    int y;
    int begin;
    int end;
    bool inside;
};

__device__ inline Column columnOfThread(const Neighbourhood& n) {
    const int x = static_cast<int>(blockIdx.x) * kTileX + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) * kTileY + static_cast<int>(threadIdx.y);
    const int begin = static_cast<int>(blockIdx.z) * kPlanesOfBlock;
    return {x, y, begin, min(begin + kPlanesOfBlock, n.size[2]), x < n.size[0] && y < n.size[1]};
}

template <bool kHasVector, typename AnyTile>
__device__ void loadPlane(const Neighbourhood& n, const Arrays& from, int z, AnyTile& tile) {
    const int slot = (z + kPlanes) % kPlanes;
    for (int i = threadIdx.y * kTileX + threadIdx.x; i < kWide * kHigh; i += kTileX * kTileY) {
        const int column = i % kWide;
        const int row = i / kWide;
        const int x = static_cast<int>(blockIdx.x) * kTileX + column - 1;
        const int y = static_cast<int>(blockIdx.y) * kTileY + row - 1;
        const bool inside = x >= 0 && x < n.size[0] && y >= 0 && y < n.size[1] && z >= 0 && z < n.size[2];
        const std::size_t at = inside ? placeOf(n, x, y, z) : 0;
        tile.x[slot][row][column] = inside ? from.x[at] : 1.0F;
        tile.kappa[slot][row][column] = !inside ? 0.0F : from.kappa == nullptr ? 1.0F : from.kappa[at];
        if (from.chosen != nullptr) {
            tile.chosen[slot][row][column] = inside ? from.chosen[at] : 0.0F;
        }
        if constexpr (kHasVector) {
            tile.vector[slot][row][column] = inside ? from.vector[at] : 0.0F;
        }
    }
}

template <PenaltyPart kPart, typename Pair>
__global__ void __launch_bounds__(kTileX* kTileY) pairKernel(Pair pair, Neighbourhood n, Arrays arrays) {
    constexpr bool kHasVector = kPart == PenaltyPart::Product;
    __shared__ std::conditional_t<kHasVector, TileWithVector, Tile> sm_tile;
    waitForEarlierWork();
    letLaterWorkPrepare();
    const auto [x, y, begin, end, inside] = columnOfThread(n);
    const int column = static_cast<int>(threadIdx.x) + 1;
    const int row = static_cast<int>(threadIdx.y) + 1;
    loadPlane<kHasVector>(n, arrays, begin - 1, sm_tile);
    loadPlane<kHasVector>(n, arrays, begin, sm_tile);
    for (int z = begin; z < end; ++z) {
        loadPlane<kHasVector>(n, arrays, z + 1, sm_tile);
        __syncthreads();
        if (inside) {
            const int own = (z + kPlanes) % kPlanes;
            const float a = sm_tile.x[own][row][column];
            float va = 0;
            if constexpr (kHasVector) {
                va = sm_tile.vector[own][row][column];
            }
            const bool chooses = arrays.chosen != nullptr;
            const float choice = chooses ? sm_tile.chosen[own][row][column] : 0.0F;
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 27; ++k) {
                if (k == 13) {
                    continue;
                }
                const int dx = k % 3 - 1;
                const int dy = k / 3 % 3 - 1;
                const int dz = k / 9 - 1;
                const int slot = (z + dz + kPlanes) % kPlanes;
                const float weight = n.weights[(dx != 0 ? 1 : 0) + (dy != 0 ? 2 : 0) + (dz != 0 ? 4 : 0)];
                const float b = sm_tile.x[slot][row + dy][column + dx];
                float vb = 0;
                if constexpr (kHasVector) {
                    vb = sm_tile.vector[slot][row + dy][column + dx];
                }
                float strength = weight * sm_tile.kappa[slot][row + dy][column + dx];
                if (chooses) {
                    strength *= chosenShare(choice, sm_tile.chosen[slot][row + dy][column + dx], k);
                }
                sum += strength * pairTerm<kPart>(pair, a, b, va, vb);
            }
            const float scaled = arrays.factor * sm_tile.kappa[own][row][column] * sum;
            const std::size_t at = placeOf(n, x, y, z);
            arrays.out[at] = arrays.add ? arrays.out[at] + scaled : scaled;
        }
        __syncthreads();  // before the oldest plane is written over
    }
}

__global__ void __launch_bounds__(kTileX* kTileY)
    medianKernel(MedianRoot median, Neighbourhood n, Arrays arrays) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const auto [x, y, begin, end, inside] = columnOfThread(n);
    if (!inside) {
        return;
    }
    for (int z = begin; z < end; ++z) {
        float values[27];
        for (int k = 0; k < 27; ++k) {
            const int nearX = min(max(x + k % 3 - 1, 0), n.size[0] - 1);
            const int nearY = min(max(y + k / 3 % 3 - 1, 0), n.size[1] - 1);
            const int nearZ = min(max(z + k / 9 - 1, 0), n.size[2] - 1);
            values[k] = arrays.x[placeOf(n, nearX, nearY, nearZ)];
        }
        const std::size_t at = placeOf(n, x, y, z);
        const float kappa = arrays.kappa == nullptr ? 1.0F : arrays.kappa[at];
        const float scaled = arrays.factor * kappa * (kappa * median.slope(arrays.x[at], values));
        arrays.out[at] = arrays.add ? arrays.out[at] + scaled : scaled;
    }
}

/// A thread has a voxel of every plane of its block; neighbours come from the caches.
__global__ void __launch_bounds__(kTileX* kTileY)
    gatherKernel(Neighbourhood n, const float* chosen, ChosenBy by, const float* image, float* out) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const auto [x, y, begin, end, inside] = columnOfThread(n);
    if (!inside) {
        return;
    }
    for (int z = begin; z < end; ++z) {
        const std::size_t own = placeOf(n, x, y, z);
        const float mine = chosen[own];
        float sum = image[own];
        for (int k = 0; k < 27; ++k) {
            const int nearX = x + k % 3 - 1;
            const int nearY = y + k / 3 % 3 - 1;
            const int nearZ = z + k / 9 - 1;
            if (k == 13 || nearX < 0 || nearX >= n.size[0] || nearY < 0 || nearY >= n.size[1] || nearZ < 0 ||
                nearZ >= n.size[2]) {
                continue;
            }
            const std::size_t other = placeOf(n, nearX, nearY, nearZ);
            sum +=
                (by == ChosenBy::Itself ? chosenBy(mine, k) : chosenBy(chosen[other], 26 - k)) * image[other];
        }
        out[own] = sum;
    }
}

dim3 gridOf(const Neighbourhood& n) {
    const auto pieces = [](int size, int piece) { return static_cast<unsigned>((size + piece - 1) / piece); };
    return {pieces(n.size[0], kTileX), pieces(n.size[1], kTileY), pieces(n.size[2], kPlanesOfBlock)};
}

template <typename Pair>
auto kernelOf(PenaltyPart part) -> void (*)(Pair, Neighbourhood, Arrays) {
    switch (part) {
        case PenaltyPart::Value: return pairKernel<PenaltyPart::Value, Pair>;
        case PenaltyPart::Gradient: return pairKernel<PenaltyPart::Gradient, Pair>;
        case PenaltyPart::Curvature: return pairKernel<PenaltyPart::Curvature, Pair>;
        case PenaltyPart::Product: break;
    }
    return pairKernel<PenaltyPart::Product, Pair>;
}

}  // namespace

void penalise(Launch l, const Penalty& penalty, PenaltyPart part, const DevicePenaltyTerms& terms,
              DeviceSpan<float> out) {
    const Arrays arrays{terms.x.get(), terms.kappa.get(), terms.vector.get(), terms.chosen.get(),
                        out.get(),     terms.factor,      terms.add};
    std::visit(
        [&](const auto& potential) {
            using Pair = std::decay_t<decltype(potential)>;
            void (*kernel)(Pair, Neighbourhood, Arrays) = nullptr;
            if constexpr (std::is_same_v<Pair, MedianRoot>) {
                kernel = medianKernel;
            } else {
                kernel = kernelOf<Pair>(part);
            }
            check(launchDependent(l.overlap, kernel, gridOf(penalty.neighbours), dim3(kTileX, kTileY), 0,
                                  l.stream, potential, penalty.neighbours, arrays),
                  "make a part of a penalty", {out.size()});
        },
        penalty.potential);
}

void gather(Launch l, const Neighbourhood& neighbours, DeviceSpan<const float> chosen, ChosenBy by,
            DeviceSpan<const float> x, DeviceSpan<float> out) {
    check(launchDependent(l.overlap, gatherKernel, gridOf(neighbours), dim3(kTileX, kTileY), 0, l.stream,
                          neighbours, chosen.get(), by, x.get(), out.get()),
          "gather chosen neighbours", {out.size()});
}

}  // namespace tof::device
