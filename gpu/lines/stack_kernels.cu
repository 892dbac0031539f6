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

namespace {

constexpr unsigned kMostThreads = 256;
constexpr int kTile = 32;  // columns per block when an image is turned
/// Pairs per warp in forward projection: the last lane knows the pair above for the one before it.
constexpr int kForwardPairs = kWarp - 1;

/// The lines of a block: neighbours along the radial direction.
struct BlockLines {
    std::size_t slot;
    int radial;  ///< of the first line
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
    /// The integral below a face less that above it.
    [[nodiscard]] __device__ double acrossFace(bool betweenPairs, double t) const {
        return betweenPairs ? fma(between_, t, betweenRest_) : fma(within_, t, withinRest_);
    }
    [[nodiscard]] __device__ double lower(double t) const { return fma(lower_, t, lowerRest_); }
    [[nodiscard]] __device__ double upper(double t) const { return lower(t) - acrossFace(false, t); }

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

/// Adds the warp's share of a path to its rows; `pair` of each lane, its first is kForwardPairs below the
/// next warp's.
__device__ void sweepForward(const StackPart& part, const StepRange& range, const float* columns,
                             std::size_t pitch, int pair, double* rows) {
    const bool mine = threadIdx.x % kWarp < kForwardPairs;
    const SweepStep* const steps = part.steps.get();
    const FaceCrossing* const crossings = part.crossings.get();
    const SweepStep start = fetched(steps + range.begin);
    double t = start.to;
    int passed = start.crossings;
    PairIntegrals integrals;
    SweepStep step = fetched(steps + range.begin + 1);
    float2 value = pairOf(part, columns, pitch, step.column, pair);
    FaceCrossing crossing = fetched(crossings + passed);
    for (std::uint32_t i = range.begin + 1; i <= range.end; ++i) {
        const SweepStep nextStep = fetched(steps + (i < range.end ? i + 1 : i));
        const float2 nextValue = pairOf(part, columns, pitch, nextStep.column, pair);
        integrals.enter(t, value, __shfl_down_sync(kAllLanes, value.x, 1));
        for (; passed < step.crossings; ++passed) {
            const FaceCrossing nextCrossing = fetched(crossings + passed + 1);
            const double difference = integrals.acrossFace(crossing.betweenPairs(), crossing.at);
            if (mine && crossing.passes(pair)) {
                rows[crossing.firstRow + pair] += difference;
            }
            __syncwarp();
            crossing = nextCrossing;
        }
        t = step.to;
        step = nextStep;
        value = nextValue;
    }
    const double lower = integrals.lower(t);
    const double upper = integrals.upper(t);
    const std::int16_t* const voxels =
        part.voxels.get() + static_cast<std::size_t>(passed) * part.familyCount;
    for (int f = 0; f < part.familyCount; ++f) {
        const SweepFamily family = part.families[f];
        const int voxel = voxels[f];
        const int plane = pair - (voxel >> 1);
        const double integral = (voxel & 1) != 0 ? upper : lower;
        if (mine && static_cast<unsigned>(plane) < static_cast<unsigned>(family.planes)) {
            rows[family.row + plane] += family.direction < 0 ? -integral : integral;
        }
    }
    __syncwarp();
}

__global__ void __launch_bounds__(kMostThreads, 4)
    forwardKernel(StackPart part, StackShape shape, const float* columns, std::size_t pitch, float* p) {
    extern __shared__ double sm_rows[];
    const BlockLines lines = linesOf(part, shape.lines, blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warp = static_cast<int>(threadIdx.x / kWarp);
    const int line = warp % shape.lines;
    const std::size_t first = lines.slot * part.radialBins + lines.radial;
    const int pairs = (part.height + 1) / 2;
    double* const mine = sm_rows + static_cast<std::size_t>(warp) * part.rowCount;
    for (int ray = 0; ray < part.rays; ++ray) {
        for (int row = lane; row < part.rowCount; row += kWarp) {
            mine[row] = 0;
        }
        __syncwarp();
        if (line < lines.count) {
            const StepRange range =
                shareOfPath(part, (first + line) * part.rays + ray, warp / shape.lines, shape.warps);
            // Planes may come from the pair below the lattice.
            for (int below = -1; below < pairs && range.begin < range.end; below += kForwardPairs) {
                sweepForward(part, range, columns, pitch, below + lane, mine);
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
            const double length = static_cast<double>(transverse) * (rise < 0 ? -sum : sum) / part.rays;
            float* const out =
                p + (lines.slot * part.sinograms + sinogram) * part.radialBins + lines.radial + of;
            const float value = relativeLength(rise, transverse) * static_cast<float>(length);
            *out = ray == 0 ? value : *out + value;
        }
        __syncthreads();
    }
}

/// Units per mm: a power of two, so that no sum reaches 2^62 of them.
__device__ double fixedUnits(const StackPart& part, const StackSums& sums) {
    const double bound = static_cast<double>(__uint_as_float(sums.largest[0])) * part.bound_mm;
    return bound > 0 ? ldexp(1.0, kFixedBits - 1 - ilogb(bound)) : 1.0;
}

/// The data of all planes in a voxel and their integral along the path, which is sum x t - passed at the path
/// parameter t.
class VoxelSum {
  public:
    __device__ void add(double datum) { sum_ += datum; }
    __device__ void add(double datum, double t) {
        sum_ += datum;
        passed_ = fma(datum, t, passed_);
    }
    /// The column's share begins.
    __device__ void begin(double t) { before_ = fma(sum_, t, -passed_); }
    /// And ends; what it is.
    __device__ double end(double t) {
        const double now = fma(sum_, t, -passed_);
        const double share = now - before_;
        before_ = now;
        return share;
    }

  private:
    double sum_ = 0;
    double passed_ = 0;
    double before_ = 0;
};

__device__ void addFixed(FixedSum* sum, double value) {
    const long long units = __double2ll_rn(value);
    if (units != 0) {
        atomicAdd(sum, static_cast<FixedSum>(units));
    }
}

/// Adds the warp's share of a path to columns. `rows` are data in units of the sums, negative where heights
/// fall.
__device__ void sweepBack(const StackPart& part, const StepRange& range, int pair, const double* rows,
                          FixedSum* sums) {
    const SweepStep* const steps = part.steps.get();
    const FaceCrossing* const crossings = part.crossings.get();
    const std::size_t pitch = halfPitch(part.height);
    const bool lowerInside = 2 * pair < part.height;
    const bool upperInside = 2 * pair + 1 < part.height;
    const SweepStep start = fetched(steps + range.begin);
    int passed = start.crossings;
    VoxelSum lower;
    VoxelSum upper;
    const std::int16_t* const voxels =
        part.voxels.get() + static_cast<std::size_t>(passed) * part.familyCount;
    for (int f = 0; f < part.familyCount; ++f) {
        const SweepFamily family = part.families[f];
        const int voxel = voxels[f];
        const int plane = pair - (voxel >> 1);
        if (static_cast<unsigned>(plane) < static_cast<unsigned>(family.planes)) {
            const double row = rows[family.row + plane];
            const double datum = family.direction < 0 ? -row : row;
            lower.add((voxel & 1) != 0 ? 0.0 : datum);
            upper.add((voxel & 1) != 0 ? datum : 0.0);
        }
    }
    lower.begin(start.to);
    upper.begin(start.to);
    SweepStep step = fetched(steps + range.begin + 1);
    FaceCrossing crossing = fetched(crossings + passed);
    for (std::uint32_t i = range.begin + 1; i <= range.end; ++i) {
        const SweepStep nextStep = fetched(steps + (i < range.end ? i + 1 : i));
        for (; passed < step.crossings; ++passed) {
            const FaceCrossing nextCrossing = fetched(crossings + passed + 1);
            const double here = crossing.passes(pair) ? rows[crossing.firstRow + pair] : 0.0;
            if (crossing.betweenPairs()) {
                const double below = crossing.passes(pair - 1) ? rows[crossing.firstRow + pair - 1] : 0.0;
                upper.add(-here, crossing.at);
                lower.add(below, crossing.at);
            } else {
                lower.add(-here, crossing.at);
                upper.add(here, crossing.at);
            }
            crossing = nextCrossing;
        }
        FixedSum* const column = sums + static_cast<std::size_t>(step.column) * 2 * pitch + pair;
        const double toLower = lower.end(step.to);
        const double toUpper = upper.end(step.to);
        if (lowerInside) {
            addFixed(column, toLower);
        }
        if (upperInside) {
            addFixed(column + pitch, toUpper);
        }
        step = nextStep;
    }
}

__global__ void __launch_bounds__(kMostThreads, 4)
    backKernel(StackPart part, StackShape shape, const float* p, StackSums sums) {
    extern __shared__ double sm_rows[];
    const BlockLines lines = linesOf(part, shape.lines, blockIdx.x);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warp = static_cast<int>(threadIdx.x / kWarp);
    const int line = warp % shape.lines;
    const std::size_t first = lines.slot * part.radialBins + lines.radial;
    const int pairs = (part.height + 1) / 2;
    const double factor = fixedUnits(part, sums);
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
            for (int pair = lane; pair - lane < pairs && range.begin < range.end; pair += kWarp) {
                sweepBack(part, range, pair, sm_rows + static_cast<std::size_t>(line) * part.rowCount,
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

}  // namespace

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
