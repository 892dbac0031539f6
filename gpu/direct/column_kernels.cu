// SPDX-License-Identifier: Apache-2.0
// Who: a block of two warps per group of 32 pixels and up to 48 planes. The block's source columns lie in
// shared memory as two bf16 each (value and remainder), the rows of the value table that it needs beside
// them. A warp multiplies 32 x 16 weights by 16 x 48 values per chunk: three products of the parts in single
// precision, 48 accumulators per lane. The halves of a group are added up in a fixed order through shared
// memory. Needs compute capability 8.0 (bf16 matrix instructions).
#include <cuda_bf16.h>

#include <algorithm>

#include "gpu/direct/column_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/reduction.cuh"
#include "recon/engine/element_math.h"

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
                                    static_cast<std::size_t>(v.taps + 2) * sizeof(std::uint32_t));
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

/// Plane z + 1 (or z - 1) of this lane's outer column of tile n: the neighbouring lane's inner one.
template <int Tiles>
__device__ inline float fromAbove(const float (&c)[Tiles][4], int n, int half, int lane) {
    const float next = n + 1 < Tiles ? c[n + 1 < Tiles ? n + 1 : n][half] : 0.0F;
    const float send = (lane & 3) == 0 ? next : c[n][half];
    return __shfl_sync(kAll, send, (lane & ~3) | ((lane + 1) & 3));
}
template <int Tiles>
__device__ inline float fromBelow(const float (&c)[Tiles][4], int n, int half, int lane) {
    const float previous = n > 0 ? c[n > 0 ? n - 1 : n][half + 1] : 0.0F;
    const float send = (lane & 3) == 3 ? previous : c[n][half + 1];
    return __shfl_sync(kAll, send, (lane & ~3) | ((lane + 3) & 3));
}

/// Moves or filters the accumulators of one matrix tile along z. A lane holds planes 8 n + 2 t and + 1 of
/// rows g (elements 0, 1) and g + 8 (elements 2, 3), t = lane % 4.
template <int Tiles>
__device__ inline void takeStep(float (&c)[Tiles][4], int step, float filter, int lane) {
#pragma unroll
    for (int half = 0; half < 4; half += 2) {
        if (step == 1) {
#pragma unroll
            for (int n = 0; n < Tiles; ++n) {
                const float above = fromAbove(c, n, half, lane);
                c[n][half] = c[n][half + 1];
                c[n][half + 1] = above;
            }
        } else if (step == 2) {
#pragma unroll
            for (int n = Tiles - 1; n >= 0; --n) {
                const float below = fromBelow(c, n, half, lane);
                c[n][half + 1] = c[n][half];
                c[n][half] = below;
            }
        } else if (step == 3) {
            float above[Tiles];
            float below[Tiles];
#pragma unroll
            for (int n = 0; n < Tiles; ++n) {
                above[n] = fromAbove(c, n, half, lane);
                below[n] = fromBelow(c, n, half, lane);
            }
#pragma unroll
            for (int n = 0; n < Tiles; ++n) {
                const float inner = c[n][half];
                const float outer = c[n][half + 1];
                c[n][half] = inner + filter * (outer + below[n]);
                c[n][half + 1] = outer + filter * (above[n] + inner);
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
    const int stride = w.view.taps + 2;
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

/// Fills the tile with columns of the input, planes z0 .. z0 + 8 Tiles - 1, zero outside the lattice. A
/// thread brings three runs of 16 planes at a time, so that 48 loads are on their way at once.
template <int Tiles>
__device__ inline void fillTile(const ColumnWork& w, short2 origin, int z0, unsigned char* tile) {
    constexpr int kRun = 16;
    constexpr int kAtOnce = 3;
    constexpr int kRuns = 8 * Tiles / kRun;
    const std::size_t plane = static_cast<std::size_t>(w.size[0]) * static_cast<std::size_t>(w.size[1]);
    const int slots = w.view.slots;
    const int items = slots * kRuns;
    const int threads = static_cast<int>(blockDim.x);
    for (int begin = static_cast<int>(threadIdx.x); begin < items; begin += kAtOnce * threads) {
        float v[kAtOnce][kRun];
        int run[kAtOnce];
        int slot[kAtOnce];
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            const int item = begin + u * threads;
            run[u] = item >= 2 * slots ? 2 : item >= slots ? 1 : 0;
            const BlockPixel pixel = w.view.tile[item < items ? item - run[u] * slots : 0];
            slot[u] = item < items ? pixel.slot : -1;
            const int x = origin.x + pixel.x;
            const int y = origin.y + pixel.y;
            const bool inside = slot[u] >= 0 && x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
            const int from = z0 + kRun * run[u];
            const float* const column = w.from + (static_cast<std::ptrdiff_t>(y) * w.size[0] + x) +
                                        from * static_cast<std::ptrdiff_t>(plane);
            const int planes = inside ? w.size[2] - from : 0;
#pragma unroll
            for (int z = 0; z < kRun; ++z) {
                v[u][z] = z < planes ? __ldg(column + static_cast<std::size_t>(z) * plane) : 0.0F;
            }
        }
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            if (slot[u] < 0) {
                continue;
            }
            unsigned char* const target = tile + slot[u] * slotBytes(8 * Tiles);
#pragma unroll
            for (int o = 0; o < 2; ++o) {
                uint4 high;
                uint4 low;
                split(v[u][8 * o + 0], v[u][8 * o + 1], high.x, low.x);
                split(v[u][8 * o + 2], v[u][8 * o + 3], high.y, low.y);
                split(v[u][8 * o + 4], v[u][8 * o + 5], high.z, low.z);
                split(v[u][8 * o + 6], v[u][8 * o + 7], high.w, low.w);
                const int place = ((2 * run[u] + o) * 16) ^ swizzle(slot[u]);
                *reinterpret_cast<uint4*>(target + place) = high;
                *reinterpret_cast<uint4*>(target + place + slots * slotBytes(8 * Tiles)) = low;
            }
        }
    }
}

template <int Tiles, Gather gather, ColumnOutput output>
__global__ void __launch_bounds__(kMaxThreads, 1) columnKernel(const __grid_constant__ ColumnWork w) {
    extern __shared__ __align__(128) unsigned char shared[];
    constexpr int kPlanes = 8 * Tiles;
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
    startTable(w, rows, reinterpret_cast<std::uint32_t*>(shared + s.table));
    const int first = w.view.firstChunk[half];
    int left = (half == 0 ? w.view.firstChunk[1] : w.view.chunks) - first;
    const std::uint16_t* sources = w.view.sources + (group * w.view.chunks + first) * 16 + (lane & 15);
    const uint4* weights =
        w.view.weights + (static_cast<std::size_t>(first) * 32 + static_cast<std::size_t>(lane)) * 2;
    int slot = left > 0 ? __ldg(sources) : 0;
    uint4 index[2] = {};
    if (left > 0) {
        index[0] = __ldg(weights);
        index[1] = __ldg(weights + 1);
    }
    std::uint32_t row[4] = {};  // of this lane's pixels: lines 0 and 1, rows g and g + 8
    int place[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int pixel = group * 32 + (i >> 1) * 16 + (i & 1) * 8 + (lane >> 2);
        place[i] = w.view.place[pixel];
        if constexpr (!bySource) {
            row[i] = rowOfPixel[pixel];
        }
    }
    const BlockPixel target = w.view.targets[group * 32 + lane];
    if constexpr (bySource) {
        for (int p = 2 * static_cast<int>(threadIdx.x); p < w.view.slots;
             p += 2 * static_cast<int>(blockDim.x)) {
            copyAside(rowOf + p, rowOfPixel + p);
        }
    }
    waitForEarlierWork();
    fillTile<Tiles>(w, origin, z0, shared);
    waitForCopies();
    __syncthreads();
    letLaterWorkPrepare();

    const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    const std::uint32_t tile = base + static_cast<std::uint32_t>((lane >> 4) << 4);
    const std::uint32_t table = base + static_cast<std::uint32_t>(s.table);
    const auto remainders = static_cast<std::uint32_t>(w.view.slots * slotBytes(kPlanes));
    const auto rowBytes = static_cast<std::uint32_t>(w.view.taps + 2) * 4;
    if constexpr (!bySource) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            row[i] = table + 4 + rowBytes * row[i];
        }
    }
    const std::uint32_t lastTap = table + static_cast<std::uint32_t>(w.view.taps) * 4;
    const auto gatherWeights = [&](int mySlot, const uint4(&index)[2], std::uint32_t(&raw)[16]) {
        std::uint32_t source[4] = {};
        if constexpr (bySource) {
            const std::uint32_t mySource = lastTap + rowBytes * rowOf[mySlot];
            const int k = 2 * (lane & 3);
            source[0] = __shfl_sync(kAll, mySource, k);
            source[1] = __shfl_sync(kAll, mySource, k + 1);
            source[2] = __shfl_sync(kAll, mySource, k + 8);
            source[3] = __shfl_sync(kAll, mySource, k + 9);
        }
#pragma unroll
        for (int line = 0; line < 2; ++line) {
            const std::uint32_t packed[4] = {index[line].x, index[line].y, index[line].z, index[line].w};
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const std::uint32_t one = packed[r] & 0xFFFFU;
                const std::uint32_t two = packed[r] >> 16U;
                if constexpr (bySource) {  // K of the source at the opposite offset: the mirrored tap
                    raw[8 * line + 2 * r] = loadShared(source[r & 2] - one);
                    raw[8 * line + 2 * r + 1] = loadShared(source[(r & 2) + 1] - two);
                } else {
                    raw[8 * line + 2 * r] = loadShared(row[2 * line + (r & 1)] + one);
                    raw[8 * line + 2 * r + 1] = loadShared(row[2 * line + (r & 1)] + two);
                }
            }
        }
    };
    float acc[2][Tiles][4] = {};
    // Three chunks are under way: the lists of the one after next, the weights of the next, the product of
    // this one.
    int nextSlot = slot;
    std::uint32_t raw[16] = {};
    if (left > 0) {
        gatherWeights(slot, index, raw);
    }
    if (left > 1) {
        nextSlot = __ldg(sources + 16);
        index[0] = __ldg(weights + 64);
        index[1] = __ldg(weights + 65);
    }
    int segment = 0;
    int inSegment = w.view.segments[half][0] >> 2;
    const auto finishSegments = [&] {
        while (inSegment == 0 && segment < w.view.segmentCount[half]) {
            const int step = w.view.segments[half][segment] & 3;
            if (step != 0) {
                takeStep<Tiles>(acc[0], step, w.view.filter, lane);
                takeStep<Tiles>(acc[1], step, w.view.filter, lane);
            }
            ++segment;
            inSegment = segment < w.view.segmentCount[half] ? w.view.segments[half][segment] >> 2 : 0;
        }
    };
    finishSegments();
    for (; left > 0; --left) {
        std::uint32_t high[2][4];
        std::uint32_t low[2][4];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            high[i / 4][i % 4] = __byte_perm(raw[2 * i], raw[2 * i + 1], 0x5410);
            low[i / 4][i % 4] = __byte_perm(raw[2 * i], raw[2 * i + 1], 0x7632);
        }
        const std::uint32_t column = (tile + static_cast<std::uint32_t>(slot * slotBytes(kPlanes))) ^
                                     static_cast<std::uint32_t>(swizzle(slot));
#pragma unroll
        for (int n = 0; n < Tiles; n += 2) {
            std::uint32_t value[4];
            std::uint32_t rest[4];
            loadMatrices(value, column + static_cast<std::uint32_t>(n * 16));
            loadMatrices(rest, column + remainders + static_cast<std::uint32_t>(n * 16));
            if (n == 0 && left > 1) {  // the next weights travel while this chunk is multiplied
                slot = nextSlot;
                gatherWeights(slot, index, raw);
                sources += 16;
                weights += 64;
                if (left > 2) {
                    nextSlot = __ldg(sources + 16);
                    index[0] = __ldg(weights + 64);
                    index[1] = __ldg(weights + 65);
                }
            }
#pragma unroll
            for (int line = 0; line < 2; ++line) {
                multiplyAdd(acc[line][n], high[line], value[0], value[1]);
                multiplyAdd(acc[line][n + 1], high[line], value[2], value[3]);
            }
#pragma unroll
            for (int line = 0; line < 2; ++line) {
                multiplyAdd(acc[line][n], low[line], value[0], value[1]);
                multiplyAdd(acc[line][n + 1], low[line], value[2], value[3]);
            }
#pragma unroll
            for (int line = 0; line < 2; ++line) {
                multiplyAdd(acc[line][n], high[line], rest[0], rest[1]);
                multiplyAdd(acc[line][n + 1], high[line], rest[2], rest[3]);
            }
        }
        --inSegment;
        finishSegments();
    }

    // Results to shared memory, [half][plane][pixel in order of x]; the tile is not needed any more.
    __syncthreads();
    const int pitch = resultPitch(w.view.groups);
    auto* const results = reinterpret_cast<float*>(shared);
#pragma unroll
    for (int line = 0; line < 2; ++line) {
#pragma unroll
        for (int g = 0; g < 2; ++g) {
            float* const mine = results + (half * kPlanes + 2 * (lane & 3)) * pitch + place[2 * line + g];
#pragma unroll
            for (int n = 0; n < Tiles; ++n) {
                mine[8 * n * pitch] = acc[line][n][2 * g];
                mine[(8 * n + 1) * pitch] = acc[line][n][2 * g + 1];
            }
        }
    }
    __syncthreads();
    // A warp writes 32 pixels of every second plane.
    const int lowest = window == 0 ? 0 : w.view.reach;
    const int highest = min(window == w.allWindows - 1 ? kPlanes : kPlanes - w.view.reach, w.size[2] - z0);
    const int plane = w.size[0] * w.size[1];
    const int p = group * 32 + lane;
    const int x = origin.x + target.x;
    const int y = origin.y + target.y;
    double sum = 0;
    if (x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1]) {
        const std::size_t at = static_cast<std::size_t>(z0) * static_cast<std::size_t>(plane) +
                               static_cast<std::size_t>(y * w.size[0] + x);
        constexpr int kAtOnce = output == ColumnOutput::Overwrite ? 1 : 6;  // loads on their way at once
#pragma unroll 8
        for (int from = half; from < kPlanes; from += 2 * kAtOnce) {
            float factor[kAtOnce];
            float addend[kAtOnce];
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int z = from + 2 * k;
                const std::size_t i = at + static_cast<std::size_t>(z) * static_cast<std::size_t>(plane);
                factor[k] = 1;
                addend[k] = 0;
                if (z >= lowest && z < highest) {
                    if constexpr (output == ColumnOutput::Add) {
                        addend[k] = w.out[i];
                    } else if constexpr (output == ColumnOutput::Expected) {
                        factor[k] = w.mult == nullptr ? 1.0F : __ldcs(w.mult + i);
                        addend[k] = w.add == nullptr ? 0.0F : __ldcs(w.add + i);
                    }
                }
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int z = from + 2 * k;
                if (z < lowest || z >= highest) {
                    continue;
                }
                const float value = results[z * pitch + p] + results[(kPlanes + z) * pitch + p];
                const float result =
                    output == ColumnOutput::Overwrite ? value : expectedCounts(value, factor[k], addend[k]);
                w.out[at + static_cast<std::size_t>(z) * static_cast<std::size_t>(plane)] = result;
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
    return planes == 16 ? kernelFor<2>(gather, output) : kernelFor<6>(gather, output);
}

}  // namespace

void listColumnRows(cudaStream_t stream, const ColumnView& view, const int (&size)[3], Gather gather,
                    std::uint16_t* list, std::uint16_t* ofPixel) {
    const bool bySource = gather == Gather::BySource;
    rowsKernel<<<static_cast<unsigned>(view.blocks), 256,
                 static_cast<std::size_t>(view.rows) * sizeof(std::uint32_t), stream>>>(
        view, size[0], size[1], bySource ? view.tile : view.targets, bySource ? view.slots : 32 * view.groups,
        list, view.tableRows[bySource ? 1 : 0], ofPixel);
    checkLaunch("list the rows of blocks", {static_cast<std::size_t>(view.blocks)});
}

int columnWindows(int planes, int reach, int nz) {
    const int step = planes - 2 * reach;
    return nz <= planes ? 1 : 1 + (nz - planes + step - 1) / step;
}

std::size_t columnSharedBytes(const ColumnView& view, int planes, Gather gather) {
    return sharedLayout(view, planes, gather == Gather::BySource).total;
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
               ? reinterpret_cast<const void*>(&columnKernel<6, Gather::ByTarget, ColumnOutput::Overwrite>)
               : reinterpret_cast<const void*>(&columnKernel<6, Gather::BySource, ColumnOutput::Overwrite>);
}

}  // namespace tof::device
