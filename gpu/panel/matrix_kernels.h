// SPDX-License-Identifier: Apache-2.0
// The response of pairs of crystals on the device: a launcher, callable from plain C++, which returns without
// waiting.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/panel/matrix_work.h"
#include "gpu/space/device_span.h"

namespace tof::device {

/// values = response of every voxel of the slabs, each to its offset less that of the first.
void fillSlabs(cudaStream_t stream, const PanelVoxels& voxels, DeviceSpan<const PanelPair> pairs,
               DeviceSpan<const MatrixSlab> slabs, DeviceSpan<float> values);

}  // namespace tof::device
