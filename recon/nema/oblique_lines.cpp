// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/oblique_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/fourier.h"

namespace tof {

RebinningField RebinningField::of(const Scanner& scanner, const SinogramGrid& grid, Vec3 at,
                                  double reach_mm) {
    RebinningField field;
    field.grid = grid;
    field.at = at;
    field.reach_mm = reach_mm;
    field.steepest = std::tan(scanner.acceptance_rad);
    for (const Vec3& point : referencePoints(scanner)) {
        field.radius_mm = std::max(field.radius_mm, std::hypot(point.x, point.y));
        field.halfLength_mm = std::max(field.halfLength_mm, std::abs(point.z));
    }
    return field;
}

double RebinningField::farthest_mm() const {
    return std::hypot(at.x, at.y) + reach_mm;
}

int RebinningField::groups() const {
    constexpr double kMoves = 0.25;  // of a slice, to either side of a group's middle
    const double moved = steepest * farthest_mm() / (2 * kMoves);
    return static_cast<int>(std::ceil(std::max(moved, steepest * radius_mm) / grid.slice_mm));
}

int RebinningField::slicesBeyond() const {
    return static_cast<int>(std::ceil(steepest * farthest_mm() / grid.slice_mm)) + 1;
}

int RebinningField::windowBins() const {
    return 2 * smoothSize(2 * static_cast<int>(std::ceil(reach_mm / grid.bin_mm)));
}

int RebinningField::windowAt(int angle) const {
    const double turn = kPi * (angle + 0.5) / grid.angles;
    const double s = at.y * std::cos(turn) - at.x * std::sin(turn);
    return grid.bins / 2 + static_cast<int>(std::lround(s / grid.bin_mm)) - windowBins() / 2;
}

ObliqueLines::ObliqueLines(const RebinningField& field)
    : field_(field), count_(field.groups()), beyond_(field.slicesBeyond()), bins_(field.windowBins()) {
    constexpr int kMost = std::numeric_limits<std::int16_t>::max();
    const bool fits =
        2 * field.grid.angles <= kMost && field.grid.slices + beyond_ <= kMost && bins_ <= kMost;
    if (!fits || count_ < 1 || bins_ < 2) {
        throw WrongUse("lines cannot be rebinned in {} slices, {} angles and {} groups of tilts",
                       field.grid.slices, field.grid.angles, count_);
    }
    for (int angle = 0; angle < 2 * field.grid.angles; ++angle) {
        windows_.push_back(field.windowAt(angle));
    }
    groups_.resize(static_cast<std::size_t>(count_));
}

void ObliqueLines::add(const EventLine& line, double events) {
    if (line.tilt == 0) {
        addRising(line, 0.5 * events);
        addRising(reversed(line), 0.5 * events);
    } else {
        addRising(line.tilt > 0 ? line : reversed(line), events);
    }
}

void ObliqueLines::addRising(const EventLine& line, double events) {
    const SinogramGrid& grid = field_.grid;
    const double group = line.tilt / field_.steepest * count_;
    const int slice = grid.sliceAt(line.z_mm);
    if (group > count_ || slice < -beyond_ || slice >= grid.slices + beyond_) {
        return;
    }
    const auto angle = static_cast<std::size_t>(line.angle_rad / kPi * grid.angles) % windows_.size();
    const int window = grid.binAt(line.s_mm) - windows_[angle];
    if (window < bins_ / 4 || window >= bins_ - bins_ / 4) {
        return;
    }
    const int own = std::min(static_cast<int>(group), count_ - 1);
    groups_[static_cast<std::size_t>(own)].push_back(
        {static_cast<std::int16_t>(slice), static_cast<std::uint16_t>(angle),
         static_cast<std::uint16_t>(window), static_cast<float>(events)});
}

}  // namespace tof
