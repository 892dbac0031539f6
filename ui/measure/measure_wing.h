// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/wing.h"

namespace tof::ui {

/// What the window measures of itself: --measure-responsiveness and its like.
[[nodiscard]] Wing measureWing();

}  // namespace tof::ui
