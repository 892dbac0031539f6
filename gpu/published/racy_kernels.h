// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lines/line_part.h"

namespace tof::device {

/// image += F^T p by plain read-modify-write: updates that collide are lost.
void lineBackRacy(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                  DeviceSpan<float> image);

}  // namespace tof::device
