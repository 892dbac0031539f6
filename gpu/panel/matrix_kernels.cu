// SPDX-License-Identifier: Apache-2.0
// A block per plane of a kernel, a warp per y, a lane per z; each value is the host's own function, in
// double. Rays of one x and y lie in shared memory.
#include "gpu/panel/matrix_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;

__global__ void __launch_bounds__(kThreads)
    slabKernel(PanelVoxels voxels, const PanelPair* pairs, const MatrixSlab* slabs, float* values) {
    __shared__ PanelRays shared[kWarps];
    const MatrixSlab slab = slabs[blockIdx.x];
    const PanelPair pair = pairs[slab.kernel];
    float* const to = values + (slab.offset - slabs[0].offset);
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    for (int y = warp; y < slab.countY; y += kWarps) {
        for (int z0 = 0; z0 < slab.countZ; z0 += kWarp) {
            const int z = z0 + lane;
            float sum = 0;
            for (int i = 0; i < voxels.alongX.count; ++i) {
                for (int j = 0; j < voxels.alongY[slab.nearY].count; ++j) {
                    __syncwarp();
                    if (lane == 0) {
                        panelVoxelRays(pair, voxels, slab, i, j, slab.firstY + y, shared[warp]);
                    }
                    __syncwarp();
                    if (z < slab.countZ) {
                        sum += panelVoxelShare(pair, voxels, slab, i, j, slab.firstZ + z, shared[warp]);
                    }
                }
            }
            if (z < slab.countZ) {
                to[z * slab.countY + y] = sum;
            }
        }
    }
}

}  // namespace

void fillSlabs(cudaStream_t stream, const PanelVoxels& voxels, DeviceSpan<const PanelPair> pairs,
               DeviceSpan<const MatrixSlab> slabs, DeviceSpan<float> values) {
    slabKernel<<<static_cast<unsigned>(slabs.size()), kThreads, 0, stream>>>(voxels, pairs.get(), slabs.get(),
                                                                             values.get());
    checkLaunch("panel matrix");
}

}  // namespace tof::device
