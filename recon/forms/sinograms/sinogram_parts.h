// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/corrections/part_flow.h"

namespace tof {

/// How sinograms are corrected: factors go into mult, which holds survival as well, counts into add.
[[nodiscard]] FormCorrections sinogramCorrections();

}  // namespace tof
