// SPDX-License-Identifier: Apache-2.0
// The one table of what can be asked of images of frames.
#pragma once

#include <vector>

#include "recon/base/request_row.h"
#include "recon/work/frame_request.h"

namespace tof {

[[nodiscard]] const std::vector<RequestRow<FramesAsked>>& frameRows();

}  // namespace tof
