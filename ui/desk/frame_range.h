// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "recon/data/dynamic_image.h"

namespace tof::ui {

/// Frames of a dynamic image, from 1. More than one is shown as their mean, weighted by their durations.
struct FrameRange {
    int first = 0;  ///< 0: none
    int last = 0;

    [[nodiscard]] bool one() const { return first == last; }
    [[nodiscard]] bool operator==(const FrameRange&) const = default;
};

/// "0 to 10 s", "20 to 25 min".
[[nodiscard]] QString spanText(double start_s, double end_s);
/// "frame 7 of 60, 120 to 150 s", "mean of frames 3 to 10, 20 to 150 s"; the frames are in the image.
[[nodiscard]] QString framesText(const DynamicInfo& image, FrameRange frames);

}  // namespace tof::ui
