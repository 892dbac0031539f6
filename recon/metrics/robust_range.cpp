// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/robust_range.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "recon/base/percentile.h"

namespace tof {

namespace {

/// percentile() of a share near 1, looked for among the values above one that every n-th value says hardly
/// any are: live tuning waits for it after every iterate, and putting a million values in order takes 10 ms.
float nearTop(std::vector<float>& values, double share) {
    constexpr std::size_t kEvery = 61;
    constexpr double kRoom = 16;  ///< times as many values as are wanted
    const auto n = static_cast<double>(values.size());
    const std::size_t fromTop = values.size() - static_cast<std::size_t>(share * (n - 1));
    const double expected = kRoom * static_cast<double>(fromTop) / n;
    if (expected > 0.25) {
        return percentile(values, share);
    }
    std::vector<float> some;
    for (std::size_t i = 0; i < values.size(); i += kEvery) {
        some.push_back(values[i]);
    }
    const float bound = percentile(some, 1 - expected);
    std::vector<float> high;
    std::copy_if(values.begin(), values.end(), std::back_inserter(high), [&](float v) { return v >= bound; });
    if (high.size() < fromTop) {
        return percentile(values, share);
    }
    const auto at = high.begin() + static_cast<std::ptrdiff_t>(high.size() - fromTop);
    std::nth_element(high.begin(), at, high.end());
    return *at;
}

}  // namespace

double roundUpTwoDigits(double value) {
    if (!(value > 0)) {
        return 0;
    }
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::ceil(value / unit * (1 - 1e-12)) * unit;
}

DisplayRange robustRange(const Volume& volume) {
    // Every n-th voxel is enough for a percentile and keeps the window quick for large volumes.
    const std::size_t step = std::max<std::size_t>(1, volume.data.size() / 500000);
    std::vector<float> values;
    values.reserve(volume.data.size() / step + 1);
    for (std::size_t i = 0; i < volume.data.size(); i += step) {
        if (std::isfinite(volume.data[i])) {
            values.push_back(volume.data[i]);
        }
    }
    if (values.empty()) {
        return {};
    }
    const auto ends = std::minmax_element(values.begin(), values.end());
    const bool negative = *ends.first < 0.0F;
    const double most = static_cast<double>(*ends.second);
    double high = roundUpTwoDigits(static_cast<double>(nearTop(values, 0.9999)));
    if (high <= 0) {
        high = roundUpTwoDigits(most);
    }
    const double lowest = negative ? static_cast<double>(percentile(values, 0.001)) : 0;
    const double low = lowest < 0 ? -roundUpTwoDigits(-lowest) : 0;
    return high > low ? DisplayRange{low, high} : DisplayRange{low, low + 1};
}

Box objectBox(const Volume& volume) {
    const Lattice& lattice = volume.lattice;
    const auto threshold = static_cast<float>(0.1 * robustRange(volume).high);
    std::array<std::vector<std::size_t>, 3> above;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        above[axis].assign(static_cast<std::size_t>(lattice.size[axis]), 0);
    }
    // Of a large volume every n-th row, another one in each slice: as many in every layer along y and z.
    constexpr std::size_t kEnough = 2000000;
    const std::size_t step = std::max<std::size_t>(1, volume.data.size() / kEnough);
    const auto columns = static_cast<std::size_t>(lattice.size[0]);
    const auto rows = static_cast<std::size_t>(lattice.size[1]);
    std::size_t seen = 0;
    for (std::size_t z = 0; z < static_cast<std::size_t>(lattice.size[2]); ++z) {
        for (std::size_t y = (step - z % step) % step; y < rows; y += step) {
            const float* const row = volume.data.data() + (z * rows + y) * columns;
            std::size_t inRow = 0;
            for (std::size_t x = 0; x < columns; ++x) {
                const std::size_t one = row[x] > threshold ? 1 : 0;
                above[0][x] += one;
                inRow += one;
            }
            above[1][y] += inRow;
            above[2][z] += inRow;
            seen += columns;
        }
    }
    const Box whole = latticeBox(lattice);
    Box box = whole;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& counts = above[axis];
        const double least = 0.002 * static_cast<double>(seen) / static_cast<double>(counts.size());
        const auto holdsObject = [&](std::size_t n) { return static_cast<double>(n) > least; };
        const auto first = std::find_if(counts.begin(), counts.end(), holdsObject);
        const auto last = std::find_if(counts.rbegin(), counts.rend(), holdsObject);
        const auto layers = counts.rend() - last - (first - counts.begin());
        if (first == counts.end() || 4 * layers < static_cast<std::ptrdiff_t>(counts.size())) {
            return whole;
        }
        const double spacing = lattice.spacing_mm[axis];
        const double room = std::max(2 * spacing, 0.03 * static_cast<double>(layers) * spacing);
        const double low = whole.low[axis] + spacing * static_cast<double>(first - counts.begin()) - room;
        const double high = whole.high[axis] - spacing * static_cast<double>(last - counts.rbegin()) + room;
        box.low[axis] = std::max(whole.low[axis], low);
        box.high[axis] = std::min(whole.high[axis], high);
    }
    return box;
}

}  // namespace tof
