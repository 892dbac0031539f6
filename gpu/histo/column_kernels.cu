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
#include "recon/seam/element_math.h"

namespace tof::device {

namespace {

constexpr int kMaxThreads = 32 * kColumnWarps;  // 168 registers each
constexpr unsigned kAll = 0xFFFFFFFFU;
constexpr int kNoRow = 0xFFFF;  // fills the lists of rows up

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
    std::size_t rowOf;
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
    s.rowOf = alignUp(s.table + static_cast<std::size_t>(v.tableRows[bySource ? 1 : 0]) *
                                    static_cast<std::size_t>(v.rowStride) * sizeof(std::uint32_t));
    s.total = s.rowOf + (bySource ? static_cast<std::size_t>(v.slots) * sizeof(std::uint16_t) : 0);
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
        float above = __shfl_down_sync(kAll, at(0), 4);
        float below = __shfl_up_sync(kAll, at(kHeld - 1), 4);
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
__device__ inline void startTable(const ColumnWork& w, const ColumnRows& rows, std::uint32_t* table) {
    constexpr int kAtOnce = 4;
    const int stride = w.view.rowStride;
    const std::uint16_t* const list =
        rows.list + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(rows.most);
    const int warps = static_cast<int>(blockDim.x) >> 5;
    for (int first = static_cast<int>(threadIdx.x) >> 5; first < rows.most; first += kAtOnce * warps) {
        int number[kAtOnce];
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            number[u] = first + u * warps < rows.most ? list[first + u * warps] : kNoRow;
        }
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            if (number[u] == kNoRow) {
                continue;
            }
            const std::uint32_t* const source =
                w.view.values + static_cast<std::size_t>(number[u]) * static_cast<std::size_t>(stride);
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
        const uint2 packed = __ldg(reinterpret_cast<const uint2*>(w.view.tile + place));
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
    const float* const from = w.from + static_cast<std::size_t>(z0) * plane;
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

/// Adds 16 sources' columns times their weights to the accumulators of `Strips` strips. Results of one are
/// awaited by its next product, so there should be others in between.
template <int Tiles, int Strips>
__device__ inline void multiplyStrips(float (*acc)[Tiles][4], const SplitWeights* weights,
                                      const std::uint32_t (&value)[Tiles][4],
                                      const std::uint32_t (&rest)[Tiles][4]) {
#pragma unroll
    for (int product = 0; product < 3; ++product) {
#pragma unroll
        for (int strip = 0; strip < Strips; ++strip) {
            const std::uint32_t(&b)[2] = product == 1 ? weights[strip].low : weights[strip].high;
#pragma unroll
            for (int m = 0; m < Tiles; ++m) {
                multiplyAdd(acc[strip][m], product == 2 ? rest[m] : value[m], b[0], b[1]);
            }
        }
    }
}

template <int Tiles, Gather gather, ColumnOutput output>
__global__ void __launch_bounds__(kMaxThreads, 1) columnKernel(const __grid_constant__ ColumnWork w) {
    extern __shared__ __align__(128) unsigned char shared[];
    constexpr int kPlanes = 16 * Tiles;
    constexpr bool bySource = gather == Gather::BySource;
    const SharedLayout s = sharedLayout(w.view, kPlanes, bySource);
    const int lane = static_cast<int>(threadIdx.x) & 31;
    const int warp = static_cast<int>(threadIdx.x) >> 5;
    const int group = warp >> 1;
    const int half = warp & 1;
    const short2 origin = w.view.origins[blockIdx.x];
    const int window = w.windowBegin + static_cast<int>(blockIdx.y);
    const int z0 = window * (kPlanes - 2 * w.view.reach);

    // Nothing up to waitForEarlierWork depends on earlier work of the stream. What is needed later is asked
    // for here, so that its latency passes beside the filling of the tile.
    const ColumnRows& rows = w.view.rowsOf[bySource ? 1 : 0];
    const std::uint16_t* const rowOfPixel =
        rows.ofPixel + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(rows.pixels);
    auto* const rowOf = reinterpret_cast<std::uint16_t*>(shared + s.rowOf);
    const int ownPlace = w.view.place[group * kPlanGroup + lane];         // of a pixel of its own group
    const BlockPixel target = w.view.targets[group * kPlanGroup + lane];  // whose result it writes
    const auto isInside = [&](const BlockPixel& p) {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
    };
    const int first = w.view.firstChunk[half];
    int left = (half == 0 ? w.view.firstChunk[1] : w.view.chunks) - first;
    // Sources of the chunks ahead: this lane's column, and above its slot the strips of the chunk.
    const std::uint16_t* sources =
        w.view.sources + (group * w.view.chunks + first) * kPlanChunk + (lane & 7) + ((lane >> 4) << 3);
    const auto sourceAhead = [&](int chunks) -> unsigned {
        return left > chunks ? __ldg(sources + chunks * kPlanChunk) : 0U;
    };
    unsigned source[3] = {sourceAhead(0), sourceAhead(1), sourceAhead(2)};
    const uint2* weights = w.view.weights + static_cast<std::size_t>(first) * (kPlanStrips * 32) + lane;
    uint2 index[kPlanStrips] = {};
    const auto askForIndex = [&](int strip, unsigned from, int ahead) {
        if ((from >> (kPlanSlotBits + strip) & 1U) != 0) {
            index[strip] = __ldg(weights + (ahead * kPlanStrips + strip) * 32);
        }
    };
    std::uint32_t row[kPlanStrips] = {};  // of this lane's pixel of every strip
#pragma unroll
    for (int strip = 0; strip < kPlanStrips; ++strip) {
        const int pixel = group * kPlanGroup + strip * kPlanStrip;
        if constexpr (!bySource) {
            row[strip] = rowOfPixel[pixel + (lane >> 2)];
        }
    }
    BlockPixel pixels[kFillAtOnce];
    askForPixels<Tiles>(w, static_cast<int>(threadIdx.x), pixels);
    startTable(w, rows, reinterpret_cast<std::uint32_t*>(shared + s.table));
    // What follows rests on what came so far.
    const BlockPixel own = w.view.targets[ownPlace];
#pragma unroll
    for (int strip = 0; strip < kPlanStrips; ++strip) {
        askForIndex(strip, source[0], 0);
    }
    if constexpr (bySource) {
        for (int p = 2 * static_cast<int>(threadIdx.x); p < w.view.slots;
             p += 2 * static_cast<int>(blockDim.x)) {
            copyAside(rowOf + p, rowOfPixel + p);
        }
    }
    waitForEarlierWork();
    fillTile<Tiles>(w, origin, z0, pixels, shared);
    waitForCopies();
    __syncthreads();
    letLaterWorkPrepare();

    const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    const std::uint32_t tile = base + static_cast<std::uint32_t>(((lane >> 3) & 1) << 4);
    const std::uint32_t table = base + static_cast<std::uint32_t>(s.table);
    const auto remainders = static_cast<std::uint32_t>(w.view.slots * slotBytes(kPlanes));
    const auto rowBytes = static_cast<std::uint32_t>(w.view.rowStride) * 4;
    if constexpr (!bySource) {
#pragma unroll
        for (std::uint32_t& r : row) {
            r = table + 4 * kPlanZeros + rowBytes * r;
        }
    }
    const std::uint32_t lastTap = table + static_cast<std::uint32_t>(kPlanZeros + w.view.taps - 1) * 4;
    // By source: the row of this lane's source, and from all lanes' where the rows of its four sources end.
    const auto rowOfSource = [&](unsigned from) -> std::uint32_t {
        return bySource ? rowOf[from & ((1U << kPlanSlotBits) - 1U)] : 0U;
    };
    const auto findRows = [&](std::uint32_t rowOfMine) {
        if constexpr (bySource) {
            const std::uint32_t mine = lastTap + rowBytes * rowOfMine;
            const int k = 2 * (lane & 3);
            row[0] = __shfl_sync(kAll, mine, k);
            row[1] = __shfl_sync(kAll, mine, k + 1);
            row[2] = __shfl_sync(kAll, mine, k + 16);
            row[3] = __shfl_sync(kAll, mine, k + 17);
        }
    };
    const auto gatherWeights = [&](int strip, unsigned from, LaneWeights& raw) {
        if ((from >> (kPlanSlotBits + strip) & 1U) == 0) {
            return;
        }
        const std::uint32_t tap[4] = {index[strip].x & 0xFFFFU, index[strip].x >> 16U,
                                      index[strip].y & 0xFFFFU, index[strip].y >> 16U};
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // by source: K of the source at the opposite offset, the mirrored tap
            raw[k] = loadShared(bySource ? row[k] - tap[k] : row[strip] + tap[k]);
        }
    };
    // A group outside the lattice has nothing to do.
    left = __any_sync(kAll, static_cast<int>(isInside(own))) != 0 ? left : 0;
    float acc[kPlanStrips][Tiles][4] = {};
    // Three chunks are under way: the lists of the one after next, the weights of the next, the product of
    // this one.
    LaneWeights raw[kPlanStrips] = {};
    if (left > 0) {
        findRows(rowOfSource(source[0]));
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            gatherWeights(strip, source[0], raw[strip]);
            askForIndex(strip, source[1], 1);
        }
        findRows(rowOfSource(source[1]));
    }
    const auto loadColumns = [&](unsigned from, std::uint32_t(&high)[Tiles][4],
                                 std::uint32_t(&low)[Tiles][4]) {
        const unsigned slot = from & ((1U << kPlanSlotBits) - 1U);
        const std::uint32_t column = (tile + slot * static_cast<std::uint32_t>(slotBytes(kPlanes))) ^
                                     static_cast<std::uint32_t>(swizzle(static_cast<int>(slot)));
#pragma unroll
        for (int m = 0; m < Tiles; ++m) {
            loadMatrices(high[m], column + static_cast<std::uint32_t>(m * 32));
            loadMatrices(low[m], column + remainders + static_cast<std::uint32_t>(m * 32));
        }
    };
    for (int segment = 0; left > 0; ++segment) {
        const int chunks = w.view.segments[half][segment] >> 2;
        const auto step = static_cast<PlanStep>(w.view.segments[half][segment] & 3);
#pragma unroll 1
        for (int chunk = 0; chunk < chunks; ++chunk) {
            std::uint32_t value[Tiles][4];
            std::uint32_t rest[Tiles][4];
            loadColumns(source[0], value, rest);
            const std::uint32_t rowAfterNext = rowOfSource(source[2]);
            const unsigned third = sourceAhead(3);
#pragma unroll
            for (int pair = 0; pair < kPlanStrips; pair += 2) {
                const SplitWeights split[2] = {splitWeights(raw[pair]), splitWeights(raw[pair + 1])};
#pragma unroll
                for (int strip = pair; strip < pair + 2; ++strip) {
                    gatherWeights(strip, source[1], raw[strip]);
                    askForIndex(strip, source[2], 2);
                }
                // Loops of one pass or none: as conditions, products would be predicated, which takes as
                // long.
                const unsigned needed = source[0] >> (kPlanSlotBits + pair) & 3U;
#pragma unroll 1
                for (unsigned both = needed == 3 ? 1 : 0; both != 0; --both) {
                    multiplyStrips<Tiles, 2>(acc + pair, split, value, rest);
                }
#pragma unroll 1
                for (unsigned one = needed == 1 ? 1 : 0; one != 0; --one) {
                    multiplyStrips<Tiles, 1>(acc + pair, split, value, rest);
                }
#pragma unroll 1
                for (unsigned other = needed == 2 ? 1 : 0; other != 0; --other) {
                    multiplyStrips<Tiles, 1>(acc + pair + 1, split + 1, value, rest);
                }
            }
            findRows(rowAfterNext);
            sources += kPlanChunk;
            weights += kPlanStrips * 32;
            --left;
            source[0] = source[1];
            source[1] = source[2];
            source[2] = third;
        }
        if (step != PlanStep::Keep) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                takeStep<Tiles>(acc[strip], step, w.view.filter, lane);
            }
        }
    }

    // Results to shared memory, [half][plane][pixel]; the tile is not needed any more.
    __syncthreads();
    const int pitch = resultPitch(w.view.groups);
    auto* const results = reinterpret_cast<float*>(shared);
#pragma unroll
    for (int strip = 0; strip < kPlanStrips; ++strip) {
        float* const mine = results + (half * kPlanes + 2 * Tiles * (lane >> 2)) * pitch +
                            group * kPlanGroup + strip * kPlanStrip + 2 * (lane & 3);
#pragma unroll
        for (int j = 0; j < 2 * Tiles; ++j) {
            *reinterpret_cast<float2*>(mine + j * pitch) =
                make_float2(acc[strip][j >> 1][2 * (j & 1)], acc[strip][j >> 1][2 * (j & 1) + 1]);
        }
    }
    __syncthreads();
    // A warp writes 32 pixels, neighbours in x, of every second plane.
    const int lowest = window == 0 ? 0 : w.view.reach;
    const int highest = min(window == w.allWindows - 1 ? kPlanes : kPlanes - w.view.reach, w.size[2] - z0);
    double sum = 0;
    if (isInside(target)) {
        const auto plane = static_cast<std::uint32_t>(w.size[0] * w.size[1]);
        const std::size_t at =
            static_cast<std::size_t>(z0 + half) * plane +
            static_cast<std::size_t>((origin.y + target.y) * w.size[0] + origin.x + target.x);
        float* const out = opaque(w.out + at);
        const float* const mult = w.mult == nullptr ? nullptr : opaque(w.mult + at);
        const float* const add = w.add == nullptr ? nullptr : opaque(w.add + at);
        const float* const mine = results + half * pitch + target.slot;
        constexpr int kMine = kPlanes / 2;
        constexpr int kAtOnce = output == ColumnOutput::Overwrite ? 1 : kMine / 4;  // loads under way at once
#pragma unroll
        for (int from = 0; from < kMine; from += kAtOnce) {
            float factor[kAtOnce];
            float addend[kAtOnce];
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int z = 2 * (from + k) + half;
                const auto ahead = static_cast<unsigned>(2 * (from + k));
                factor[k] = 1;
                addend[k] = 0;
                if (z >= lowest && z < highest) {
                    if constexpr (output == ColumnOutput::Add) {
                        addend[k] = *planesOn(out, plane, ahead);
                    } else if constexpr (output == ColumnOutput::Expected) {
                        factor[k] = mult == nullptr ? 1.0F : __ldcs(planesOn(mult, plane, ahead));
                        addend[k] = add == nullptr ? 0.0F : __ldcs(planesOn(add, plane, ahead));
                    }
                }
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int ahead = 2 * (from + k);
                if (ahead + half < lowest || ahead + half >= highest) {
                    continue;
                }
                const float value = mine[ahead * pitch] + mine[(kPlanes + ahead) * pitch];
                const float result =
                    output == ColumnOutput::Overwrite ? value : expectedCounts(value, factor[k], addend[k]);
                *planesOn(out, plane, static_cast<unsigned>(ahead)) = result;
                if constexpr (output == ColumnOutput::Expected) {
                    sum += static_cast<double>(result);
                }
            }
        }
    }
    if constexpr (output == ColumnOutput::Expected) {
        __shared__ double sm_warps[kColumnWarps + 1];
        sum = joinBlock<Sum>(sum, sm_warps);
        joinGrid<Sum>(sum, static_cast<unsigned>(window) * gridDim.x + blockIdx.x,
                      static_cast<unsigned>(w.allWindows) * gridDim.x, w.area.partial, w.area.total,
                      w.area.ticket, sm_warps);
    }
}

/// One block per block of the projection: which rows of the table its pixels need, in order.
__global__ void rowsKernel(ColumnView v, int nx, int ny, const BlockPixel* pixels, int count,
                           std::uint16_t* list, int most, std::uint16_t* ofPixel) {
    extern __shared__ std::uint32_t map[];
    const int tid = static_cast<int>(threadIdx.x);
    const int threads = static_cast<int>(blockDim.x);
    const short2 origin = v.origins[blockIdx.x];
    const auto idOf = [&](const BlockPixel& p) {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < nx && y < ny ? v.ids[y * v.idPitch + x] : -1;
    };
    for (int r = tid; r < v.rows; r += threads) {
        map[r] = 0;
    }
    __syncthreads();
    for (int p = tid; p < count; p += threads) {
        const int id = idOf(pixels[p]);
        if (id >= 0) {
            map[id] = 1;
        }
    }
    __syncthreads();
    if (tid < 32) {
        unsigned all = 0;
        for (int begin = 0; begin < v.rows; begin += 32) {
            const int r = begin + tid;
            const bool used = r < v.rows && map[r] != 0;
            const unsigned ballot = __ballot_sync(kAll, used);
            if (used) {
                const unsigned rank = all + static_cast<unsigned>(__popc(ballot & ((1U << tid) - 1U)));
                map[r] = rank;
                if (rank < static_cast<unsigned>(most)) {
                    list[blockIdx.x * static_cast<unsigned>(most) + rank] = static_cast<std::uint16_t>(r);
                }
            }
            all += static_cast<unsigned>(__popc(ballot));
        }
        for (unsigned rank = all + static_cast<unsigned>(tid); rank < static_cast<unsigned>(most);
             rank += 32) {
            list[blockIdx.x * static_cast<unsigned>(most) + rank] = kNoRow;
        }
    }
    __syncthreads();
    for (int p = tid; p < count; p += threads) {
        const int id = idOf(pixels[p]);
        ofPixel[blockIdx.x * static_cast<unsigned>(count) + pixels[p].slot] =
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

void listColumnRows(cudaStream_t stream, const ColumnView& view, const int (&size)[3], Gather gather,
                    std::uint16_t* list, std::uint16_t* ofPixel) {
    const bool bySource = gather == Gather::BySource;
    rowsKernel<<<static_cast<unsigned>(view.blocks), 256,
                 static_cast<std::size_t>(view.rows) * sizeof(std::uint32_t), stream>>>(
        view, size[0], size[1], bySource ? view.tile : view.targets,
        bySource ? view.slots : kPlanGroup * view.groups, list, view.tableRows[bySource ? 1 : 0], ofPixel);
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
