// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/slice_sinograms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

SinogramGrid SinogramGrid::of(const Scanner& scanner, int angles, double bin_mm, double radius_mm,
                              double halfLength_mm) {
    constexpr double kSameHeight_mm = 1e-3;
    std::vector<double> heights;
    heights.reserve(scanner.crystals.size());
    for (const Crystal& crystal : scanner.crystals) {
        heights.push_back(crystal.front.z);
    }
    std::sort(heights.begin(), heights.end());
    double pitch = 0;
    for (std::size_t i = 1; i < heights.size(); ++i) {
        const double apart = heights[i] - heights[i - 1];
        if (apart > kSameHeight_mm && (pitch == 0 || apart < pitch)) {
            pitch = apart;
        }
    }
    if (pitch == 0) {
        throw WrongUse(
            "the crystals of scanner '{}' all lie at one height; a scanner of several rings is needed",
            scanner.name);
    }
    const double half = std::min(halfLength_mm, 0.5 * (heights.back() - heights.front()) + 0.25 * pitch);
    SinogramGrid grid;
    grid.angles = angles;
    grid.bin_mm = bin_mm;
    grid.bins = 2 * static_cast<int>(std::round(radius_mm / bin_mm));
    grid.slice_mm = 0.5 * pitch;
    // An odd number: the middle of a scanner is the middle of a slice.
    grid.slices = 2 * static_cast<int>(std::floor(half / grid.slice_mm - 0.5 + 1e-6)) + 1;
    return grid;
}

int SinogramGrid::sliceAt(double z_mm) const {
    return static_cast<int>(std::floor((z_mm - middle_mm) / slice_mm + 0.5 * slices));
}

int SinogramGrid::binAt(double s_mm) const {
    return static_cast<int>(std::floor(s_mm / bin_mm + 0.5 * bins));
}

SliceSinograms::SliceSinograms(const Scanner& scanner, const SinogramGrid& grid)
    : grid_(grid), lines_(scanner), counts_(grid.size(), 0.0) {}

void SliceSinograms::add(const EventList& events) {
    lines_.forEach(events, [this](const EventLine& line) {
        const int bin = grid_.binAt(line.s_mm);
        const int slice = grid_.sliceAt(line.z_mm);
        if (bin >= 0 && bin < grid_.bins && slice >= 0 && slice < grid_.slices) {
            const auto turn = static_cast<int>(line.angle_rad / kPi * grid_.angles);
            count(slice, std::min(turn, grid_.angles - 1), bin, 1);
        }
    });
}

void SliceSinograms::add(const SliceSinograms& other) {
    std::transform(counts_.begin(), counts_.end(), other.counts_.begin(), counts_.begin(), std::plus<>());
}

double SliceSinograms::total() const {
    return std::accumulate(counts_.begin(), counts_.end(), 0.0);
}

std::vector<double> SliceSinograms::bySlice() const {
    const auto each = static_cast<std::ptrdiff_t>(grid_.angles) * grid_.bins;
    std::vector<double> sums;
    for (auto begin = counts_.begin(); begin != counts_.end(); begin += each) {
        sums.push_back(std::accumulate(begin, begin + each, 0.0));
    }
    return sums;
}

}  // namespace tof
