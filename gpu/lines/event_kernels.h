// SPDX-License-Identifier: Apache-2.0
// List-mode, and sinograms, on the device by the single-precision paths of recon/systems/lines/event_path.h:
// launchers, callable from plain C++. Pointers are device memory; launches return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <array>

#include "gpu/lines/line_part.h"

namespace tof::device {

/// p = F x, one thread per event.
void eventForward(cudaStream_t stream, const LinePart& part, const EventTable& table,
                  DeviceSpan<const float> image, DeviceSpan<float> p);
/// Keeps the paths of a part's events, in their order.
void keepEvents(cudaStream_t stream, const LinePart& part, const KeptSteps& kept);
/// p = F x by the kept paths of a part's events: the same bits.
void keptForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const KeptSteps& kept,
                 DeviceSpan<const float> image, DeviceSpan<float> p);
/// p = F x of sinograms by the paths of events, one thread per datum.
void binForward(cudaStream_t stream, const LinePart& part, const EventTable& table,
                DeviceSpan<const float> image, DeviceSpan<float> p);
/// lineBackFixed() of sinograms by the paths of events.
void binBackFixed(cudaStream_t stream, const LinePart& part, const EventTable& table,
                  DeviceSpan<const float> p, DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums);
/// An image in squares of 2 x 2 columns: float4 [z][y / 2][x / 2].
struct BrickImage {
    DeviceSpan<float4> bricks;
    int size[3] = {0, 0, 0};  ///< size of the image, at most kMostSide each
};
inline constexpr int kSideBits = 10;  ///< bits of a coordinate in the packed index of a voxel
inline constexpr int kMostSide = 1 << kSideBits;
[[nodiscard]] inline std::size_t brickCount(const std::array<int, 3>& size) {
    return static_cast<std::size_t>((size[0] + 1) / 2) * static_cast<std::size_t>((size[1] + 1) / 2) *
           static_cast<std::size_t>(size[2]);
}
/// bricks += F^T p by atomic additions of floats: what an event adds to one brick goes in one operation.
void eventBackAtomic(cudaStream_t stream, const LinePart& part, const EventTable& table,
                     DeviceSpan<const float> p, const BrickImage& image);
/// image += bricks; leaves the bricks zero.
void eventFinishAtomic(cudaStream_t stream, const BrickImage& bricks, DeviceSpan<float> image);

}  // namespace tof::device
