// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/slice_pixels.h"

#include <algorithm>
#include <cmath>

namespace tof {

namespace {

Rgb colourOf(double value, DisplayRange range, const ColourMap& map) {
    if (std::isnan(value)) {
        return map.zero();
    }
    const auto count = static_cast<double>(map.table.size());
    const double place = (value - range.low) * (count / (range.high - range.low));
    return map.table[static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, count - 1))];
}

/// The value between the centres of the four voxels about a place in voxels; at the edge that of the edge.
double linear(const SliceCut& cut, double x, double y) {
    const double left = std::clamp(x - 0.5, 0.0, cut.across - 1.0);
    const double top = std::clamp(y - 0.5, 0.0, cut.down - 1.0);
    const int column = std::min(static_cast<int>(left), std::max(0, cut.across - 2));
    const int row = std::min(static_cast<int>(top), std::max(0, cut.down - 2));
    const auto at = [&](int dx, int dy) {
        const int r = std::min(row + dy, cut.down - 1);
        const int c = std::min(column + dx, cut.across - 1);
        return static_cast<double>(
            cut.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(cut.across) +
                       static_cast<std::size_t>(c)]);
    };
    const double u = left - column;
    const double v = top - row;
    return (1 - v) * ((1 - u) * at(0, 0) + u * at(1, 0)) + v * ((1 - u) * at(0, 1) + u * at(1, 1));
}

}  // namespace

Pixels slicePixels(const SliceCut& cut, DisplayRange range, const ColourMap& map, int zoom,
                   FigureTemplate::Between between) {
    Pixels pixels(cut.across * zoom, cut.down * zoom);
    for (int y = 0; y < pixels.height; ++y) {
        for (int x = 0; x < pixels.width; ++x) {
            const auto voxel = static_cast<std::size_t>(y / zoom) * static_cast<std::size_t>(cut.across) +
                               static_cast<std::size_t>(x / zoom);
            const double value = between == FigureTemplate::Between::Nearest
                                     ? static_cast<double>(cut.values[voxel])
                                     : linear(cut, (x + 0.5) / zoom, (y + 0.5) / zoom);
            pixels.set(x, y, colourOf(value, range, map));
        }
    }
    return pixels;
}

}  // namespace tof
