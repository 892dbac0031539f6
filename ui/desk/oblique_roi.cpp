// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/oblique_roi.h"

#include <QPolygonF>
#include <QTransform>
#include <algorithm>
#include <cmath>
#include <vector>

namespace tof::ui {

namespace {

/// Between which coordinates along the normal of its own plane an ROI lies: {middle, thickness}.
std::array<double, 2> thicknessOf(const Roi& roi, const Lattice& lattice, int normal) {
    const auto n = static_cast<std::size_t>(normal);
    if (!isFlat(roi.shape)) {
        return {roi.centre[n], roi.shape == Roi::Shape::Cylinder ? roi.size_mm.z : roi.size_mm[n]};
    }
    const int slice = viz::nearestIndex(lattice, normal, roi.centre[n]);
    return {lattice.centre(slice, slice, slice)[n], lattice.spacing_mm[n]};
}

/// From local coordinates to those of an ROI's own plane, along its normal.
class Projection {
  public:
    Projection(const CutPlane& plane, const viz::PlaneAxes& own, double middle)
        : u_{along(plane, own.across)}, v_{along(plane, own.down)}, w_{along(plane, own.normal)} {
        steepness_ = std::hypot(w_.perAcross, w_.perDown);
        // A slice along the normal sees the figure from the side, as one line: it is leaned by what nobody
        // sees.
        constexpr double kLean = 0.01;
        const double area = u_.perAcross * v_.perDown - u_.perDown * v_.perAcross;
        if (std::abs(area) < kLean) {
            const double gx = w_.perAcross / steepness_;
            const double gy = w_.perDown / steepness_;
            const double qx = u_.perDown * gx - u_.perAcross * gy;
            const double qy = v_.perDown * gx - v_.perAcross * gy;
            const double away = (middle - w_.at) / steepness_;
            lean(u_, -kLean * qy, gx, gy, away);
            lean(v_, kLean * qx, gx, gy, away);
        }
    }

    [[nodiscard]] QTransform transform() const {
        return {u_.perAcross, v_.perAcross, u_.perDown, v_.perDown, u_.at, v_.at};
    }
    /// Where the slice is between two coordinates along the normal: a strip, or all of it, or nothing.
    [[nodiscard]] QPainterPath between(double low, double high) const {
        constexpr double kFar_mm = 1e4;
        QPainterPath path;
        if (steepness_ < 1e-6) {
            if (w_.at >= low && w_.at <= high) {
                path.addRect(-kFar_mm, -kFar_mm, 2 * kFar_mm, 2 * kFar_mm);
            }
            return path;
        }
        const QPointF on(w_.perAcross / steepness_, w_.perDown / steepness_);
        const QPointF beside = kFar_mm * QPointF(-on.y(), on.x());
        const QPointF from = (low - w_.at) / steepness_ * on;
        const QPointF to = (high - w_.at) / steepness_ * on;
        path.addPolygon(QPolygonF{{from - beside, from + beside, to + beside, to - beside}});
        path.closeSubpath();
        return path;
    }

  private:
    /// A coordinate of the ROI's plane: at (0, 0) of the slice, and per mm across and down it.
    struct Along {
        double at;
        double perAcross;
        double perDown;
    };
    static Along along(const CutPlane& plane, int axis) {
        const auto i = static_cast<std::size_t>(axis);
        return {plane.origin[i], plane.across[i], plane.down[i]};
    }
    static void lean(Along& to, double by, double gx, double gy, double away) {
        to.perAcross += by * gx;
        to.perDown += by * gy;
        to.at -= by * away;
    }

    Along u_;
    Along v_;
    Along w_;
    double steepness_ = 0;
};

}  // namespace

QPainterPath obliqueRegion(const Roi& roi, const CutPlane& plane) {
    const RoiRegion& region = *roi.region;
    const Lattice& own = region.lattice;
    const auto holds = [&](const VoxelIndex& at) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (at[axis] < region.low[axis] || at[axis] > region.high[axis]) {
                return false;  // most cells of the square need no search
            }
        }
        return region.contains(own.index(at));
    };
    const Vec3 shift = roi.centre - region.home_mm;
    const double step = *std::min_element(own.spacing_mm.begin(), own.spacing_mm.end());
    const auto [low, high] = roiBounds(roi);
    const Vec3 middle = 0.5 * (low + high);
    const double half = norm(high - low) / 2;
    if (std::abs(dot(middle - plane.origin, cross(plane.across, plane.down))) > half) {
        return {};
    }
    const int cells = static_cast<int>(std::ceil(2 * half / step));
    const QPointF corner(dot(middle, plane.across) - half, dot(middle, plane.down) - half);
    const auto cell = [cells](int u, int v) {
        return static_cast<std::size_t>(v) * static_cast<std::size_t>(cells) + static_cast<std::size_t>(u);
    };
    std::vector<char> mask(cell(0, cells));  // the outline asks four times for each
    for (int v = 0; v < cells; ++v) {
        for (int u = 0; u < cells; ++u) {
            const Vec3 p = plane.origin + (corner.x() + (u + 0.5) * step) * plane.across +
                           (corner.y() + (v + 0.5) * step) * plane.down;
            mask[cell(u, v)] = holds(own.voxelAt(p - shift)) ? 1 : 0;
        }
    }
    return cellOutline(
        cells, cells, [&](int u, int v) { return mask[cell(u, v)] != 0; },
        [&](int u, int v) { return corner + QPointF(u, v) * step; });
}

QPainterPath obliqueSection(const Roi& roi, const QPainterPath& figure, const viz::PlaneAxes& own,
                            const CutPlane& plane, const Lattice& lattice) {
    const auto [middle, thick] = thicknessOf(roi, lattice, own.normal);
    const Projection projection(plane, own, middle);
    const QPainterPath seen = projection.transform().inverted().map(figure);
    return seen.intersected(projection.between(middle - thick / 2, middle + thick / 2));
}

}  // namespace tof::ui
