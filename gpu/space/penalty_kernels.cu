// SPDX-License-Identifier: Apache-2.0
// A block has a tile of a plane and goes along z. Planes of the tile with the voxels around it lie in shared
// memory, so that every value is fetched from memory about once for all its 26 neighbours; the plane after
// next is on its way while one is summed.
#include "gpu/space/penalty_kernels.h"

#include <type_traits>
#include <variant>

#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_penalty_kernels {

constexpr int kTileX = 16;
constexpr int kTileY = 16;
constexpr int kWide = kTileX + 2;
constexpr int kHigh = kTileY + 2;
constexpr int kThreads = kTileX * kTileY;
constexpr int kPlanesOfBlock = 4;  // along z; the two beside them are read twice; more leave cores idle
constexpr int kPlanes = 4;  // three that are summed, and one that a thread ahead of others writes meanwhile

struct Arrays {
    const float* x;
    const float* kappa;
    const float* vector;
    const float* chosen;  ///< null: all
    float* out;
    float factor;
    bool add;
};

/// What is added up over pairs, and what it takes.
template <PenaltyPart kPartOf, bool kChoosesOf>
struct Sum {
    static constexpr PenaltyPart kPart = kPartOf;
    static constexpr bool kHasVector = kPartOf == PenaltyPart::Product;
    static constexpr bool kChooses = kChoosesOf;
};

/// A voxel; one that is not there has kappa 0.
struct Voxel {
    float2 site{1, 0};  ///< value and kappa
    float chosen = 0;
    float vector = 0;
};

/// Planes of a tile.
template <typename Of>
struct Tile {
    float2 site[kPlanes][kHigh][kWide];
    float chosen[Of::kChooses ? kPlanes : 1][kHigh][kWide];
    float vector[Of::kHasVector ? kPlanes : 1][kHigh][kWide];

    __device__ void put(int slot, int row, int column, const Voxel& voxel) {
        site[slot][row][column] = voxel.site;
        if constexpr (Of::kChooses) {
            chosen[slot][row][column] = voxel.chosen;
        }
        if constexpr (Of::kHasVector) {
            vector[slot][row][column] = voxel.vector;
        }
    }
    __device__ Voxel get(int slot, int row, int column) const {
        Voxel voxel{site[slot][row][column]};
        if constexpr (Of::kChooses) {
            voxel.chosen = chosen[slot][row][column];
        }
        if constexpr (Of::kHasVector) {
            voxel.vector = vector[slot][row][column];
        }
        return voxel;
    }
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

/// The voxels of a tile that a thread fetches in every plane.
template <typename Of>
class Fetch {
  public:
    __device__ Fetch(const Neighbourhood& n, const Arrays& from) : n_(n), from_(from) {}

    __device__ void begin(int z) {
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            voxels_[i] = voxel(z, cell(i));
        }
    }
    __device__ void end(int z, Tile<Of>& tile) const {
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
            if (const int at = cell(i); at < kWide * kHigh) {
                tile.put(z & (kPlanes - 1), at / kWide, at % kWide, voxels_[i]);
            }
        }
    }

  private:
    static constexpr int kEach = (kWide * kHigh + kThreads - 1) / kThreads;

    [[nodiscard]] __device__ static int cell(int i) {
        return i * kThreads + static_cast<int>(threadIdx.y) * kTileX + static_cast<int>(threadIdx.x);
    }
    [[nodiscard]] __device__ Voxel voxel(int z, int cell) const {
        const int x = static_cast<int>(blockIdx.x) * kTileX + cell % kWide - 1;
        const int y = static_cast<int>(blockIdx.y) * kTileY + cell / kWide - 1;
        Voxel found;
        if (cell >= kWide * kHigh || x < 0 || x >= n_.size[0] || y < 0 || y >= n_.size[1] || z < 0 ||
            z >= n_.size[2]) {
            return found;
        }
        const std::size_t at = placeOf(n_, x, y, z);
        found.site = {from_.x[at], from_.kappa == nullptr ? 1.0F : from_.kappa[at]};
        if constexpr (Of::kChooses) {
            found.chosen = from_.chosen[at];
        }
        if constexpr (Of::kHasVector) {
            found.vector = from_.vector[at];
        }
        return found;
    }

    const Neighbourhood& n_;
    const Arrays& from_;
    Voxel voxels_[kEach];
};

/// The sum of a thread's voxel over its 26 neighbours.
template <typename Of, typename Pair>
__device__ float sumOverPairs(const Pair& pair, const Neighbourhood& n, const Tile<Of>& tile,
                              const Voxel& own, int z) {
    const int row = static_cast<int>(threadIdx.y) + 1;
    const int column = static_cast<int>(threadIdx.x) + 1;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 27; ++k) {
        if (k == 13) {
            continue;
        }
        const int dx = k % 3 - 1;
        const int dy = k / 3 % 3 - 1;
        const int dz = k / 9 - 1;
        const Voxel other = tile.get((z + dz) & (kPlanes - 1), row + dy, column + dx);
        float strength = n.weights[(dx != 0 ? 1 : 0) + (dy != 0 ? 2 : 0) + (dz != 0 ? 4 : 0)] * other.site.y;
        if constexpr (Of::kChooses) {
            strength *= chosenShare(own.chosen, other.chosen, k);
        }
        sum += strength * pairTerm<Of::kPart>(pair, own.site.x, other.site.x, own.vector, other.vector);
    }
    return sum;
}

template <typename Of, typename Pair>
__global__ void __launch_bounds__(kThreads) pairKernel(Pair pair, Neighbourhood n, Arrays arrays) {
    __shared__ Tile<Of> sm_tile;
    waitForEarlierWork();
    letLaterWorkPrepare();
    const auto [x, y, begin, end, inside] = columnOfThread(n);
    Fetch<Of> fetch(n, arrays);
    for (int z = begin - 1; z <= begin + 1; ++z) {
        fetch.begin(z);
        fetch.end(z, sm_tile);
    }
    __syncthreads();
    for (int z = begin; z < end; ++z) {
        const bool more = z + 2 <= end;
        if (more) {
            fetch.begin(z + 2);
        }
        if (inside) {
            const Voxel own = sm_tile.get(z & (kPlanes - 1), static_cast<int>(threadIdx.y) + 1,
                                          static_cast<int>(threadIdx.x) + 1);
            const float scaled = arrays.factor * own.site.y * sumOverPairs<Of>(pair, n, sm_tile, own, z);
            const std::size_t at = placeOf(n, x, y, z);
            arrays.out[at] = arrays.add ? arrays.out[at] + scaled : scaled;
        }
        if (more) {
            fetch.end(z + 2, sm_tile);  // over a plane that nobody sums any more
        }
        __syncthreads();
    }
}

__global__ void __launch_bounds__(kThreads) medianKernel(MedianRoot median, Neighbourhood n, Arrays arrays) {
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
__global__ void __launch_bounds__(kThreads)
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

template <typename Pair, bool kChooses>
auto kernelOf(PenaltyPart part) -> void (*)(Pair, Neighbourhood, Arrays) {
    switch (part) {
        case PenaltyPart::Value: return pairKernel<Sum<PenaltyPart::Value, kChooses>, Pair>;
        case PenaltyPart::Gradient: return pairKernel<Sum<PenaltyPart::Gradient, kChooses>, Pair>;
        case PenaltyPart::Curvature: return pairKernel<Sum<PenaltyPart::Curvature, kChooses>, Pair>;
        case PenaltyPart::Product: break;
    }
    return pairKernel<Sum<PenaltyPart::Product, kChooses>, Pair>;
}

}  // namespace in_penalty_kernels
using namespace in_penalty_kernels;

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
                kernel = arrays.chosen == nullptr ? kernelOf<Pair, false>(part) : kernelOf<Pair, true>(part);
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
