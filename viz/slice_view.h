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

/// Letters at the left, right, top and bottom edge of a picture.
[[nodiscard]] std::array<char, 4> edgeLetters(Plane plane, Orientation orientation);

[[nodiscard]] double coordinate(Vec3 p, int axis);
void setCoordinate(Vec3& p, int axis, double value);

/// Which part of a plane a picture shows. Pixels are device pixels, (0, 0) the corner of the top left one.
struct SliceView {
    Plane plane = Plane::Transverse;
    Orientation orientation = Orientation::Radiological;
    Vec3 centre;  ///< mm; point at the middle of the picture, its normal coordinate selects the slice
    double mmPerPixel = 1;  ///< > 0
    int width = 1;
    int height = 1;
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
