// SPDX-License-Identifier: Apache-2.0
// List-mode, and sinograms, on the device by the single-precision paths of recon/systems/lines/event_path.h:
// launchers, callable from plain C++. Pointers are device memory; launches return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/lines/line_kernels.h"
#include "recon/systems/lines/event_path.h"

namespace tof::device {

/// The table of time bins; no pieces without time of flight.
struct EventTable {
    const TimePiece* pieces = nullptr;
    int count = 0;  ///< per kind of bin
    float perMm = 0;
};

/// p = F x, one thread per event.
void eventForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const float* image,
                  float* p);
/// p = F x of sinograms by the paths of events, one thread per datum.
void binForward(cudaStream_t stream, const LinePart& part, const EventTable& table, const float* image,
                float* p);
/// ringBackFixed() of sinograms by the paths of events.
void binBackFixed(cudaStream_t stream, const LinePart& part, const EventTable& table, const float* p,
                  const FixedScale* scale, unsigned long long* sums);
/// An image in squares of 2 x 2 columns: float4 [z][y / 2][x / 2].
struct BrickImage {
    float4* bricks = nullptr;
    int size[3] = {0, 0, 0};  ///< of the image, at most 1024 each
};
[[nodiscard]] inline std::size_t brickCount(const int size[3]) {
    return static_cast<std::size_t>((size[0] + 1) / 2) * static_cast<std::size_t>((size[1] + 1) / 2) *
           static_cast<std::size_t>(size[2]);
}
/// bricks += F^T p by atomic additions of floats: what an event adds to one brick goes in one operation.
void eventBackAtomic(cudaStream_t stream, const LinePart& part, const EventTable& table, const float* p,
                     const BrickImage& image);
/// image += bricks; leaves the bricks zero.
void eventFinishAtomic(cudaStream_t stream, const BrickImage& bricks, float* image);

}  // namespace tof::device
