// SPDX-License-Identifier: Apache-2.0
// Draws what reports show: slices as PNG, curves as SVG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/metrics/picture_data.h"

namespace tof {

/// A picture of 8-bit red, green and blue, rows from the top.
struct Raster {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Raster() = default;
    /// One colour everywhere; sizes from 1.
    Raster(int pixelsAcross, int pixelsDown, std::uint8_t grey);
    [[nodiscard]] std::uint8_t* at(int x, int y) {
        return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                 static_cast<std::size_t>(x));
    }
    [[nodiscard]] const std::uint8_t* at(int x, int y) const {
        return rgb.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                 static_cast<std::size_t>(x));
    }
};

/// The bytes of a PNG file.
[[nodiscard]] std::string pngBytes(const Raster& picture);

/// What a SlicePicture says.
[[nodiscard]] Raster sliceRaster(const SlicePicture& slice);

/// Rows of pictures of any size, each centred in its cell, grey between them.
[[nodiscard]] Raster mosaic(const std::vector<std::vector<Raster>>& rows);

/// Lines with axes, ticks and a legend as SVG.
[[nodiscard]] std::string chartSvg(const LineChart& chart);

/// The file of a picture: PNG or SVG.
[[nodiscard]] std::string pictureBytes(const ShownPicture& picture);

}  // namespace tof
