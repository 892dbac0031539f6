// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/corrections/part_flow.h"

namespace tof {

/// How histo-images are corrected: factors go into mult and att, counts into add, every part beside them.
[[nodiscard]] FormCorrections histoCorrections();

}  // namespace tof
