// SPDX-License-Identifier: Apache-2.0
// A block goes through the entries of a kernel, its threads side by side, for one line or for the up to four
// that signs make of it. Any number of threads up to 128 that is a power of two.
#include "gpu/published/published_kernels.h"
#include "gpu/space/cuda_check.h"
#include "recon/systems/panel/panel_matrix.h"

namespace tof::device {

namespace in_published_kernels {

/// A line of each combination of signs that there is, at one shift.
struct SignedLines {
    const PanelOrientation* orientations;
    int shift;

    [[nodiscard]] __device__ const PanelOrientation& of(int signs) const { return orientations[signs]; }
    [[nodiscard]] __device__ bool exists(int signs) const { return shift < lines(signs); }
    [[nodiscard]] __device__ int lines(int signs) const {
        return orientations[signs].shiftsU * orientations[signs].shiftsV;
    }
    [[nodiscard]] __device__ int datum(int signs) const { return orientations[signs].data + shift; }
};

/// The voxel that an entry is for a line. u is y and v is z: orientations without rows are of side 0.
__device__ __forceinline__ int voxelOf(const PanelLayout& layout, const PanelOrientation& o, int shift,
                                       std::uint32_t place) {
    const int x = PanelPlace::x(place);
    int y = o.exchanged != 0 ? PanelPlace::z(place) : PanelPlace::y(place);
    int z = o.exchanged != 0 ? PanelPlace::y(place) : PanelPlace::z(place);
    y = o.negativeU != 0 ? layout.cut * (o.du + 1) - 1 - y : y;
    z = o.negativeV != 0 ? layout.cut * (o.dv + 1) - 1 - z : z;
    return layout.voxel(x, y + layout.cut * (shift % o.shiftsU), z + layout.cut * (shift / o.shiftsU));
}

/// Lines that a block works on at a time.
template <Published How>
constexpr int kLinesOf = How == Published::Lor ? 1 : kPanelSigns;

/// Whether a line is to be projected.
__device__ __forceinline__ bool wanted(const SignedLines& lines, int signs, const float* measured) {
    return lines.exists(signs) && (measured == nullptr || measured[lines.datum(signs)] != 0.0F);
}

template <Published How>
__global__ void __launch_bounds__(kPublishedThreads)
    forwardKernel(PanelLayout layout, const PanelOrientation* orientations, const std::uint32_t* places,
                  const float* values, const float* image, cudaTextureObject_t texture, const float* measured,
                  float* sums, float* p) {
    constexpr int kLines = kLinesOf<How>;
    __shared__ float shared[How == Published::SymmetricShared ? kLines : 1][kPublishedThreads];
    const auto me = static_cast<int>(threadIdx.x);
    const auto threads = static_cast<int>(blockDim.x);
    const PanelOrientation* const mine = orientations + blockIdx.y * kLines;
    const int shifts = mine->shiftsU * mine->shiftsV;
    // No sum of another block is there, and no thread looks at another's before the barrier.
    float* const kept = sums + (static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x) * kLines *
                                   static_cast<std::size_t>(threads);
    for (int shift = static_cast<int>(blockIdx.x); shift < shifts; shift += static_cast<int>(gridDim.x)) {
        const SignedLines lines{mine, shift};
        bool use[kLines];
        bool any = false;
        float sum[kLines] = {};
        for (int m = 0; m < kLines; ++m) {
            use[m] = wanted(lines, m, measured);
            any = any || use[m];
        }
        if (any) {
            for (int i = me; i < mine->entries; i += threads) {
                const std::uint64_t entry = mine->firstEntry + static_cast<std::uint64_t>(i);
                const std::uint32_t place = places[entry];
                const float value = values[entry];
#pragma unroll
                for (int m = 0; m < kLines; ++m) {
                    if (use[m]) {
                        const int voxel = voxelOf(layout, lines.of(m), shift, place);
                        const float f = How == Published::SymmetricShared ? tex1Dfetch<float>(texture, voxel)
                                                                          : image[voxel];
                        sum[m] = fmaf(f, value, sum[m]);
                    }
                }
            }
        }
        if constexpr (How == Published::SymmetricShared) {
            for (int m = 0; m < kLines; ++m) {
                shared[m][me] = sum[m];
            }
            for (int half = threads / 2; half > 0; half /= 2) {
                __syncthreads();
                for (int m = 0; m < kLines; ++m) {
                    if (me < half) {
                        shared[m][me] += shared[m][me + half];
                    }
                }
            }
            if (me == 0) {
                for (int m = 0; m < kLines; ++m) {
                    if (lines.exists(m)) {
                        p[lines.datum(m)] = shared[m][0];
                    }
                }
            }
        } else {
            for (int m = 0; m < kLines; ++m) {
                kept[m * threads + me] = sum[m];
            }
            __syncthreads();
            if (me == 0) {
                for (int m = 0; m < kLines; ++m) {
                    float total = 0;
                    for (int i = 0; i < threads; ++i) {
                        total += kept[m * threads + i];
                    }
                    if (lines.exists(m)) {
                        p[lines.datum(m)] = total;
                    }
                }
            }
        }
        __syncthreads();
    }
}

template <Published How>
__global__ void __launch_bounds__(kPublishedThreads)
    backKernel(PanelLayout layout, const PanelOrientation* orientations, const std::uint32_t* places,
               const float* values, const float* p, float* image) {
    constexpr int kLines = kLinesOf<How>;
    __shared__ float data[kLines];
    const auto me = static_cast<int>(threadIdx.x);
    const auto threads = static_cast<int>(blockDim.x);
    const PanelOrientation* const mine = orientations + blockIdx.y * kLines;
    const int shifts = mine->shiftsU * mine->shiftsV;
    for (int shift = static_cast<int>(blockIdx.x); shift < shifts; shift += static_cast<int>(gridDim.x)) {
        const SignedLines lines{mine, shift};
        float datum[kLines];
        if constexpr (How == Published::SymmetricShared) {
            // Threads of different warps, as the paper has it; one thread alone takes all.
            for (int m = me / 32; m < kLines && me % 32 == 0; m += (threads + 31) / 32) {
                data[m] = lines.exists(m) ? p[lines.datum(m)] : 0.0F;
            }
            __syncthreads();
        }
        bool any = false;
        for (int m = 0; m < kLines; ++m) {
            if constexpr (How == Published::SymmetricShared) {
                datum[m] = data[m];
            } else {
                datum[m] = lines.exists(m) ? p[lines.datum(m)] : 0.0F;
            }
            any = any || datum[m] != 0.0F;
        }
        if (any) {
            for (int i = me; i < mine->entries; i += threads) {
                const std::uint64_t entry = mine->firstEntry + static_cast<std::uint64_t>(i);
                const std::uint32_t place = places[entry];
                const float value = values[entry];
#pragma unroll
                for (int m = 0; m < kLines; ++m) {
                    if (datum[m] != 0.0F) {
                        atomicAdd(image + voxelOf(layout, lines.of(m), shift, place), value * datum[m]);
                    }
                }
            }
        }
        if constexpr (How == Published::SymmetricShared) {
            __syncthreads();
        }
    }
}

/// Calls `launch` with the way as a constant.
template <typename Launch>
void with(Published how, const Launch& launch) {
    switch (how) {
        case Published::Lor: launch(std::integral_constant<Published, Published::Lor>()); break;
        case Published::Symmetric: launch(std::integral_constant<Published, Published::Symmetric>()); break;
        case Published::SymmetricShared:
            launch(std::integral_constant<Published, Published::SymmetricShared>());
            break;
    }
}

dim3 gridOf(Published how, std::size_t orientations) {
    return {kPublishedBlocks,
            static_cast<unsigned>(how == Published::Lor ? orientations : orientations / kPanelSigns), 1};
}

}  // namespace in_published_kernels
using namespace in_published_kernels;

std::size_t publishedSums(Published how, std::size_t orientations) {
    return how == Published::SymmetricShared
               ? 0
               : static_cast<std::size_t>(kPublishedBlocks) * kPublishedThreads * orientations;
}

void publishedForward(cudaStream_t stream, Published how, const PublishedPart& part,
                      DeviceSpan<const float> image, cudaTextureObject_t texture,
                      DeviceSpan<const float> measured, DeviceSpan<float> p) {
    const dim3 grid = gridOf(how, part.orientations.size());
    with(how, [&](auto way) {
        forwardKernel<way.value><<<grid, static_cast<unsigned>(part.threads), 0, stream>>>(
            part.layout, part.orientations.get(), part.places.get(), part.values.get(), image.get(), texture,
            measured.get(), part.sums.get(), p.get());
    });
    checkLaunch("panel forward, published");
}

void publishedBack(cudaStream_t stream, Published how, const PublishedPart& part, DeviceSpan<const float> p,
                   DeviceSpan<float> image) {
    const dim3 grid = gridOf(how, part.orientations.size());
    with(how, [&](auto way) {
        backKernel<way.value><<<grid, static_cast<unsigned>(part.threads), 0, stream>>>(
            part.layout, part.orientations.get(), part.places.get(), part.values.get(), p.get(), image.get());
    });
    checkLaunch("panel back, published");
}

const void* publishedForwardFunction(Published how) {
    const void* function = nullptr;
    with(how, [&](auto way) { function = reinterpret_cast<const void*>(&forwardKernel<way.value>); });
    return function;
}
const void* publishedBackFunction(Published how) {
    const void* function = nullptr;
    with(how, [&](auto way) { function = reinterpret_cast<const void*>(&backKernel<way.value>); });
    return function;
}

}  // namespace tof::device
