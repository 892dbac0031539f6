// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/systems/system.h"

namespace tof {

[[nodiscard]] System panelSystem();

}  // namespace tof
