// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/roi_region.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "recon/base/error.h"

namespace tof {

std::shared_ptr<const RoiRegion> RoiRegion::ofVoxels(const Lattice& lattice,
                                                     const std::vector<std::size_t>& indices) {
    if (indices.empty() || indices.back() >= lattice.voxels() ||
        !std::is_sorted(indices.begin(), indices.end())) {
        throw WrongUse("a region needs ascending voxels of its lattice, at least one");
    }
    auto region = std::make_shared<RoiRegion>();
    region->lattice = lattice;
    region->low = region->high = lattice.voxel(indices.front());
    Vec3 sum;
    for (const std::size_t i : indices) {
        const VoxelIndex at = lattice.voxel(i);
        sum = sum + lattice.centre(at);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            region->low[axis] = std::min(region->low[axis], at[axis]);
            region->high[axis] = std::max(region->high[axis], at[axis]);
        }
        auto& runs = region->runs;
        if (!runs.empty() && runs.back().first + runs.back().second == i) {
            ++runs.back().second;
        } else {
            runs.emplace_back(i, 1);
        }
    }
    region->home_mm = (1.0 / static_cast<double>(indices.size())) * sum;
    return region;
}

bool RoiRegion::contains(std::size_t index) const {
    const auto after = std::upper_bound(runs.begin(), runs.end(), index,
                                        [](std::size_t i, const auto& run) { return i < run.first; });
    return after != runs.begin() && index < std::prev(after)->first + std::prev(after)->second;
}

std::size_t RoiRegion::voxels() const {
    return std::accumulate(runs.begin(), runs.end(), std::size_t{0},
                           [](std::size_t sum, const auto& run) { return sum + run.second; });
}

std::size_t RegionRows::past(std::size_t run) const {
    const auto& [first, count] = region_.runs[run];
    return first + count;
}

void RegionRows::seek(std::size_t voxel) {
    const bool isThere =
        (run_ == 0 || past(run_ - 1) <= voxel) && (run_ == region_.runs.size() || past(run_) > voxel);
    if (!isThere) {
        const auto& runs = region_.runs;
        const auto found = std::partition_point(
            runs.begin(), runs.end(), [voxel](const auto& run) { return run.first + run.second <= voxel; });
        run_ = static_cast<std::size_t>(found - runs.begin());
    }
}

const std::vector<RegionRows::Span>& RegionRows::at(int y, int z) {
    spans_.clear();
    const Lattice& own = region_.lattice;
    if (!own.contains(0, y, z)) {
        return spans_;
    }
    const std::size_t begin = own.index(0, y, z);
    const std::size_t end = begin + static_cast<std::size_t>(own.size[0]);
    seek(begin);
    for (; run_ < region_.runs.size() && region_.runs[run_].first < end; ++run_) {
        const std::size_t from = std::max(region_.runs[run_].first, begin);
        const std::size_t to = std::min(past(run_), end);
        spans_.push_back({static_cast<int>(from - begin), static_cast<int>(to - begin)});
        if (past(run_) > end) {
            break;  // the next row begins with it
        }
    }
    return spans_;
}

RegionPoints::RegionPoints(const RoiRegion& region, Vec3 shift, const Lattice& lattice,
                           const VoxelIndex& first, const VoxelIndex& last, int n)
    : rows_(region), first_(first), n_(n) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (int cell = first[axis]; cell <= last[axis]; ++cell) {
            for (int point = 0; point < n; ++point) {
                const double at = cell + ((point + 0.5) / n - 0.5);
                const Vec3 p = lattice.centre(at, at, at) - shift;
                places_[axis].push_back(region.lattice.voxelAt(p)[axis]);
            }
        }
    }
    steps_.resize(places_[0].size() + 1);
    held_.resize(places_[0].size() / static_cast<std::size_t>(n));
}

const int* RegionPoints::places(std::size_t axis, int cell) const {
    return &places_[axis][static_cast<std::size_t>(cell - first_[axis]) * static_cast<std::size_t>(n_)];
}

/// How many points of a cell, from one of them on, lie in the same voxels along an axis.
int RegionPoints::alike(const int* places, int from) const {
    int to = from + 1;
    while (to < n_ && places[to] == places[from]) {
        ++to;
    }
    return to - from;
}

void RegionPoints::addRow(int y, int z, int times) {
    const auto& along = places_[0];
    const auto step = [&](int x) -> int& {
        return steps_[static_cast<std::size_t>(std::lower_bound(along.begin(), along.end(), x) -
                                               along.begin())];
    };
    for (const RegionRows::Span& span : rows_.at(y, z)) {
        step(span.first) += times;
        step(span.past) -= times;
    }
}

const std::vector<int>& RegionPoints::at(int y, int z) {
    std::fill(steps_.begin(), steps_.end(), 0);
    const int* const ys = places(1, y);
    const int* const zs = places(2, z);
    for (int c = 0; c < n_; c += alike(zs, c)) {
        for (int b = 0; b < n_; b += alike(ys, b)) {
            addRow(ys[b], zs[c], alike(zs, c) * alike(ys, b));
        }
    }
    int lines = 0;  // those of the n x n lines along x that are inside the region
    auto step = steps_.cbegin();
    for (int& held : held_) {
        held = 0;
        for (int point = 0; point < n_; ++point) {
            lines += *step++;
            held += lines;
        }
    }
    return held_;
}

}  // namespace tof
