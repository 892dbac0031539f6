// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/slice_sinograms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::uint64_t kSpreadSeed = 1;

}  // namespace

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

SliceSinograms::SliceSinograms(const Scanner& scanner, const SinogramGrid& grid)
    : grid_(grid),
      points_(referencePoints(scanner)),
      spread_(scanner, EndPoints::Face, kSpreadSeed),
      counts_(grid.size(), 0.0) {}

void SliceSinograms::add(const EventList& events) {
    for (const auto& [one, two] : events.crystals) {
        std::array<Vec3, 2> moved{};
        if (spread_.moves()) {
            moved = spread_.offsets(added_, one, two);
        }
        ++added_;
        const Vec3 a = points_[one] + moved[0];
        const Vec3 b = points_[two] + moved[1];
        double angle = std::atan2(b.y - a.y, b.x - a.x);
        angle = angle < 0 ? angle + kPi : angle >= kPi ? angle - kPi : angle;
        const double s = a.y * std::cos(angle) - a.x * std::sin(angle);
        const auto bin = static_cast<int>(std::floor(s / grid_.bin_mm + 0.5 * grid_.bins));
        const int slice = grid_.sliceAt(0.5 * (points_[one].z + points_[two].z));
        if (bin >= 0 && bin < grid_.bins && slice >= 0 && slice < grid_.slices) {
            const auto turn = static_cast<int>(angle / kPi * grid_.angles);
            count(slice, std::min(turn, grid_.angles - 1), bin, 1);
        }
    }
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
