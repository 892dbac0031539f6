// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/lines/plane_sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tof {

namespace {

constexpr std::size_t kMostCrossings = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kMostEntries = std::size_t{1} << 23U;  // the most entries of the table of voxels
constexpr int kMostPlanes = std::numeric_limits<std::int16_t>::max() / 2;

/// A family's way up or down.
struct Crossing {
    double at;
    std::int32_t family;
    std::int32_t lower;  ///< voxel below the face, of plane 0
};

std::int32_t firstVoxel(const PlaneLine& line) {
    const double height = static_cast<double>(line.at) - 0.5 * static_cast<double>(line.slope);
    return static_cast<std::int32_t>(line.slope < 0 ? std::ceil(height) - 1 : std::floor(height));
}

/// The faces that plane 0 passes.
void appendCrossings(const PlaneLine& line, std::int32_t family, std::vector<Crossing>& out) {
    const double slope = static_cast<double>(line.slope);
    if (slope == 0) {
        return;
    }
    const int up = slope > 0 ? 1 : -1;
    for (std::int32_t voxel = firstVoxel(line);; voxel += up) {
        const std::int32_t face = up > 0 ? voxel + 1 : voxel;
        const double at = (face - static_cast<double>(line.at)) / slope;
        if (!(at < 0.5)) {
            return;
        }
        out.push_back({at, family, face - 1});
    }
}

std::size_t passedBefore(const std::vector<FaceCrossing>& crossings, double at) {
    const auto next = std::lower_bound(crossings.begin(), crossings.end(), at,
                                       [](const FaceCrossing& c, double value) { return c.at < value; });
    return static_cast<std::size_t>(next - crossings.begin());
}

}  // namespace

std::optional<PlaneSweep> PlaneSweep::of(const PlaneStack& stack) {
    const std::vector<PlaneFamily>& families = stack.families();
    PlaneSweep sweep;
    std::vector<Crossing> all;
    double total = 0;
    for (const PlaneFamily& family : families) {
        total += std::abs(static_cast<double>(family.line.slope)) + 1;
        if (family.places > kMostPlanes || std::abs(family.line.at) > kMostPlanes / 2 ||
            std::abs(family.line.slope) > kMostPlanes / 2) {
            return std::nullopt;
        }
    }
    if (total > kMostCrossings || total * static_cast<double>(families.size()) > kMostEntries) {
        return std::nullopt;
    }
    std::vector<std::int16_t> now;
    for (const PlaneFamily& family : families) {
        appendCrossings(family.line, static_cast<std::int32_t>(now.size()), all);
        now.push_back(static_cast<std::int16_t>(firstVoxel(family.line)));
        sweep.families_.push_back({static_cast<std::int32_t>(sweep.rowCount_), family.places,
                                   family.line.slope < 0 ? -1.0F : 1.0F});
        sweep.rowCount_ += static_cast<std::size_t>(family.places);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Crossing& a, const Crossing& b) { return a.at < b.at; });
    sweep.voxels_ = now;
    for (const Crossing& crossing : all) {
        const auto f = static_cast<std::size_t>(crossing.family);
        const SweepFamily& family = sweep.families_[f];
        const int pair = crossing.lower >> 1;
        ((crossing.lower & 1) != 0 ? sweep.between_ : sweep.within_)
            .push_back({crossing.at, family.row - pair, static_cast<std::uint16_t>(family.planes),
                        static_cast<std::int16_t>(pair)});
        now[f] = static_cast<std::int16_t>(now[f] + (family.direction < 0 ? -1 : 1));
        sweep.voxels_.insert(sweep.voxels_.end(), now.begin(), now.end());
    }
    for (const std::int32_t place : stack.places()) {
        const auto above = std::upper_bound(families.begin(), families.end(), place,
                                            [](std::int32_t p, const PlaneFamily& f) { return p < f.base; });
        const auto f = static_cast<std::size_t>(above - families.begin()) - 1;
        sweep.rows_.push_back(sweep.families_[f].row + place - families[f].base);
    }
    return sweep;
}

void PlaneSweep::append(const std::vector<PathStep>& path, const TransverseLine& line,
                        std::vector<SweepStep>& out) const {
    if (path.empty()) {
        return;
    }
    const double perLength = 1.0 / std::hypot(line.x2 - line.x1, line.y2 - line.y1);
    double to = static_cast<double>(path.front().from);
    std::size_t within = passedBefore(within_, to);
    std::size_t between = passedBefore(between_, to);
    const auto append = [&](std::int32_t column) {
        out.push_back({to, column, static_cast<std::uint16_t>(within), static_cast<std::uint16_t>(between)});
    };
    append(-1);
    for (const PathStep& step : path) {
        to += static_cast<double>(step.length) * perLength;
        for (; within < within_.size() && within_[within].at < to; ++within) {
        }
        for (; between < between_.size() && between_[between].at < to; ++between) {
        }
        append(step.column);
    }
}

}  // namespace tof
