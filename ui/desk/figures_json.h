// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/metrics/figures_of_merit.h"

namespace tof::ui {

/// Figures as stored in a run file (`analyze --json`); empty when there are none.
[[nodiscard]] std::vector<Figures> figuresFromJson(const std::string& text);

}  // namespace tof::ui
