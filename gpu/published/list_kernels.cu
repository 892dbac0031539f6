// SPDX-License-Identifier: Apache-2.0
// shared-list: a block takes 256 neighbours of the mask in one slice, a thread per target; source voxels of
// one slice at a time, 32 KiB of the mask's order, lie in shared memory. texture-reduce: a warp takes one
// target at a time, a lane every 32nd cloud point; products are added by a tree over the warp. Sizes: any.
#include "gpu/published/list_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_list_kernels {

__device__ inline void store(float* out, float value, Write write) {
    *out = write == Write::Add ? *out + value : value;
}

template <Gather gather>
__global__ void __launch_bounds__(kListThreads) sharedListKernel(ListWork w) {
    __shared__ float sm_line[kListEntries];
    constexpr int sign = gather == Gather::ByTarget ? 1 : -1;
    const ListView& v = w.view;
    const int pixels = w.size[0] * w.size[1];
    const int mine = static_cast<int>(blockIdx.x * kListThreads + threadIdx.x);
    const int z = w.zBegin + static_cast<int>(blockIdx.y);
    const int pixel = static_cast<int>(v.mask[mine < pixels ? mine : pixels - 1]);
    const int x = pixel % w.size[0];
    const int y = pixel / w.size[0];
    const int2 range = v.ranges[blockIdx.x];
    const float* radial = v.lutRadial.get() + static_cast<std::size_t>(v.ids[y * v.idPitch + x]) *
                                                  static_cast<std::size_t>(v.inPlanePoints);
    float total = 0;
    for (int layer = 0; layer < v.layerCount; ++layer) {
        const int begin = v.layers[layer];
        const int end = v.layers[layer + 1];
        const int sourceZ = z + sign * v.cloud[begin].z;
        if (sourceZ < 0 || sourceZ >= w.size[2]) {
            continue;  // all threads of the block go on alike
        }
        const float* const slice =
            w.from.get() + static_cast<std::size_t>(sourceZ) * static_cast<std::size_t>(pixels);
        float sum = 0;
        for (int first = range.x; first < range.y; first += kListEntries) {
            const int count = min(kListEntries, range.y - first);
            __syncthreads();
            for (int i = static_cast<int>(threadIdx.x); i < count; i += kListThreads) {
                sm_line[i] = slice[v.mask[first + i]];
            }
            __syncthreads();
            for (int i = begin; i < end; ++i) {
                const Tap m = v.cloud[i];
                const int sx = x + sign * m.x;
                const int sy = y + sign * m.y;
                if (sx < 0 || sy < 0 || sx >= w.size[0] || sy >= w.size[1]) {
                    continue;
                }
                const int at = static_cast<int>(__ldg(v.position.get() + sy * w.size[0] + sx)) - first;
                if (at < 0 || at >= count) {
                    continue;
                }
                if constexpr (gather == Gather::BySource) {
                    radial = v.lutRadial.get() +
                             static_cast<std::size_t>(__ldg(v.ids.get() + sy * v.idPitch + sx)) *
                                 static_cast<std::size_t>(v.inPlanePoints);
                }
                sum += __ldg(v.lutTof.get() + i) * __ldg(v.lutAxial.get() + i) *
                       __ldg(radial + v.inPlane[i]) * sm_line[at];
            }
        }
        total += sum;
    }
    if (mine < pixels) {
        store(w.out.get() + static_cast<std::size_t>(z) * static_cast<std::size_t>(pixels) +
                  static_cast<std::size_t>(pixel),
              total, w.write);
    }
}

template <Gather gather>
__global__ void __launch_bounds__(kReduceThreads) textureReduceKernel(ListWork w) {
    constexpr int sign = gather == Gather::ByTarget ? 1 : -1;
    constexpr int kWarps = kReduceThreads / 32;
    const ListView& v = w.view;
    const int pixels = w.size[0] * w.size[1];
    const int lane = static_cast<int>(threadIdx.x) & 31;
    const int z = w.zBegin + static_cast<int>(blockIdx.y);
    for (int element = static_cast<int>(threadIdx.x) >> 5; element < kReduceTargets; element += kWarps) {
        const int mine = static_cast<int>(blockIdx.x) * kReduceTargets + element;
        if (mine >= pixels) {
            return;
        }
        const int pixel = static_cast<int>(v.mask[mine]);
        const int x = pixel % w.size[0];
        const int y = pixel / w.size[0];
        const float* radial = v.lutRadial.get() + static_cast<std::size_t>(v.ids[y * v.idPitch + x]) *
                                                      static_cast<std::size_t>(v.inPlanePoints);
        float sum = 0;
        for (int i = lane; i < v.taps; i += 32) {
            const Tap m = v.cloud[i];
            const float sx = static_cast<float>(x + sign * m.x) + 0.5F;
            const float sy = static_cast<float>(y + sign * m.y) + 0.5F;
            const float sz = static_cast<float>(z + sign * m.z) + 0.5F;
            if constexpr (gather == Gather::BySource) {
                radial = v.lutRadial.get() + static_cast<std::size_t>(tex2D<int>(w.idTexture, sx, sy)) *
                                                 static_cast<std::size_t>(v.inPlanePoints);
            }
            sum += __ldg(v.lutTof.get() + i) * __ldg(v.lutAxial.get() + i) * __ldg(radial + v.inPlane[i]) *
                   tex3D<float>(w.image, sx, sy, sz);
        }
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_down_sync(kAllLanes, sum, offset);
        }
        if (lane == 0) {
            store(w.out.get() + static_cast<std::size_t>(z) * static_cast<std::size_t>(pixels) +
                      static_cast<std::size_t>(pixel),
                  sum, w.write);
        }
    }
}

using ListFunction = void (*)(ListWork);
ListFunction sharedListFor(Gather gather) {
    return gather == Gather::ByTarget ? sharedListKernel<Gather::ByTarget>
                                      : sharedListKernel<Gather::BySource>;
}
ListFunction textureReduceFor(Gather gather) {
    return gather == Gather::ByTarget ? textureReduceKernel<Gather::ByTarget>
                                      : textureReduceKernel<Gather::BySource>;
}

/// A block takes `targets` pixels of the mask in one slice.
dim3 gridFor(const ListWork& w, int targets) {
    return {blocksFor(w.size[0] * w.size[1], targets), static_cast<unsigned>(w.zEnd - w.zBegin), 1};
}

}  // namespace in_list_kernels
using namespace in_list_kernels;

void projectSharedList(cudaStream_t stream, const ListWork& w, Gather gather) {
    const dim3 grid = gridFor(w, kListThreads);
    sharedListFor(gather)<<<grid, kListThreads, 0, stream>>>(w);
    checkLaunch("project with the shared-list kernel", {grid.x, grid.y});
}

void projectTextureReduce(cudaStream_t stream, const ListWork& w, Gather gather) {
    const dim3 grid = gridFor(w, kReduceTargets);
    textureReduceFor(gather)<<<grid, kReduceThreads, 0, stream>>>(w);
    checkLaunch("project with the texture-reduce kernel", {grid.x, grid.y});
}

const void* sharedListFunction(Gather gather) {
    return reinterpret_cast<const void*>(sharedListFor(gather));
}

const void* textureReduceFunction(Gather gather) {
    return reinterpret_cast<const void*>(textureReduceFor(gather));
}

}  // namespace tof::device
