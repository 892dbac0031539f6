// SPDX-License-Identifier: Apache-2.0
// A block of 32 warps owns a tile of the image in shared memory, as many words as the device allows, and adds
// the pieces of events that lie there; a thread follows one piece, warps fetch 32 pieces at a time.
// Registers: at most 64.
#include "gpu/lines/tile_kernels.h"

#include <cuda_pipeline.h>

#include <algorithm>

#include "gpu/lines/event_device.cuh"
#include "gpu/lines/line_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_tile_kernels {

constexpr unsigned kThreads = 128;  // threads of kernels without tiles
constexpr unsigned kTileThreads = 1024;
constexpr unsigned kLanes = kWarp;

/// Words of a tile that a thread has under way at a time when it finishes.
constexpr int kWordsAtOnce = 4;
/// Words of a tile at most, and bits that tell runs of 32 of them apart.
constexpr unsigned kMostWords = 1U << 16U;
constexpr unsigned kRuns = kMostWords / 32;

/// The longest way through a voxel in the mean datum's units has this many bits: most coefficients are far
/// smaller, so that a word overflows once in a thousand additions.
constexpr int kTypicalBits = 26;
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

/// A whole number below 2^16 over another; a division would cost more than what is done with a word.
class Divisor {
  public:
    __device__ explicit Divisor(int number) : inverse_(1.0F / static_cast<float>(number)) {}
    /// Half a unit from any whole quotient, so rounding does not matter.
    [[nodiscard]] __device__ int of(int number) const {
        return __float2int_rd((static_cast<float>(number) + 0.5F) * inverse_);
    }

  private:
    float inverse_;
};

/// A voxel of a tile.
struct TilePlace {
    int x;
    int y;
    int z;
};

/// What the threads of a block share besides table and words.
struct BlockState {
    RayGrid grid;                    ///< grid of the tile
    int first[3];                    ///< voxel of the image
    unsigned next;                   ///< piece to be fetched
    bool last;                       ///< the others that have pieces of the tile are done
    unsigned overflown[kRuns / 32];  ///< bits of runs of words of which something is in the sums

    /// By one thread.
    __device__ void set(const TileGrid& tiles, std::uint32_t tile) {
        grid = tiles.gridOf(static_cast<int>(tile));
        tiles.firstOf(static_cast<int>(tile), first);
        next = 0;
    }
    /// Place of a voxel of the tile in the lattice.
    [[nodiscard]] __device__ int placeOf(const RayGrid& lattice, TilePlace at) const {
        return (first[0] + at.x) * lattice.stride[0] + (first[1] + at.y) * lattice.stride[1] +
               (first[2] + at.z) * lattice.stride[2];
    }
};

/// Where what a block has added up goes.
enum class To { Sums, Image };

/// A tile of the image in shared memory: words that are the lower halves of the sums.
template <To to>
class SharedTile {
  public:
    __device__ SharedTile(const LinePart& part, const TileGrid& tiles, BlockState& block, unsigned* sm_words,
                          FixedSum* sums)
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
        if constexpr (to == To::Image) {
            const unsigned run = static_cast<unsigned>(word) / 32;
            atomicOr(block_.overflown + run / 32, 1U << run % 32);
        }
        const int z = word / tiles_.stride[2];
        const int y = (word - z * tiles_.stride[2]) / tiles_.stride[1];
        const int x = word - z * tiles_.stride[2] - y * tiles_.stride[1];
        const int at = block_.placeOf(part_.op.grid, {x, y, z});
        atomicAdd(sums_ + at, static_cast<FixedSum>(value));
    }

    __device__ void clear() {
        for (int i = static_cast<int>(threadIdx.x); i < tiles_.words; i += kTileThreads) {
            words_[i] = 0;
        }
        if constexpr (to == To::Image) {
            for (unsigned i = threadIdx.x; i < kRuns / 32; i += kTileThreads) {
                block_.overflown[i] = 0;
            }
        }
    }

    /// Tells that others have added to the sums of any voxel.
    __device__ void expectAnySum() {
        for (unsigned i = threadIdx.x; i < kRuns / 32; i += kTileThreads) {
            block_.overflown[i] = ~0U;
        }
    }

    /// Adds all words to the sums.
    __device__ void empty() const {
        const Divisor planes(tiles_.stride[2]);
        const Divisor rows(tiles_.stride[1]);
        for (int word = static_cast<int>(threadIdx.x); word < tiles_.words; word += kTileThreads) {
            if (words_[word] != 0) {
                atomicAdd(sums_ + placeOf(word, planes, rows), static_cast<FixedSum>(words_[word]));
            }
        }
    }

    /// Adds words and sums, which it leaves zero, to the image; looks at nothing where nothing was added.
    __device__ void finish(const TileEnd& end, double unit) const {
        const Divisor planes(tiles_.stride[2]);
        const Divisor rows(tiles_.stride[1]);
        const bool adds = end.write == Write::Add;
        for (int first = static_cast<int>(threadIdx.x); first < tiles_.words;
             first += kWordsAtOnce * static_cast<int>(kTileThreads)) {
            int at[kWordsAtOnce];
            FixedSum lower[kWordsAtOnce];
            FixedSum upper[kWordsAtOnce];
            float before[kWordsAtOnce];
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; ++k) {
                const int word = first + k * static_cast<int>(kTileThreads);
                at[k] = -1;
                if (word < tiles_.words) {
                    lower[k] = words_[word];
                    const unsigned run = static_cast<unsigned>(word) / 32;
                    const bool overflown = (block_.overflown[run / 32] >> run % 32 & 1U) != 0;
                    if (lower[k] != 0 || overflown) {
                        at[k] = placeOf(word, planes, rows);
                        upper[k] = overflown && at[k] >= 0 ? __ldcg(sums_ + at[k]) : 0;
                        before[k] = adds && at[k] >= 0 ? end.image[at[k]] : 0.0F;
                    }
                }
            }
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; ++k) {
                if (at[k] >= 0) {
                    const auto all = static_cast<long long>(upper[k] + lower[k]);
                    end.image[at[k]] = before[k] + static_cast<float>(static_cast<double>(all) * unit);
                    if (upper[k] != 0) {
                        sums_[at[k]] = 0;
                    }
                }
            }
        }
    }

  private:
    /// Place in the lattice; -1 of a word that stands for no voxel.
    [[nodiscard]] __device__ int placeOf(int word, Divisor planes, Divisor rows) const {
        TilePlace at;
        at.z = planes.of(word);
        const int inPlane = word - at.z * tiles_.stride[2];
        at.y = rows.of(inPlane);
        at.x = inPlane - at.y * tiles_.stride[1];
        const int* const size = block_.grid.size;
        return at.x < size[0] && at.y < size[1] && at.z < size[2] ? block_.placeOf(part_.op.grid, at) : -1;
    }

    const LinePart& part_;
    const TileGrid& tiles_;
    BlockState& block_;
    unsigned* words_;
    FixedSum* sums_;
};

/// The lines of a part within one tile.
template <bool timed, typename Way>
struct TilePieces {
    const LinePart& part;
    const EventTable& table;
    const TimePiece* times;  ///< the table's, in shared memory
    const TileGrid& tiles;
    const RayGrid& grid;  ///< grid of the tile
    int tile;

    /// Adds `scaled` times what an event has of the tile.
    template <To to>
    __device__ void add(const EventRecord& event, float scaled, SharedTile<to>& words) const {
        EventRay line;
        typename Way::Steps steps;
        if (rayOf<timed>(part, event, table, times, &line) && Way::inTile(tiles, grid, line, tile, &steps)) {
            addAlong(steps, line.pieces, scaled, words);
        }
    }

    /// Adds a piece by kept steps.
    template <To to>
    __device__ void addKept(const KeptSteps& kept, std::size_t at, uint2 place, float scaled,
                            SharedTile<to>& words) const {
        addAlong(keptSteps<Way>(kept, at, place.x, grid.stride), timesOf(place), scaled, words);
    }

    /// Sum of what a kept piece sees of a tile of an image.
    [[nodiscard]] __device__ float seen(const KeptSteps& kept, std::size_t at, uint2 place,
                                        const float* image) const {
        float sum = 0;
        followWay<timed, Way>(grid, keptSteps<Way>(kept, at, place.x, grid.stride), table, timesOf(place),
                              [&](int word, float length) { sum += length * image[word]; });
        return sum;
    }

  private:
    [[nodiscard]] __device__ const TimePiece* timesOf(uint2 place) const {
        return times + (timed ? (place.x >> kKindShift) * table.count : 0U);
    }
    template <To to>
    __device__ void addAlong(const typename Way::Steps& way, const TimePiece* ofKind, float scaled,
                             SharedTile<to>& words) const {
        const bool large = fabsf(scaled) * widestWay(part.op.grid) * Way::kWidest > kLargestProduct;
        followWay<timed, Way>(grid, way, table, ofKind, [&](int word, float length) {
            if (large) {
                words.addToSums(word, __float2ll_rn(length * scaled));
            } else {
                words.add(word, __float2int_rn(length * scaled));
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

/// Words go to the image where no other block is still at the tile, else to the sums.
__device__ void endTile(const TileEnd& end, const TileItem& item, const FixedScale& scale,
                        SharedTile<To::Image>& words, BlockState& block) {
    if (item.shares > 1) {
        words.empty();
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            block.last = atomicAdd(end.arrived.get() + item.tile, 1U) == item.shares - 1;
        }
        __syncthreads();
        if (!block.last) {
            return;
        }
        words.clear();
        __syncthreads();
        words.expectAnySum();
        if (threadIdx.x == 0) {
            end.arrived[item.tile] = 0;
        }
    }
    __threadfence();
    __syncthreads();
    words.finish(end, ldexp(1.0, -scale.exponent));
}

template <bool timed, bool kept, typename Way, To to>
__global__ void __launch_bounds__(kTileThreads, 1)
    tileBackKernel(LinePart part, EventTable table, TilePart tile, const float* p, const FixedScale* scale,
                   FixedSum* sums, TileEnd end) {
    extern __shared__ float4 sm_pieces[];
    __shared__ BlockState sm_block;
    const TileGrid& tiles = tile.tiles;
    const TileItem item = tile.items[blockIdx.x];
    if (threadIdx.x == 0) {
        sm_block.set(tiles, item.tile);
    }
    const TimePiece* const times = copyPieces<timed>(table, sm_pieces);
    SharedTile<to> words(part, tiles, sm_block,
                         reinterpret_cast<unsigned*>(sm_pieces + (timed ? pieceCount(table) : 0)), sums);
    words.clear();
    __syncthreads();
    const TilePieces<timed, Way> pieces{part,  table,         times,
                                        tiles, sm_block.grid, static_cast<int>(item.tile)};
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
    if constexpr (to == To::Image) {
        endTile(end, item, *scale, words, sm_block);
    } else {
        words.empty();
    }
}

/// Brings a tile's part of an image to shared memory; threads wait for their own share alone.
__device__ void bringTile(const TileGrid& tiles, const BlockState& block, const RayGrid& lattice,
                          const float* image, float* sm_values) {
    const Divisor heights(block.grid.size[1]);
    const int rows = block.grid.size[1] * block.grid.size[2];
    for (int row = static_cast<int>(threadIdx.x / kLanes); row < rows; row += kTileThreads / kLanes) {
        const int z = heights.of(row);
        const int y = row - z * block.grid.size[1];
        const float* const from = image + block.placeOf(lattice, {0, y, z});
        float* const to = sm_values + z * tiles.stride[2] + y * tiles.stride[1];
        for (int x = static_cast<int>(threadIdx.x % kLanes); x < block.grid.size[0]; x += kLanes) {
            __pipeline_memcpy_async(to + x, from + x, sizeof(float));
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kTileThreads, 1)
    tileForwardKernel(LinePart part, EventTable table, TilePart tile, const float* image, float* seen) {
    extern __shared__ float4 sm_pieces[];
    __shared__ BlockState sm_block;
    const TileGrid& tiles = tile.tiles;
    const TileItem item = tile.items[blockIdx.x];
    if (threadIdx.x == 0) {
        sm_block.set(tiles, item.tile);
    }
    const TimePiece* const times = copyPieces<timed>(table, sm_pieces);
    auto* const values = reinterpret_cast<float*>(sm_pieces + (timed ? pieceCount(table) : 0));
    __syncthreads();
    bringTile(tiles, sm_block, part.op.grid, image, values);
    __syncthreads();
    const TilePieces<timed, Way> pieces{part,  table,         times,
                                        tiles, sm_block.grid, static_cast<int>(item.tile)};
    forEachFetched(&sm_block.next, item.count, [&](unsigned i) {
        const std::size_t at = item.first + i;
        const uint2 place = __ldcs(tile.kept.places.get() + at);
        seen[__ldcs(tile.kept.slots.get() + at)] = pieces.seen(tile.kept, at, place, values);
    });
}

/// The sum of an event's pieces, in the order of its tiles.
__global__ void __launch_bounds__(kThreads)
    joinPiecesKernel(LinePart part, const uint2* ofEvents, const float* seen, float* p) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const uint2 mine = ofEvents[i];
    float sum = 0;
    for (unsigned k = 0; k < mine.y; ++k) {
        sum += seen[mine.x + k];
    }
    p[part.events[i].datum] = sum;
}

/// Calls visit(place in [tile][length class], tile, steps) for every piece of this thread's event `i`, the
/// last being a function of no arguments.
template <bool timed, typename Way, typename Visit>
__device__ void forEachPiece(const LinePart& part, const TileGrid& tiles, std::size_t i, const Visit& visit) {
    EventRay event;
    if (!rayOf<timed>(part, part.events[i], {}, nullptr, &event)) {
        return;
    }
    Way::forEachTile(tiles, event, [&](int tile, int lengthClass, const auto& steps) {
        visit(tile * kTileLengths + lengthClass, tile, steps);
    });
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads)
    countPiecesKernel(LinePart part, TileGrid tiles, std::uint32_t* counts) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < part.data) {
        forEachPiece<timed, Way>(part, tiles, i,
                                 [&](int place, int, const auto&) { atomicAdd(counts + place, 1U); });
    }
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads)
    placePiecesKernel(LinePart part, TileGrid tiles, unsigned long long* cursors, std::uint32_t* pieces) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i < part.data) {
        forEachPiece<timed, Way>(part, tiles, i, [&](int place, int, const auto&) {
            pieces[atomicAdd(cursors + place, 1ULL)] = static_cast<std::uint32_t>(i);
        });
    }
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads)
    keepPiecesKernel(LinePart part, TileGrid tiles, unsigned long long* cursors, KeptSteps kept,
                     PieceSlots slots) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const EventRecord event = part.events[i];
    unsigned slot = 0;
    if (!kept.slots.empty()) {
        unsigned mine = 0;
        forEachPiece<timed, Way>(part, tiles, i, [&](int, int, const auto&) { ++mine; });
        slot = atomicAdd(slots.next.get(), mine);
        slots.ofEvents[i] = {slot, mine};
    }
    forEachPiece<timed, Way>(part, tiles, i, [&](int place, int, const auto& steps) {
        const unsigned long long at = atomicAdd(cursors + place, 1ULL);
        keep<Way>(kept, at, steps(), kindOf<timed>(part, event), event.datum);
        if (!kept.slots.empty()) {
            kept.slots[at] = slot++;
        }
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

template <To to>
auto backFor(const EventTable& table, bool joseph, bool kept) {
    return chosenFor(!table.pieces.empty(), joseph, [&](auto as) {
        using Way = typename decltype(as)::Way;
        return kept ? tileBackKernel<as.timed, true, Way, to> : tileBackKernel<as.timed, false, Way, to>;
    });
}

auto forwardFor(const EventTable& table, bool joseph) {
    return chosenFor(!table.pieces.empty(), joseph,
                     [](auto as) { return tileForwardKernel<as.timed, typename decltype(as)::Way>; });
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
    const std::size_t left =
        static_cast<std::size_t>(most) > taken ? static_cast<std::size_t>(most) - taken : 0;
    return std::min<std::size_t>(left / sizeof(unsigned), kMostWords);
}

void allowTiles(const LineOperator& op, const EventTable& table, const TileGrid& tiles) {
    const std::size_t bytes = sharedOf(table, tiles);
    const auto allow = [&](auto kernel) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "allow shared memory", {bytes});
    };
    for (const bool kept : {false, true}) {
        allow(backFor<To::Sums>(table, op.joseph, kept));
        allow(backFor<To::Image>(table, op.joseph, kept));
    }
    allow(forwardFor(table, op.joseph));
}

void countPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<std::uint32_t> counts) {
    const auto kernel = chosenFor(part.op.tof.count > 0, part.op.joseph, [](auto as) {
        return countPiecesKernel<as.timed, typename decltype(as)::Way>;
    });
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, counts.get());
    checkLaunch("count of pieces of events", {part.data});
}

void placePieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                 DeviceSpan<unsigned long long> cursors, DeviceSpan<std::uint32_t> pieces) {
    const auto kernel = chosenFor(part.op.tof.count > 0, part.op.joseph, [](auto as) {
        return placePiecesKernel<as.timed, typename decltype(as)::Way>;
    });
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, cursors.get(), pieces.get());
    checkLaunch("order of pieces of events", {part.data});
}

void keepPieces(cudaStream_t stream, const LinePart& part, const TileGrid& tiles,
                DeviceSpan<unsigned long long> cursors, const KeptSteps& kept, const PieceSlots& slots) {
    if (!slots.next.empty()) {
        check(cudaMemsetAsync(slots.next.get(), 0, sizeof(unsigned), stream), "clear a counter");
    }
    const auto kernel = chosenFor(part.op.tof.count > 0, part.op.joseph, [](auto as) {
        return keepPiecesKernel<as.timed, typename decltype(as)::Way>;
    });
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, tiles, cursors.get(), kept, slots);
    checkLaunch("paths of pieces of events", {part.data});
}

void tileForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const TilePart& tile,
                 const PieceSlots& slots, DeviceSpan<const float> image, DeviceSpan<float> p) {
    if (!tile.items.empty()) {
        const auto kernel = forwardFor(table, part.op.joseph);
        kernel<<<static_cast<unsigned>(tile.items.size()), kTileThreads, sharedOf(table, tile.tiles),
                 stream>>>(part, table, tile, image.get(), slots.seen.get());
        checkLaunch("forward projection of events", {part.data});
    }
    joinPiecesKernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, slots.ofEvents.get(),
                                                                    slots.seen.get(), p.get());
    checkLaunch("sums of pieces of events", {part.data});
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
              DeviceSpan<const float> p, DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums,
              const TileEnd& end) {
    if (!end.image.empty() && end.write == Write::Overwrite) {
        check(cudaMemsetAsync(end.image.get(), 0, end.image.size() * sizeof(float), stream),
              "clear an image");
    }
    const std::size_t blocks = tile.items.size();
    if (blocks == 0) {
        return;
    }
    const bool kept = !tile.kept.empty();
    const auto kernel = end.image.empty() ? backFor<To::Sums>(table, part.op.joseph, kept)
                                          : backFor<To::Image>(table, part.op.joseph, kept);
    kernel<<<static_cast<unsigned>(blocks), kTileThreads, sharedOf(table, tile.tiles), stream>>>(
        part, table, tile, p.get(), scale.get(), sums.get(), end);
    checkLaunch("back projection of events", {part.data});
}

}  // namespace tof::device
