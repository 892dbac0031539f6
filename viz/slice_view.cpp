// SPDX-License-Identifier: Apache-2.0
#include "viz/slice_view.h"

#include <algorithm>
#include <cmath>

namespace tof::viz {

PlaneAxes planeAxes(Plane plane, Orientation orientation) {
    const double left = orientation == Orientation::Radiological ? 1.0 : -1.0;
    switch (plane) {
        case Plane::Transverse: return {0, 1, 2, left, 1.0};
        case Plane::Coronal: return {0, 2, 1, left, -1.0};
        case Plane::Sagittal: return {1, 2, 0, 1.0, -1.0};
    }
    return {};
}

std::array<char, 4> edgeLetters(Plane plane, Orientation orientation) {
    const PlaneAxes axes = planeAxes(plane, orientation);
    const char positive[] = {'L', 'P', 'S'};
    const char negative[] = {'R', 'A', 'I'};
    const char right = axes.acrossSign > 0 ? positive[axes.across] : negative[axes.across];
    const char left = axes.acrossSign > 0 ? negative[axes.across] : positive[axes.across];
    const char bottom = axes.downSign > 0 ? positive[axes.down] : negative[axes.down];
    const char top = axes.downSign > 0 ? negative[axes.down] : positive[axes.down];
    return {left, right, top, bottom};
}

double coordinate(Vec3 p, int axis) {
    return p[static_cast<std::size_t>(axis)];
}

void setCoordinate(Vec3& p, int axis, double value) {
    p[static_cast<std::size_t>(axis)] = value;
}

Vec3 SliceView::toWorld(double x, double y) const {
    const PlaneAxes axes = planeAxes(plane, orientation);
    Vec3 p = centre;
    setCoordinate(p, axes.across,
                  coordinate(centre, axes.across) + axes.acrossSign * mmPerPixel * (x - width / 2.0));
    setCoordinate(p, axes.down,
                  coordinate(centre, axes.down) + axes.downSign * mmPerPixel * (y - height / 2.0));
    return p;
}

std::array<double, 2> SliceView::toPixel(Vec3 p) const {
    const PlaneAxes axes = planeAxes(plane, orientation);
    return {width / 2.0 +
                axes.acrossSign * (coordinate(p, axes.across) - coordinate(centre, axes.across)) / mmPerPixel,
            height / 2.0 +
                axes.downSign * (coordinate(p, axes.down) - coordinate(centre, axes.down)) / mmPerPixel};
}

int nearestIndex(const Lattice& lattice, int axis, double mm) {
    const auto i = static_cast<std::size_t>(axis);
    const double index = (mm - coordinate(lattice.origin_mm, axis)) / lattice.spacing_mm[i];
    // Halfway between two layers the upper one is taken, in every picture and read-out alike.
    return static_cast<int>(std::floor(std::clamp(index, -1e6, 1e6) + 0.5));
}

std::array<double, 2> extent(const Lattice& lattice, int axis) {
    const auto i = static_cast<std::size_t>(axis);
    const Box whole = latticeBox(lattice);
    return {whole.low[i], whole.high[i]};
}

double fittingScale(const Box& box, Plane plane, int width, int height, int margin) {
    const PlaneAxes axes = planeAxes(plane, Orientation::Radiological);
    const Vec3 size = box.high - box.low;
    const double usableWidth = std::max(1, width - 2 * margin);
    const double usableHeight = std::max(1, height - 2 * margin);
    return std::max(coordinate(size, axes.across) / usableWidth, coordinate(size, axes.down) / usableHeight);
}

}  // namespace tof::viz
