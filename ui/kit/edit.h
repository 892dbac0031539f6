// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof::ui {

/// How a change came about: at once, or as one of many while the mouse button is down, which together are one
/// step of undo.
enum class Edit { Whole, Dragging };

}  // namespace tof::ui
