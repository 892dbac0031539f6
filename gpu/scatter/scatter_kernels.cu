// SPDX-License-Identifier: Apache-2.0
// A block per pair of detectors: its threads find the weights of as many scatter points at a time, then each
// adds up, at its places along the line, what all of them bring there. The order of points is the host's, so
// sums are the same to the bit whatever the device.
#include "gpu/scatter/scatter_kernels.h"
#include "gpu/space/cuda_check.h"

namespace tof::device {

namespace in_scatter_kernels {

constexpr int kThreads = 128;
constexpr int kPlaces = 4;  ///< per thread at most

struct Weighed {
    float one;
    float two;
    ScatterShift shift;
    std::uint32_t rayOne;
    std::uint32_t rayTwo;
};

__global__ void __launch_bounds__(kThreads) addUpPairs(const ScatterArrays a, std::size_t first) {
    __shared__ Weighed sm_points[kThreads];
    const std::size_t index = first + blockIdx.x;
    const ScatterPair pair = a.pairs[index];
    const auto thread = static_cast<std::uint32_t>(threadIdx.x);
    const auto samples = static_cast<std::size_t>(a.tables.samples);
    float sums[kPlaces] = {};
    for (std::uint32_t base = 0; base < a.points; base += kThreads) {
        const std::uint32_t point = base + thread;
        Weighed own{};
        if (point < a.points) {
            own.rayOne = point * a.detectors + pair.one;
            own.rayTwo = point * a.detectors + pair.two;
            const ScatterRay one = a.rays[own.rayOne];
            const ScatterRay two = a.rays[own.rayTwo];
            const ScatterWeights weights =
                scatterWeights(a.tables, one, two, a.strengths[point], pair.distance, pair.direct);
            if (weights.one + weights.two > 0) {
                own.one = static_cast<float>(weights.one);
                own.two = static_cast<float>(weights.two);
                own.shift = scatterShift(a.tables, one, two, a.first_mm);
            }
        }
        sm_points[thread] = own;
        __syncthreads();
        const std::uint32_t many = a.points - base < kThreads ? a.points - base : kThreads;
        for (std::uint32_t p = 0; p < many; ++p) {
            const Weighed& point_ = sm_points[p];
            if (point_.one + point_.two > 0) {
                const float* const one = a.activity + point_.rayOne * samples;
                const float* const two = a.activity + point_.rayTwo * samples;
                for (int k = 0; k < kPlaces; ++k) {
                    const auto place = static_cast<std::int32_t>(thread) + k * kThreads;
                    if (place < a.places) {
                        sums[k] += scatterAt(place, a.places, a.tables.samples, point_.shift, point_.one,
                                             point_.two, one, two);
                    }
                }
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < kPlaces; ++k) {
        const auto place = static_cast<std::int32_t>(thread) + k * kThreads;
        if (place < a.places) {
            a.values[index * static_cast<std::size_t>(a.places) + static_cast<std::size_t>(place)] = sums[k];
        }
    }
}

}  // namespace in_scatter_kernels
using namespace in_scatter_kernels;

void addUpScatter(const ScatterArrays& arrays, std::size_t first, std::size_t count, cudaStream_t stream) {
    addUpPairs<<<static_cast<unsigned>(count), kThreads, 0, stream>>>(arrays, first);
    checkLaunch("scatter", {count, arrays.points});
}

}  // namespace tof::device
