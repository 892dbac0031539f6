// SPDX-License-Identifier: Apache-2.0
// One thread follows one event: set-up in double, steps in single precision, time-of-flight weights from a
// table of cubic pieces in shared memory.
#include "gpu/ring/event_kernels.h"

#include <type_traits>

#include "gpu/ring/fixed_point.cuh"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace {

constexpr unsigned kThreads = 128;

/// Calls visit(voxel, coefficient) for every voxel of an event.
template <bool timed, typename Visit>
__device__ void follow(const RingPart& part, std::size_t event, const EventTable& table,
                       const TimePiece* pieces, const Visit& visit) {
    const uint2 pair = part.pairs[event];
    const RayGrid& grid = part.op.grid;
    const Ray ray = makeRay(grid, part.points[pair.x], part.points[pair.y]);
    double begin = -ray.half;
    double end = ray.half;
    double origin = 0;
    const TimePiece* mine = pieces;
    if constexpr (timed) {
        const RayTof& tof = part.op.tof;
        const int bin = part.eventTimeBins[event];
        origin = tof.edge(bin) + 0.5 * tof.width_mm;
        begin = tof.from(bin);
        end = tof.to(bin);
        mine += timeKind(tof, bin) * table.count;
    }
    if (!clipRay(grid, ray, &begin, &end)) {
        return;
    }
    const SiddonStart start = startSiddon(grid, ray, begin);
    followEvent(
        start, origin, begin, end,
        [&](float distance) {
            if constexpr (timed) {
                return timeIntegral(mine, table.count, table.perMm, distance);
            } else {
                return distance;
            }
        },
        visit);
}

template <bool timed>
__device__ const TimePiece* sharedPieces(const EventTable& table) {
    extern __shared__ float4 sm_pieces[];
    if constexpr (timed) {
        const auto* const from = reinterpret_cast<const float4*>(table.pieces);
        for (int i = static_cast<int>(threadIdx.x); i < 3 * table.count; i += kThreads) {
            sm_pieces[i] = from[i];
        }
        __syncthreads();
    }
    return reinterpret_cast<const TimePiece*>(sm_pieces);
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    forwardKernel(RingPart part, EventTable table, const float* image, float* p) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    float sum = 0;
    follow<timed>(part, i, table, pieces, [&](int voxel, float length) { sum += length * image[voxel]; });
    p[part.order[i]] = sum;
}

/// Blocks in an order that spreads those at work at the same time over the image, so that they do not add to
/// the same memory. The multiplier is a prime larger than any number of blocks.
__device__ unsigned farApart(unsigned block, unsigned blocks) {
    return static_cast<unsigned>(block * 2654435761ULL % blocks);
}

/// Fixed-point sums (with the bits of the largest datum), or sums of floats.
template <bool timed, typename Sum>
__global__ void __launch_bounds__(kThreads)
    backKernel(RingPart part, EventTable table, const float* p, const unsigned* largest, Sum* sums) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(farApart(blockIdx.x, gridDim.x)) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const float datum = p[part.order[i]];
    if (datum == 0.0F) {
        return;
    }
    if constexpr (std::is_same_v<Sum, float>) {
        follow<timed>(part, i, table, pieces,
                      [&](int voxel, float length) { atomicAdd(sums + voxel, length * datum); });
    } else {
        const double value = ldexp(static_cast<double>(datum), fixedExponent(part, *largest));
        follow<timed>(part, i, table, pieces, [&](int voxel, float length) {
            atomicAdd(sums + voxel,
                      static_cast<unsigned long long>(__double2ll_rn(static_cast<double>(length) * value)));
        });
    }
}

template <typename Sum>
void launchBack(cudaStream_t stream, const RingPart& part, const EventTable& table, const float* p,
                const unsigned* largest, Sum* sums) {
    const auto kernel = table.pieces == nullptr ? backKernel<false, Sum> : backKernel<true, Sum>;
    const auto blocks = static_cast<unsigned>((part.data + kThreads - 1) / kThreads);
    kernel<<<blocks, kThreads, 3 * static_cast<std::size_t>(table.count) * sizeof(TimePiece), stream>>>(
        part, table, p, largest, sums);
    checkLaunch("back projection of events", {part.data});
}

}  // namespace

void eventForward(cudaStream_t stream, const RingPart& part, const EventTable& table, const float* image,
                  float* p) {
    const auto kernel = table.pieces == nullptr ? forwardKernel<false> : forwardKernel<true>;
    const auto blocks = static_cast<unsigned>((part.data + kThreads - 1) / kThreads);
    kernel<<<blocks, kThreads, 3 * static_cast<std::size_t>(table.count) * sizeof(TimePiece), stream>>>(
        part, table, image, p);
    checkLaunch("forward projection of events", {part.data});
}

void eventBack(cudaStream_t stream, const RingPart& part, const EventTable& table, const float* p,
               const unsigned* largest, unsigned long long* sums) {
    launchBack(stream, part, table, p, largest, sums);
}

void eventBackAtomic(cudaStream_t stream, const RingPart& part, const EventTable& table, const float* p,
                     float* image) {
    launchBack(stream, part, table, p, nullptr, image);
}

}  // namespace tof::device
