// SPDX-License-Identifier: Apache-2.0
// Who: one thread per pixel and 16 voxels along z; a warp takes 32 neighbouring pixels, so loads of a plane
// coalesce. Each loaded value serves every tap of its in-plane offset. Result in registers, about 60 of them;
// no shared memory. Sizes: any; the volume must be padded by the support.
#include "gpu/histo/column_float_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof::device {

namespace in_column_float_kernels {

/// In-plane offsets added up before their sum joins the total: sums of thousands of terms keep their last
/// digits.
constexpr int kRunsPerSum = 64;
constexpr int kMost = 4;  ///< taps along z served by one pass over the loads

/// acc[z] += sum_j weight[j] source[(z + j) plane]; every source value is loaded once.
template <int N>
__device__ inline void addRun(float (&acc)[kColumnDepth], const float* source, int plane,
                              const float (&weight)[kMost]) {
    float value[kColumnDepth + N - 1];
#pragma unroll
    for (int s = 0; s < kColumnDepth + N - 1; ++s) {
        value[s] = __ldg(source + s * plane);
    }
#pragma unroll
    for (int j = 0; j < N; ++j) {
#pragma unroll
        for (int z = 0; z < kColumnDepth; ++z) {
            acc[z] = fmaf(weight[j], value[z + j], acc[z]);
        }
    }
}

template <Gather gather>
__global__ void __launch_bounds__(kColumnThreads) columnFloatKernel(ColumnFloatWork w) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int pixels = w.size[0] * w.size[1];
    const int mine = static_cast<int>(blockIdx.x * kColumnThreads + threadIdx.x);
    const int pixel = mine < pixels ? mine : pixels - 1;
    const int x = pixel % w.size[0];
    const int y = pixel / w.size[0];
    const int z0 = (w.zBlockBegin + static_cast<int>(blockIdx.y)) * kColumnDepth;
    const int plane = w.shape.px * w.shape.py;
    const int inPlane = (y + w.shape.hy) * w.shape.px + x + w.shape.hx;
    const float* const base = w.padded.get() +
                              static_cast<std::size_t>(z0 + w.shape.hz) * static_cast<std::size_t>(plane) +
                              static_cast<std::size_t>(inPlane);
    const std::int32_t* const ids = w.ids.get() + inPlane;
    int id = *ids;
    float acc[kColumnDepth] = {};
    float total[kColumnDepth] = {};
    for (int r = 0; r < w.runCount; ++r) {
        if (r % kRunsPerSum == kRunsPerSum - 1) {
#pragma unroll
            for (int z = 0; z < kColumnDepth; ++z) {
                total[z] += acc[z];
                acc[z] = 0;
            }
        }
        const int4 packed = __ldg(reinterpret_cast<const int4*>(w.runs.get()) + r);
        const TapRun run{packed.x, packed.y, packed.z, packed.w};
        if constexpr (gather == Gather::BySource) {
            id = __ldg(ids + run.plane);
        }
        const float* source = base + run.offset;
        const float* value =
            w.values.get() + static_cast<std::size_t>(run.first) * static_cast<std::size_t>(w.rows) + id;
        for (int left = run.count; left > 0; left -= kMost) {
            float weight[kMost];
#pragma unroll
            for (int j = 0; j < kMost; ++j) {
                weight[j] = j < left ? __ldg(value + j * w.rows) : 0.0F;
            }
            switch (left) {
                case 1: addRun<1>(acc, source, plane, weight); break;
                case 2: addRun<2>(acc, source, plane, weight); break;
                case 3: addRun<3>(acc, source, plane, weight); break;
                default: addRun<kMost>(acc, source, plane, weight); break;
            }
            source += kMost * plane;
            value += kMost * w.rows;
        }
    }
    if (mine >= pixels) {
        return;
    }
    const bool add = w.write == Write::Add;
    float* out = w.out.get() + static_cast<std::size_t>(z0) * static_cast<std::size_t>(pixels) +
                 static_cast<std::size_t>(pixel);
#pragma unroll
    for (int z = 0; z < kColumnDepth; ++z) {
        if (z0 + z < w.size[2]) {
            const float sum = total[z] + acc[z];
            *out = add ? *out + sum : sum;
            out += pixels;
        }
    }
}

__global__ void padVolumeKernel(const float* from, int nx, int ny, int nz, PaddedShape shape, float* padded) {
    waitForEarlierWork();
    letLaterWorkPrepare();
    const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
    if (row >= ny * nz) {
        return;
    }
    const int y = row % ny;
    const int z = row / ny;
    const float* const source = from + static_cast<std::size_t>(row) * static_cast<std::size_t>(nx);
    float* const target = padded +
                          (static_cast<std::size_t>(z + shape.hz) * static_cast<std::size_t>(shape.py) +
                           static_cast<std::size_t>(y + shape.hy)) *
                              static_cast<std::size_t>(shape.px) +
                          static_cast<std::size_t>(shape.hx);
    for (int x = static_cast<int>(threadIdx.x); x < nx; x += static_cast<int>(blockDim.x)) {
        target[x] = source[x];
    }
}

__global__ void padIdsKernel(const std::int32_t* ids, int pitch, int nx, int ny, PaddedShape shape,
                             std::int32_t* padded) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y);
    if (x < nx && y < ny) {
        padded[(y + shape.hy) * shape.px + x + shape.hx] = ids[y * pitch + x];
    }
}

}  // namespace in_column_float_kernels
using namespace in_column_float_kernels;

void padVolume(Launch l, DeviceSpan<const float> from, const int (&size)[3], const PaddedShape& shape,
               DeviceSpan<float> padded) {
    const dim3 block(64, 4);
    const auto rows = static_cast<unsigned>(size[1]) * static_cast<unsigned>(size[2]);
    check(launchDependent(l.overlap, padVolumeKernel, dim3((rows + 3) / 4), block, 0, l.stream, from.get(),
                          size[0], size[1], size[2], shape, padded.get()),
          "pad a volume", {rows});
}

void padIds(cudaStream_t stream, DeviceSpan<const std::int32_t> ids, int pitch, const int (&size)[3],
            const PaddedShape& shape, DeviceSpan<std::int32_t> padded) {
    const dim3 grid(blocksFor(size[0], 128), static_cast<unsigned>(size[1]));
    padIdsKernel<<<grid, 128, 0, stream>>>(ids.get(), pitch, size[0], size[1], shape, padded.get());
    checkLaunch("pad a map of kernel ids");
}

void projectColumnFloat(Launch l, const ColumnFloatWork& w, Gather gather) {
    const int pixels = w.size[0] * w.size[1];
    const dim3 grid(blocksFor(pixels, kColumnThreads), static_cast<unsigned>(w.zBlocks));
    const auto kernel = gather == Gather::ByTarget ? columnFloatKernel<Gather::ByTarget>
                                                   : columnFloatKernel<Gather::BySource>;
    check(launchDependent(l.overlap, kernel, grid, dim3(kColumnThreads), 0, l.stream, w),
          "project with the column kernel", {grid.x, grid.y});
}

const void* columnFloatFunction(Gather gather) {
    return gather == Gather::ByTarget ? reinterpret_cast<const void*>(&columnFloatKernel<Gather::ByTarget>)
                                      : reinterpret_cast<const void*>(&columnFloatKernel<Gather::BySource>);
}

}  // namespace tof::device
