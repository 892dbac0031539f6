// SPDX-License-Identifier: Apache-2.0
// `panel`. Forward: a block is 32 threads of lines four times over, each warp with a quarter of the rows of
// their class; the quarters are added in a fixed order. Back: a block is 256 threads of voxels of one x and
// phase and goes through the rows of all lines that see them. Nothing is added to memory by more than one
// thread.
#include <algorithm>

#include "gpu/panel/panel_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace {

constexpr int kTile = 32;
constexpr int kTileRows = 8;
constexpr int kQuarters = kPanelForwardThreads / kWarp;
constexpr int kBackRows = 128;  ///< rows of back projection in shared memory at a time

/// Voxels (x, block y) of one z and phase y change places in shared memory. `Join`: phases into the image.
template <bool Join>
__global__ void __launch_bounds__(kTile* kTileRows)
    exchangeKernel(PanelLayout layout, bool add, const float* from, float* to) {
    __shared__ float tile[kTile][kTile + 1];
    const int x0 = static_cast<int>(blockIdx.x) * kTile;
    const int y0 = static_cast<int>(blockIdx.y) / layout.cut * kTile;
    const int phaseY = static_cast<int>(blockIdx.y) % layout.cut;
    const int z = static_cast<int>(blockIdx.z);
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
        const int x = Join ? x0 + i : x0 + lane;
        const int y = Join ? y0 + lane : y0 + i;
        if (x < layout.planes && y < layout.ny) {
            tile[i][lane] = from[Join ? layout.index(x, phaseY, z % layout.cut, y, z / layout.cut)
                                      : layout.voxel(x, y * layout.cut + phaseY, z)];
        }
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.y); i < kTile; i += kTileRows) {
        const int x = Join ? x0 + lane : x0 + i;
        const int y = Join ? y0 + i : y0 + lane;
        if (x < layout.planes && y < layout.ny) {
            const float value = tile[lane][i];
            if constexpr (Join) {
                float& voxel = to[layout.voxel(x, y * layout.cut + phaseY, z)];
                voxel = add ? voxel + value : value;
            } else {
                to[layout.index(x, phaseY, z % layout.cut, y, z / layout.cut)] = value;
            }
        }
    }
}

template <bool Join>
void exchange(cudaStream_t stream, const PanelLayout& layout, bool add, const float* from, float* to) {
    const auto tiles = [](int n) { return static_cast<unsigned>((n + kTile - 1) / kTile); };
    const dim3 grid(tiles(layout.planes), tiles(layout.ny) * static_cast<unsigned>(layout.cut),
                    static_cast<unsigned>(layout.nz * layout.cut));
    exchangeKernel<Join><<<grid, dim3(kTile, kTileRows), 0, stream>>>(layout, add, from, to);
    checkLaunch(Join ? "panel join" : "panel split");
}

__global__ void padKernel(PanelLayout layout, const PanelOrientation* orientations, const float* p,
                          float* padded) {
    const PanelOrientation o = orientations[blockIdx.y];
    const int rows = o.shiftsY > 0 ? o.shiftsZ + 2 * kPanelPad : 0;
    const int step = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < rows * layout.pitch;
         i += step) {
        const int y = i % layout.pitch;
        const int z = i / layout.pitch - kPanelPad;
        const bool line = y < o.shiftsY && z >= 0 && z < o.shiftsZ;
        padded[o.padded + i] = line ? p[o.data + z * o.shiftsY + y] : 0.0F;
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
    return {{w.weight[3], w.weight[2], w.weight[1], w.weight[0]}};
}

template <int Pitch>
__global__ void __launch_bounds__(kPanelForwardThreads)
    forwardKernel(PanelLayout layout, const PanelOrientation* orientations, const std::uint32_t* tasks,
                  const std::uint32_t* places, const PanelWeights4* weights, const float* phases, float* p) {
    __shared__ PanelWeights4 rowWeights[kQuarters][kWarp];
    __shared__ int rowOffsets[kQuarters][kWarp];
    __shared__ float quarters[kQuarters][kPanelLines][kWarp];
    const std::uint32_t task = tasks[blockIdx.x];
    const PanelOrientation o = orientations[task >> 16U];
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int threads = o.shiftsY * panelGroups(o.shiftsZ);
    const int t = static_cast<int>(task & 0xFFFFU) * kWarp + lane;
    const PanelLines lines = panelLines(min(t, threads - 1), o.shiftsY);
    const float* const mine = phases + lines.shiftZ * Pitch + lines.shiftY;

    const auto rows = static_cast<int>(o.lastRow - o.firstRow);
    const int first = static_cast<int>(o.firstRow) + rows * warp / kQuarters;
    const int last = static_cast<int>(o.firstRow) + rows * (warp + 1) / kQuarters;
    float sums[kPanelLines] = {};
    // What the lane brings of the next rows.
    std::uint32_t place = first + lane < last ? places[first + lane] : 0;
    PanelWeights4 row = first + lane < last ? weights[first + lane] : PanelWeights4{};
    for (int chunk = first; chunk < last; chunk += kWarp) {
        const PanelRow at = PanelRow::of(place).mirrored(layout.cut, o);
        __syncwarp();
        rowOffsets[warp][lane] = layout.index(at.x, at.phaseY, at.phaseZ, at.blockY, at.blockZ);
        rowWeights[warp][lane] = o.negativeZ != 0 ? turned(row) : row;
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
        quarters[warp][r][lane] = sums[r];
    }
    __syncthreads();
    if (t >= threads) {
        return;
    }
    for (int r = warp; r < kPanelLines; r += kQuarters) {
        float sum = 0;
        for (int q = 0; q < kQuarters; ++q) {
            sum += quarters[q][r][lane];
        }
        if (lines.shiftZ + r < o.shiftsZ) {
            p[o.data + (lines.shiftZ + r) * o.shiftsY + lines.shiftY] = sum;
        }
    }
}

/// A row as the threads of back projection read it from shared memory.
struct SharedRow {
    int lines = 0;   ///< where the orientation's line (0, 0) is among the padded ones
    int blocks = 0;  ///< block y + 65536 block z, counted from -32768
    int shifts = 0;  ///< shifts y + 65536 shifts z
};
constexpr int kBlockZero = 1024;

template <int Pitch>
__global__ void __launch_bounds__(kPanelBackThreads)
    backKernel(PanelLayout layout, const PanelOrientation* orientations, const std::uint32_t* begins,
               const std::uint32_t* places, const PanelWeights4* weights, const float* padded,
               float* phases) {
    __shared__ PanelWeights4 rowWeights[kBackRows];
    __shared__ SharedRow shared[kBackRows];
    const int phase = static_cast<int>(blockIdx.x) % layout.phases();
    const int x = static_cast<int>(blockIdx.x) / layout.phases();
    const int phaseY = phase % layout.cut;
    const int phaseZ = phase / layout.cut;
    const int t = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
    const bool inside = t < layout.ny * panelGroups(layout.nz);
    const PanelLines blocks = panelLines(t, layout.ny);
    // No line reaches a thread beyond the last voxel.
    const int blockY = inside ? blocks.shiftY : -layout.ny;
    float sums[kPanelLines] = {};
    for (int signs = 0; signs < kPanelSigns; ++signs) {
        const int listY = signs % 2 != 0 ? layout.cut - 1 - phaseY : phaseY;
        const int listZ = signs / 2 != 0 ? layout.cut - 1 - phaseZ : phaseZ;
        const int list = (x * layout.cut + listZ) * layout.cut + listY;
        const auto first = static_cast<int>(begins[list]);
        const auto last = static_cast<int>(begins[list + 1]);
        for (int chunk = first; chunk < last; chunk += kBackRows) {
            const int count = min(kBackRows, last - chunk);
            __syncthreads();
            for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
                const PanelBackRow row = PanelBackRow::of(places[chunk + i]);
                const PanelOrientation& o = orientations[row.slot * kPanelSigns + signs];
                const PanelRow at = PanelRow{x, listY, listZ, row.blockY, row.blockZ}.mirrored(layout.cut, o);
                shared[i] = {o.padded + kPanelPad * Pitch, at.blockY | (at.blockZ + kBlockZero) << 16,
                             o.shiftsY | o.shiftsZ << 16};
                // The weights come in the order in which the window of lines is read.
                rowWeights[i] = signs / 2 != 0 ? weights[chunk + i] : turned(weights[chunk + i]);
            }
            __syncthreads();
            float part[kPanelLines] = {};
            for (int i = 0; i < count; ++i) {
                const SharedRow row = shared[i];
                const PanelReach reach =
                    panelReach(blockY, blocks.shiftZ, row.blocks & 0xFFFF, (row.blocks >> 16) - kBlockZero,
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
#pragma unroll
            for (int r = 0; r < kPanelLines; ++r) {
                sums[r] += part[r];
            }
        }
    }
    if (!inside) {
        return;
    }
    for (int r = 0; r < kPanelLines; ++r) {
        if (blocks.shiftZ + r < layout.nz) {
            phases[layout.index(x, phaseY, phaseZ, blocks.shiftY, blocks.shiftZ + r)] = sums[r];
        }
    }
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

}  // namespace

void panelSplit(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> image,
                DeviceSpan<float> phases) {
    exchange<false>(stream, layout, false, image.get(), phases.get());
}

void panelJoin(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> phases, Write write,
               DeviceSpan<float> image) {
    exchange<true>(stream, layout, write == Write::Add, phases.get(), image.get());
}

void panelPadLines(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> p,
                   DeviceSpan<float> padded) {
    const dim3 grid(4, static_cast<unsigned>(part.orientations.size()));
    padKernel<<<grid, 256, 0, stream>>>(part.layout, part.orientations.get(), p.get(), padded.get());
    checkLaunch("panel pad lines");
}

void panelForward(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> phases,
                  DeviceSpan<float> p) {
    withPitch(part.layout, [&](auto pitch) {
        forwardKernel<pitch.value>
            <<<static_cast<unsigned>(part.tasks.size()), kPanelForwardThreads, 0, stream>>>(
                part.layout, part.orientations.get(), part.tasks.get(), part.places.get(), part.weights.get(),
                phases.get(), p.get());
    });
    checkLaunch("panel forward");
}

void panelBack(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> padded,
               DeviceSpan<float> phases) {
    const PanelLayout& layout = part.layout;
    const int threads = layout.ny * panelGroups(layout.nz);
    const dim3 grid(static_cast<unsigned>(layout.planes * layout.phases()),
                    static_cast<unsigned>((threads + kPanelBackThreads - 1) / kPanelBackThreads));
    withPitch(layout, [&](auto pitch) {
        backKernel<pitch.value><<<grid, kPanelBackThreads, 0, stream>>>(
            layout, part.orientations.get(), part.backBegins.get(), part.backPlaces.get(),
            part.backWeights.get(), padded.get(), phases.get());
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
