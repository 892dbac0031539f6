// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

namespace tof::ui {

/// Everything below `root`, and itself, that Tab stops at, in the order of the layouts: down a column, along
/// a row. What is hidden now takes its place, too. Widgets without a layout are passed over.
[[nodiscard]] std::vector<QWidget*> tabStopsOf(QWidget* root);

/// Makes Tab go through these widgets one after the other.
void chainTabStops(const std::vector<QWidget*>& stops);

}  // namespace tof::ui
