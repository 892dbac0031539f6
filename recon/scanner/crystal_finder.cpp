// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/crystal_finder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tof {

namespace {

constexpr double kNear_mm = 1;
constexpr double kFinest_mm = 2;
constexpr double kMostCells = 4e6;

}  // namespace

double CrystalFinder::outside(const Box& box, Vec3 point) const {
    const Vec3 from = point - box.centre;
    double squares = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double beyond = std::max(0.0, std::abs(dot(from, box.axes[k])) - half_[k]);
        squares += beyond * beyond;
    }
    return squares;
}

CrystalFinder::CrystalFinder(const Scanner& scanner) {
    const auto& size = scanner.crystalSize_mm;
    half_ = {scanner.facesKnown ? 0.5 * size[0] : 0, scanner.facesKnown ? 0.5 * size[1] : 0, 0.5 * size[2]};
    boxes_.reserve(scanner.crystals.size());
    Vec3 low = scanner.crystals.front().front;
    Vec3 high = low;
    for (const Crystal& crystal : scanner.crystals) {
        const Vec3 out = crystal.outward;
        const double radial = std::hypot(out.x, out.y);
        const Vec3 along = radial > 1e-6 ? Vec3{-out.y / radial, out.x / radial, 0} : Vec3{1, 0, 0};
        boxes_.push_back({{along, cross(out, along), out}, crystal.front + half_[2] * out});
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], boxes_.back().centre[axis]);
            high[axis] = std::max(high[axis], boxes_.back().centre[axis]);
        }
    }
    const Vec3 span = high - low + Vec3{2 * kReach_mm, 2 * kReach_mm, 2 * kReach_mm};
    near_ = makeGrid(kNear_mm, std::max(kFinest_mm, std::cbrt(span.x * span.y * span.z / kMostCells)));
    far_ = makeGrid(kReach_mm, std::max(kReach_mm, 1 / near_.perCell));
}

CrystalFinder::Bounds CrystalFinder::boundsOf(const Box& box, double reach) const {
    Bounds bounds{box.centre, box.centre};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double half = reach;
        for (std::size_t k = 0; k < 3; ++k) {
            half += std::abs(box.axes[k][axis]) * half_[k];
        }
        bounds.low[axis] -= half;
        bounds.high[axis] += half;
    }
    return bounds;
}

/// Calls visit(cell, box, squared distance of its centre from the box) for the boxes that come within reach
/// of a cell.
template <typename Visit>
void CrystalFinder::forCells(const Grid& grid, const Visit& visit) const {
    const double cell = 1 / grid.perCell;
    const double farthest = grid.reach + 0.5 * std::sqrt(3.0) * cell;
    for (std::uint32_t b = 0; b < boxes_.size(); ++b) {
        const Bounds one = boundsOf(boxes_[b], grid.reach);
        std::array<std::ptrdiff_t, 3> from{};
        std::array<std::ptrdiff_t, 3> to{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            from[axis] = static_cast<std::ptrdiff_t>((one.low[axis] - grid.low[axis]) * grid.perCell);
            to[axis] = static_cast<std::ptrdiff_t>((one.high[axis] - grid.low[axis]) * grid.perCell);
        }
        for (std::ptrdiff_t z = from[2]; z <= to[2]; ++z) {
            for (std::ptrdiff_t y = from[1]; y <= to[1]; ++y) {
                for (std::ptrdiff_t x = from[0]; x <= to[0]; ++x) {
                    const Vec3 middle{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                                      static_cast<double>(z) + 0.5};
                    const double squares = outside(boxes_[b], grid.low + cell * middle);
                    if (squares <= farthest * farthest) {
                        visit(static_cast<std::size_t>((z * grid.size[1] + y) * grid.size[0] + x), b,
                              squares);
                    }
                }
            }
        }
    }
}

CrystalFinder::Grid CrystalFinder::makeGrid(double reach, double cell) const {
    Grid grid;
    grid.reach = reach;
    grid.perCell = 1 / cell;
    Bounds all = boundsOf(boxes_.front(), reach);
    for (const Box& box : boxes_) {
        const Bounds one = boundsOf(box, reach);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            all.low[axis] = std::min(all.low[axis], one.low[axis]);
            all.high[axis] = std::max(all.high[axis], one.high[axis]);
        }
    }
    grid.low = all.low;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        grid.size[axis] = static_cast<std::ptrdiff_t>((all.high[axis] - all.low[axis]) * grid.perCell) + 1;
    }
    std::vector<std::uint32_t> first(static_cast<std::size_t>(grid.size[0] * grid.size[1] * grid.size[2]) +
                                     1);
    forCells(grid, [&](std::size_t c, std::uint32_t /*box*/, double /*squares*/) { ++first[c + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::pair<float, std::uint32_t>> found(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    forCells(grid, [&](std::size_t c, std::uint32_t box, double squares) {
        found[next[c]++] = {static_cast<float>(squares), box};
    });
    // Whoever asks meets the box first that is nearest to the middle of the cell, and mostly needs no other.
    grid.cells.resize(first.size());
    for (std::size_t c = 0; c < first.size(); ++c) {
        grid.cells[c].first = first[c];
        if (c + 1 < first.size() && first[c] < first[c + 1]) {
            std::sort(found.begin() + first[c], found.begin() + first[c + 1]);
            grid.cells[c].nearest = found[first[c]].second;
        }
    }
    grid.boxes.reserve(found.size());
    for (const auto& [squares, box] : found) {
        grid.boxes.push_back(box);
    }
    return grid;
}

CrystalFinder::Found CrystalFinder::nearest(const Grid& grid, Vec3 point) const {
    std::array<std::ptrdiff_t, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double cell = (point[axis] - grid.low[axis]) * grid.perCell;
        if (!(cell >= 0 && cell < static_cast<double>(grid.size[axis]))) {
            return {};
        }
        at[axis] = static_cast<std::ptrdiff_t>(cell);
    }
    const auto c = static_cast<std::size_t>((at[2] * grid.size[1] + at[1]) * grid.size[0] + at[0]);
    const Grid::Cell cell = grid.cells[c];
    Found best{cell.nearest, outside(boxes_[cell.nearest], point)};
    if (best.outside_mm == 0) {
        return best;
    }
    for (std::uint32_t i = cell.first; i < grid.cells[c + 1].first && best.outside_mm > 0; ++i) {
        const double squares = outside(boxes_[grid.boxes[i]], point);
        if (squares < best.outside_mm) {
            best = {grid.boxes[i], squares};
        }
    }
    best.outside_mm = std::sqrt(best.outside_mm);
    return best.outside_mm <= grid.reach ? best : Found();
}

CrystalFinder::Found CrystalFinder::find(Vec3 point) const {
    const Found close = nearest(near_, point);
    return close.outside_mm <= near_.reach ? close : nearest(far_, point);
}

}  // namespace tof
