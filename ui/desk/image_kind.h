// SPDX-License-Identifier: Apache-2.0
// What an image is of: it decides which figures may stand beside it.
#pragma once

#include <cstdint>

#include "ui/desk/run_item.h"
#include "ui/desk/uptakes.h"

namespace tof::ui {

enum class ImageKind : std::uint8_t {
    OfData,    ///< a run of the open data, or made of its images in the same unit
    Activity,  ///< another image of what may be the same activity, by somebody else's program
    Patient,   ///< activity with a dose and a body weight of its own
    Other      ///< CT, attenuation, per cent, a tissue's rates: nothing whose contrast means anything
};

/// What is said of images of a kind beside mean and spread of every ROI.
struct ImageFigures {
    bool contrast = false;  ///< CRC, noise and NSR by the roles of the ROIs
    bool truth = false;     ///< the phantom of the open data is what was measured
};

[[nodiscard]] ImageKind imageKind(const RunItem& item, const Uptakes& uptakes);
[[nodiscard]] ImageFigures figuresOf(ImageKind kind);

}  // namespace tof::ui
