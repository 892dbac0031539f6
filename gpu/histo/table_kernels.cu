// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction of multiply-adds (gpu/CMakeLists.txt): ids and taps must equal the host's
// exactly.
#include <cuda_bf16.h>

#include "gpu/histo/table_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/reduction.cuh"

namespace tof::device {

namespace {

constexpr int kScanThreads = 1024;
constexpr int kValueThreads = 128;

struct Offset {
    Vec3 tqa;
    Tap tap;
};

__device__ Offset offsetOf(const TableInput& in, const ViewFrame& v, long long index) {
    const int nx = 2 * v.half[0] + 1;
    const int ny = 2 * v.half[1] + 1;
    const int x = static_cast<int>(index % nx) - v.half[0];
    const int y = static_cast<int>(index / nx % ny) - v.half[1];
    const int z = static_cast<int>(index / nx / ny) - v.half[2];
    const Vec3 m{x * in.spacing.x, y * in.spacing.y, z * in.spacing.z};
    return {{dot(m, v.u), dot(m, v.r), dot(m, v.a)},
            {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), static_cast<std::int16_t>(z), 0}};
}

/// One block per view walks the support's box in order; `taps` null: only counts.
__global__ void tapsKernel(TableInput in, int* counts, Tap* taps) {
    __shared__ int sm_warps[kScanThreads / 32];
    const ViewFrame v = in.views[blockIdx.x];
    const long long box =
        static_cast<long long>(2 * v.half[0] + 1) * (2 * v.half[1] + 1) * (2 * v.half[2] + 1);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int warp = static_cast<int>(threadIdx.x / 32);
    int found = 0;
    for (long long begin = 0; begin < box; begin += kScanThreads) {
        const long long index = begin + threadIdx.x;
        bool inside = false;
        Offset offset{};
        if (index < box) {
            offset = offsetOf(in, v, index);
            inside = insideSupport(offset.tqa.x, offset.tqa.y, offset.tqa.z, v.support);
        }
        const unsigned ballot = __ballot_sync(0xFFFFFFFFU, inside);
        if (lane == 0) {
            sm_warps[warp] = __popc(ballot);
        }
        __syncthreads();
        int before = 0;
        int all = 0;
        for (int w = 0; w < kScanThreads / 32; ++w) {
            before += w < warp ? sm_warps[w] : 0;
            all += sm_warps[w];
        }
        if (inside && taps != nullptr) {
            const int rank = found + before + __popc(ballot & ((1U << lane) - 1U));
            taps[v.tapBegin + static_cast<std::size_t>(rank)] = offset.tap;
        }
        found += all;
        __syncthreads();
    }
    if (counts != nullptr && threadIdx.x == 0) {
        counts[blockIdx.x] = found;
    }
}

__global__ void idsKernel(TableInput in, std::int32_t* ids) {
    const ViewFrame& v = in.views[blockIdx.y];
    const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (index >= in.idPitch * in.size[1]) {
        return;
    }
    const int x = index % in.idPitch;
    const int y = index / in.idPitch;
    int id = 0;
    if (x < in.size[0]) {
        const Vec3 centre{in.origin.x + x * in.spacing.x, in.origin.y + y * in.spacing.y, 0};
        id = kernelId(radialDistance(centre, v.r), in.idStep_mm, v.radialIds, in.radial.sided);
    }
    ids[static_cast<std::size_t>(blockIdx.y) * static_cast<std::size_t>(in.idPlane) +
        static_cast<std::size_t>(index)] = id;
}

__device__ std::uint32_t splitBf16(float value) {
    const __nv_bfloat16 high = __float2bfloat16_rn(value);
    const __nv_bfloat16 low = __float2bfloat16_rn(value - __bfloat162float(high));
    return static_cast<std::uint32_t>(__bfloat16_as_ushort(high)) |
           static_cast<std::uint32_t>(__bfloat16_as_ushort(low)) << 16U;
}

/// One block per row and view.
template <ValueForm form>
__global__ void valuesKernel(TableInput in, const Tap* taps, const std::int32_t* order, void* values,
                             int* emptyRow) {
    __shared__ double sm_warps[kValueThreads / 32];
    __shared__ double sm_sum;
    const ViewFrame v = in.views[blockIdx.y];
    const int row = static_cast<int>(blockIdx.x);
    if (row >= v.rows) {
        return;
    }
    RadialModel radial = in.radial;
    radial.radialIds = v.radialIds;
    const auto valueAt = [&](int t) {
        const Tap tap = taps[v.tapBegin + static_cast<std::size_t>(t)];
        const Vec3 m{tap.x * in.spacing.x, tap.y * in.spacing.y, tap.z * in.spacing.z};
        return gaussianAt(dot(m, v.u), in.sigmaTof) * gaussianAt(dot(m, v.a), in.sigmaAxial) *
               radialFactor(radial, row, dot(m, v.r));
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
        const int place = order == nullptr ? t : order[v.tapBegin + static_cast<std::size_t>(t)];
        if (place < 0) {
            continue;
        }
        const std::size_t at = v.valueBegin +
                               static_cast<std::size_t>(row) * static_cast<std::size_t>(v.rowStride) +
                               static_cast<std::size_t>(place) * static_cast<std::size_t>(v.tapStride);
        const auto value = static_cast<float>(valueAt(t) / sum);
        if constexpr (form == ValueForm::Float) {
            static_cast<float*>(values)[at] = value;
        } else {
            static_cast<std::uint32_t*>(values)[at] = splitBf16(value);
        }
    }
}

}  // namespace

void countTaps(cudaStream_t stream, const TableInput& input, int views, int* counts) {
    tapsKernel<<<static_cast<unsigned>(views), kScanThreads, 0, stream>>>(input, counts, nullptr);
    checkLaunch("count the taps", {static_cast<std::size_t>(views)});
}

void listTaps(cudaStream_t stream, const TableInput& input, int views, Tap* taps) {
    tapsKernel<<<static_cast<unsigned>(views), kScanThreads, 0, stream>>>(input, nullptr, taps);
    checkLaunch("list the taps", {static_cast<std::size_t>(views)});
}

void mapIds(cudaStream_t stream, const TableInput& input, int views, std::int32_t* ids) {
    const int pixels = input.idPitch * input.size[1];
    idsKernel<<<dim3(static_cast<unsigned>((pixels + 255) / 256), static_cast<unsigned>(views)), 256, 0,
                stream>>>(input, ids);
    checkLaunch("map the kernel ids", {static_cast<std::size_t>(pixels), static_cast<std::size_t>(views)});
}

void computeValues(cudaStream_t stream, const TableInput& input, int views, int maxRows, const Tap* taps,
                   const std::int32_t* order, ValueForm form, void* values, int* emptyRow) {
    const dim3 grid(static_cast<unsigned>(maxRows), static_cast<unsigned>(views));
    if (form == ValueForm::Float) {
        valuesKernel<ValueForm::Float>
            <<<grid, kValueThreads, 0, stream>>>(input, taps, order, values, emptyRow);
    } else {
        valuesKernel<ValueForm::SplitBf16>
            <<<grid, kValueThreads, 0, stream>>>(input, taps, order, values, emptyRow);
    }
    checkLaunch("compute the kernel values",
                {static_cast<std::size_t>(maxRows), static_cast<std::size_t>(views)});
}

}  // namespace tof::device
