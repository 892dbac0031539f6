// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "recon/metrics/roi.h"
#include "ui/desk/kinetics_task.h"

class QWidget;

namespace tof::ui {

/// Asks which model a dynamic image is fitted with, and what it is compared with: the rows of the command
/// `kinetics`, where ROIs are those of the window. Nothing when it is left.
[[nodiscard]] std::optional<KineticsWish> askForKinetics(QWidget* parent, const RunItem& item,
                                                         const std::vector<Roi>& rois);

}  // namespace tof::ui
