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

std::array<char, 4> edgeLetters(Plane plane, Orientation orientation, const Turn& turn) {
    const PlaneAxes axes = planeAxes(plane, orientation);
    const auto letter = [&turn](int axis, double sign) {
        const Vec3 to = sign * turn.axes[static_cast<std::size_t>(axis)];
        std::size_t most = 0;
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
            most = std::abs(to[i]) > std::abs(to[most]) ? i : most;
        }
        return to[most] > 0 ? "LPS"[most] : "RAI"[most];
    };
    return {letter(axes.across, -axes.acrossSign), letter(axes.across, axes.acrossSign),
            letter(axes.down, -axes.downSign), letter(axes.down, axes.downSign)};
}

double coordinate(Vec3 p, int axis) {
    return p[static_cast<std::size_t>(axis)];
}

void setCoordinate(Vec3& p, int axis, double value) {
    p[static_cast<std::size_t>(axis)] = value;
}

bool Turn::isRotation() const {
    constexpr double kClose = 1e-6;
    const auto off = [this](std::size_t i, std::size_t k) {
        return std::abs(dot(axes[i], axes[k]) - (i == k ? 1 : 0));
    };
    return std::max({off(0, 0), off(1, 1), off(2, 2), off(0, 1), off(1, 2), off(2, 0)}) < kClose &&
           dot(cross(axes[0], axes[1]), axes[2]) > 0;
}

Turn Turn::onto(int axis, Vec3 unit) {
    Turn out;
    const Vec3 from = out.axes[static_cast<std::size_t>(axis)];
    const double cosine = dot(from, unit);
    if (cosine <= -1 + 1e-9) {
        return out;
    }
    const Vec3 about = cross(from, unit);  // its length is the sine
    for (Vec3& e : out.axes) {
        e = e + cross(about, e) + (1 / (1 + cosine)) * cross(about, cross(about, e));
    }
    return out;
}

Turn Turn::about(int axis, double angle_rad) const {
    const auto first = static_cast<std::size_t>((axis + 1) % 3);
    const auto second = static_cast<std::size_t>((axis + 2) % 3);
    const Vec3 kept = axes[static_cast<std::size_t>(axis)];
    const Vec3 turned = std::cos(angle_rad) * axes[first] + std::sin(angle_rad) * axes[second];
    const Vec3 across = turned - dot(turned, kept) * kept;
    Turn out = *this;
    out.axes[first] = (1 / norm(across)) * across;
    out.axes[second] = cross(kept, out.axes[first]);
    return out;
}

Vec3 SliceView::toWorld(double x, double y) const {
    const PlaneAxes axes = planeAxes(plane, orientation);
    Vec3 p = turn.toLocal(centre);
    setCoordinate(p, axes.across,
                  coordinate(p, axes.across) + axes.acrossSign * mmPerPixel * (x - width / 2.0));
    setCoordinate(p, axes.down, coordinate(p, axes.down) + axes.downSign * mmPerPixel * (y - height / 2.0));
    return turn.toWorld(p);
}

std::array<double, 2> SliceView::toPixel(Vec3 p) const {
    const PlaneAxes axes = planeAxes(plane, orientation);
    const Vec3 away = turn.toLocal(p) - turn.toLocal(centre);
    return {width / 2.0 + axes.acrossSign * coordinate(away, axes.across) / mmPerPixel,
            height / 2.0 + axes.downSign * coordinate(away, axes.down) / mmPerPixel};
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
