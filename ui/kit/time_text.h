// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>

namespace tof::ui {

/// "about 2 min left", rounded to what an estimate deserves; an en dash when unknown.
[[nodiscard]] QString etaText(std::optional<double> seconds);
/// "4.62 s", "1 min 20 s", "2 h 5 min".
[[nodiscard]] QString durationText(double seconds);

}  // namespace tof::ui
