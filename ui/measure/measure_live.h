// SPDX-License-Identifier: Apache-2.0
// How long live tuning takes from a changed kernel to pictures: see docs/performance.md.
#pragma once

#include <functional>

#include "recon/base/error.h"
#include "ui/window/main_window.h"

namespace tof::ui {

/// Switches live tuning on and changes the kernel `changes` times, each once the pictures of the one before
/// are painted; every kernel is new, so nothing of it is known. Prints the times as JSON and ends the
/// program; a run that fails goes to `fail`. Throws WrongUse when no data are open.
void measureLiveTuning(Desk& desk, MainWindow& window, int changes, std::function<void(const Error&)> fail);

}  // namespace tof::ui
