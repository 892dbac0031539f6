// SPDX-License-Identifier: Apache-2.0
// The line of width against radius that the lab edits point by point. Functions of kernels alone.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "recon/kernel/kernel_spec.h"

namespace tof::ui {

/// |s| and FWHM of its points, mm, |s| ascending from 0.
using WidthLine = std::vector<std::pair<double, double>>;

/// The points of the kernel's line: its own, those of measured profiles, or points that stand for a formula
/// up to `farthest_mm` and replace it as soon as one of them is moved.
[[nodiscard]] WidthLine widthLineOf(const KernelSpec& kernel, double farthest_mm);
/// The kernel with this line for its width.
[[nodiscard]] KernelSpec withWidthLine(KernelSpec kernel, WidthLine line);
/// The line with a point moved: between its neighbours, the first one stays at |s| = 0, the last one within
/// `farthest_mm`.
[[nodiscard]] WidthLine withKnotMoved(WidthLine line, std::size_t index, double s_mm, double fwhm_mm,
                                      double farthest_mm);
/// The line with a point more, and where that is; nothing where one is there already, or at |s| <= 0.
[[nodiscard]] std::optional<std::pair<WidthLine, int>> withKnotAdded(WidthLine line, double s_mm,
                                                                     double fwhm_mm);

}  // namespace tof::ui
