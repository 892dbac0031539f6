// SPDX-License-Identifier: Apache-2.0
// One thread follows one event, or all rays of one bin: set-up in double, steps in single precision,
// time-of-flight weights from a table of cubic pieces in shared memory.
#include "gpu/lines/event_kernels.h"

#include "gpu/lines/event_device.cuh"
#include "gpu/lines/line_device.cuh"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace in_event_kernels {

constexpr unsigned kThreads = 128;

/// Calls visit(voxel, coefficient) for every voxel of an event.
template <bool timed, typename Way, typename Visit>
__device__ void followEvent(const LinePart& part, const EventRecord& event, const EventTable& table,
                            const TimePiece* pieces, const Visit& visit) {
    EventRay line;
    if (rayOf<timed>(part, event, table, pieces, &line)) {
        follow<timed, Way>(part, line, table, visit);
    }
}

/// Visits all rays of a datum of sinograms; coefficients of several rays are not averaged.
template <bool timed, typename Visit>
__device__ void followBin(const LinePart& part, std::size_t datum, const EventTable& table,
                          const TimePiece* pieces, const Visit& visit) {
    forEachRayOf(part, datum, [&](Vec3 one, Vec3 two, int timeBin) {
        EventRay line;
        if (rayOf<timed>(part, one, two, timeBin, table, pieces, &line)) {
            follow<timed, SiddonWay>(part, line, table, visit);
        }
    });
}

template <bool timed>
__device__ const TimePiece* sharedPieces(const EventTable& table) {
    extern __shared__ float4 sm_pieces[];
    const TimePiece* const pieces = copyPieces<timed>(table, sm_pieces);
    __syncthreads();
    return pieces;
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads)
    forwardKernel(LinePart part, EventTable table, const float* image, float* p) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const EventRecord event = part.events[i];
    float sum = 0;
    followEvent<timed, Way>(part, event, table, pieces,
                            [&](int voxel, float length) { sum += length * image[voxel]; });
    p[event.datum] = sum;
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads) keepKernel(LinePart part, KeptSteps kept) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const EventRecord event = part.events[i];
    EventRay line;
    typename Way::Steps steps;
    if (!rayOf<timed>(part, event, {}, nullptr, &line) || !Way::through(part.op.grid, line, &steps)) {
        keepNothing(kept, i, event.datum);
        return;
    }
    keep<Way>(kept, i, steps, kindOf<timed>(part, event), event.datum);
}

template <bool timed, typename Way>
__global__ void __launch_bounds__(kThreads)
    keptForwardKernel(LinePart part, EventTable table, KeptSteps kept, const float* image, float* p) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const uint2 place = __ldcs(kept.places.get() + i);
    const unsigned kind = place.x >> kKindShift;
    float sum = 0;
    if (kind != kNothing) {
        const TimePiece* const mine = pieces + (timed ? kind * table.count : 0U);
        followWay<timed, Way>(part.op.grid, keptSteps<Way>(kept, i, place.x, part.op.grid.stride), table,
                              mine, [&](int voxel, float length) { sum += length * image[voxel]; });
    }
    p[place.y] = sum;
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    binForwardKernel(LinePart part, EventTable table, const float* image, float* p) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const std::size_t datum = datumOf<Lanes::Radial>(part, i);
    float sum = 0;
    followBin<timed>(part, datum, table, pieces,
                     [&](int voxel, float length) { sum += length * image[voxel]; });
    p[datum] = rayShare(part) * sum;
}

template <bool timed>
__global__ void __launch_bounds__(kThreads)
    binBackKernel(LinePart part, EventTable table, const float* p, const FixedScale* scale, FixedSum* sums) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const std::size_t datum = datumOf<Lanes::Sinograms>(part, i);
    if (p[datum] == 0.0F) {
        return;
    }
    const double value = ldexp(static_cast<double>(p[datum]), scale->exponent);
    followBin<timed>(part, datum, table, pieces, [&](int voxel, float length) {
        atomicAdd(sums + voxel, static_cast<FixedSum>(__double2ll_rn(static_cast<double>(length) * value)));
    });
}

/// Blocks in an order that spreads those at work at the same time over the image, so that they do not add to
/// the same memory. The multiplier is a prime larger than any number of blocks.
__device__ unsigned farApart(unsigned block, unsigned blocks) {
    return static_cast<unsigned>(block * 2654435761ULL % blocks);
}

__device__ void addBrick(float4* to, float4 value) {
#if __CUDA_ARCH__ >= 900
    atomicAdd(to, value);
#else
    atomicAdd(&to->x, value.x);
    atomicAdd(&to->y, value.y);
    atomicAdd(&to->z, value.z);
    atomicAdd(&to->w, value.w);
#endif
}

constexpr int kBrickMask = kMostSide / 2 - 1;

/// `part` has the strides 1, 2^kSideBits and its square, so that a voxel's index is its three places side by
/// side.
template <bool timed>
__global__ void __launch_bounds__(kThreads)
    backAtomicKernel(LinePart part, EventTable table, const float* p, BrickImage image) {
    const TimePiece* const pieces = sharedPieces<timed>(table);
    const std::size_t i = static_cast<std::size_t>(farApart(blockIdx.x, gridDim.x)) * kThreads + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    const EventRecord event = part.events[i];
    const float datum = p[event.datum];
    if (datum == 0.0F) {
        return;
    }
    const int width = (image.size[0] + 1) / 2;
    const int height = (image.size[1] + 1) / 2;
    int brick = -1;
    float4 sum = {0, 0, 0, 0};
    followEvent<timed, SiddonWay>(part, event, table, pieces, [&](int voxel, float length) {
        const int mine =
            ((voxel >> 2 * kSideBits) * height + (voxel >> (kSideBits + 1) & kBrickMask)) * width +
            (voxel >> 1 & kBrickMask);
        if (mine != brick) {
            if (brick >= 0) {
                addBrick(image.bricks.get() + brick, sum);
            }
            brick = mine;
            sum = {0, 0, 0, 0};
        }
        const float value = length * datum;
        const bool right = (voxel & 1) != 0;
        const bool lower = (voxel >> kSideBits & 1) != 0;
        sum.x += !right && !lower ? value : 0.0F;
        sum.y += right && !lower ? value : 0.0F;
        sum.z += !right && lower ? value : 0.0F;
        sum.w += right && lower ? value : 0.0F;
    });
    if (brick >= 0) {
        addBrick(image.bricks.get() + brick, sum);
    }
}

__global__ void finishAtomicKernel(BrickImage image, std::size_t count, float* out) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= count) {
        return;
    }
    const int width = (image.size[0] + 1) / 2;
    const int height = (image.size[1] + 1) / 2;
    const int x = 2 * static_cast<int>(i % width);
    const int y = 2 * static_cast<int>(i / width % height);
    const std::size_t z = i / width / height;
    const float4 sum = image.bricks[i];
    image.bricks[i] = {0, 0, 0, 0};
    float* const at = out + (z * image.size[1] + y) * image.size[0] + x;
    at[0] += sum.x;
    if (x + 1 < image.size[0]) {
        at[1] += sum.y;
    }
    if (y + 1 < image.size[1]) {
        at[image.size[0]] += sum.z;
        if (x + 1 < image.size[0]) {
            at[image.size[0] + 1] += sum.w;
        }
    }
}

unsigned blocksFor(std::size_t n) {
    return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

}  // namespace in_event_kernels
using namespace in_event_kernels;

void eventForward(cudaStream_t stream, const LinePart& part, const EventTable& table,
                  DeviceSpan<const float> image, DeviceSpan<float> p) {
    const auto kernel = chosenFor(!table.pieces.empty(), part.op.joseph, [](auto as) {
        return forwardKernel<as.timed, typename decltype(as)::Way>;
    });
    kernel<<<blocksFor(part.data), kThreads, pieceBytes(table), stream>>>(part, table, image.get(), p.get());
    checkLaunch("forward projection of events", {part.data});
}

void keepEvents(cudaStream_t stream, const LinePart& part, const KeptSteps& kept) {
    const auto kernel = chosenFor(part.op.tof.count > 0, part.op.joseph,
                                  [](auto as) { return keepKernel<as.timed, typename decltype(as)::Way>; });
    kernel<<<blocksFor(part.data), kThreads, 0, stream>>>(part, kept);
    checkLaunch("paths of events", {part.data});
}

void keptForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const KeptSteps& kept,
                 DeviceSpan<const float> image, DeviceSpan<float> p) {
    const auto kernel = chosenFor(!table.pieces.empty(), part.op.joseph, [](auto as) {
        return keptForwardKernel<as.timed, typename decltype(as)::Way>;
    });
    kernel<<<blocksFor(part.data), kThreads, pieceBytes(table), stream>>>(part, table, kept, image.get(),
                                                                          p.get());
    checkLaunch("forward projection of events", {part.data});
}

void binForward(cudaStream_t stream, const LinePart& part, const EventTable& table,
                DeviceSpan<const float> image, DeviceSpan<float> p) {
    const auto kernel = table.pieces.empty() ? binForwardKernel<false> : binForwardKernel<true>;
    kernel<<<blocksFor(part.data), kThreads, pieceBytes(table), stream>>>(part, table, image.get(), p.get());
    checkLaunch("forward projection of bins", {part.data});
}

void binBackFixed(cudaStream_t stream, const LinePart& part, const EventTable& table,
                  DeviceSpan<const float> p, DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums) {
    const auto kernel = table.pieces.empty() ? binBackKernel<false> : binBackKernel<true>;
    kernel<<<blocksFor(part.data), kThreads, pieceBytes(table), stream>>>(part, table, p.get(), scale.get(),
                                                                          sums.get());
    checkLaunch("back projection of bins", {part.data});
}

void eventBackAtomic(cudaStream_t stream, const LinePart& part, const EventTable& table,
                     DeviceSpan<const float> p, const BrickImage& image) {
    LinePart packed = part;
    packed.op.grid.stride[0] = 1;
    packed.op.grid.stride[1] = 1 << kSideBits;
    packed.op.grid.stride[2] = 1 << 2 * kSideBits;
    const auto kernel = table.pieces.empty() ? backAtomicKernel<false> : backAtomicKernel<true>;
    kernel<<<blocksFor(part.data), kThreads, pieceBytes(table), stream>>>(packed, table, p.get(), image);
    checkLaunch("back projection of events", {part.data});
}

void eventFinishAtomic(cudaStream_t stream, const BrickImage& bricks, DeviceSpan<float> image) {
    const std::size_t count = bricks.bricks.size();
    finishAtomicKernel<<<blocksFor(count), kThreads, 0, stream>>>(bricks, count, image.get());
    checkLaunch("end of back projection of events", {count});
}

}  // namespace tof::device
