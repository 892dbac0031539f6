// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/wing.h"

namespace tof {

/// Parts that the program can be built without, as far as this one was built with them.
[[nodiscard]] std::vector<ui::Wing> desktopWings();

}  // namespace tof
