// SPDX-License-Identifier: Apache-2.0
// Numbers as people type them.
#pragma once

#include <QString>
#include <optional>

namespace tof::ui {

/// "20 M", "2e6", "2.5e7", "500k", "0.2 G", "5 000 000", "2,5 M": the number that is meant; empty where a
/// text is none or could mean two. A comma is a decimal one unless three digits follow it ("1,000" could mean
/// either).
[[nodiscard]] std::optional<double> engineeringNumber(const QString& text);

/// "20 M", "2.5 M", "500 k", "1234": what engineeringNumber() reads back exactly, with at most six digits.
[[nodiscard]] QString engineeringText(double value);

}  // namespace tof::ui
