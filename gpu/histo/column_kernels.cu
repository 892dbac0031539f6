// SPDX-License-Identifier: Apache-2.0
// Who: a block of two warps per group of 32 pixels and up to 48 planes. The block's source columns lie in
// shared memory as two bf16 each (value and remainder), the rows of the value table that it needs beside
// them. A warp multiplies 48 x 16 values by 16 x 8 weights for every strip of 8 pixels that needs the chunk:
// three products of the parts in single precision, 48 accumulators per lane. The halves of a group are added
// up in a fixed order through shared memory. Needs compute capability 8.0 (bf16 matrix instructions).
//
// Planes are spread over the rows of the matrices so that a lane holds neighbouring ones: with U places of 16
// bytes per column, element e of place u is plane U e + u. Moving accumulators along z is then a matter of
// registers, but for one of U.
#include <cuda_bf16.h>

#include <algorithm>

#include "gpu/histo/column_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/reduction.cuh"
#include "gpu/space/warp.cuh"
#include "recon/seam/element_math.h"

namespace tof::device {

namespace {

constexpr int kMaxThreads = 32 * kColumnWarps;  // 168 registers each
constexpr int kNoRow = 0xFFFF;                  // fills the lists of rows up

/// Bytes of a source column's values in the tile; the remainders of all columns follow the values of all.
__host__ __device__ constexpr int slotBytes(int planes) {
    return planes * 2;
}
/// Flips bit 4 of the place of 16 bytes within a slot, so that those of eight neighbouring slots, 2 or 6
/// times 16 bytes apart, lie in different banks.
__device__ inline int swizzle(int slot) {
    return ((slot >> 2) & 1) << 4;
}
/// Elements between planes of the results in shared memory.
__host__ __device__ constexpr int resultPitch(int groups) {
    return 32 * groups + 4;
}

struct SharedLayout {
    std::size_t table;
    std::size_t slotRows;
    std::size_t total;
};

__host__ __device__ inline std::size_t alignUp(std::size_t n) {
    return (n + 127) / 128 * 128;
}

/// The tile lies at 0; the results take its place once it is not needed any more.
__host__ __device__ inline SharedLayout sharedLayout(const ColumnView& v, int planes, bool bySource) {
    SharedLayout s{};
    const std::size_t tile =
        2 * static_cast<std::size_t>(v.slots) * static_cast<std::size_t>(slotBytes(planes));
    const std::size_t results = static_cast<std::size_t>(2 * planes) *
                                static_cast<std::size_t>(resultPitch(v.groups)) * sizeof(float);
    s.table = alignUp(tile > results ? tile : results);
    s.slotRows = alignUp(s.table + static_cast<std::size_t>(v.mostRows[bySource ? 1 : 0]) *
                                       static_cast<std::size_t>(v.rowStride) * sizeof(std::uint32_t));
    s.total = s.slotRows + (bySource ? static_cast<std::size_t>(v.slots) * sizeof(std::uint16_t) : 0);
    return s;
}

__device__ inline std::uint32_t pack(__nv_bfloat162 v) {
    return static_cast<std::uint32_t>(__bfloat16_as_ushort(v.x)) |
           static_cast<std::uint32_t>(__bfloat16_as_ushort(v.y)) << 16U;
}

/// Two floats as bf16 pair of values and pair of remainders.
__device__ inline void split(float a, float b, std::uint32_t& high, std::uint32_t& low) {
    const __nv_bfloat162 h = __floats2bfloat162_rn(a, b);
    high = pack(h);
    low = pack(
        __floats2bfloat162_rn(a - __uint_as_float(high << 16U), b - __uint_as_float(high & 0xFFFF0000U)));
}

__device__ inline void loadMatrices(std::uint32_t (&r)[4], std::uint32_t address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
#endif
}

__device__ inline void multiplyAdd(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                   std::uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

__device__ inline std::uint32_t loadShared(std::uint32_t address) {
    std::uint32_t value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}

/// Moves or filters the accumulators of one strip along z. A lane holds planes 2 Tiles g + j of pixels 2 t
/// and 2 t + 1, g = lane / 4, t = lane % 4; plane j of pixel p is element 2 (j % 2) + p of tile j / 2.
template <int Tiles>
__device__ inline void takeStep(float (&c)[Tiles][4], PlanStep step, float filter, int lane) {
    constexpr int kHeld = 2 * Tiles;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
        const auto at = [&](int j) -> float& { return c[j >> 1][2 * (j & 1) + p]; };
        float above = __shfl_down_sync(kAllLanes, at(0), 4);
        float below = __shfl_up_sync(kAllLanes, at(kHeld - 1), 4);
        above = lane < 28 ? above : 0.0F;
        below = lane >= 4 ? below : 0.0F;
        if (step == PlanStep::FromAbove) {
#pragma unroll
            for (int j = 0; j + 1 < kHeld; ++j) {
                at(j) = at(j + 1);
            }
            at(kHeld - 1) = above;
        } else if (step == PlanStep::FromBelow) {
#pragma unroll
            for (int j = kHeld - 1; j > 0; --j) {
                at(j) = at(j - 1);
            }
            at(0) = below;
        } else {
            float previous = below;
#pragma unroll
            for (int j = 0; j < kHeld; ++j) {
                const float mine = at(j);
                const float next = j + 1 < kHeld ? at(j + 1 < kHeld ? j + 1 : j) : above;
                at(j) = mine + filter * (next + previous);
                previous = mine;
            }
        }
    }
}

/// Copies four bytes to shared memory without waiting for them.
__device__ inline void copyAside(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from));
#endif
}
__device__ inline void waitForCopies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Starts bringing the rows of the value table that the block needs into shared memory. Every warp first asks
/// for the numbers of all its rows, so that it waits for memory once.
__device__ inline void startTable(const ColumnWork& w, const BlockRows& rows, std::uint32_t* table) {
    constexpr int kAtOnce = 4;
    const int stride = w.view.rowStride;
    const std::uint16_t* const list =
        rows.needed.get() + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(rows.mostRows);
    const int warps = static_cast<int>(blockDim.x) >> 5;
    for (int first = static_cast<int>(threadIdx.x) >> 5; first < rows.mostRows; first += kAtOnce * warps) {
        int number[kAtOnce];
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            number[u] = first + u * warps < rows.mostRows ? list[first + u * warps] : kNoRow;
        }
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            if (number[u] == kNoRow) {
                continue;
            }
            const std::uint32_t* const source =
                w.view.values.get() + static_cast<std::size_t>(number[u]) * static_cast<std::size_t>(stride);
            std::uint32_t* const target = table + (first + u * warps) * stride;
            for (int t = static_cast<int>(threadIdx.x) & 31; t < stride; t += 32) {
                copyAside(target + t, source + t);
            }
        }
    }
}

/// Hides from the compiler how a pointer was made, so that it adds offsets to it instead of working every
/// address out anew.
template <typename T>
__device__ inline T* opaque(T* pointer) {
    asm volatile("" : "+l"(pointer));
    return pointer;
}
/// `planes` planes further, in one instruction when that is a constant.
template <typename T>
__device__ inline T* planesOn(T* column, std::uint32_t planeElements, unsigned planes) {
    return column + static_cast<std::uint64_t>(planeElements) * planes;
}

/// Columns that a thread brings at once: each is two places of 16 bytes, so that 64 loads are on their way.
constexpr int kFillAtOnce = 4;

/// Which third (or whole, of one tile) of a column an item of the filling is.
template <int Tiles>
__device__ inline int runOf(int item, int slots) {
    return Tiles == 1 || item < slots ? 0 : item < 2 * slots ? 1 : 2;
}

/// Asks for the pixels of a thread's items from `begin` on.
template <int Tiles>
__device__ inline void askForPixels(const ColumnWork& w, int begin, BlockPixel (&pixels)[kFillAtOnce]) {
    const int slots = w.view.slots;
#pragma unroll
    for (int u = 0; u < kFillAtOnce; ++u) {
        const int item = begin + u * static_cast<int>(blockDim.x);
        const int place = item < slots * Tiles ? item - runOf<Tiles>(item, slots) * slots : 0;
        const uint2 packed = __ldg(reinterpret_cast<const uint2*>(w.view.tile.get() + place));
        pixels[u] = {static_cast<std::int16_t>(packed.x & 0xFFFFU),
                     static_cast<std::int16_t>(packed.x >> 16U),
                     static_cast<std::uint16_t>(packed.y & 0xFFFFU), 0};
    }
}

/// Fills the tile with columns of the input, planes z0 .. z0 + 16 Tiles - 1, zero outside the lattice.
/// `pixels`: of the thread's first items, asked for before.
template <int Tiles>
__device__ inline void fillTile(const ColumnWork& w, short2 origin, int z0, BlockPixel (&pixels)[kFillAtOnce],
                                unsigned char* tile) {
    constexpr int kPlaces = 2 * Tiles;
    constexpr int kRun = 16;
    constexpr int kAtOnce = kFillAtOnce;
    const auto plane = static_cast<std::uint32_t>(w.size[0] * w.size[1]);
    const int slots = w.view.slots;
    const int items = slots * Tiles;
    const int threads = static_cast<int>(blockDim.x);
    const int lane = static_cast<int>(threadIdx.x) & 31;
    const bool whole = z0 + 16 * Tiles <= w.size[2];
    const float* const from = w.from.get() + static_cast<std::size_t>(z0) * plane;
    for (int begin = static_cast<int>(threadIdx.x); begin - lane < items; begin += kAtOnce * threads) {
        float v[kAtOnce][kRun];
        int place[kAtOnce];  // of the first 16 bytes in the tile, or negative
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            const int item = begin + u * threads;
            place[u] = -1;
            if (item - lane >= items) {  // none of the warp
                continue;
            }
            const int run = runOf<Tiles>(item, slots);
            const BlockPixel pixel = pixels[u];
            place[u] =
                item < items ? (pixel.slot * slotBytes(16 * Tiles) + 32 * run) ^ swizzle(pixel.slot) : -1;
            const int x = origin.x + pixel.x;
            const int y = origin.y + pixel.y;
            const bool inside = x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
            const float* const column = opaque(
                planesOn(from + (inside ? y * w.size[0] + x : 0), plane, 2U * static_cast<unsigned>(run)));
            if (whole) {
#pragma unroll
                for (int i = 0; i < kRun; ++i) {
                    const unsigned z = static_cast<unsigned>(kPlaces * (i >> 1) + (i & 1));
                    v[u][i] = inside ? __ldg(planesOn(column, plane, z)) : 0.0F;
                }
            } else {
                const int planes = inside ? w.size[2] - z0 - 2 * run : 0;
#pragma unroll
                for (int i = 0; i < kRun; ++i) {
                    const int z = kPlaces * (i >> 1) + (i & 1);
                    v[u][i] = z < planes ? __ldg(planesOn(column, plane, static_cast<unsigned>(z))) : 0.0F;
                }
            }
        }
        askForPixels<Tiles>(w, begin + kAtOnce * threads, pixels);
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            if (place[u] < 0) {
                continue;
            }
#pragma unroll
            for (int o = 0; o < 2; ++o) {
                uint4 high;
                uint4 low;
                split(v[u][o + 0], v[u][o + 2], high.x, low.x);
                split(v[u][o + 4], v[u][o + 6], high.y, low.y);
                split(v[u][o + 8], v[u][o + 10], high.z, low.z);
                split(v[u][o + 12], v[u][o + 14], high.w, low.w);
                unsigned char* const target = tile + (place[u] ^ (16 * o));
                *reinterpret_cast<uint4*>(target) = high;
                *reinterpret_cast<uint4*>(target + slots * slotBytes(16 * Tiles)) = low;
            }
        }
    }
}

/// The weights of one lane for one strip: pixel lane / 4, sources 2 (lane % 4) + {0, 1, 8, 9}.
using LaneWeights = std::uint32_t[4];

/// A lane's weights as two bf16 each, ready to be multiplied.
struct SplitWeights {
    std::uint32_t high[2];
    std::uint32_t low[2];
};
__device__ inline SplitWeights splitWeights(const LaneWeights& raw) {
    return {{__byte_perm(raw[0], raw[1], 0x5410), __byte_perm(raw[2], raw[3], 0x5410)},
            {__byte_perm(raw[0], raw[1], 0x7632), __byte_perm(raw[2], raw[3], 0x7632)}};
}

/// Where a thread works: its block's window in the image, its warp's group and half, and its lane.
struct WorkPlace {
    int lane;
    int group;
    int half;
    short2 origin;
    int window;
    int z0;

    __device__ WorkPlace(const ColumnWork& w, int planes)
        : lane(static_cast<int>(threadIdx.x) & 31),
          group(static_cast<int>(threadIdx.x) >> 6),
          half(static_cast<int>(threadIdx.x) >> 5 & 1),
          origin(w.view.origins[blockIdx.x]),
          window(w.windowBegin + static_cast<int>(blockIdx.y)),
          z0(window * (planes - 2 * w.view.reach)) {}

    [[nodiscard]] __device__ bool isInside(const ColumnWork& w, const BlockPixel& p) const {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
    }
};

/// True when the strip is among those that the chunk of `source` is needed by.
__device__ inline bool needs(unsigned source, int strip) {
    return (source >> (kPlanSlotBits + strip) & 1U) != 0;
}
__device__ inline unsigned slotOf(unsigned source) {
    return source & ((1U << kPlanSlotBits) - 1U);
}

/// The weights that a lane brings for the chunks of its warp, in order. Three chunks are under way: the lists
/// of the one after next, the weights of the next, the product of this one.
template <Gather gather>
class WeightStream {
  public:
    static constexpr bool kBySource = gather == Gather::BySource;

    /// Asks for the lists of the first chunks, which lie in global memory.
    __device__ WeightStream(const ColumnWork& w, const WorkPlace& at)
        : lane_(at.lane),
          rowOfPixel_(w.view.blockRows[kBySource ? 1 : 0].rowOfPixel.get() +
                      static_cast<std::size_t>(blockIdx.x) *
                          static_cast<std::size_t>(w.view.blockRows[kBySource ? 1 : 0].pixels)) {
        const int first = w.view.firstChunk[at.half];
        left_ = (at.half == 0 ? w.view.firstChunk[1] : w.view.chunks) - first;
        sources_ = w.view.sources.get() + (at.group * w.view.chunks + first) * kPlanChunk + (lane_ & 7) +
                   ((lane_ >> 4) << 3);
#pragma unroll
        for (int ahead = 0; ahead < 3; ++ahead) {
            source_[ahead] = sourceAhead(ahead);
        }
        places_ = w.view.weights.get() + static_cast<std::size_t>(first) * (kPlanStrips * 32) + lane_;
        if constexpr (!kBySource) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                row_[strip] = rowOfPixel_[at.group * kPlanGroup + strip * kPlanStrip + (lane_ >> 2)];
            }
        }
    }

    /// Asks for where the weights of the first chunk lie.
    __device__ void askForPlaces() {
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            askForPlace(strip, source_[0], 0);
        }
    }

    /// By source: starts bringing the rows of the tile's slots into shared memory.
    __device__ void startRows(const ColumnWork& w, std::uint16_t* slotRows) const {
        if constexpr (kBySource) {
            for (int p = 2 * static_cast<int>(threadIdx.x); p < w.view.slots;
                 p += 2 * static_cast<int>(blockDim.x)) {
                copyAside(slotRows + p, rowOfPixel_ + p);
            }
        }
    }

    /// Tells where in shared memory the table begins, and by source the rows of the slots.
    __device__ void openTable(const ColumnWork& w, std::uint32_t table, const std::uint16_t* slotRows) {
        rowBytes_ = static_cast<std::uint32_t>(w.view.rowStride) * 4;
        slotRows_ = slotRows;
        if constexpr (!kBySource) {
#pragma unroll
            for (std::uint32_t& r : row_) {
                r = table + 4 * kPlanZeros + rowBytes_ * r;
            }
        }
        lastTap_ = table + static_cast<std::uint32_t>(kPlanZeros + w.view.taps - 1) * 4;
    }

    /// A group without work: its stream ends here.
    __device__ void endUnless(bool needed) {
        left_ = needed ? left_ : 0;
    }
    [[nodiscard]] __device__ int left() const {
        return left_;
    }

    /// Brings the weights of the first chunk.
    __device__ void start() {
        findRows(rowOfSource(source_[0]));
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            gatherWeights(strip, source_[0]);
            askForPlace(strip, source_[1], 1);
        }
        findRows(rowOfSource(source_[1]));
    }

    /// This lane's column of the chunk that is to be multiplied, and above its slot the strips of the chunk.
    [[nodiscard]] __device__ unsigned source() const {
        return source_[0];
    }
    [[nodiscard]] __device__ SplitWeights weights(int strip) const {
        return splitWeights(raw_[strip]);
    }

    /// Asks for the lists of the chunk three ahead, whose turn comes with advance().
    __device__ void lookAhead() {
        rowAfterNext_ = rowOfSource(source_[2]);
        third_ = sourceAhead(3);
    }
    /// Replaces a strip's weights by those of the next chunk.
    __device__ void bringNext(int strip) {
        gatherWeights(strip, source_[1]);
        askForPlace(strip, source_[2], 2);
    }
    __device__ void advance() {
        findRows(rowAfterNext_);
        sources_ += kPlanChunk;
        places_ += kPlanStrips * 32;
        --left_;
        source_[0] = source_[1];
        source_[1] = source_[2];
        source_[2] = third_;
    }

  private:
    [[nodiscard]] __device__ unsigned sourceAhead(int chunks) const {
        return left_ > chunks ? __ldg(sources_ + chunks * kPlanChunk) : 0U;
    }
    __device__ void askForPlace(int strip, unsigned source, int ahead) {
        if (needs(source, strip)) {
            place_[strip] = __ldg(places_ + (ahead * kPlanStrips + strip) * 32);
        }
    }
    [[nodiscard]] __device__ std::uint32_t rowOfSource(unsigned source) const {
        return kBySource ? slotRows_[slotOf(source)] : 0U;
    }
    /// By source: from the rows of all lanes' sources where those of this lane's four end.
    __device__ void findRows(std::uint32_t rowOfMine) {
        if constexpr (kBySource) {
            const std::uint32_t mine = lastTap_ + rowBytes_ * rowOfMine;
            const int k = 2 * (lane_ & 3);
            row_[0] = __shfl_sync(kAllLanes, mine, k);
            row_[1] = __shfl_sync(kAllLanes, mine, k + 1);
            row_[2] = __shfl_sync(kAllLanes, mine, k + 16);
            row_[3] = __shfl_sync(kAllLanes, mine, k + 17);
        }
    }
    __device__ void gatherWeights(int strip, unsigned source) {
        if (!needs(source, strip)) {
            return;
        }
        const std::uint32_t tap[4] = {place_[strip].x & 0xFFFFU, place_[strip].x >> 16U,
                                      place_[strip].y & 0xFFFFU, place_[strip].y >> 16U};
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // by source: K of the source at the opposite offset, the mirrored tap
            raw_[strip][k] = loadShared(kBySource ? row_[k] - tap[k] : row_[strip] + tap[k]);
        }
    }

    int lane_;
    const std::uint16_t* rowOfPixel_;
    int left_;
    const std::uint16_t* sources_;
    const uint2* places_;
    unsigned source_[3];
    unsigned third_ = 0;
    uint2 place_[kPlanStrips] = {};
    std::uint32_t row_[kPlanStrips] = {};  ///< by target: of this lane's pixel of every strip
    std::uint32_t rowAfterNext_ = 0;
    std::uint32_t rowBytes_ = 0;
    std::uint32_t lastTap_ = 0;
    const std::uint16_t* slotRows_ = nullptr;
    LaneWeights raw_[kPlanStrips] = {};
};

/// The source columns of one chunk as matrices: values and remainders of 16 Tiles planes.
template <int Tiles>
struct ChunkColumns {
    std::uint32_t value[Tiles][4];
    std::uint32_t rest[Tiles][4];

    __device__ void load(std::uint32_t tile, std::uint32_t remainders, unsigned source) {
        const unsigned slot = slotOf(source);
        const std::uint32_t column = (tile + slot * static_cast<std::uint32_t>(slotBytes(16 * Tiles))) ^
                                     static_cast<std::uint32_t>(swizzle(static_cast<int>(slot)));
#pragma unroll
        for (int m = 0; m < Tiles; ++m) {
            loadMatrices(value[m], column + static_cast<std::uint32_t>(m * 32));
            loadMatrices(rest[m], column + remainders + static_cast<std::uint32_t>(m * 32));
        }
    }
};

/// A warp's sums: of every strip 16 Tiles planes and 8 pixels.
template <int Tiles>
struct Accumulators {
    float of[kPlanStrips][Tiles][4] = {};

    /// Adds 16 sources' columns times their weights to `Strips` strips. Results of one are awaited by its
    /// next product, so there should be others in between.
    template <int Strips>
    __device__ void multiply(int first, const SplitWeights* weights, const ChunkColumns<Tiles>& columns) {
#pragma unroll
        for (int product = 0; product < 3; ++product) {
#pragma unroll
            for (int strip = 0; strip < Strips; ++strip) {
                const std::uint32_t(&b)[2] = product == 1 ? weights[strip].low : weights[strip].high;
#pragma unroll
                for (int m = 0; m < Tiles; ++m) {
                    multiplyAdd(of[first + strip][m], product == 2 ? columns.rest[m] : columns.value[m], b[0],
                                b[1]);
                }
            }
        }
    }

    /// The same for the strips of a pair that are needed (bits).
    __device__ void multiplyPair(int first, unsigned needed, const SplitWeights (&weights)[2],
                                 const ChunkColumns<Tiles>& columns) {
        // Loops of one pass or none: as conditions, products would be predicated, which takes as long.
#pragma unroll 1
        for (unsigned both = needed == 3 ? 1 : 0; both != 0; --both) {
            multiply<2>(first, weights, columns);
        }
#pragma unroll 1
        for (unsigned one = needed == 1 ? 1 : 0; one != 0; --one) {
            multiply<1>(first, weights, columns);
        }
#pragma unroll 1
        for (unsigned other = needed == 2 ? 1 : 0; other != 0; --other) {
            multiply<1>(first + 1, weights + 1, columns);
        }
    }

    __device__ void step(PlanStep step, float filter, int lane) {
        if (step != PlanStep::Keep) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                takeStep<Tiles>(of[strip], step, filter, lane);
            }
        }
    }

    /// Lays the sums out in shared memory, [half][plane][pixel].
    __device__ void layOut(const WorkPlace& at, int pitch, float* results) const {
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            float* const mine = results + (at.half * 16 * Tiles + 2 * Tiles * (at.lane >> 2)) * pitch +
                                at.group * kPlanGroup + strip * kPlanStrip + 2 * (at.lane & 3);
#pragma unroll
            for (int j = 0; j < 2 * Tiles; ++j) {
                *reinterpret_cast<float2*>(mine + j * pitch) =
                    make_float2(of[strip][j >> 1][2 * (j & 1)], of[strip][j >> 1][2 * (j & 1) + 1]);
            }
        }
    }
};

/// Multiplies the next chunk of the stream.
template <int Tiles, Gather gather>
__device__ inline void addChunk(WeightStream<gather>& stream, std::uint32_t tile, std::uint32_t remainders,
                                Accumulators<Tiles>& sums) {
    ChunkColumns<Tiles> columns;
    columns.load(tile, remainders, stream.source());
    stream.lookAhead();
#pragma unroll
    for (int pair = 0; pair < kPlanStrips; pair += 2) {
        const SplitWeights weights[2] = {stream.weights(pair), stream.weights(pair + 1)};
        stream.bringNext(pair);
        stream.bringNext(pair + 1);
        sums.multiplyPair(pair, stream.source() >> (kPlanSlotBits + pair) & 3U, weights, columns);
    }
    stream.advance();
}

/// One pixel of the output, planes `half`, half + 2, ... of a window; [lowest, highest) are the window's to
/// write.
template <ColumnOutput output>
class OutputColumn {
  public:
    __device__ OutputColumn(const ColumnWork& w, const WorkPlace& at, const BlockPixel& target, int planes)
        : half_(at.half),
          lowest_(at.window == 0 ? 0 : w.view.reach),
          highest_(min(at.window == w.allWindows - 1 ? planes : planes - w.view.reach, w.size[2] - at.z0)),
          plane_(static_cast<std::uint32_t>(w.size[0] * w.size[1])) {
        const std::size_t begin =
            static_cast<std::size_t>(at.z0 + half_) * plane_ +
            static_cast<std::size_t>((at.origin.y + target.y) * w.size[0] + at.origin.x + target.x);
        out_ = opaque(w.out.get() + begin);
        mult_ = w.mult.empty() ? nullptr : opaque(w.mult.get() + begin);
        add_ = w.add.empty() ? nullptr : opaque(w.add.get() + begin);
    }

    /// What the value `ahead` planes on is multiplied by and added to.
    __device__ void ask(int ahead, float& factor, float& addend) const {
        factor = 1;
        addend = 0;
        if (ahead + half_ >= lowest_ && ahead + half_ < highest_) {
            if constexpr (output == ColumnOutput::Add) {
                addend = *planesOn(out_, plane_, static_cast<unsigned>(ahead));
            } else if constexpr (output == ColumnOutput::Expected) {
                factor =
                    mult_ == nullptr ? 1.0F : __ldcs(planesOn(mult_, plane_, static_cast<unsigned>(ahead)));
                addend =
                    add_ == nullptr ? 0.0F : __ldcs(planesOn(add_, plane_, static_cast<unsigned>(ahead)));
            }
        }
    }

    /// Writes the value `ahead` planes on, and adds what it wrote to `sum` if that is wanted.
    __device__ void put(int ahead, float value, float factor, float addend, double& sum) const {
        if (ahead + half_ < lowest_ || ahead + half_ >= highest_) {
            return;
        }
        const float result =
            output == ColumnOutput::Overwrite ? value : expectedCounts(value, factor, addend);
        *planesOn(out_, plane_, static_cast<unsigned>(ahead)) = result;
        if constexpr (output == ColumnOutput::Expected) {
            sum += static_cast<double>(result);
        }
    }

  private:
    int half_;
    int lowest_;
    int highest_;
    std::uint32_t plane_;
    float* out_;
    const float* mult_;
    const float* add_;
};

/// Writes the planes of one pixel, both halves of its group added up; the sum of what was written.
template <int Planes, ColumnOutput output>
__device__ inline double writeColumn(const OutputColumn<output>& column, const float* mine, int pitch) {
    constexpr int kMine = Planes / 2;
    constexpr int kAtOnce = output == ColumnOutput::Overwrite ? 1 : kMine / 4;  // loads under way at once
    double sum = 0;
#pragma unroll
    for (int from = 0; from < kMine; from += kAtOnce) {
        float factor[kAtOnce];
        float addend[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            column.ask(2 * (from + k), factor[k], addend[k]);
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            const int ahead = 2 * (from + k);
            const float value = mine[ahead * pitch] + mine[(Planes + ahead) * pitch];
            column.put(ahead, value, factor[k], addend[k], sum);
        }
    }
    return sum;
}

template <int Tiles, Gather gather, ColumnOutput output>
__global__ void __launch_bounds__(kMaxThreads, 1) columnKernel(const __grid_constant__ ColumnWork w) {
    extern __shared__ __align__(128) unsigned char shared[];
    constexpr int kPlanes = 16 * Tiles;
    constexpr bool bySource = gather == Gather::BySource;
    const SharedLayout s = sharedLayout(w.view, kPlanes, bySource);
    const WorkPlace at(w, kPlanes);

    // Load. Nothing up to waitForEarlierWork depends on earlier work of the stream. What is needed later is
    // asked for here, so that its latency passes beside the filling of the tile.
    auto* const slotRows = reinterpret_cast<std::uint16_t*>(shared + s.slotRows);
    const int ownTarget = w.view.targetOf[at.group * kPlanGroup + at.lane];     // of a pixel of its own group
    const BlockPixel target = w.view.targets[at.group * kPlanGroup + at.lane];  // whose result it writes
    WeightStream<gather> stream(w, at);
    BlockPixel pixels[kFillAtOnce];
    askForPixels<Tiles>(w, static_cast<int>(threadIdx.x), pixels);
    startTable(w, w.view.blockRows[bySource ? 1 : 0], reinterpret_cast<std::uint32_t*>(shared + s.table));
    // What follows rests on what came so far.
    const BlockPixel own = w.view.targets[ownTarget];
    stream.askForPlaces();
    stream.startRows(w, slotRows);
    waitForEarlierWork();
    fillTile<Tiles>(w, at.origin, at.z0, pixels, shared);
    waitForCopies();
    __syncthreads();
    letLaterWorkPrepare();

    // Accumulate.
    const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    const std::uint32_t tile = base + static_cast<std::uint32_t>(((at.lane >> 3) & 1) << 4);
    const auto remainders = static_cast<std::uint32_t>(w.view.slots * slotBytes(kPlanes));
    stream.openTable(w, base + static_cast<std::uint32_t>(s.table), slotRows);
    // A group outside the lattice has nothing to do.
    stream.endUnless(__any_sync(kAllLanes, static_cast<int>(at.isInside(w, own))) != 0);
    Accumulators<Tiles> sums;
    if (stream.left() > 0) {
        stream.start();
    }
    for (int segment = 0; stream.left() > 0; ++segment) {
        const int chunks = w.view.segments[at.half][segment] >> 2;
        const auto step = static_cast<PlanStep>(w.view.segments[at.half][segment] & 3);
#pragma unroll 1
        for (int chunk = 0; chunk < chunks; ++chunk) {
            addChunk(stream, tile, remainders, sums);
        }
        sums.step(step, w.view.filter, at.lane);
    }

    // Store, by way of shared memory; the tile is not needed any more. A warp writes 32 pixels, neighbours in
    // x, of every second plane.
    __syncthreads();
    const int pitch = resultPitch(w.view.groups);
    auto* const results = reinterpret_cast<float*>(shared);
    sums.layOut(at, pitch, results);
    __syncthreads();
    double sum = 0;
    if (at.isInside(w, target)) {
        sum = writeColumn<kPlanes>(OutputColumn<output>(w, at, target, kPlanes),
                                   results + at.half * pitch + target.slot, pitch);
    }
    if constexpr (output == ColumnOutput::Expected) {
        __shared__ double sm_warps[kColumnWarps + 1];
        sum = joinBlock<Sum>(sum, sm_warps);
        joinGrid<Sum>(sum, static_cast<unsigned>(at.window) * gridDim.x + blockIdx.x,
                      static_cast<unsigned>(w.allWindows) * gridDim.x, w.area.partial, w.area.total,
                      w.area.ticket, sm_warps);
    }
}

/// What one block of rowsKernel looks up.
struct RowLookup {
    DeviceSpan<const BlockPixel> pixels;
    int count;  ///< of the pixels
    int nx;
    int ny;
};

/// Numbers the marks of `map` in order and lists the rows that are marked. One warp.
__device__ void rankRows(std::uint32_t* map, int rows, std::uint16_t* needed, unsigned most) {
    const unsigned lane = threadIdx.x;
    unsigned all = 0;
    for (int begin = 0; begin < rows; begin += 32) {
        const int r = begin + static_cast<int>(lane);
        const bool used = r < rows && map[r] != 0;
        const unsigned ballot = __ballot_sync(kAllLanes, used);
        if (used) {
            const unsigned rank = all + static_cast<unsigned>(__popc(ballot & ((1U << lane) - 1U)));
            map[r] = rank;
            if (rank < most) {
                needed[rank] = static_cast<std::uint16_t>(r);
            }
        }
        all += static_cast<unsigned>(__popc(ballot));
    }
    for (unsigned rank = all + lane; rank < most; rank += 32) {
        needed[rank] = kNoRow;
    }
}

/// One block per block of the projection: which rows of the table its pixels need, in order.
__global__ void rowsKernel(ColumnView v, RowLookup look, BlockRows rows) {
    extern __shared__ std::uint32_t map[];  // by row: needed, then its rank
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const short2 origin = v.origins[blockIdx.x];
    const auto idOf = [&](const BlockPixel& p) {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < look.nx && y < look.ny ? v.ids[y * v.idPitch + x] : -1;
    };
    for (int r = tid; r < v.rows; r += threads) {
        map[r] = 0;
    }
    __syncthreads();
    for (int p = tid; p < look.count; p += threads) {
        const int id = idOf(look.pixels[p]);
        if (id >= 0) {
            map[id] = 1;
        }
    }
    __syncthreads();
    if (tid < 32) {
        rankRows(map, v.rows, rows.needed.get() + blockIdx.x * static_cast<unsigned>(rows.mostRows),
                 static_cast<unsigned>(rows.mostRows));
    }
    __syncthreads();
    for (int p = tid; p < look.count; p += threads) {
        const int id = idOf(look.pixels[p]);
        rows.rowOfPixel[blockIdx.x * static_cast<unsigned>(look.count) + look.pixels[p].slot] =
            static_cast<std::uint16_t>(id >= 0 ? map[id] : 0);
    }
}

using Kernel = void (*)(ColumnWork);

template <int Tiles>
Kernel kernelFor(Gather gather, ColumnOutput output) {
    if (gather == Gather::ByTarget) {
        return output == ColumnOutput::Add ? columnKernel<Tiles, Gather::ByTarget, ColumnOutput::Add>
                                           : columnKernel<Tiles, Gather::ByTarget, ColumnOutput::Overwrite>;
    }
    switch (output) {
        case ColumnOutput::Add: return columnKernel<Tiles, Gather::BySource, ColumnOutput::Add>;
        case ColumnOutput::Expected: return columnKernel<Tiles, Gather::BySource, ColumnOutput::Expected>;
        default: return columnKernel<Tiles, Gather::BySource, ColumnOutput::Overwrite>;
    }
}

Kernel kernelFor(int planes, Gather gather, ColumnOutput output) {
    return planes == 16 ? kernelFor<1>(gather, output) : kernelFor<3>(gather, output);
}

}  // namespace

void listBlockRows(cudaStream_t stream, const ColumnView& view, const int (&size)[3], Gather gather) {
    const bool bySource = gather == Gather::BySource;
    const RowLookup look{bySource ? view.tile : view.targets,
                         bySource ? view.slots : kPlanGroup * view.groups, size[0], size[1]};
    rowsKernel<<<static_cast<unsigned>(view.blocks), 256,
                 static_cast<std::size_t>(view.rows) * sizeof(std::uint32_t), stream>>>(
        view, look, view.blockRows[bySource ? 1 : 0]);
    checkLaunch("list the rows of blocks", {static_cast<std::size_t>(view.blocks)});
}

int columnWindows(int planes, int reach, int nz) {
    const int step = planes - 2 * reach;
    return nz <= planes ? 1 : 1 + (nz - planes + step - 1) / step;
}

std::size_t columnSharedBytes(const ColumnView& view, int planes, Gather gather) {
    return sharedLayout(view, planes, gather == Gather::BySource).total;
}

std::size_t columnSharedLimit(const cudaDeviceProp& card) {
    constexpr std::size_t kStaticBytes = 1024;  // more than the kernels declare themselves
    return card.sharedMemPerBlockOptin - kStaticBytes;
}

void prepareColumn(std::size_t sharedBytes) {
    for (const int planes : {16, 48}) {
        for (const Gather gather : {Gather::ByTarget, Gather::BySource}) {
            for (const ColumnOutput output :
                 {ColumnOutput::Overwrite, ColumnOutput::Add, ColumnOutput::Expected}) {
                check(cudaFuncSetAttribute(kernelFor(planes, gather, output),
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(sharedBytes)),
                      "reserve shared memory", {sharedBytes});
            }
        }
    }
}

void projectColumn(Launch l, const ColumnWork& w, int planes, Gather gather, ColumnOutput output) {
    const dim3 grid(static_cast<unsigned>(w.view.blocks), static_cast<unsigned>(w.windows));
    const dim3 block(static_cast<unsigned>(64 * w.view.groups));
    check(launchDependent(l.overlap, kernelFor(planes, gather, output), grid, block,
                          columnSharedBytes(w.view, planes, gather), l.stream, w),
          "project with the column kernel", {grid.x, grid.y, block.x});
}

const void* columnFunction(Gather gather) {
    return gather == Gather::ByTarget
               ? reinterpret_cast<const void*>(&columnKernel<3, Gather::ByTarget, ColumnOutput::Overwrite>)
               : reinterpret_cast<const void*>(&columnKernel<3, Gather::BySource, ColumnOutput::Overwrite>);
}

}  // namespace tof::device
