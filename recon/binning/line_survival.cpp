// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/line_survival.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "recon/base/box.h"
#include "recon/base/large_array.h"

namespace tof {

namespace {

/// Length that two intervals share.
double shared(double lowA, double highA, double lowB, double highB) {
    return std::max(0.0, std::min(highA, highB) - std::max(lowA, lowB));
}

/// Where a line meets the planes between columns along one axis.
struct Crossings {
    Crossings(double start, double slope, double spacing, double begin)
        : step(spacing / std::abs(slope)), sense(slope > 0 ? 1 : -1) {
        // `start`: how far the line is, at parameter 0, from the lower face of column 0, in columns.
        const double at = start + begin * slope / spacing;
        index = static_cast<int>(std::floor(at));
        const double ahead = sense > 0 ? index + 1 - at : at - index;
        next = slope == 0 ? std::numeric_limits<double>::infinity() : begin + ahead * step;
    }
    double step;
    int sense;
    int index;
    double next;
};

}  // namespace

LineSurvival::LineSurvival(const Volume& attenuation, const Samples& heights, double tangent,
                           const ThreadPool& pool)
    : loops_(ColumnLoops::best()),
      plane_(attenuation.lattice),
      heights_(heights.count),
      step_mm_(heights.step) {
    const Lattice& lattice = attenuation.lattice;
    plane_.size[2] = 1;
    double reach = 0;
    for (const int x : {0, lattice.size[0]}) {
        for (const int y : {0, lattice.size[1]}) {
            const Vec3 corner = lattice.centre(x - 0.5, y - 0.5, 0);
            reach = std::max(reach, std::hypot(corner.x, corner.y));
        }
    }
    margin_ = static_cast<std::size_t>(std::ceil(reach * std::abs(tangent) / step_mm_)) + 2;
    stored_ = heights_ + 2 * margin_;
    columns_ = largeArray<float>(plane_.voxels() * stored_, pool);
    const double thick = lattice.spacing_mm[2];
    const double bottom = lattice.origin_mm.z - 0.5 * thick;
    pool.forRange(plane_.voxels(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t h = 0; h < stored_; ++h) {
            const double middle = heights.at(h) - static_cast<double>(margin_) * step_mm_;
            const double low = middle - 0.5 * step_mm_;
            const int first = std::max(0, static_cast<int>(std::floor((low - bottom) / thick)));
            for (int z = first; z < lattice.size[2] && bottom + z * thick < low + step_mm_; ++z) {
                const auto share = static_cast<float>(
                    shared(low, low + step_mm_, bottom + z * thick, bottom + (z + 1) * thick) / step_mm_);
                const float* const slice =
                    attenuation.data.data() + static_cast<std::size_t>(z) * plane_.voxels();
                for (std::size_t i = begin; i < end; ++i) {
                    columns_[i * stored_ + h] += share * slice[i];
                }
            }
        }
    });
}

void LineSurvival::along(Vec3 foot, Vec3 along, double tangent, std::vector<ShiftedColumn>& crossed,
                         float* survival) const {
    const Box box = latticeBox(plane_);
    const Interval inside = overlap(insideSlab(foot.x, along.x, box.low.x, box.high.x),
                                    insideSlab(foot.y, along.y, box.low.y, box.high.y));
    if (!(inside.begin < inside.end)) {
        std::fill_n(survival, heights_, 1.0F);
        return;
    }
    crossed.clear();
    const double lengthPerMm = std::sqrt(1 + tangent * tangent);
    Crossings x((foot.x - box.low.x) / plane_.spacing_mm[0], along.x, plane_.spacing_mm[0], inside.begin);
    Crossings y((foot.y - box.low.y) / plane_.spacing_mm[1], along.y, plane_.spacing_mm[1], inside.begin);
    double t = inside.begin;
    while (t < inside.end) {
        const double until = std::min({x.next, y.next, inside.end});
        // At its ends a line may lie a rounding outside.
        const float* const mu =
            column(std::clamp(x.index, 0, plane_.size[0] - 1), std::clamp(y.index, 0, plane_.size[1] - 1));
        const double climbed = 0.5 * (t + until) * tangent / step_mm_ + static_cast<double>(margin_);
        const auto whole = static_cast<std::size_t>(climbed);
        const auto upper =
            static_cast<float>(lengthPerMm * (until - t) * (climbed - static_cast<double>(whole)));
        crossed.push_back({mu + whole, static_cast<float>(lengthPerMm * (until - t)) - upper, upper});
        t = until;
        Crossings& next = x.next <= y.next ? x : y;
        next.index += next.sense;
        next.next += next.step;
    }
    std::fill_n(survival, heights_, 0.0F);
    loops_.add(crossed.data(), crossed.size(), heights_, survival);
    std::transform(survival, survival + heights_, survival, [](float mu) { return std::exp(-mu); });
}

}  // namespace tof
