// SPDX-License-Identifier: Apache-2.0
// Draws what reports show: slices as PNG, curves as SVG.
#pragma once

#include <string>
#include <vector>

#include "recon/figure/drawing.h"
#include "recon/metrics/picture_data.h"

namespace tof {

/// What a SlicePicture says.
[[nodiscard]] Pixels pixelsOf(const SlicePicture& slice);

/// Rows of pictures of any size, each centred in its cell, grey between them.
[[nodiscard]] Pixels mosaic(const std::vector<std::vector<Pixels>>& rows);

/// Lines with axes, ticks and a legend as SVG.
[[nodiscard]] std::string chartSvg(const LineChart& chart);

/// The file of a picture: PNG or SVG.
[[nodiscard]] std::string pictureBytes(const ShownPicture& picture);

}  // namespace tof
