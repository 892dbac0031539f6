// SPDX-License-Identifier: Apache-2.0
// Blurs of an image on the device: launchers, callable from plain C++, which return without waiting.
#pragma once

#include <cuda_runtime_api.h>
#include <vector_types.h>

#include <array>

#include "gpu/space/device_span.h"

namespace tof::device {

/// One axis of a separable symmetric blur; weights[0] is the centre.
void blurAxis(cudaStream_t stream, const std::array<int, 3>& size, int axis, DeviceSpan<const float> weights,
              DeviceSpan<const float> in, DeviceSpan<float> out);

/// Along z by weights of each column, [voxels up and down][y][x].
void blurColumns(cudaStream_t stream, const std::array<int, 3>& size, DeviceSpan<const float> weights,
                 DeviceSpan<const float> in, DeviceSpan<float> out);

/// Taps across and what every column sends by each of them, as VariantBlur has them.
struct AcrossTaps {
    DeviceSpan<const int2> taps;
    DeviceSpan<const float> weights;
};
/// Every voxel sends across.
void sendAcross(cudaStream_t stream, const std::array<int, 3>& size, const AcrossTaps& across,
                DeviceSpan<const float> in, DeviceSpan<float> out);
/// The adjoint: every voxel fetches what it would have sent.
void fetchAcross(cudaStream_t stream, const std::array<int, 3>& size, const AcrossTaps& across,
                 DeviceSpan<const float> in, DeviceSpan<float> out);

}  // namespace tof::device
