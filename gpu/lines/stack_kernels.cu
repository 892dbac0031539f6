// SPDX-License-Identifier: Apache-2.0
// Forward: a warp follows one transverse path, its lanes are sinograms; neighbours read neighbouring voxels
// of one column. No shared memory. Back: a block holds the data of one transverse line in shared memory, a
// warp takes one step of the path at a time, its lanes are voxels of the column; lengths are computed by
// lanes that are families of planes and read by all.
#include "gpu/lines/stack_kernels.h"

#include <algorithm>

#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace {

constexpr unsigned kForwardThreads = 128;
constexpr int kForwardWarps = kForwardThreads / kWarp;
constexpr int kGroups = 6;  // sinograms per lane in forward projection
constexpr unsigned kBackThreads = 256;
constexpr int kBackWarps = kBackThreads / kWarp;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr int kBackBlocks = 5;  // per multiprocessor: leaves 48 registers
#else
constexpr int kBackBlocks = 4;
#endif
constexpr int kTile = 32;  // columns per block when an image is turned

template <bool inside>
__device__ float voxelOf(const float* column, int z, int height) {
    if constexpr (inside) {
        return column[z];
    } else {
        return static_cast<unsigned>(z) < static_cast<unsigned>(height) ? column[z] : 0.0F;
    }
}

/// A transverse line of a part.
struct LinePlace {
    std::size_t slot;
    std::size_t radial;
    std::size_t line;
};

/// Lines of blocks in turn: from the centre outwards, so that the longest paths start first.
__device__ LinePlace lineOf(const StackPart& part, unsigned turn) {
    const unsigned slots = static_cast<unsigned>(part.lines) / static_cast<unsigned>(part.radialBins);
    const int outwards = static_cast<int>(turn / slots);
    const int side = (outwards + 1) / 2;
    const int radial = (part.radialBins - 1) / 2 + (outwards % 2 == 1 ? side : -side);
    const std::size_t slot = turn % slots;
    return {slot, static_cast<std::size_t>(radial), slot * part.radialBins + radial};
}

/// What one of `of` warps takes of a path.
struct StepRange {
    std::uint32_t begin;
    std::uint32_t end;
};

__device__ StepRange shareOfPath(const StackPart& part, std::size_t path, unsigned warp, unsigned of) {
    const std::uint32_t begin = part.begins[path];
    const std::uint32_t steps = part.begins[path + 1] - begin;
    return {begin + steps * warp / of, begin + steps * (warp + 1) / of};
}

template <bool inside, bool steep>
__global__ void __launch_bounds__(kForwardThreads, 7)
    forwardKernel(StackPart part, const float* columns, std::size_t pitch, float* p) {
    __shared__ float sm_sums[kForwardWarps][kGroups][kWarp];
    const unsigned chunks = (part.sinograms + kWarp * kGroups - 1) / (kWarp * kGroups);
    const LinePlace at = lineOf(part, blockIdx.x / chunks);
    const unsigned warp = threadIdx.x / kWarp;
    const unsigned lane = threadIdx.x % kWarp;
    const int first = static_cast<int>(blockIdx.x % chunks) * kWarp * kGroups + static_cast<int>(lane);
    PlaneLine plane[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        const int sinogram = first + g * kWarp;
        plane[g] = part.planes[sinogram < part.sinograms ? sinogram : part.sinograms - 1];
        sm_sums[warp][g][lane] = 0;
    }
    for (int ray = 0; ray < part.rays; ++ray) {
        const std::size_t path = at.line * part.rays + ray;
        const auto [begin, end] = shareOfPath(part, path, warp, kForwardWarps);
        if (begin == end) {
            continue;
        }
        const float transverse = part.transverse_mm[path];
        PathStep step = part.steps[begin];
        int voxel[kGroups];
        float length[kGroups];
        float perHeight[kGroups];
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            voxel[g] = voxelAt(plane[g], step.from);
            length[g] = 0;
            perHeight[g] = lengthPerHeight(plane[g], transverse);
        }
        for (std::uint32_t i = begin; i < end; ++i) {
            const PathStep next = part.steps[i + 1];
            const float* const column = columns + static_cast<std::size_t>(step.column) * pitch;
            int to[kGroups];
            float value[kGroups];
#pragma unroll
            for (int g = 0; g < kGroups; ++g) {
                to[g] = voxelAt(plane[g], step.to);
                value[g] = voxelOf<inside>(column, to[g], part.height);
            }
#pragma unroll
            for (int g = 0; g < kGroups; ++g) {
                if (to[g] == voxel[g]) {
                    length[g] = fmaf(step.length, value[g], length[g]);
                } else if constexpr (steep) {
                    ColumnCrossing crossing(plane[g], step, perHeight[g]);
                    do {
                        length[g] +=
                            crossing.length() * voxelOf<inside>(column, crossing.voxel(), part.height);
                    } while (crossing.next());
                    voxel[g] = to[g];
                } else {
                    const float before = lengthToFace(fmaf(plane[g].slope, step.from, plane[g].at), voxel[g],
                                                      to[g], perHeight[g], step.length);
                    length[g] = fmaf(before, voxelOf<inside>(column, voxel[g], part.height), length[g]);
                    length[g] = fmaf(step.length - before, value[g], length[g]);
                    voxel[g] = to[g];
                }
            }
            step = next;
        }
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const int sinogram = first + g * kWarp;
            const float rise = part.rises[sinogram < part.sinograms ? sinogram : part.sinograms - 1];
            sm_sums[warp][g][lane] += relativeLength(rise, transverse) * length[g];
        }
    }
    __syncthreads();
    const float share = 1.0F / static_cast<float>(part.rays);
    for (int g = static_cast<int>(warp); g < kGroups; g += kForwardWarps) {
        const int sinogram = first + g * kWarp;
        float sum = 0;
        for (int other = 0; other < kForwardWarps; ++other) {
            sum += sm_sums[other][g][lane];
        }
        if (sinogram < part.sinograms) {
            p[(at.slot * part.sinograms + sinogram) * part.radialBins + at.radial] = share * sum;
        }
    }
}

/// A family as one step needs it.
struct __align__(16) FamilyLine {
    PlaneLine line;
    std::int32_t base;
    float perHeight;
};

/// What a family contributes to the voxels of one parity: weight * data[offset + z / 2].
struct __align__(8) Entry {
    std::int32_t offset;
    float weight;
};

/// Entries of one parity that a step can make, in fours.
__host__ __device__ int entryRoom(const StackPart& part) {
    return (part.familyCount * ((part.mostVoxels + 1) / 2) + 7) / 4 * 4;
}

__host__ __device__ int lanesAlongColumn(const StackPart& part) {
    return ((part.height + 1) / 2 + kWarp - 1) / kWarp * kWarp;
}

/// Lists of one warp: what each family gives to even and to odd voxels of a column.
class StepLists {
  public:
    __device__ StepLists(Entry* even, Entry* odd) : lists_{even, odd} {}

    template <bool inside, bool steep>
    __device__ void make(const StackPart& part, const PathStep& step, const FamilyLine* families) {
        const int lane = static_cast<int>(threadIdx.x % kWarp);
        counts_[0] = 0;
        counts_[1] = 0;
        for (int begin = 0; begin < part.familyCount; begin += kWarp) {
            const int f = begin + lane;
            [[maybe_unused]] bool more = f < part.familyCount;
            const FamilyLine family = families[more ? f : part.familyCount - 1];
            const int top = inside ? 0 : 2 * (part.families[more ? f : part.familyCount - 1].places - 1);
            ColumnCrossing crossing(family.line, step, family.perHeight);
            if constexpr (inside && !steep) {
                appendBoth(more, family.base, crossing);
            } else {
                while (__any_sync(kAllLanes, more)) {
                    const int z = crossing.voxel();
                    const bool hit = more && (inside || (z < part.height && z + top >= 0));
                    append(0, hit && (z & 1) == 0, {family.base - (z >> 1), crossing.length()});
                    append(1, hit && (z & 1) != 0, {family.base - (z >> 1), crossing.length()});
                    more = more && crossing.next();
                }
            }
        }
        fill(0, families[0].base);
        fill(1, families[0].base);
        __syncwarp();
    }

    /// Sum of a parity's entries for the voxel of this lane.
    [[nodiscard]] __device__ float gather(int parity, const float* data) const {
        const auto* const fours = reinterpret_cast<const float4*>(lists_[parity]);
        float one = 0;
        float two = 0;
        for (int i = 0; i < counts_[parity]; i += 4) {
            const float4 a = fours[i / 2];
            const float4 b = fours[i / 2 + 1];
            one = fmaf(a.y, data[__float_as_int(a.x)], one);
            two = fmaf(a.w, data[__float_as_int(a.z)], two);
            one = fmaf(b.y, data[__float_as_int(b.x)], one);
            two = fmaf(b.w, data[__float_as_int(b.z)], two);
        }
        return one + two;
    }

  private:
    /// The one or two voxels that a line crosses: neighbours, so one of each parity.
    __device__ void appendBoth(bool mine, int base, ColumnCrossing& crossing) {
        const unsigned before = (1U << (threadIdx.x % kWarp)) - 1U;
        const int z = crossing.voxel();
        const Entry one{base - (z >> 1), crossing.length()};
        const bool crosses = mine && crossing.next();
        const Entry two{base - (crossing.voxel() >> 1), crossing.length()};
        const unsigned odd = __ballot_sync(kAllLanes, mine && (z & 1) != 0);
        const unsigned even = __ballot_sync(kAllLanes, mine) & ~odd;
        const unsigned both = __ballot_sync(kAllLanes, crosses);
        const unsigned toEven = even | (odd & both);
        const unsigned toOdd = odd | (even & both);
        const bool startsOdd = (z & 1) != 0;
        const int placeEven = counts_[0] + __popc(toEven & before);
        const int placeOdd = counts_[1] + __popc(toOdd & before);
        Entry* const first = startsOdd ? lists_[1] + placeOdd : lists_[0] + placeEven;
        Entry* const second = startsOdd ? lists_[0] + placeEven : lists_[1] + placeOdd;
        if (mine) {
            *first = one;
        }
        if (crosses) {
            *second = two;
        }
        counts_[0] += __popc(toEven);
        counts_[1] += __popc(toOdd);
    }
    __device__ void append(int parity, bool mine, Entry entry) {
        const unsigned lane = threadIdx.x % kWarp;
        const unsigned who = __ballot_sync(kAllLanes, mine);
        if (mine) {
            lists_[parity][counts_[parity] + __popc(who & ((1U << lane) - 1U))] = entry;
        }
        counts_[parity] += __popc(who);
    }
    __device__ void fill(int parity, int offset) {
        if (threadIdx.x % kWarp < 4) {
            lists_[parity][counts_[parity] + threadIdx.x % kWarp] = {offset, 0.0F};
        }
    }

    Entry* lists_[2];  ///< even, odd
    int counts_[2];
};

/// Units per mm: a power of two, so that no sum reaches 2^62 of them.
__device__ double fixedUnits(const StackPart& part, const StackSums& sums) {
    const double bound = static_cast<double>(__uint_as_float(sums.largest[0])) * part.bound_mm;
    return bound > 0 ? ldexp(1.0, kFixedBits - 1 - ilogb(bound)) : 1.0;
}

__device__ void addFixed(FixedSum* sum, float value, double factor) {
    if (value != 0.0F) {
        atomicAdd(sum, static_cast<FixedSum>(__double2ll_rn(static_cast<double>(value) * factor)));
    }
}

template <bool inside, bool steep>
__global__ void __launch_bounds__(kBackThreads, kBackBlocks)
    backKernel(StackPart part, const float* p, StackSums sums) {
    extern __shared__ float4 sm_memory[];
    auto* const sm_families = reinterpret_cast<FamilyLine*>(sm_memory);
    auto* const sm_entries = reinterpret_cast<Entry*>(sm_families + part.familyCount);
    const int room = entryRoom(part);
    auto* const sm_data = reinterpret_cast<float*>(sm_entries + 2 * kBackWarps * room);

    const LinePlace place = lineOf(part, blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warp = static_cast<int>(threadIdx.x / kWarp);
    const int lanes = lanesAlongColumn(part);
    StepLists lists(sm_entries + 2 * warp * room, sm_entries + (2 * warp + 1) * room);
    const double factor = fixedUnits(part, sums);
    const std::size_t pitch = halfPitch(part.height);

    for (int i = static_cast<int>(threadIdx.x); i < part.paddedSize + lanes; i += kBackThreads) {
        sm_data[i] = 0;
    }
    for (int ray = 0; ray < part.rays; ++ray) {
        const std::size_t path = place.line * part.rays + ray;
        if (part.begins[path] == part.begins[path + 1]) {
            continue;
        }
        const float transverse = part.transverse_mm[path];
        __syncthreads();
        bool any = false;
        for (int s = static_cast<int>(threadIdx.x); s < part.sinograms; s += kBackThreads) {
            const float value = p[(place.slot * part.sinograms + s) * part.radialBins + place.radial];
            any = any || value != 0.0F;
            sm_data[part.places[s]] = value * relativeLength(part.rises[s], transverse);
        }
        for (int f = static_cast<int>(threadIdx.x); f < part.familyCount; f += kBackThreads) {
            const PlaneFamily family = part.families[f];
            sm_families[f] = {family.line, family.base, lengthPerHeight(family.line, transverse)};
        }
        if (!__syncthreads_or(any)) {
            return;
        }
        const auto [begin, end] = shareOfPath(part, path, warp, kBackWarps);
        for (std::uint32_t i = begin; i < end; ++i) {
            const PathStep step = part.steps[i];
            lists.make<inside, steep>(part, step, sm_families);
            FixedSum* const column = sums.sums.get() + static_cast<std::size_t>(step.column) * 2 * pitch;
            for (int at = lane; at < lanes; at += kWarp) {
                const float even = lists.gather(0, sm_data + at);
                const float odd = lists.gather(1, sm_data + at);
                if (2 * at < part.height) {
                    addFixed(column + at, even, factor);
                    addFixed(column + pitch + at, odd, factor);
                }
            }
            __syncwarp();
        }
    }
}

__global__ void columnsKernel(const float* image, std::size_t columnCount, int height, std::size_t pitch,
                              float* columns) {
    __shared__ float sm_tile[kTile][kTile + 1];
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kTile;
    const int z0 = static_cast<int>(blockIdx.y) * kTile;
    for (int z = static_cast<int>(threadIdx.y); z < kTile; z += static_cast<int>(blockDim.y)) {
        if (first + threadIdx.x < columnCount && z0 + z < height) {
            sm_tile[z][threadIdx.x] = image[(z0 + z) * columnCount + first + threadIdx.x];
        }
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.y); c < kTile; c += static_cast<int>(blockDim.y)) {
        const int z = z0 + static_cast<int>(threadIdx.x);
        if (first + c < columnCount && z < height) {
            columns[(first + c) * pitch + z] = sm_tile[threadIdx.x][c];
        }
    }
}

__global__ void finishKernel(StackPart part, StackSums sums, Write write, float* image) {
    __shared__ float sm_tile[kTile][kTile + 1];  // [half z][column]
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kTile;
    const int parity = static_cast<int>(blockIdx.z);
    const int h0 = static_cast<int>(blockIdx.y) * kTile;
    const std::size_t pitch = halfPitch(part.height);
    const double unit = 1.0 / part.rays / fixedUnits(part, sums);
    for (int c = static_cast<int>(threadIdx.y); c < kTile; c += static_cast<int>(blockDim.y)) {
        const std::size_t h = h0 + threadIdx.x;
        if (first + c < sums.columnCount && h < pitch) {
            FixedSum* const at = sums.sums.get() + ((first + c) * 2 + parity) * pitch + h;
            sm_tile[threadIdx.x][c] =
                static_cast<float>(static_cast<double>(static_cast<long long>(*at)) * unit);
            *at = 0;
        }
    }
    __syncthreads();
    for (int h = static_cast<int>(threadIdx.y); h < kTile; h += static_cast<int>(blockDim.y)) {
        const int z = 2 * (h0 + h) + parity;
        if (first + threadIdx.x < sums.columnCount && z < part.height) {
            float* const out = image + z * sums.columnCount + first + threadIdx.x;
            *out = write == Write::Add ? *out + sm_tile[h][threadIdx.x] : sm_tile[h][threadIdx.x];
        }
    }
}

unsigned blocksFor(std::size_t n, std::size_t threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}

using ForwardKernel = void (*)(StackPart, const float*, std::size_t, float*);

ForwardKernel forwardFor(const StackPart& part) {
    if (part.mostVoxels > 2) {
        return part.inside ? forwardKernel<true, true> : forwardKernel<false, true>;
    }
    return part.inside ? forwardKernel<true, false> : forwardKernel<false, false>;
}

using BackKernel = void (*)(StackPart, const float*, StackSums);

BackKernel backFor(const StackPart& part) {
    if (part.mostVoxels > 2) {
        return part.inside ? backKernel<true, true> : backKernel<false, true>;
    }
    return part.inside ? backKernel<true, false> : backKernel<false, false>;
}

}  // namespace

std::size_t stackBackShared(const StackPart& part) {
    return static_cast<std::size_t>(part.familyCount) * sizeof(FamilyLine) +
           2 * kBackWarps * static_cast<std::size_t>(entryRoom(part)) * sizeof(Entry) +
           static_cast<std::size_t>(part.paddedSize + lanesAlongColumn(part)) * sizeof(float);
}

bool allowStackBack(const StackPart& part) {
    const auto bytes = static_cast<int>(stackBackShared(part));
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "ask for shared memory");
    if (bytes > most) {
        return false;
    }
    check(cudaFuncSetAttribute(backFor(part), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "allow shared memory", {static_cast<std::size_t>(bytes)});
    return true;
}

void stackColumns(cudaStream_t stream, DeviceSpan<const float> image, std::size_t columnCount, int height,
                  DeviceSpan<float> columns) {
    const dim3 grid(blocksFor(columnCount, kTile), blocksFor(static_cast<std::size_t>(height), kTile));
    columnsKernel<<<grid, dim3(kTile, 8), 0, stream>>>(image.get(), columnCount, height, columnPitch(height),
                                                       columns.get());
    checkLaunch("columns of an image", {columnCount});
}

void stackForward(cudaStream_t stream, const StackPart& part, DeviceSpan<const float> columns,
                  DeviceSpan<float> p) {
    const std::size_t chunks = blocksFor(static_cast<std::size_t>(part.sinograms), kWarp * kGroups);
    forwardFor(part)<<<static_cast<unsigned>(part.lines * chunks), kForwardThreads, 0, stream>>>(
        part, columns.get(), columnPitch(part.height), p.get());
    checkLaunch("forward projection of shared paths", {part.lines});
}

void stackBack(cudaStream_t stream, const StackPart& part, DeviceSpan<const float> p, const StackSums& sums) {
    backFor(part)<<<static_cast<unsigned>(part.lines), kBackThreads, stackBackShared(part), stream>>>(
        part, p.get(), sums);
    checkLaunch("back projection of shared paths", {part.lines});
}

void stackFinish(cudaStream_t stream, const StackPart& part, const StackSums& sums, Write write,
                 DeviceSpan<float> image) {
    const dim3 grid(blocksFor(sums.columnCount, kTile), blocksFor(halfPitch(part.height), kTile), 2);
    finishKernel<<<grid, dim3(kTile, 8), 0, stream>>>(part, sums, write, image.get());
    checkLaunch("end of fixed-point back projection", {sums.columnCount});
}

}  // namespace tof::device
