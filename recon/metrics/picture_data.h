// SPDX-License-Identifier: Apache-2.0
// Pictures and charts as data. Whoever writes a report draws them.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/roi.h"

namespace tof {

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
struct SlicePicture {
    std::shared_ptr<const Volume> volume;  ///< not null
    Plane plane = Plane::Transverse;
    Vec3 through;
    Tone tone{};
    int zoom = 1;
};
/// Rows of slices of any size.
using SliceMosaic = std::vector<std::vector<SlicePicture>>;

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

/// Lines over one pair of axes. Points that are not finite are left out.
struct LineChart {
    std::string xTitle;
    std::string yTitle;
    std::vector<ChartLine> lines;
};

using ShownPicture = std::variant<SliceMosaic, LineChart>;

}  // namespace tof
