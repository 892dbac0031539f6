// SPDX-License-Identifier: Apache-2.0
// `panel`. Forward: a block is 32 threads of lines four times over, each warp with a quarter of the rows of
// their class; the shares are added in a fixed order. Back: a block is 256 threads of voxels of one x and
// phase and goes through the rows of all lines that see them. Nothing is added to memory by more than one
// thread.
#include <algorithm>

#include "gpu/panel/panel_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_panel_kernels {

constexpr int kTile = 32;
constexpr int kTileRows = 8;
constexpr int kShares = kPanelForwardThreads / kWarp;
constexpr int kBackRows = 128;  ///< rows of back projection in shared memory at a time
/// Rows of back projection that are added up before they join the sum, which keeps what is lost in rounding:
/// a sum of thousands of rows depended on their order, and so on the number of ranks, in its sixth digit.
constexpr int kRowsTogether = 64;
static_assert(kBackRows == 2 * kRowsTogether);

/// sum += value, or = value, with what rounding takes from it kept in `lost`.
__device__ __forceinline__ void addKeeping(float value, bool add, float& sum, float& lost) {
    const float before = add ? sum : 0.0F;
    const float more = add ? value + lost : value;
    const float after = before + more;
    const float added = after - before;
    lost = (before - (after - added)) + (more - added);
    sum = after;
}

/// Voxels (x, block u) of one v and phase u change places in shared memory. `Join`: phases into the image.
template <bool Join>
__global__ void __launch_bounds__(kTile* kTileRows)
    exchangeKernel(PanelLayout layout, bool add, const float* from, float* to, float* lost) {
    __shared__ float tile[kTile][kTile + 1];
    const int x0 = static_cast<int>(blockIdx.x) * kTile;
    const int u0 = static_cast<int>(blockIdx.y) / layout.cut * kTile;
    const int phaseU = static_cast<int>(blockIdx.y) % layout.cut;
    const int v = static_cast<int>(blockIdx.z);
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
        const int x = Join ? x0 + i : x0 + lane;
        const int u = Join ? u0 + lane : u0 + i;
        if (x < layout.planes && u < layout.nu) {
            tile[i][lane] = from[Join ? layout.index(x, phaseU, v % layout.cut, u, v / layout.cut)
                                      : layout.voxel(x, u * layout.cut + phaseU, v)];
        }
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
        const int x = Join ? x0 + lane : x0 + i;
        const int u = Join ? u0 + i : u0 + lane;
        if (x < layout.planes && u < layout.nu) {
            const float value = tile[lane][i];
            if constexpr (Join) {
                const auto voxel = layout.voxel(x, u * layout.cut + phaseU, v);
                addKeeping(value, add, to[voxel], lost[voxel]);
            } else {
                to[layout.index(x, phaseU, v % layout.cut, u, v / layout.cut)] = value;
            }
        }
    }
}

template <bool Join>
void exchange(cudaStream_t stream, const PanelLayout& layout, bool add, const float* from, float* to,
              float* lost) {
    const dim3 grid(blocksFor(layout.planes, kTile),
                    blocksFor(layout.nu, kTile) * static_cast<unsigned>(layout.cut),
                    static_cast<unsigned>(layout.nv * layout.cut));
    exchangeKernel<Join><<<grid, dim3(kTile, kTileRows), 0, stream>>>(layout, add, from, to, lost);
    checkLaunch(Join ? "panel join" : "panel split");
}

__device__ float sumOfShares(const PanelShareSums& shares, std::size_t i) {
    float sum = 0;
#pragma unroll
    for (int s = 0; s < kPanelMostShares; ++s) {
        sum += shares.sum[s] != nullptr ? shares.sum[s][i] : 0.0F;
    }
    return sum;
}

__global__ void takeUpKernel(std::size_t n, const float* image, PanelShareSums shares) {
    forElements(n, [&](std::size_t i) {
        if (image[i] == sumOfShares(shares, i)) {
            return;
        }
#pragma unroll
        for (int s = 0; s < kPanelMostShares; ++s) {
            if (shares.sum[s] != nullptr) {
                shares.sum[s][i] = s == 0 ? image[i] : 0.0F;
                shares.lost[s][i] = 0;
            }
        }
    });
}

__global__ void addSharesKernel(std::size_t n, PanelShareSums shares, float* image) {
    forElements(n, [&](std::size_t i) { image[i] = sumOfShares(shares, i); });
}

__global__ void padKernel(int pitch, const PanelOrientation* orientations, const float* p, float* padded) {
    const PanelOrientation o = orientations[blockIdx.y];
    const int rows = o.shiftsU > 0 ? o.shiftsV + 2 * kPanelPad : 0;
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < rows * pitch; i += step) {
        const int u = i % pitch;
        const int v = i / pitch - kPanelPad;
        const bool line = u < o.shiftsU && v >= 0 && v < o.shiftsV;
        padded[o.padded + i] = line ? p[o.datum(u, v)] : 0.0F;
    }
}

/// sums[r] += weights times window, the first weight at the lowest value.
__device__ __forceinline__ void addCorrelation(const PanelWeights4& w, const float (&window)[kPanelWindow],
                                               float (&sums)[kPanelLines]) {
#pragma unroll
    for (int k = 0; k < kPanelTaps; ++k) {
#pragma unroll
        for (int r = 0; r < kPanelLines; ++r) {
            sums[r] = fmaf(w.weight[k], window[r + k], sums[r]);
        }
    }
}

__device__ __forceinline__ PanelWeights4 turned(const PanelWeights4& w) {
    static_assert(kPanelTaps == 3);
    return {{w.weight[2], w.weight[1], w.weight[0], 0.0F}};
}

template <int Pitch>
__global__ void __launch_bounds__(kPanelForwardThreads)
    forwardKernel(PanelLayout side0, PanelPhases phases, const PanelOrientation* orientations,
                  const std::uint32_t* tasks, const std::uint32_t* places, const PanelWeights4* weights,
                  float* p) {
    __shared__ PanelWeights4 rowWeights[kShares][kWarp];
    __shared__ int rowOffsets[kShares][kWarp];
    __shared__ float shares[kShares][kPanelLines][kWarp];
    const std::uint32_t task = tasks[blockIdx.x];
    const PanelOrientation o = orientations[task >> 16U];
    const PanelLayout layout = side0.of(o.swapped);
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int threads = o.shiftsU * panelGroups(o.shiftsV);
    const int t = static_cast<int>(task & 0xFFFFU) * kWarp + lane;
    const PanelLines lines = panelLines(min(t, threads - 1), o.shiftsU);
    const float* const mine =
        (o.swapped != 0 ? phases.side[1] : phases.side[0]) + lines.shiftV * Pitch + lines.shiftU;

    const auto rows = static_cast<int>(o.lastRow - o.firstRow);
    const int first = static_cast<int>(o.firstRow) + rows * warp / kShares;
    const int last = static_cast<int>(o.firstRow) + rows * (warp + 1) / kShares;
    float sums[kPanelLines] = {};
    // What the lane brings of the next rows.
    std::uint32_t place = first + lane < last ? places[first + lane] : 0;
    PanelWeights4 row = first + lane < last ? weights[first + lane] : PanelWeights4{};
    for (int chunk = first; chunk < last; chunk += kWarp) {
        const PanelRow at = PanelRow::of(place).mirrored(layout.cut, o);
        __syncwarp();
        rowOffsets[warp][lane] = layout.index(at.x, at.phaseU, at.phaseV, at.blockU, at.blockV);
        rowWeights[warp][lane] = o.negativeV != 0 ? turned(row) : row;
        __syncwarp();
        const int next = chunk + kWarp + lane;
        if (next < last) {
            place = places[next];
            row = weights[next];
        }
        const int count = min(kWarp, last - chunk);
        float part[kPanelLines] = {};
#pragma unroll 2
        for (int i = 0; i < count; ++i) {
            const float* const from = mine + rowOffsets[warp][i];
            float window[kPanelWindow];
#pragma unroll
            for (int q = 0; q < kPanelWindow; ++q) {
                window[q] = __ldg(from + q * Pitch);
            }
            addCorrelation(rowWeights[warp][i], window, part);
        }
#pragma unroll
        for (int r = 0; r < kPanelLines; ++r) {
            sums[r] += part[r];
        }
    }
#pragma unroll
    for (int r = 0; r < kPanelLines; ++r) {
        shares[warp][r][lane] = sums[r];
    }
    __syncthreads();
    if (t >= threads) {
        return;
    }
    for (int r = warp; r < kPanelLines; r += kShares) {
        float sum = 0;
        for (int q = 0; q < kShares; ++q) {
            sum += shares[q][r][lane];
        }
        if (lines.shiftV + r < o.shiftsV) {
            p[o.datum(lines.shiftU, lines.shiftV + r)] = sum;
        }
    }
}

/// Adds `parts` to sums of which `lost` is too much, and clears them.
__device__ __forceinline__ void addKeeping(float (&parts)[kPanelLines], float (&sums)[kPanelLines],
                                           float (&lost)[kPanelLines]) {
#pragma unroll
    for (int r = 0; r < kPanelLines; ++r) {
        const float more = parts[r] - lost[r];
        const float sum = sums[r] + more;
        lost[r] = (sum - sums[r]) - more;
        sums[r] = sum;
        parts[r] = 0;
    }
}

/// A row as the threads of back projection read it from shared memory.
struct alignas(16) SharedRow {
    int lines;   ///< where the orientation's line (0, 0) is among the padded ones
    int blocks;  ///< block u + 65536 (block v + kBlockZero)
    int shifts;  ///< shifts u + 65536 shifts v
};
constexpr int kBlockZero = 1024;

template <int Pitch>
__global__ void __launch_bounds__(kPanelBackThreads)
    backKernel(PanelLayout side0, PanelSharePhases phases, const PanelOrientation* orientations,
               const std::uint32_t* begins, const std::uint32_t* places, const PanelWeights4* weights,
               const float* padded) {
    __shared__ PanelWeights4 rowWeights[kBackRows];
    __shared__ SharedRow shared[kBackRows];
    const auto image = static_cast<int>(blockIdx.z);  // image of a share and side
    const PanelLayout layout = side0.of(image % kPanelSides);
    const int phase = static_cast<int>(blockIdx.x) % layout.phases();
    const int x = static_cast<int>(blockIdx.x) / layout.phases();
    const int phaseU = phase % layout.cut;
    const int phaseV = phase / layout.cut;
    const int t = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
    const bool inside = t < layout.nu * panelGroups(layout.nv);
    const PanelLines blocks = panelLines(t, layout.nu);
    // No line reaches a thread beyond the last voxel.
    const int blockU = inside ? blocks.shiftU : -layout.nu;
    float sums[kPanelLines] = {};
    float lost[kPanelLines] = {};
    for (int signs = 0; signs < kPanelSigns; ++signs) {
        const int listU = signs % 2 != 0 ? layout.cut - 1 - phaseU : phaseU;
        const int listV = signs / 2 != 0 ? layout.cut - 1 - phaseV : phaseV;
        const int list = image * layout.lists() + layout.list(x, listU, listV);
        const auto first = static_cast<int>(begins[list]);
        const auto last = static_cast<int>(begins[list + 1]);
        for (int chunk = first; chunk < last; chunk += kBackRows) {
            const int count = min(kBackRows, last - chunk);
            __syncthreads();
            for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
                const PanelBackRow row = PanelBackRow::of(places[chunk + i]);
                const PanelOrientation& o = orientations[row.slot * kPanelSigns + signs];
                const PanelRow at = PanelRow{x, listU, listV, row.blockU, row.blockV}.mirrored(layout.cut, o);
                shared[i] = {o.padded + kPanelPad * Pitch, at.blockU | (at.blockV + kBlockZero) << 16,
                             o.shiftsU | o.shiftsV << 16};
                // The weights come in the order in which the window of lines is read.
                rowWeights[i] = signs / 2 != 0 ? weights[chunk + i] : turned(weights[chunk + i]);
            }
            __syncthreads();
            float part[kPanelLines] = {};
            for (int i = 0; i < count; ++i) {
                if (i == kRowsTogether) {
                    addKeeping(part, sums, lost);
                }
                const SharedRow row = shared[i];
                const PanelReach reach =
                    panelReach(blockU, blocks.shiftV, row.blocks & 0xFFFF, (row.blocks >> 16) - kBlockZero,
                               row.shifts & 0xFFFF, row.shifts >> 16, Pitch);
                if (!__any_sync(kAllLanes, reach.any)) {
                    continue;
                }
                const float* const from = padded + row.lines + reach.offset;
                float window[kPanelWindow];
#pragma unroll
                for (int q = 0; q < kPanelWindow; ++q) {
                    window[q] = __ldg(from + q * Pitch);
                }
                addCorrelation(rowWeights[i], window, part);
            }
            addKeeping(part, sums, lost);
        }
    }
    if (!inside) {
        return;
    }
    for (int r = 0; r < kPanelLines; ++r) {
        if (blocks.shiftV + r < layout.nv) {
            phases.first[image * phases.size +
                         layout.index(x, phaseU, phaseV, blocks.shiftU, blocks.shiftV + r)] = sums[r];
        }
    }
}

constexpr unsigned kElementThreads = 256;
unsigned elementBlocks(std::size_t n) {
    return std::min(blocksFor(n, kElementThreads), 65535U);
}

/// Calls `launch` with the pitch as a constant.
template <typename Launch>
void withPitch(const PanelLayout& layout, const Launch& launch) {
    switch (layout.pitch) {
        case 32: launch(std::integral_constant<int, 32>()); break;
        case 128: launch(std::integral_constant<int, 128>()); break;
        default: launch(std::integral_constant<int, 256>()); break;
    }
}

}  // namespace in_panel_kernels
using namespace in_panel_kernels;

void panelSplit(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> image,
                DeviceSpan<float> phases) {
    exchange<false>(stream, layout, false, image.get(), phases.get(), nullptr);
}

void panelJoin(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> phases, Write write,
               DeviceSpan<float> image, DeviceSpan<float> lost) {
    exchange<true>(stream, layout, write == Write::Add, phases.get(), image.get(), lost.get());
}

void panelTakeUp(cudaStream_t stream, DeviceSpan<const float> image, const PanelShareSums& shares) {
    takeUpKernel<<<elementBlocks(image.size()), kElementThreads, 0, stream>>>(image.size(), image.get(),
                                                                              shares);
    checkLaunch("panel take up an image");
}

void panelAddShares(cudaStream_t stream, const PanelShareSums& shares, DeviceSpan<float> image) {
    addSharesKernel<<<elementBlocks(image.size()), kElementThreads, 0, stream>>>(image.size(), shares,
                                                                                 image.get());
    checkLaunch("panel add shares");
}

void panelPadLines(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> p,
                   DeviceSpan<float> padded) {
    const dim3 grid(4, static_cast<unsigned>(part.orientations.size()));
    padKernel<<<grid, 256, 0, stream>>>(part.layout.pitch, part.orientations.get(), p.get(), padded.get());
    checkLaunch("panel pad lines");
}

void panelForward(cudaStream_t stream, const PanelPart& part, const PanelPhases& phases,
                  DeviceSpan<float> p) {
    withPitch(part.layout, [&](auto pitch) {
        forwardKernel<pitch.value>
            <<<static_cast<unsigned>(part.tasks.size()), kPanelForwardThreads, 0, stream>>>(
                part.layout, phases, part.orientations.get(), part.tasks.get(), part.places.get(),
                part.weights.get(), p.get());
    });
    checkLaunch("panel forward");
}

void panelBack(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> padded,
               const PanelSharePhases& phases) {
    int threads = 0;
    for (int side = 0; side < kPanelSides; ++side) {
        const PanelLayout layout = part.layout.of(side);
        threads = std::max(threads, layout.nu * panelGroups(layout.nv));
    }
    const dim3 grid(static_cast<unsigned>(part.layout.lists()), blocksFor(threads, kPanelBackThreads),
                    static_cast<unsigned>(kPanelSides * phases.shares));
    withPitch(part.layout, [&](auto pitch) {
        backKernel<pitch.value><<<grid, kPanelBackThreads, 0, stream>>>(
            part.layout, phases, part.orientations.get(), part.backBegins.get(), part.backPlaces.get(),
            part.backWeights.get(), padded.get());
    });
    checkLaunch("panel back");
}

const void* panelForwardFunction() {
    return reinterpret_cast<const void*>(&forwardKernel<128>);
}
const void* panelBackFunction() {
    return reinterpret_cast<const void*>(&backKernel<128>);
}

}  // namespace tof::device
