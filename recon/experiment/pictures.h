// SPDX-License-Identifier: Apache-2.0
// Slices and curves as pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/roi.h"

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

enum class Palette {
    InverseGrey,  ///< low white, high black
    Diverging     ///< blue, white in the middle, red
};

/// How values become colours: `low` and below the first colour, `high` and above the last.
struct Tone {
    double low = 0;
    double high = 1;
    Palette palette = Palette::InverseGrey;
};

/// The slice nearest to a point, `zoom` pixels a voxel; anterior or superior up.
[[nodiscard]] Raster sliceRaster(const Volume& volume, Plane plane, Vec3 through, const Tone& tone, int zoom);

/// Rows of pictures of any size, each centred in its cell, grey between them.
[[nodiscard]] Raster mosaic(const std::vector<std::vector<Raster>>& rows);

/// A line of a chart.
struct ChartLine {
    std::string name;
    std::vector<double> x{};
    std::vector<double> y{};
    void add(double atX, double atY) {
        x.push_back(atX);
        y.push_back(atY);
    }
};

/// Lines with axes, ticks and a legend as SVG. Points that are not finite are left out.
[[nodiscard]] std::string lineChart(const std::string& xTitle, const std::string& yTitle,
                                    const std::vector<ChartLine>& lines);

}  // namespace tof
