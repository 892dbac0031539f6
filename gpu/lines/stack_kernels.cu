// SPDX-License-Identifier: Apache-2.0
// A warp sweeps along its share of a transverse path, through the crossings of planes and faces and through
// columns; its lanes are pairs of voxels of a column, (2 l, 2 l + 1). Everything that adds up along the path
// is in double. Forward: the integral of every voxel's value along the path so far is linear between two
// columns. When planes pass a face, the difference of the integrals below and above it joins the rows of
// these planes, in shared memory. Back: the sum of the data of all planes that are in a voxel changes at
// crossings alone; its integral over a column is what the column gets.
#include "gpu/lines/stack_kernels.h"

#include <algorithm>

#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_stack_kernels {

constexpr unsigned kMostThreads = 192;
constexpr int kBlocks = 5;  // per multiprocessor
constexpr int kTile = 32;   // columns per block when an image is turned
/// The lines of a block: neighbours along the radial direction.
struct BlockLines {
    std::size_t slot;
    int radial;  ///< radial bin of the first line
    int count;
};

/// Blocks in turn: from the centre outwards, so that the longest paths start first.
__device__ BlockLines linesOf(const StackPart& part, int perBlock, unsigned turn) {
    const unsigned slots = static_cast<unsigned>(part.lines) / static_cast<unsigned>(part.radialBins);
    const int groups = (part.radialBins + perBlock - 1) / perBlock;
    const int outwards = static_cast<int>(turn / slots);
    const int side = (outwards + 1) / 2;
    const int group = (groups - 1) / 2 + (outwards % 2 == 1 ? side : -side);
    const int first = group * perBlock;
    const int left = part.radialBins - first;
    return {turn % slots, first, left < perBlock ? left : perBlock};
}

/// What one of `of` warps takes of a path: the steps after `begin` until `end`.
struct StepRange {
    std::uint32_t begin;
    std::uint32_t end;
};

__device__ StepRange shareOfPath(const StackPart& part, std::size_t path, int warp, int of) {
    const std::uint32_t begin = part.begins[path];
    const std::uint32_t records = part.begins[path + 1] - begin;
    const std::uint32_t steps = records > 0 ? records - 1 : 0;
    return {begin + steps * static_cast<std::uint32_t>(warp) / static_cast<std::uint32_t>(of),
            begin + steps * static_cast<std::uint32_t>(warp + 1) / static_cast<std::uint32_t>(of)};
}

template <typename T>
__device__ T fetched(const T* from) {
    static_assert(sizeof(T) == sizeof(int4));
    const int4 raw = __ldg(reinterpret_cast<const int4*>(from));
    T value;
    memcpy(&value, &raw, sizeof(T));
    return value;
}

/// A voxel pair's values on the way and their integrals, which are value x t + rest at the path parameter t.
class PairIntegrals {
  public:
    /// In the column that begins at t.
    __device__ void enter(double t, float2 value, float above) {
        const auto lower = static_cast<double>(value.x);
        const auto upper = static_cast<double>(value.y);
        const double within = lower - upper;
        const double between = upper - static_cast<double>(above);
        lowerRest_ = fma(lower_ - lower, t, lowerRest_);
        withinRest_ = fma(within_ - within, t, withinRest_);
        betweenRest_ = fma(between_ - between, t, betweenRest_);
        lower_ = lower;
        within_ = within;
        between_ = between;
    }
    /// The integral of the lower voxel less that of the upper one.
    [[nodiscard]] __device__ double withinPair(double t) const { return fma(within_, t, withinRest_); }
    /// The integral of the upper voxel less that of the lower one of the pair above.
    [[nodiscard]] __device__ double betweenPairs(double t) const { return fma(between_, t, betweenRest_); }
    [[nodiscard]] __device__ double lower(double t) const { return fma(lower_, t, lowerRest_); }

  private:
    double lower_ = 0;
    double lowerRest_ = 0;
    double within_ = 0;  ///< lower less upper
    double withinRest_ = 0;
    double between_ = 0;  ///< upper less the lower one of the pair above
    double betweenRest_ = 0;
};

__device__ float2 pairOf(const StackPart& part, const float* columns, std::size_t pitch, int column,
                         int pair) {
    const bool inside = static_cast<unsigned>(2 * pair) < static_cast<unsigned>(part.height) && column >= 0;
    return inside
               ? __ldg(reinterpret_cast<const float2*>(columns + static_cast<std::size_t>(column) * pitch) +
                       pair)
               : make_float2(0.0F, 0.0F);
}

/// The crossings of one kind in one turn, one fetched ahead.
class CrossingList {
  public:
    __device__ CrossingList(DeviceSpan<const LaneCrossing> all, int count, int turn, int passed)
        : list_(all.get() + static_cast<std::size_t>(turn) * (count + 1)),
          passed_(passed),
          next_(fetched(list_ + passed)) {}

    /// Calls use(crossing) for those that are not passed before `until`.
    template <typename Use>
    __device__ void pass(int until, const Use& use) {
#pragma unroll 1
        for (; passed_ < until; ++passed_) {
            const LaneCrossing crossing = next_;
            next_ = fetched(list_ + passed_ + 1);
            use(crossing);
        }
    }
    [[nodiscard]] __device__ int passed() const {
        return passed_;
    }

  private:
    const LaneCrossing* list_;
    int passed_;
    LaneCrossing next_;
};

/// Calls use(family) for all families as they are after `passed` crossings; lanes fetch 32 of them at once.
template <typename Use>
__device__ void forEachFamily(const StackPart& part, int turn, int passed, const Use& use) {
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int places = part.withinCount + part.betweenCount + 1;
    const LaneFamily* const all =
        part.families.get() + (static_cast<std::size_t>(turn) * places + passed) * part.familyCount;
    for (int first = 0; first < part.familyCount; first += kWarp) {
        const int count = min(kWarp, part.familyCount - first);
        const LaneFamily mine = lane < count ? all[first + lane] : LaneFamily{0, 0};
#pragma unroll 1
        for (int f = 0; f < count; ++f) {
            use(LaneFamily{__shfl_sync(kAllLanes, mine.row, f), __shfl_sync(kAllLanes, mine.lanes, f)});
        }
    }
}

/// Adds the warp's share of a path to its rows.
__device__ void sweepForward(const StackPart& part, const StepRange& range, const float* columns,
                             std::size_t pitch, int turn, double* rows) {
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int pair = turn * kTurnPairs - 1 + lane;
    // The last lane only knows the pair above for the one before it.
    const unsigned mine = lane < kTurnPairs ? 1U << lane : 0U;
    double* const row = rows + lane;
    const SweepStep* const steps = part.steps.get();
    SweepStep step = fetched(steps + range.begin);
    double t = step.to;
    CrossingList within(part.within, part.withinCount, turn, step.within);
    CrossingList between(part.between, part.betweenCount, turn, step.between);
    PairIntegrals integrals;
    step = fetched(steps + range.begin + 1);
    float2 value = pairOf(part, columns, pitch, step.column, pair);
    for (std::uint32_t i = range.begin + 1; i <= range.end; ++i) {
        const SweepStep nextStep = fetched(steps + (i < range.end ? i + 1 : i));
        const float2 nextValue = pairOf(part, columns, pitch, nextStep.column, pair);
        integrals.enter(t, value, __shfl_down_sync(kAllLanes, value.x, 1));
        within.pass(step.within, [&](const LaneCrossing& crossing) {
            const double difference = integrals.withinPair(crossing.at);
            if ((crossing.lanes & mine) != 0) {
                row[crossing.row] += difference;
            }
            __syncwarp();
        });
        between.pass(step.between, [&](const LaneCrossing& crossing) {
            const double difference = integrals.betweenPairs(crossing.at);
            if ((crossing.lanes & mine) != 0) {
                row[crossing.row] += difference;
            }
            __syncwarp();
        });
        t = step.to;
        step = nextStep;
        value = nextValue;
    }
    const double lower = integrals.lower(t);
    const double upper = lower - integrals.withinPair(t);
    forEachFamily(part, turn, within.passed() + between.passed(), [&](const LaneFamily& family) {
        const double integral = (family.row & 1) != 0 ? upper : lower;
        if ((family.lanes & mine) != 0) {
            row[family.row >> 2] += (family.row & 2) != 0 ? -integral : integral;
        }
    });
    __syncwarp();
}

__global__ void __launch_bounds__(kMostThreads, kBlocks)
    forwardKernel(StackPart part, StackShape shape, const float* columns, std::size_t pitch, float* p) {
    extern __shared__ double sm_rows[];
    const BlockLines lines = linesOf(part, shape.lines, blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warp = static_cast<int>(threadIdx.x / kWarp);
    const int line = warp % shape.lines;
    const std::size_t first = lines.slot * part.radialBins + lines.radial;
    const int turns = turnsOf(part.height);
    double* const mine = sm_rows + static_cast<std::size_t>(warp) * part.rowCount;
    for (int ray = 0; ray < part.rays; ++ray) {
        for (int row = lane; row < part.rowCount; row += kWarp) {
            mine[row] = 0;
        }
        __syncwarp();
        if (line < lines.count) {
            const StepRange range =
                shareOfPath(part, (first + line) * part.rays + ray, warp / shape.lines, shape.warps);
            for (int turn = 0; turn < turns && range.begin < range.end; ++turn) {
                sweepForward(part, range, columns, pitch, turn, mine);
            }
        }
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < shape.lines * part.sinograms;
             i += static_cast<int>(blockDim.x)) {
            const int of = i % shape.lines;
            const int sinogram = i / shape.lines;
            if (of >= lines.count) {
                continue;
            }
            double sum = 0;
            for (int share = 0; share < shape.warps; ++share) {
                sum += sm_rows[static_cast<std::size_t>(share * shape.lines + of) * part.rowCount +
                               part.rows[sinogram]];
            }
            const float transverse = part.transverse_mm[(first + of) * part.rays + ray];
            const float rise = part.rises[sinogram];
            const double length = static_cast<double>(transverse) * (rise < 0 ? -sum : sum) * part.share;
            float* const out =
                p + (lines.slot * part.sinograms + sinogram) * part.radialBins + lines.radial + of;
            const float value = relativeLength(rise, transverse) * static_cast<float>(length);
            *out = ray == 0 ? value : *out + value;
        }
        __syncthreads();
    }
}

/// Exponent of the units per mm, a power of two, so that no sum reaches 2^62 of them.
__device__ int unitExponent(const StackPart& part, const StackSums& sums) {
    const double bound = static_cast<double>(__uint_as_float(sums.largest[0])) * part.bound_mm;
    const int exponent =
        (__double2hiint(bound) >> 20) - 1023;  // no float times a length is subnormal in double
    return bound > 0 ? kFixedBits - 1 - exponent : 0;
}

__device__ double powerOfTwo(int exponent) {
    return __hiloint2double((exponent + 1023) << 20, 0);
}

/// What a sum that changes on the way adds up to since the begin: sum x t - passed at the path parameter t.
struct ChangingSum {
    double sum = 0;
    double passed = 0;

    __device__ void add(double datum, double t) {
        sum += datum;
        passed = fma(datum, t, passed);
    }
    [[nodiscard]] __device__ double integral(double t) const { return fma(sum, t, -passed); }
};

__device__ void addFixed(FixedSum* sum, double value) {
    const long long units = __double2ll_rn(value);
    if (units != 0) {
        atomicAdd(sum, static_cast<FixedSum>(units));
    }
}

/// Adds the warp's share of a path to columns. `rows` are data in units of the sums, negative where heights
/// fall.
__device__ void sweepBack(const StackPart& part, const StepRange& range, int turn, const double* rows,
                          FixedSum* sums) {
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int pair = turn * kTurnPairs - 1 + lane;
    const unsigned mine = 1U << lane;
    const double* const row = rows + lane;
    const SweepStep* const steps = part.steps.get();
    const std::size_t pitch = halfPitch(part.height);
    // The first lane only knows the pair below for the one behind it.
    const bool lowerInside = lane > 0 && 2 * pair < part.height;
    const bool upperInside = lane > 0 && 2 * pair + 1 < part.height;
    SweepStep step = fetched(steps + range.begin);
    CrossingList withinList(part.within, part.withinCount, turn, step.within);
    CrossingList betweenList(part.between, part.betweenCount, turn, step.between);
    double lower = 0;  // data of the planes that are in the voxel when the share begins
    double upper = 0;
    forEachFamily(part, turn, step.within + step.between, [&](const LaneFamily& family) {
        if ((family.lanes & mine) != 0) {
            const double datum = row[family.row >> 2];
            const double here = (family.row & 2) != 0 ? -datum : datum;
            lower += (family.row & 1) != 0 ? 0.0 : here;
            upper += (family.row & 1) != 0 ? here : 0.0;
        }
    });
    double lowerBefore = lower * step.to;
    double upperBefore = upper * step.to;
    ChangingSum within;   // what went from the lower to the upper voxel
    ChangingSum between;  // and from there to the lower one of the pair above
    step = fetched(steps + range.begin + 1);
    for (std::uint32_t i = range.begin + 1; i <= range.end; ++i) {
        const SweepStep nextStep = fetched(steps + (i < range.end ? i + 1 : i));
        withinList.pass(step.within, [&](const LaneCrossing& crossing) {
            if ((crossing.lanes & mine) != 0) {
                within.add(row[crossing.row], crossing.at);
            }
        });
        betweenList.pass(step.between, [&](const LaneCrossing& crossing) {
            if ((crossing.lanes & mine) != 0) {
                between.add(row[crossing.row], crossing.at);
            }
        });
        const double up = within.integral(step.to);
        const double out = between.integral(step.to);
        const double in = __shfl_up_sync(kAllLanes, out, 1);
        const double lowerNow = fma(lower, step.to, in - up);
        const double upperNow = fma(upper, step.to, up - out);
        FixedSum* const column = sums + static_cast<std::size_t>(step.column) * 2 * pitch + pair;
        if (lowerInside) {
            addFixed(column, lowerNow - lowerBefore);
        }
        if (upperInside) {
            addFixed(column + pitch, upperNow - upperBefore);
        }
        lowerBefore = lowerNow;
        upperBefore = upperNow;
        step = nextStep;
    }
}

__global__ void __launch_bounds__(kMostThreads, kBlocks)
    backKernel(StackPart part, StackShape shape, const float* p, StackSums sums) {
    extern __shared__ double sm_rows[];
    const BlockLines lines = linesOf(part, shape.lines, blockIdx.x);
    const int warp = static_cast<int>(threadIdx.x / kWarp);
    const int line = warp % shape.lines;
    const std::size_t first = lines.slot * part.radialBins + lines.radial;
    const int turns = turnsOf(part.height);
    const double factor = powerOfTwo(unitExponent(part, sums));
    for (int i = static_cast<int>(threadIdx.x); i < shape.lines * part.rowCount;
         i += static_cast<int>(blockDim.x)) {
        sm_rows[i] = 0;
    }
    for (int ray = 0; ray < part.rays; ++ray) {
        __syncthreads();
        bool any = false;
        for (int i = static_cast<int>(threadIdx.x); i < lines.count * part.sinograms;
             i += static_cast<int>(blockDim.x)) {
            const int of = i % lines.count;
            const int sinogram = i / lines.count;
            const float value =
                p[(lines.slot * part.sinograms + sinogram) * part.radialBins + lines.radial + of];
            any = any || value != 0.0F;
            const float transverse = part.transverse_mm[(first + of) * part.rays + ray];
            const float rise = part.rises[sinogram];
            const double units = static_cast<double>(value * relativeLength(rise, transverse)) *
                                 (static_cast<double>(transverse) * factor);
            sm_rows[static_cast<std::size_t>(of) * part.rowCount + part.rows[sinogram]] =
                rise < 0 ? -units : units;
        }
        if (!__syncthreads_or(static_cast<int>(any))) {
            return;
        }
        if (line < lines.count) {
            const StepRange range =
                shareOfPath(part, (first + line) * part.rays + ray, warp / shape.lines, shape.warps);
            for (int turn = 0; turn < turns && range.begin < range.end; ++turn) {
                sweepBack(part, range, turn, sm_rows + static_cast<std::size_t>(line) * part.rowCount,
                          sums.sums.get());
            }
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
    const double unit = part.share * powerOfTwo(-unitExponent(part, sums));
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

unsigned stackBlocks(const StackPart& part, const StackShape& shape) {
    const auto radialBins = static_cast<std::size_t>(part.radialBins);
    return blocksFor(radialBins, static_cast<std::size_t>(shape.lines)) *
           static_cast<unsigned>(part.lines / radialBins);
}

unsigned threadsOf(const StackShape& shape) {
    return static_cast<unsigned>(shape.lines * shape.warps * kWarp);
}

std::size_t forwardShared(const StackPart& part, const StackShape& shape) {
    return static_cast<std::size_t>(shape.lines * shape.warps) * static_cast<std::size_t>(part.rowCount) *
           sizeof(double);
}

std::size_t backShared(const StackPart& part, const StackShape& shape) {
    return static_cast<std::size_t>(shape.lines) * static_cast<std::size_t>(part.rowCount) * sizeof(double);
}

}  // namespace in_stack_kernels
using namespace in_stack_kernels;

bool allowStack(const StackPart& part, const StackShape& forward, const StackShape& back) {
    const std::size_t forForward = forwardShared(part, forward);
    const std::size_t forBack = backShared(part, back);
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "ask for shared memory");
    if (std::max(forForward, forBack) > static_cast<std::size_t>(most)) {
        return false;
    }
    check(cudaFuncSetAttribute(forwardKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(forForward)),
          "allow shared memory", {forForward});
    check(cudaFuncSetAttribute(backKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(forBack)),
          "allow shared memory", {forBack});
    return true;
}

void stackColumns(cudaStream_t stream, DeviceSpan<const float> image, std::size_t columnCount, int height,
                  DeviceSpan<float> columns) {
    const dim3 grid(blocksFor(columnCount, kTile), blocksFor(static_cast<std::size_t>(height), kTile));
    columnsKernel<<<grid, dim3(kTile, 8), 0, stream>>>(image.get(), columnCount, height, columnPitch(height),
                                                       columns.get());
    checkLaunch("columns of an image", {columnCount});
}

void stackForward(cudaStream_t stream, const StackPart& part, const StackShape& shape,
                  DeviceSpan<const float> columns, DeviceSpan<float> p) {
    forwardKernel<<<stackBlocks(part, shape), threadsOf(shape), forwardShared(part, shape), stream>>>(
        part, shape, columns.get(), columnPitch(part.height), p.get());
    checkLaunch("forward projection of shared paths", {part.lines});
}

void stackBack(cudaStream_t stream, const StackPart& part, const StackShape& shape, DeviceSpan<const float> p,
               const StackSums& sums) {
    backKernel<<<stackBlocks(part, shape), threadsOf(shape), backShared(part, shape), stream>>>(
        part, shape, p.get(), sums);
    checkLaunch("back projection of shared paths", {part.lines});
}

void stackFinish(cudaStream_t stream, const StackPart& part, const StackSums& sums, Write write,
                 DeviceSpan<float> image) {
    const dim3 grid(blocksFor(sums.columnCount, kTile), blocksFor(halfPitch(part.height), kTile), 2);
    finishKernel<<<grid, dim3(kTile, 8), 0, stream>>>(part, sums, write, image.get());
    checkLaunch("end of fixed-point back projection", {sums.columnCount});
}

}  // namespace tof::device
