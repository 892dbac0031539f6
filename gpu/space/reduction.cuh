// SPDX-License-Identifier: Apache-2.0
// Sums of a whole grid in fixed order: threads, then warps, then blocks, the last block to finish adding up.
#pragma once

#include <cuda_runtime.h>

#include "gpu/space/warp.cuh"

namespace tof::device {

struct Sum {
    __device__ static double identity() { return 0.0; }
    __device__ static double join(double a, double b) { return a + b; }
};
struct Maximum {
    __device__ static double identity() { return -1.0 / 0.0; }
    __device__ static double join(double a, double b) { return a > b ? a : b; }
};

/// Joins a value of every thread of the block (a multiple of 32 threads); the result is in thread 0.
template <typename Join>
__device__ inline double joinBlock(double value, double* sm_warps) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = Join::join(value, __shfl_down_sync(kAllLanes, value, offset));
    }
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        sm_warps[warp] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; ++w) {
            value = Join::join(value, sm_warps[w]);
        }
    }
    return value;
}

/// Stores the block's value; the last of `blocks` blocks joins all of them in order into *total. Called by
/// every thread; `value` counts in thread 0. sm_warps holds 33 doubles.
template <typename Join>
__device__ inline void joinGrid(double value, unsigned block, unsigned blocks, double* partial, double* total,
                                unsigned* ticket, double* sm_warps) {
    __shared__ bool sm_last;
    if (threadIdx.x == 0) {
        partial[block] = value;
        __threadfence();
        sm_last = atomicAdd(ticket, 1U) == blocks - 1;
    }
    __syncthreads();
    if (!sm_last) {
        return;
    }
    __threadfence();
    double mine = Join::identity();
    for (unsigned b = threadIdx.x; b < blocks; b += blockDim.x) {
        mine = Join::join(mine, __ldcg(partial + b));
    }
    __syncthreads();
    mine = joinBlock<Join>(mine, sm_warps);
    if (threadIdx.x == 0) {
        *total = mine;
        *ticket = 0;
    }
}

}  // namespace tof::device
