// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/experiments/experiments_model.h"
#include "ui/window/wing.h"

namespace tof::ui {

/// The page of experiments, whose reports `write` writes.
[[nodiscard]] Wing experimentsWing(ReportWriter write);

}  // namespace tof::ui
