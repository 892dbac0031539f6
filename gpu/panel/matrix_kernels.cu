// SPDX-License-Identifier: Apache-2.0
// A block per plane of a kernel, a thread per voxel; each voxel is the host's own function, in double.
#include "gpu/panel/matrix_kernels.h"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace {

constexpr unsigned kThreads = 128;

__global__ void __launch_bounds__(kThreads)
    slabKernel(PanelVoxels voxels, const PanelPair* pairs, const MatrixSlab* slabs, float* values) {
    const MatrixSlab slab = slabs[blockIdx.x];
    const PanelPair pair = pairs[slab.kernel];
    float* const to = values + (slab.offset - slabs[0].offset);
    for (int i = static_cast<int>(threadIdx.x); i < slab.voxels(); i += static_cast<int>(kThreads)) {
        to[i] = static_cast<float>(panelVoxel(pair, voxels, slab.plane, slab.firstY + i % slab.countY,
                                              slab.firstZ + i / slab.countY));
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
