// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "recon/base/lattice.h"
#include "recon/metrics/roi.h"

namespace tof::viz {

/// Which way round the patient is shown: radiological has the patient's left on the right of the picture.
enum class Orientation { Radiological, Neurological };

/// How the axes of the scanner frame lie in a picture of a plane. Axes are 0 = x, 1 = y, 2 = z.
struct PlaneAxes {
    int across = 0;         ///< axis along the picture's width
    int down = 1;           ///< axis along the picture's height
    int normal = 2;         ///< axis that the wheel moves along
    double acrossSign = 1;  ///< +1: the coordinate grows to the right
    double downSign = 1;    ///< +1: the coordinate grows downwards
};

/// Transverse: x right, y (posterior) down. Coronal: x right, z up. Sagittal: y right, z up.
[[nodiscard]] PlaneAxes planeAxes(Plane plane, Orientation orientation);

[[nodiscard]] double coordinate(Vec3 p, int axis);
void setCoordinate(Vec3& p, int axis, double value);

/// Where the axes x, y and z of the scanner have gone when a plane, or all three together, were turned:
/// orthonormal and right-handed. Local coordinates of a point are those along these axes, mm from the
/// scanner's centre.
struct Turn {
    std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    [[nodiscard]] bool operator==(const Turn&) const = default;
    [[nodiscard]] bool isNone() const { return *this == Turn(); }

    [[nodiscard]] Vec3 toLocal(Vec3 world) const {
        return {dot(world, axes[0]), dot(world, axes[1]), dot(world, axes[2])};
    }
    [[nodiscard]] Vec3 toWorld(Vec3 local) const {
        return local.x * axes[0] + local.y * axes[1] + local.z * axes[2];
    }
    /// Whether the axes are orthonormal and right-handed, to a millionth.
    [[nodiscard]] bool isRotation() const;
    /// The shortest turn that takes an axis of the scanner onto a unit vector; none that takes it to its
    /// opposite.
    [[nodiscard]] static Turn onto(int axis, Vec3 unit);
    /// Turned further by an angle about one of its own axes, made orthonormal again.
    [[nodiscard]] Turn about(int axis, double angle_rad) const;
};

/// Letters at the left, right, top and bottom edge of a picture; of a turned plane those of the nearest
/// directions.
[[nodiscard]] std::array<char, 4> edgeLetters(Plane plane, Orientation orientation, const Turn& turn = {});

/// Which part of a plane a picture shows. Pixels are device pixels, (0, 0) the corner of the top left one.
struct SliceView {
    Plane plane = Plane::Transverse;
    Orientation orientation = Orientation::Radiological;
    Vec3 centre;  ///< mm; point at the middle of the picture, its normal coordinate selects the slice
    double mmPerPixel = 1;  ///< > 0
    int width = 1;
    int height = 1;
    Turn turn;  ///< an oblique plane is one of the three, turned
    [[nodiscard]] bool operator==(const SliceView&) const = default;

    /// Point of the plane under a pixel position.
    [[nodiscard]] Vec3 toWorld(double x, double y) const;
    /// Pixel position of a point's projection onto the plane.
    [[nodiscard]] std::array<double, 2> toPixel(Vec3 p) const;
};

/// The index of the voxel layer nearest to a coordinate along an axis; may lie outside the lattice.
[[nodiscard]] int nearestIndex(const Lattice& lattice, int axis, double mm);
/// Extent of the lattice along an axis, voxel edges included: {low, high} in mm.
[[nodiscard]] std::array<double, 2> extent(const Lattice& lattice, int axis);
/// mm per pixel at which the box's cross-section fits into width x height pixels with `margin` pixels around
/// it.
[[nodiscard]] double fittingScale(const Box& box, Plane plane, int width, int height, int margin);

}  // namespace tof::viz
