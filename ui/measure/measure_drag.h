// SPDX-License-Identifier: Apache-2.0
// How long the kernel lab takes from a dragged width to painted pictures: see docs/performance.md.
#pragma once

#include "ui/window/main_window.h"

namespace tof::ui {

/// Drags the selected point of the kernel lab's plot up and down for so many seconds with mouse events, one
/// every 16 ms, then lets go and waits for the exact projections. Prints the times as JSON and ends the
/// program. Throws WrongUse for a kernel whose widths cannot be dragged.
void measureKernelDrag(MainWindow& window, double seconds);

}  // namespace tof::ui
