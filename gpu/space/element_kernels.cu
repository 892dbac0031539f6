// SPDX-License-Identifier: Apache-2.0
// One thread per four elements, grid-stride; reductions take fixed chunks per block.
#include "gpu/space/element_kernels.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <variant>

#include "gpu/space/cuda_check.h"
#include "gpu/space/floor.cuh"
#include "gpu/space/launch.cuh"
#include "gpu/space/reduction.cuh"
#include "gpu/space/warp.cuh"
#include "recon/seam/element_math.h"

namespace tof::device {

namespace in_element_kernels {

constexpr unsigned kThreads = 256;
constexpr int kPerThread = 4;

__global__ void fillKernel(float* x, std::size_t n, float value) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    forElements(n, [&](std::size_t i) { x[i] = value; });
}

__global__ void fillSeenKernel(const float* s, float floor, float value, float* x, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    forElements(n, [&](std::size_t i) { x[i] = seen(s[i], floor) ? value : 0.0F; });
}

__global__ void multiplyKernel(const float* a, const float* b, float* out, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    forElements(n, [&](std::size_t i) { out[i] = a[i] * b[i]; });
}

/// Where the four elements of a thread begin, and how far on its next ones are.
__device__ std::size_t firstOfFour() {
    return static_cast<std::size_t>(blockIdx.x) * (kThreads * kPerThread) + threadIdx.x;
}
__device__ std::size_t stepOfFour() {
    return static_cast<std::size_t>(gridDim.x) * (kThreads * kPerThread);
}

/// Calls visit(k, i) for the four elements of this thread from `at` on.
template <typename Visit>
__device__ void four(std::size_t at, std::size_t n, const Visit& visit) {
#pragma unroll
    for (int k = 0; k < kPerThread; ++k) {
        if (at + k * kThreads < n) {
            visit(k, at + k * kThreads);
        }
    }
}

__global__ void addAtKernel(const std::uint64_t* places, float value, float* x, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    forElements(n, [&](std::size_t i) { atomicAdd(x + places[i], value); });
}

__global__ void addScaledKernel(const float* a, float factor, float* out, std::size_t n) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    forElements(n, [&](std::size_t i) { out[i] += factor * a[i]; });
}

template <typename Join>
__global__ void reduceKernel(const float* x, std::size_t n, ReductionArea area) {
    __shared__ double sm_warps[33];
    waitForEarlierWork();
    letLaterWorkPrepare();
    double mine = Join::identity();
    forElements(n, [&](std::size_t i) { mine = Join::join(mine, static_cast<double>(x[i])); });
    mine = joinBlock<Join>(mine, sm_warps);
    joinGrid<Join>(mine, blockIdx.x, gridDim.x, area.partial, area.total, area.ticket, sm_warps);
}

/// Calls load(k, i) for up to four elements of this thread, then use(k, i): every load is on its way before
/// the first result is stored. Covers [0, n) with gridFor(n) blocks.
template <typename Load, typename Use>
__device__ void forFour(std::size_t n, const Load& load, const Use& use) {
    for (std::size_t at = firstOfFour(); at < n; at += stepOfFour()) {
        four(at, n, load);
        four(at, n, use);
    }
}

__global__ void expectedKernel(const float* mult, const float* add, float* p, std::size_t n,
                               ReductionArea area) {
    __shared__ double sm_warps[33];
    waitForEarlierWork();
    letLaterWorkPrepare();
    double mine = 0;
    float projected[kPerThread];
    float m[kPerThread];
    float a[kPerThread];
    forFour(
        n,
        [&](int k, std::size_t i) {
            projected[k] = p[i];
            m[k] = mult == nullptr ? 1.0F : mult[i];
            a[k] = add == nullptr ? 0.0F : add[i];
        },
        [&](int k, std::size_t i) {
            const float e = expectedCounts(projected[k], m[k], a[k]);
            p[i] = e;
            mine += static_cast<double>(e);
        });
    mine = joinBlock<Sum>(mine, sm_warps);
    joinGrid<Sum>(mine, blockIdx.x, gridDim.x, area.partial, area.total, area.ticket, sm_warps);
}

__global__ void logLikelihoodKernel(const float* y, const float* e, std::size_t n, ReductionArea area) {
    __shared__ double sm_warps[33];
    waitForEarlierWork();
    letLaterWorkPrepare();
    double mine = 0;
    forElements(n, [&](std::size_t i) { mine += logLikelihoodOf(y[i], e[i]); });
    mine = joinBlock<Sum>(mine, sm_warps);
    joinGrid<Sum>(mine, blockIdx.x, gridDim.x, area.partial, area.total, area.ticket, sm_warps);
}

/// Four elements of a thread as far apart as the block is wide: of arrays of any size.
struct Apart {
    __device__ static std::size_t first() { return firstOfFour(); }
    __device__ static void load(float (&to)[kPerThread], const float* from, std::size_t at, std::size_t n) {
        four(at, n, [&](int k, std::size_t i) { to[k] = from[i]; });
    }
    __device__ static void loadOnce(float (&to)[kPerThread], const float* from, std::size_t at,
                                    std::size_t n) {
        four(at, n, [&](int k, std::size_t i) { to[k] = __ldcs(from + i); });
    }
    __device__ static void store(float* to, std::size_t at, std::size_t n, const float (&v)[kPerThread]) {
        four(at, n, [&](int k, std::size_t i) { to[i] = v[k]; });
    }
};

/// Four neighbours, moved at once: of arrays whose size is a multiple of four and whose addresses are of 16
/// bytes.
struct Together {
    __device__ static std::size_t first() {
        return (static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x) * kPerThread;
    }
    __device__ static void load(float (&to)[kPerThread], const float* from, std::size_t at, std::size_t n) {
        if (at < n) {
            unpack(to, *reinterpret_cast<const float4*>(from + at));
        }
    }
    __device__ static void loadOnce(float (&to)[kPerThread], const float* from, std::size_t at,
                                    std::size_t n) {
        if (at < n) {
            unpack(to, __ldcs(reinterpret_cast<const float4*>(from + at)));
        }
    }
    __device__ static void store(float* to, std::size_t at, std::size_t n, const float (&v)[kPerThread]) {
        if (at < n) {
            *reinterpret_cast<float4*>(to + at) = make_float4(v[0], v[1], v[2], v[3]);
        }
    }

  private:
    __device__ static void unpack(float (&to)[kPerThread], float4 v) {
        to[0] = v.x;
        to[1] = v.y;
        to[2] = v.z;
        to[3] = v.w;
    }
};

template <typename Four>
__global__ void ratioKernel(const float* y, const float* mult, float offset, float* p, std::size_t n,
                            const double* total) {
    float counts[kPerThread] = {};
    float m[kPerThread] = {1, 1, 1, 1};
    const std::size_t first = Four::first();
    // Data are on their way while the projection before is still under way: it does not write them.
    const auto ask = [&](std::size_t at) {
        Four::loadOnce(counts, y, at, n);
        if (mult != nullptr) {
            Four::loadOnce(m, mult, at, n);
        }
    };
    ask(first);
    waitForEarlierWork();
    letLaterWorkPrepare();
    const float floor = kExpectedFloor * static_cast<float>(*total / static_cast<double>(n));
    for (std::size_t at = first; at < n; at += stepOfFour()) {
        if (at != first) {
            ask(at);
        }
        float e[kPerThread] = {};
        Four::load(e, p, at, n);
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            e[k] = weightedDiscrepancy(counts[k], e[k], m[k], floor, offset);
        }
        Four::store(p, at, n, e);
    }
}

/// Joins those of `Lanes` neighbouring lanes, in the first of them.
template <int Lanes>
__device__ float2 joinLanes(float2 seen) {
#pragma unroll
    for (int offset = Lanes / 2; offset > 0; offset /= 2) {
        seen = joinSeen(seen, make_float2(__shfl_down_sync(kAllLanes, seen.x, offset),
                                          __shfl_down_sync(kAllLanes, seen.y, offset)));
    }
    return seen;
}

constexpr int kBlockWarps = kThreads / kWarp;

/// Joins those of all threads of a block; its first thread calls done() with them. `sm_warps` holds
/// kBlockWarps.
template <typename Done>
__device__ void joinSeenOfBlock(float2 seen, float2* sm_warps, const Done& done) {
    seen = joinLanes<kWarp>(seen);
    if (threadIdx.x % kWarp == 0) {
        sm_warps[threadIdx.x / kWarp] = seen;
    }
    __syncthreads();
    if (threadIdx.x < kWarp) {
        seen = joinLanes<kBlockWarps>(sm_warps[threadIdx.x % kBlockWarps]);
        if (threadIdx.x == 0) {
            done(seen);
        }
    }
}

/// Where data begin; null where there are none.
struct DataArrays {
    const float* y;
    const float* mult;
    const float* add;
};

/// Four data of a thread.
template <typename Four>
struct FourData {
    float y[kPerThread];
    float mult[kPerThread];
    float add[kPerThread];

    __device__ void ask(const DataArrays& from, std::size_t at, std::size_t n) {
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            y[k] = 0;
            mult[k] = 1;
            add[k] = 0;
        }
        Four::loadOnce(y, from.y, at, n);
        if (from.mult != nullptr) {
            Four::loadOnce(mult, from.mult, at, n);
        }
        if (from.add != nullptr) {
            Four::loadOnce(add, from.add, at, n);
        }
    }
    /// From projections to discrepancies.
    __device__ void open(float (&p)[kPerThread], float offset, float2& seen) const {
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            const float e = expectedCounts(p[k], mult[k], add[k]);
            const bool counts = y[k] != 0.0F && mult[k] != 0.0F && e > 0.0F;
            seen = joinSeen(seen, make_float2(e, counts ? e : kNothingSeen));
            p[k] = weightedDiscrepancy(y[k], e, mult[k], 0.0F, offset);
        }
    }
};

/// Fours of a thread of kernels that ask for data ahead, and blocks of theirs that a multiprocessor holds: of
/// images of a million voxels all threads are there at once, so that all that can be asked for ahead is.
constexpr int kFoursAtOnce = 2;
constexpr int kBlocksAtOnce = 4;

template <typename Four>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    openKernel(DataArrays from, float offset, float* p, std::size_t n, FloorParts left) {
    __shared__ float2 sm_warps[kBlockWarps];
    const std::size_t step = stepOfFour();
    FourData<Four> data[kFoursAtOnce];
    const auto ask = [&](std::size_t at) {
#pragma unroll
        for (int u = 0; u < kFoursAtOnce; ++u) {
            data[u].ask(from, at + u * step, n);
        }
    };
    const std::size_t first = Four::first();
    ask(first);  // on their way while the projection before is still under way
    waitForEarlierWork();
    letLaterWorkPrepare();
    float2 seen = make_float2(0, kNothingSeen);
    for (std::size_t at = first; at < n; at += kFoursAtOnce * step) {
        if (at != first) {
            ask(at);
        }
        float projected[kFoursAtOnce][kPerThread] = {};
#pragma unroll
        for (int u = 0; u < kFoursAtOnce; ++u) {
            Four::load(projected[u], p, at + u * step, n);
        }
#pragma unroll
        for (int u = 0; u < kFoursAtOnce; ++u) {
            data[u].open(projected[u], offset, seen);
            Four::store(p, at + u * step, n, projected[u]);
        }
    }
    joinSeenOfBlock(seen, sm_warps, [&](float2 all) { left.parts[blockIdx.x] = all; });
}

/// One block. Of no parts it leaves nothing seen.
__global__ void joinFloorKernel(FloorParts left, double whole, float2* to) {
    __shared__ float2 sm_warps[kBlockWarps];
    waitForEarlierWork();
    letLaterWorkPrepare();
    float2 seen = make_float2(0, kNothingSeen);
    for (unsigned i = threadIdx.x; i < left.count; i += kThreads) {
        seen = joinSeen(seen, left.parts[i]);
    }
    joinSeenOfBlock(seen, sm_warps, [&](float2 all) {
        *to = make_float2(static_cast<float>(static_cast<double>(all.x) / whole), all.y);
    });
}

__global__ void closeKernel(const float* y, const float* mult, float offset, float* p, std::size_t n,
                            FloorParts shares) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    float2 seen = make_float2(0, kNothingSeen);
    for (unsigned i = 0; i < shares.count; ++i) {
        seen = joinSeen(seen, shares.parts[i]);
    }
    const float floor = kExpectedFloor * seen.x;
    if (seen.y > floor) {
        return;  // as good as always
    }
    forElements(n, [&](std::size_t i) {
        const float m = mult == nullptr ? 1.0F : mult[i];
        if (isBeneath(floor, p[i], y[i], m, offset)) {
            p[i] = -m * offset;
        }
    });
}

/// What the next part is projected from; no att: nothing.
struct NextImage {
    const float* att;
    float* image;
};

/// What an update reads beside the image.
struct UpdateArrays {
    const float* correction;
    const float* sensitivity;
    bool settled;  ///< the sensitivity: the launch before this one does not write it
    const float* lambda;
};

/// Four voxels of a thread.
template <typename Four>
struct FourVoxels {
    float image[kPerThread] = {};
    float sensitivity[kPerThread] = {};
    float att[kPerThread] = {};

    /// What the launch before this one does not write.
    __device__ void ask(const UpdateArrays& from, const float* x, const NextImage& next, std::size_t at,
                        std::size_t n) {
        Four::load(image, x, at, n);
        if (from.settled) {
            Four::load(sensitivity, from.sensitivity, at, n);
        }
        if (next.att != nullptr) {
            Four::load(att, next.att, at, n);
        }
    }
    template <typename Update>
    __device__ void take(const Update& update, const UpdateArrays& from, float step, float* x,
                         const NextImage& next, std::size_t at, std::size_t n) {
        float correction[kPerThread] = {};
        Four::load(correction, from.correction, at, n);
        if (!from.settled) {
            Four::load(sensitivity, from.sensitivity, at, n);
        }
#pragma unroll
        for (int k = 0; k < kPerThread; ++k) {
            image[k] = update(image[k], correction[k], sensitivity[k], step);
            att[k] *= image[k];
        }
        Four::store(x, at, n, image);
        if (next.att != nullptr) {
            Four::store(next.image, at, n, att);
        }
    }
};

template <typename Four, typename Update>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    updateKernel(Update update, UpdateArrays from, float* x, NextImage next, std::size_t n) {
    const std::size_t step = stepOfFour();
    FourVoxels<Four> voxels[kFoursAtOnce];
    const auto ask = [&](std::size_t at) {
#pragma unroll
        for (int u = 0; u < kFoursAtOnce; ++u) {
            voxels[u].ask(from, x, next, at + u * step, n);
        }
    };
    const std::size_t first = Four::first();
    ask(first);  // on their way while the projection before is still under way
    waitForEarlierWork();
    letLaterWorkPrepare();
    const float lambda = from.lambda == nullptr ? 0.0F : *from.lambda;
    for (std::size_t at = first; at < n; at += kFoursAtOnce * step) {
        if (at != first) {
            ask(at);
        }
#pragma unroll
        for (int u = 0; u < kFoursAtOnce; ++u) {
            voxels[u].take(update, from, lambda, x, next, at + u * step, n);
        }
    }
}

dim3 gridFor(std::size_t n) {
    return dim3(std::clamp(blocksFor(n, kThreads * kPerThread), 1U, 65535U));
}

/// How many blocks kernels take that ask for data ahead.
unsigned blocksAheadFor(std::size_t n, unsigned most) {
    constexpr std::size_t kPerBlock = std::size_t{kThreads} * kPerThread * kFoursAtOnce;
    return std::clamp(blocksFor(n, kPerBlock), 1U, most);
}

/// Whether arrays of n elements, or null, may be worked on by Together.
bool fourAtOnce(std::size_t n, std::initializer_list<const void*> arrays) {
    constexpr std::uintptr_t kAlign = sizeof(float4);
    return n % kPerThread == 0 && std::all_of(arrays.begin(), arrays.end(), [](const void* array) {
               return reinterpret_cast<std::uintptr_t>(array) % kAlign == 0;
           });
}

}  // namespace in_element_kernels
using namespace in_element_kernels;

void fill(Launch l, DeviceSpan<float> x, float value) {
    check(launchDependent(l.overlap, fillKernel, gridFor(x.size()), kThreads, 0, l.stream, x.get(), x.size(),
                          value),
          "fill an array", {x.size()});
}

void fillSeen(Launch l, DeviceSpan<const float> s, float floor, float value, DeviceSpan<float> x) {
    check(launchDependent(l.overlap, fillSeenKernel, gridFor(x.size()), kThreads, 0, l.stream, s.get(), floor,
                          value, x.get(), x.size()),
          "start the image", {x.size()});
}

void multiply(Launch l, DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> out) {
    check(launchDependent(l.overlap, multiplyKernel, gridFor(out.size()), kThreads, 0, l.stream, a.get(),
                          b.get(), out.get(), out.size()),
          "multiply arrays", {out.size()});
}

void addAt(Launch l, DeviceSpan<const std::uint64_t> places, float value, DeviceSpan<float> x) {
    check(launchDependent(l.overlap, addAtKernel, gridFor(places.size()), kThreads, 0, l.stream, places.get(),
                          value, x.get(), places.size()),
          "add at places", {places.size()});
}

void addScaled(Launch l, DeviceSpan<const float> a, float factor, DeviceSpan<float> out) {
    check(launchDependent(l.overlap, addScaledKernel, gridFor(out.size()), kThreads, 0, l.stream, a.get(),
                          factor, out.get(), out.size()),
          "add arrays", {out.size()});
}

void sum(Launch l, DeviceSpan<const float> x, ReductionArea area) {
    check(launchDependent(l.overlap, reduceKernel<Sum>, kReductionBlocks, kThreads, 0, l.stream, x.get(),
                          x.size(), area),
          "add up an array", {x.size()});
}

void maximum(Launch l, DeviceSpan<const float> x, ReductionArea area) {
    check(launchDependent(l.overlap, reduceKernel<Maximum>, kReductionBlocks, kThreads, 0, l.stream, x.get(),
                          x.size(), area),
          "find a maximum", {x.size()});
}

void logLikelihood(Launch l, DeviceSpan<const float> y, DeviceSpan<const float> e, ReductionArea area) {
    check(launchDependent(l.overlap, logLikelihoodKernel, kReductionBlocks, kThreads, 0, l.stream, y.get(),
                          e.get(), e.size(), area),
          "compute a log-likelihood", {e.size()});
}

void expected(Launch l, DeviceSpan<const float> mult, DeviceSpan<const float> add, DeviceSpan<float> p,
              ReductionArea area) {
    check(launchDependent(l.overlap, expectedKernel, kReductionBlocks, kThreads, 0, l.stream, mult.get(),
                          add.get(), p.get(), p.size(), area),
          "compute expected counts", {p.size()});
}

void ratio(Launch l, DeviceSpan<const float> y, DeviceSpan<const float> mult, float offset,
           DeviceSpan<float> p, ReductionArea area) {
    const auto kernel =
        fourAtOnce(p.size(), {y.get(), mult.get(), p.get()}) ? ratioKernel<Together> : ratioKernel<Apart>;
    check(launchDependent(l.overlap, kernel, gridFor(p.size()), kThreads, 0, l.stream, y.get(), mult.get(),
                          offset, p.get(), p.size(), area.total),
          "compute the discrepancy", {p.size()});
}

void openDiscrepancy(Launch l, const DeviceData& data, float offset, DeviceSpan<float> p, FloorParts& left) {
    left.count = blocksAheadFor(p.size(), kReductionBlocks);
    const bool together = fourAtOnce(p.size(), {data.y.get(), data.mult.get(), data.add.get(), p.get()});
    check(launchDependent(l.overlap, together ? openKernel<Together> : openKernel<Apart>, left.count,
                          kThreads, 0, l.stream, DataArrays{data.y.get(), data.mult.get(), data.add.get()},
                          offset, p.get(), p.size(), left),
          "compute the discrepancy", {p.size()});
}

void joinFloor(Launch l, const FloorParts& left, double whole, float2* to) {
    check(launchDependent(l.overlap, joinFloorKernel, 1, kThreads, 0, l.stream, left, whole, to),
          "join the parts of a floor", {left.count});
}

void closeDiscrepancy(Launch l, const DeviceData& data, float offset, DeviceSpan<float> p,
                      const FloorParts& shares) {
    check(launchDependent(l.overlap, closeKernel, gridFor(p.size()), kThreads, 0, l.stream, data.y.get(),
                          data.mult.get(), offset, p.get(), p.size(), shares),
          "see to the floor of a discrepancy", {p.size()});
}

void update(Launch l, const VoxelUpdate& how, const DeviceTerms& t, DeviceSpan<float> x) {
    std::visit(
        [&](const auto& formula) {
            using Update = std::decay_t<decltype(formula)>;
            const bool together = fourAtOnce(x.size(), {t.correction.get(), t.sensitivity.get(), x.get(),
                                                        t.att.get(), t.attenuated.get()});
            const auto kernel = together ? updateKernel<Together, Update> : updateKernel<Apart, Update>;
            const UpdateArrays from{t.correction.get(), t.sensitivity.get(), t.settled, t.lambda.get()};
            constexpr unsigned kMostBlocks = 65535;
            check(launchDependent(l.overlap, kernel, blocksAheadFor(x.size(), kMostBlocks), kThreads, 0,
                                  l.stream, formula, from, x.get(),
                                  NextImage{t.att.get(), t.attenuated.get()}, x.size()),
                  "update the image", {x.size()});
        },
        how);
}

}  // namespace tof::device
