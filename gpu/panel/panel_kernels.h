// SPDX-License-Identifier: Apache-2.0
// The kernels of the strategy `panel`: launchers, callable from plain C++, which return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/panel/panel_work.h"
#include "gpu/space/device_span.h"
#include "recon/seam/space.h"

namespace tof::device {

/// The weights of a row, as they are loaded at once.
struct alignas(16) PanelWeights4 {
    float weight[4];
};

/// Tables of one part; all device memory.
struct PanelPart {
    PanelLayout layout;  ///< that of side 0
    DeviceSpan<const PanelOrientation> orientations;
    DeviceSpan<const std::uint32_t> tasks;
    // Rows of all classes, and those of this part by share, side, x and phase with where each list begins.
    DeviceSpan<const std::uint32_t> places;
    DeviceSpan<const PanelWeights4> weights;
    DeviceSpan<const std::uint32_t> backPlaces;
    DeviceSpan<const PanelWeights4> backWeights;
    DeviceSpan<const std::uint32_t> backBegins;
};

/// An image [z][y][x] into phases, whose zero rows are left alone.
void panelSplit(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> image,
                DeviceSpan<float> phases);
/// Phases into an image [z][y][x]; `lost`, an image too, keeps what rounding takes from the sums.
void panelJoin(cudaStream_t stream, const PanelLayout& layout, DeviceSpan<const float> phases, Write write,
               DeviceSpan<float> image, DeviceSpan<float> lost);

/// An image in its making: what each share has given, and what rounding took from that.
struct PanelShareSums {
    float* sum[kPanelMostShares];
    float* lost[kPanelMostShares];  ///< null: there is no such share
};
/// Where `image` is not the sum of the shares, what other work has made of it becomes the first one's.
void panelTakeUp(cudaStream_t stream, DeviceSpan<const float> image, const PanelShareSums& shares);
/// image = the sum of the shares.
void panelAddShares(cudaStream_t stream, const PanelShareSums& shares, DeviceSpan<float> image);
/// The lines of every orientation with zero rows around them.
void panelPadLines(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> p,
                   DeviceSpan<float> padded);

/// An image in the phases of both sides.
struct PanelPhases {
    float* side[kPanelSides];
};
/// p = F x, all lines of the part.
void panelForward(cudaStream_t stream, const PanelPart& part, const PanelPhases& phases, DeviceSpan<float> p);
/// Images in phases, `size` floats each: [share][side].
struct PanelSharePhases {
    float* first = nullptr;
    std::size_t size = 0;
    int shares = 1;
};
/// F^T p, all voxels, of each share: their sum over both sides.
void panelBack(cudaStream_t stream, const PanelPart& part, DeviceSpan<const float> padded,
               const PanelSharePhases& phases);

/// For figures of their resources, with the pitch of 128.
inline constexpr int kPanelForwardThreads = 256;
inline constexpr int kPanelBackThreads = 256;
[[nodiscard]] const void* panelForwardFunction();
[[nodiscard]] const void* panelBackFunction();

}  // namespace tof::device
