// SPDX-License-Identifier: Apache-2.0
// A block of 32 warps owns a tile of the image in shared memory, as many words as the device allows, and adds
// the pieces of events that lie there; a thread follows one piece, warps fetch 32 pieces at a time.
// Registers: at most 64.
#include "gpu/lines/tile_kernels.h"

#include <algorithm>

#include "gpu/lines/event_device.cuh"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace {

constexpr unsigned kThreads = 128;  // of kernels without tiles
constexpr unsigned kTileThreads = 1024;
constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xFFFFFFFFU;

/// The longest way through a voxel in the mean datum's units has this many bits: most coefficients are far
/// smaller, so that a word overflows once in hundreds of additions.
constexpr int kTypicalBits = 28;
/// Above this a product may not fit an int.
constexpr float kLargestProduct = 2.1e9F;

/// Adds to the sum of the voxel that a tile's word stands for.
__device__ void addToSums(const LinePart& part, const TileGrid& tiles, const int first[3], int word,
                          long long value, unsigned long long* sums) {
    const int z = word / tiles.stride[2];
    const int y = (word - z * tiles.stride[2]) / tiles.stride[1];
    const int x = word - z * tiles.stride[2] - y * tiles.stride[1];
    const int* const stride = part.op.grid.stride;
    const int at = (first[0] + x) * stride[0] + (first[1] + y) * stride[1] + (first[2] + z) * stride[2];
    atomicAdd(sums + at, static_cast<unsigned long long>(value));
}

__device__ float widestWay(const RayGrid& grid) {
    return static_cast<float>(grid.spacing[0] + grid.spacing[1] + grid.spacing[2]);
}

/// What all threads of a block share besides table and tile.
struct BlockState {
    RayGrid grid;  ///< of the tile
    int first[3];
    unsigned next;  ///< piece to be fetched
};

template <bool timed>
__device__ void addPiece(const LinePart& part, const EventTable& table, const TileGrid& tiles,
                         const TileItem& item, const BlockState& block, const TimePiece* pieces,
                         const EventRecord& event, float scaled, unsigned* sm_tile,
                         unsigned long long* sums) {
    EventRay piece;
    if (!rayOf<timed>(part, event, table, pieces, &piece) ||
        !clipToTile(tiles, piece.ray, static_cast<int>(item.tile), &piece.begin, &piece.end)) {
        return;
    }
    const SiddonStart start = startSiddon(block.grid, piece.ray, piece.begin);
    const bool large = fabsf(scaled) * widestWay(part.op.grid) > kLargestProduct;
    followEvent(
        start, piece.origin, piece.begin, piece.end,
        [&](float distance) { return piece.integral<timed>(table, distance); },
        [&](int word, float length) {
            if (large) {
                addToSums(part, tiles, block.first, word, __float2ll_rn(length * scaled), sums);
                return;
            }
            const int value = __float2int_rn(length * scaled);
            const int upper = upperOf(atomicAdd(sm_tile + word, static_cast<unsigned>(value)), value);
            if (upper != 0) {
                addToSums(part, tiles, block.first, word, static_cast<long long>(upper) * 4294967296LL, sums);
            }
        });
}

template <bool timed>
__global__ void __launch_bounds__(kTileThreads, 1)
    tileBackKernel(LinePart part, EventTable table, TilePart tile, const float* p, const FixedScale* scale,
                   unsigned long long* sums) {
    extern __shared__ float4 sm_pieces[];
    __shared__ BlockState sm_block;
    const TimePiece* const pieces = copyPieces<timed>(table, sm_pieces);
    auto* const sm_tile = reinterpret_cast<unsigned*>(sm_pieces + (timed ? pieceCount(table) : 0));
    const TileGrid& tiles = tile.tiles;
    const TileItem item = tile.items[blockIdx.x];
    for (int i = static_cast<int>(threadIdx.x); i < tiles.words; i += kTileThreads) {
        sm_tile[i] = 0;
    }
    if (threadIdx.x == 0) {
        sm_block.grid = tiles.gridOf(static_cast<int>(item.tile));
        tiles.firstOf(static_cast<int>(item.tile), sm_block.first);
        sm_block.next = 0;
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % kWarp;
    const int exponent = scale->exponent;
    while (true) {
        unsigned i = 0;
        if (lane == 0) {
            i = atomicAdd(&sm_block.next, kWarp);
        }
        i = __shfl_sync(kAll, i, 0);
        if (i >= item.count) {
            break;
        }
        if (i + lane < item.count) {
            const EventRecord event = part.events[tile.pieces[item.first + i + lane]];
            const float datum = p[event.datum];
            if (datum != 0.0F) {
                const auto scaled = static_cast<float>(ldexp(static_cast<double>(datum), exponent));
                addPiece<timed>(part, table, tiles, item, sm_block, pieces, event, scaled, sm_tile, sums);
            }
        }
        __syncwarp();
    }
    __syncthreads();
    const int width = sm_block.grid.size[0];
    const int height = sm_block.grid.size[1];
    const int rows = height * sm_block.grid.size[2];
    const int* const stride = part.op.grid.stride;
    for (int row = static_cast<int>(threadIdx.x / kWarp); row < rows; row += kTileThreads / kWarp) {
        const int z = row / height;
        const int y = row - z * height;
        const unsigned* const from = sm_tile + z * tiles.stride[2] + y * tiles.stride[1];
        unsigned long long* const to =
            sums + (sm_block.first[0] * stride[0] + (sm_block.first[1] + y) * stride[1] +
                    (sm_block.first[2] + z) * stride[2]);
        for (int x = static_cast<int>(lane); x < width; x += kWarp) {
            if (from[x] != 0) {
                atomicAdd(to + x * stride[0], static_cast<unsigned long long>(from[x]));
            }
        }
    }
}

/// Calls visit(event, place in [tile][length class]) for every piece of this thread's event.
template <typename Visit>
__device__ void forEachPiece(const LinePart& part, const TileGrid& tiles, const Visit& visit) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    EventRay event;
    const bool timed = part.op.tof.count > 0;
    if (i >= part.data || !(timed ? rayOf<true>(part, part.events[i], {}, nullptr, &event)
                                  : rayOf<false>(part, part.events[i], {}, nullptr, &event))) {
        return;
    }
    forEachTile(tiles, event.ray, event.begin, event.end, [&](int tile, double begin, double end) {
        visit(static_cast<std::uint32_t>(i), tile * kTileLengths + lengthClass(tiles, event.ray, begin, end));
    });
}

__global__ void __launch_bounds__(kThreads)
    countPiecesKernel(LinePart part, TileGrid tiles, std::uint32_t* counts) {
    forEachPiece(part, tiles, [&](std::uint32_t, int place) { atomicAdd(counts + place, 1U); });
}

__global__ void __launch_bounds__(kThreads)
    placePiecesKernel(LinePart part, TileGrid tiles, unsigned long long* cursors, std::uint32_t* pieces) {
    forEachPiece(part, tiles,
                 [&](std::uint32_t event, int place) { pieces[atomicAdd(cursors + place, 1ULL)] = event; });
}

__global__ void typicalKernel(const float* p, std::size_t n, TypicalDatum* typical) {
    long long exponents = 0;
    unsigned long long count = 0;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        if (p[i] != 0.0F) {
            exponents += ilogbf(p[i]);
            ++count;
        }
    }
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
        exponents += __shfl_down_sync(kAll, exponents, offset);
        count += __shfl_down_sync(kAll, count, offset);
    }
    if (threadIdx.x % kWarp == 0 && count > 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(&typical->exponents),
                  static_cast<unsigned long long>(exponents));
        atomicAdd(&typical->count, count);
    }
}

__global__ void tileScaleKernel(LinePart part, const TypicalDatum* typical, FixedScale* scale) {
    if (typical->count > 0) {
        const auto mean = static_cast<int>(typical->exponents / static_cast<long long>(typical->count));
        const int finest = kTypicalBits - 2 - mean - ilogbf(widestWay(part.op.grid));
        scale->exponent = scale->exponent < finest ? scale->exponent : finest;
    }
}

unsigned blocksFor(std::size_t n) {
    return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

std::size_t sharedOf(const EventTable& table, const TileGrid& tiles) {
    return pieceBytes(table) + static_cast<std::size_t>(tiles.words) * sizeof(unsigned);
}

auto backFor(const EventTable& table) {
    return table.pieces == nullptr ? tileBackKernel<false> : tileBackKernel<true>;
}

}  // namespace

std::size_t tileWords(const EventTable& table) {
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "ask for shared memory");
    const std::size_t taken = pieceBytes(table) + sizeof(BlockState);
    return static_cast<std::size_t>(most) > taken
               ? (static_cast<std::size_t>(most) - taken) / sizeof(unsigned)
               : 0;
}

void allowTileBack(const EventTable& table, const TileGrid& tiles) {
    const std::size_t bytes = sharedOf(table, tiles);
    check(cudaFuncSetAttribute(backFor(table), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "allow shared memory", {bytes});
}

void countPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles, std::uint32_t* counts) {
    countPiecesKernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, counts);
    checkLaunch("count of pieces of events", {part.data});
}

void placePieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 unsigned long long* cursors, std::uint32_t* pieces) {
    placePiecesKernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, cursors, pieces);
    checkLaunch("order of pieces of events", {part.data});
}

void tileScale(cudaStream_t stream, const LinePart& part, const float* p, TypicalDatum* typical,
               FixedScale* scale) {
    ringScale(stream, part, p, scale);
    check(cudaMemsetAsync(typical, 0, sizeof(TypicalDatum), stream), "clear a mean");
    typicalKernel<<<std::min(blocksFor(part.data), 1024U), kThreads, 0, stream>>>(p, part.data, typical);
    checkLaunch("typical datum", {part.data});
    tileScaleKernel<<<1, 1, 0, stream>>>(part, typical, scale);
    checkLaunch("unit of a fixed point");
}

void tileBack(cudaStream_t stream, const LinePart& part, const EventTable& table, const TilePart& tile,
              const float* p, const FixedScale* scale, unsigned long long* sums) {
    backFor(table)<<<tile.itemCount, kTileThreads, sharedOf(table, tile.tiles), stream>>>(part, table, tile,
                                                                                          p, scale, sums);
    checkLaunch("back projection of events", {part.data});
}

}  // namespace tof::device
