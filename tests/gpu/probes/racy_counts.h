// SPDX-License-Identifier: Apache-2.0
// The kernel behind lost_updates.h.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/lines/line_part.h"

namespace tof::device {

/// Adds one to `counts` at every voxel of every line of a part, by plain read-modify-write, and to `updates`
/// how many there were.
void countRacy(cudaStream_t stream, const LinePart& part, unsigned* counts, unsigned long long* updates);

}  // namespace tof::device
