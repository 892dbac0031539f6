// SPDX-License-Identifier: Apache-2.0
// A block of 32 warps owns a tile of the image in shared memory, as many words as the device allows, and adds
// the pieces of events that lie there; a thread follows one piece, warps fetch 32 pieces at a time.
// Registers: at most 64.
#include "gpu/lines/tile_kernels.h"

#include <algorithm>

#include "gpu/lines/event_device.cuh"
#include "gpu/lines/line_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_tile_kernels {

constexpr unsigned kThreads = 128;  // threads of kernels without tiles
constexpr unsigned kTileThreads = 1024;
constexpr unsigned kLanes = kWarp;  // unsigned, which keeps the compiler from unrolling what empties a tile

/// The longest way through a voxel in the mean datum's units has this many bits: most coefficients are far
/// smaller, so that a word overflows once in hundreds of additions.
constexpr int kTypicalBits = 28;
/// Above this a product may not fit an int.
constexpr float kLargestProduct = 2.1e9F;

__device__ float widestWay(const RayGrid& grid) {
    return static_cast<float>(grid.spacing[0] + grid.spacing[1] + grid.spacing[2]);
}

/// 2^exponent as two factors, either of which is a float where data times both are one.
struct PowerOfTwo {
    __device__ explicit PowerOfTwo(int exponent)
        : one(ldexpf(1.0F, exponent / 2)), two(ldexpf(1.0F, exponent - exponent / 2)) {}

    float one;
    float two;
};

/// What the threads of a block share besides table and words.
struct BlockState {
    RayGrid grid;   ///< grid of the tile
    int first[3];   ///< voxel of the image
    unsigned next;  ///< piece to be fetched
};

/// A tile of the image in shared memory: words that are the lower halves of the sums.
class SharedTile {
  public:
    __device__ SharedTile(const LinePart& part, const TileGrid& tiles, const BlockState& block,
                          unsigned* sm_words, FixedSum* sums)
        : part_(part), tiles_(tiles), block_(block), words_(sm_words), sums_(sums) {}

    /// Adds to a word; what does not fit one goes to the sums at once.
    __device__ void add(int word, int value) {
        const int upper = upperOf(atomicAdd(words_ + word, static_cast<unsigned>(value)), value);
        if (upper != 0) {
            addToSums(word, static_cast<long long>(upper) * 4294967296LL);
        }
    }

    /// Adds to the sum of the voxel that a word stands for.
    __device__ void addToSums(int word, long long value) {
        const int z = word / tiles_.stride[2];
        const int y = (word - z * tiles_.stride[2]) / tiles_.stride[1];
        const int x = word - z * tiles_.stride[2] - y * tiles_.stride[1];
        const int* const stride = part_.op.grid.stride;
        const int* const first = block_.first;
        const int at = (first[0] + x) * stride[0] + (first[1] + y) * stride[1] + (first[2] + z) * stride[2];
        atomicAdd(sums_ + at, static_cast<FixedSum>(value));
    }

    __device__ void clear() {
        for (int i = static_cast<int>(threadIdx.x); i < tiles_.words; i += kTileThreads) {
            words_[i] = 0;
        }
    }

    /// Adds all words to the sums, a warp per row.
    __device__ void empty() const {
        const int width = block_.grid.size[0];
        const int height = block_.grid.size[1];
        const int rows = height * block_.grid.size[2];
        const int* const stride = part_.op.grid.stride;
        for (int row = static_cast<int>(threadIdx.x / kLanes); row < rows; row += kTileThreads / kLanes) {
            const int z = row / height;
            const int y = row - z * height;
            const unsigned* const from = words_ + z * tiles_.stride[2] + y * tiles_.stride[1];
            FixedSum* const to = sums_ + (block_.first[0] * stride[0] + (block_.first[1] + y) * stride[1] +
                                          (block_.first[2] + z) * stride[2]);
            for (int x = static_cast<int>(threadIdx.x % kLanes); x < width; x += kLanes) {
                if (from[x] != 0) {
                    atomicAdd(to + x * stride[0], static_cast<FixedSum>(from[x]));
                }
            }
        }
    }

  private:
    const LinePart& part_;
    const TileGrid& tiles_;
    const BlockState& block_;
    unsigned* words_;
    FixedSum* sums_;
};

/// The lines of a part within one tile.
template <bool timed>
struct TilePieces {
    const LinePart& part;
    const EventTable& table;
    const TimePiece* times;  ///< the table's, in shared memory
    const TileGrid& tiles;
    const RayGrid& grid;  ///< grid of the tile
    int tile;

    /// Adds `scaled` times what an event has of the tile.
    __device__ void add(const EventRecord& event, float scaled, SharedTile& to) const {
        EventRay piece;
        if (!rayOf<timed>(part, event, table, times, &piece) ||
            !clipToTile(tiles, piece.ray, tile, &piece.begin, &piece.end)) {
            return;
        }
        addAlong(stepsOf(grid, piece, piece.begin, piece.end), piece.pieces, scaled, to);
    }

    /// Adds a piece by kept steps.
    __device__ void addKept(const KeptSteps& kept, std::size_t at, uint2 place, float scaled,
                            SharedTile& to) const {
        addAlong(keptSteps(kept, at, place.x, grid.stride),
                 times + (timed ? (place.x >> kKindShift) * table.count : 0U), scaled, to);
    }

  private:
    __device__ void addAlong(const EventSteps& way, const TimePiece* ofKind, float scaled,
                             SharedTile& to) const {
        const bool large = fabsf(scaled) * widestWay(part.op.grid) > kLargestProduct;
        followSteps(
            way, [&](float distance) { return integralAt<timed>(table, ofKind, distance); },
            [&](int word, float length) {
                if (large) {
                    to.addToSums(word, __float2ll_rn(length * scaled));
                } else {
                    to.add(word, __float2int_rn(length * scaled));
                }
            });
    }
};

/// Calls use(i) for all of `count` pieces: warps fetch 32 at a time.
template <typename Use>
__device__ void forEachFetched(unsigned* sm_next, unsigned count, const Use& use) {
    const unsigned lane = threadIdx.x % kLanes;
    while (true) {
        unsigned i = 0;
        if (lane == 0) {
            i = atomicAdd(sm_next, kLanes);
        }
        i = __shfl_sync(kAllLanes, i, 0);
        if (i >= count) {
            break;
        }
        if (i + lane < count) {
            use(i + lane);
        }
        __syncwarp();
    }
}

template <bool timed, bool kept>
__global__ void __launch_bounds__(kTileThreads, 1)
    tileBackKernel(LinePart part, EventTable table, TilePart tile, const float* p, const FixedScale* scale,
                   FixedSum* sums) {
    extern __shared__ float4 sm_pieces[];
    __shared__ BlockState sm_block;
    const TimePiece* const times = copyPieces<timed>(table, sm_pieces);
    const TileGrid& tiles = tile.tiles;
    const TileItem item = tile.items[blockIdx.x];
    SharedTile words(part, tiles, sm_block,
                     reinterpret_cast<unsigned*>(sm_pieces + (timed ? pieceCount(table) : 0)), sums);
    words.clear();
    if (threadIdx.x == 0) {
        sm_block.grid = tiles.gridOf(static_cast<int>(item.tile));
        tiles.firstOf(static_cast<int>(item.tile), sm_block.first);
        sm_block.next = 0;
    }
    __syncthreads();
    const TilePieces<timed> pieces{part, table, times, tiles, sm_block.grid, static_cast<int>(item.tile)};
    const PowerOfTwo factor(scale->exponent);
    forEachFetched(&sm_block.next, item.count, [&](unsigned i) {
        if constexpr (kept) {
            const uint2 place = __ldcs(tile.kept.places.get() + item.first + i);
            const float datum = p[place.y];
            if (datum != 0.0F) {
                pieces.addKept(tile.kept, item.first + i, place, datum * factor.one * factor.two, words);
            }
        } else {
            const EventRecord event = part.events[tile.pieces[item.first + i]];
            const float datum = p[event.datum];
            if (datum != 0.0F) {
                pieces.add(event, datum * factor.one * factor.two, words);
            }
        }
    });
    __syncthreads();
    words.empty();
}

/// Calls visit(event, ray, tile, begin, end, place in [tile][length class]) for every piece of this thread's
/// event.
template <bool timed, typename Visit>
__device__ void forEachPiece(const LinePart& part, const TileGrid& tiles, const Visit& visit) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    EventRay event;
    if (i >= part.data || !rayOf<timed>(part, part.events[i], {}, nullptr, &event)) {
        return;
    }
    forEachTile(tiles, event.ray, event.begin, event.end, [&](int tile, double begin, double end) {
        visit(static_cast<std::uint32_t>(i), event, tile, begin, end,
              tile * kTileLengths + lengthClass(tiles, event.ray, begin, end));
    });
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    countPiecesKernel(LinePart part, TileGrid tiles, std::uint32_t* counts) {
    forEachPiece<timed>(part, tiles, [&](std::uint32_t, const EventRay&, int, double, double, int place) {
        atomicAdd(counts + place, 1U);
    });
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    placePiecesKernel(LinePart part, TileGrid tiles, unsigned long long* cursors, std::uint32_t* pieces) {
    forEachPiece<timed>(part, tiles,
                        [&](std::uint32_t event, const EventRay&, int, double, double, int place) {
                            pieces[atomicAdd(cursors + place, 1ULL)] = event;
                        });
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    keepPiecesKernel(LinePart part, TileGrid tiles, unsigned long long* cursors, KeptSteps kept) {
    forEachPiece<timed>(
        part, tiles,
        [&](std::uint32_t i, const EventRay& ray, int tile, double begin, double end, int place) {
            const EventRecord event = part.events[i];
            keep(kept, atomicAdd(cursors + place, 1ULL), stepsOf(tiles.gridOf(tile), ray, begin, end),
                 kindOf<timed>(part, event), event.datum);
        });
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
    for (int offset = kLanes / 2; offset > 0; offset /= 2) {
        exponents += __shfl_down_sync(kAllLanes, exponents, offset);
        count += __shfl_down_sync(kAllLanes, count, offset);
    }
    if (threadIdx.x % kLanes == 0 && count > 0) {
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

auto backFor(const EventTable& table, bool kept) {
    return table.pieces.empty() ? (kept ? tileBackKernel<false, true> : tileBackKernel<false, false>)
                                : (kept ? tileBackKernel<true, true> : tileBackKernel<true, false>);
}

}  // namespace in_tile_kernels
using namespace in_tile_kernels;

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
    for (const bool kept : {false, true}) {
        check(cudaFuncSetAttribute(backFor(table, kept), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "allow shared memory", {bytes});
    }
}

void countPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<std::uint32_t> counts) {
    const auto kernel = part.op.tof.count > 0 ? countPiecesKernel<true> : countPiecesKernel<false>;
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, counts.get());
    checkLaunch("count of pieces of events", {part.data});
}

void placePieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<unsigned long long> cursors, DeviceSpan<std::uint32_t> pieces) {
    const auto kernel = part.op.tof.count > 0 ? placePiecesKernel<true> : placePiecesKernel<false>;
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, cursors.get(), pieces.get());
    checkLaunch("order of pieces of events", {part.data});
}

void keepPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                DeviceSpan<unsigned long long> cursors, const KeptSteps& kept) {
    const auto kernel = part.op.tof.count > 0 ? keepPiecesKernel<true> : keepPiecesKernel<false>;
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, cursors.get(), kept);
    checkLaunch("paths of pieces of events", {part.data});
}

void tileScale(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
               DeviceSpan<TypicalDatum> typical, DeviceSpan<FixedScale> scale) {
    lineScale(stream, part, p, scale);
    check(cudaMemsetAsync(typical.get(), 0, sizeof(TypicalDatum), stream), "clear a mean");
    typicalKernel<<<std::min(blocksFor(part.data), 1024U), kThreads, 0, stream>>>(p.get(), part.data,
                                                                                  typical.get());
    checkLaunch("typical datum", {part.data});
    tileScaleKernel<<<1, 1, 0, stream>>>(part, typical.get(), scale.get());
    checkLaunch("unit of a fixed point");
}

void tileBack(cudaStream_t stream, const LinePart& part, const EventTable& table, const TilePart& tile,
              DeviceSpan<const float> p, DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums) {
    const auto kernel = backFor(table, !tile.kept.empty());
    kernel<<<static_cast<unsigned>(tile.items.size()), kTileThreads, sharedOf(table, tile.tiles), stream>>>(
        part, table, tile, p.get(), scale.get(), sums.get());
    checkLaunch("back projection of events", {part.data});
}

}  // namespace tof::device
