// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction of multiply-adds (gpu/CMakeLists.txt), as the host's values are.
#include <cuda_bf16.h>

#include "gpu/histo/table_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/reduction.cuh"

namespace tof::device {

namespace in_table_kernels {

constexpr int kValueThreads = 128;

/// A profile where kernels may evaluate it.
__device__ RadialModel modelOf(const RadialProfile& profile, int radialIds) {
    RadialModel model = profile.shape;
    model.radialIds = radialIds;
    model.sigma = profile.sigma.get();
    model.s = profile.s.get();
    model.first = profile.first.get();
    model.q = profile.q.get();
    model.w = profile.w.get();
    return model;
}

__device__ void store(float* at, float value) {
    *at = value;
}
__device__ void store(std::uint32_t* at, float value) {
    const __nv_bfloat16 high = __float2bfloat16_rn(value);
    const __nv_bfloat16 low = __float2bfloat16_rn(value - __bfloat162float(high));
    *at = static_cast<std::uint32_t>(__bfloat16_as_ushort(high)) |
          static_cast<std::uint32_t>(__bfloat16_as_ushort(low)) << 16U;
}

/// One block per row and view.
template <typename Value>
__global__ void valuesKernel(TableInput in, Value* values, int* emptyRow) {
    __shared__ double sm_warps[kValueThreads / 32];
    __shared__ double sm_sum;
    const ViewTable v = in.views.get()[blockIdx.y];
    const int row = static_cast<int>(blockIdx.x);
    if (row >= v.rows) {
        return;
    }
    const RadialModel radial = modelOf(in.radial, v.radialIds);
    const Tap* const taps = in.taps.get() + v.tapBegin;
    const std::int32_t* const order = in.order.empty() ? nullptr : in.order.get() + v.tapBegin;
    const auto valueAt = [&](int t) {
        const Tap tap = taps[t];
        const Vec3 m{tap.x * in.spacing.x, tap.y * in.spacing.y, tap.z * in.spacing.z};
        const double T = dot(m, v.u);
        const double Q = dot(m, v.r);
        const double A = dot(m, v.a);
        if (v.clipped && !insideSupport(T, Q, A, v.support)) {
            return 0.0;
        }
        return gaussianAt(T, in.sigmaTof) * gaussianAt(A, in.sigmaAxial) * radialFactor(radial, row, Q);
    };
    double mine = 0;
    for (int t = static_cast<int>(threadIdx.x); t < v.taps; t += kValueThreads) {
        mine += valueAt(t);
    }
    mine = joinBlock<Sum>(mine, sm_warps);
    if (threadIdx.x == 0) {
        sm_sum = mine;
        if (!(mine > 0)) {
            *emptyRow = static_cast<int>(blockIdx.y) + 1;
        }
    }
    __syncthreads();
    const double sum = sm_sum;
    for (int t = static_cast<int>(threadIdx.x); t < v.taps; t += kValueThreads) {
        const int place = order == nullptr ? t : order[t];
        if (place < 0) {
            continue;
        }
        const std::size_t at = v.valueBegin +
                               static_cast<std::size_t>(row) * static_cast<std::size_t>(v.rowStride) +
                               static_cast<std::size_t>(place) * static_cast<std::size_t>(v.tapStride);
        store(values + at, static_cast<float>(valueAt(t) / sum));
    }
}

template <typename Value>
void launch(cudaStream_t stream, const TableInput& input, DeviceSpan<Value> values,
            DeviceSpan<int> emptyRow) {
    const dim3 grid(static_cast<unsigned>(input.maxRows), static_cast<unsigned>(input.views.size()));
    valuesKernel<<<grid, kValueThreads, 0, stream>>>(input, values.get(), emptyRow.get());
    checkLaunch("compute the kernel values", {grid.x, grid.y});
}

}  // namespace in_table_kernels
using namespace in_table_kernels;

void computeValues(cudaStream_t stream, const TableInput& input, DeviceSpan<float> values,
                   DeviceSpan<int> emptyRow) {
    launch(stream, input, values, emptyRow);
}

void computeValues(cudaStream_t stream, const TableInput& input, DeviceSpan<std::uint32_t> values,
                   DeviceSpan<int> emptyRow) {
    launch(stream, input, values, emptyRow);
}

}  // namespace tof::device
