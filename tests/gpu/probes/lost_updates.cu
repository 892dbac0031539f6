// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/probes/racy_counts.h"

#include "gpu/lines/line_device.cuh"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"

namespace tof {

namespace {

constexpr unsigned kThreads = 128;

/// counts[voxel] += 1 for every voxel of every line, by plain read-modify-write as lineBackRacy() does it;
/// *updates = how many there were.
__global__ void __launch_bounds__(kThreads)
    countRacyKernel(device::LinePart part, unsigned* counts, unsigned long long* updates) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= part.data) {
        return;
    }
    unsigned long long mine = 0;
    device::followDatum(part, i, [&](int voxel, float) {
        counts[voxel] += 1U;
        ++mine;
    });
    atomicAdd(updates, mine);
}

}  // namespace

void device::countRacy(cudaStream_t stream, const LinePart& part, unsigned* counts,
                       unsigned long long* updates) {
    countRacyKernel<<<blocksFor(part.data, kThreads), kThreads, 0, stream>>>(part, counts, updates);
    checkLaunch("count racy updates", {part.data});
}

}  // namespace tof
