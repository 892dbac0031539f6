// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/metrics/roi_region.h"

namespace tof {

/// Which plane a flat ROI lies in.
enum class Plane { Transverse, Coronal, Sagittal };

/// A region of interest in mm; belongs to a study and applies to every run and iterate.
struct Roi {
    enum class Shape { Circle, Annulus, Ellipse, Polygon, Sphere, Cylinder, Box, Region };
    enum class Role { None, Sphere, Background, Uniform };
    enum class Dash { ByRole, Solid, Dashed, Dotted };

    std::string name;
    Shape shape = Shape::Circle;
    Role role = Role::None;
    Plane plane = Plane::Transverse;  ///< flat shapes lie in it; cylinder axis is normal to it
    Vec3 centre;                      ///< mm; flat shapes lie in the slice nearest to it
    double radius_mm = 0;             ///< circle, sphere, cylinder; annulus: outer
    double innerRadius_mm = 0;        ///< annulus
    Vec3 size_mm;                     ///< ellipse and box: full extents; cylinder: .z is its length
    double angle_deg = 0;  ///< ellipse, box: turned about the normal of `plane`, first axis towards second
    std::vector<Vec3> vertices;               ///< polygon, mm
    std::shared_ptr<const RoiRegion> region;  ///< region; its voxels are displaced by centre - home_mm
    int group = -1;                           ///< a sphere and its background carry the same number
    std::optional<double> trueRatio;          ///< sphere over background, where it is not that of the set

    std::string colour;        ///< "#rrggbb"; empty: the window's
    Dash dash = Dash::ByRole;  ///< solid, dashed for backgrounds, dotted for uniform ones
    bool locked = false;       ///< the mouse leaves it alone

    /// Every field; regions by their voxels.
    [[nodiscard]] bool operator==(const Roi& other) const;
};

/// True when both cover the same voxels of every lattice; name, role and looks do not count.
[[nodiscard]] bool sameExtent(const Roi& a, const Roi& b);
/// True for shapes that lie in one slice.
[[nodiscard]] bool isFlat(Roi::Shape shape);
/// Axes of a plane: first and second in the picture, third normal to it.
struct PlaneFrame {
    std::size_t first;
    std::size_t second;
    std::size_t normal;
};
[[nodiscard]] PlaneFrame planeFrame(Plane plane);
/// "circle", ...: as in the JSON.
[[nodiscard]] const char* shapeName(Roi::Shape shape);
/// "" for None.
[[nodiscard]] const char* roleName(Roi::Role role);
/// True for shapes that can be turned: ellipse and box.
[[nodiscard]] bool hasAngle(Roi::Shape shape);
/// Where a point lies in the axes of a turned shape: turned back about the centre.
[[nodiscard]] Vec3 turnedBack(const Roi& roi, Vec3 p);
/// And where a point of those axes lies in the scanner.
[[nodiscard]] Vec3 turnedForth(const Roi& roi, Vec3 p);
/// Lower and upper corner, mm.
[[nodiscard]] std::array<Vec3, 2> roiBounds(const Roi& roi);
/// Why an ROI cannot be measured ("field 'radius_mm' must be positive"); empty when it can.
[[nodiscard]] std::string roiFault(const Roi& roi);

/// Weighted statistics of the voxels of an ROI; pixels count by the fraction inside.
struct RoiStatistics {
    double mean = 0;
    double sd = 0;  ///< weighted, n - 1 form with n = sum of weights
    double minimum = 0;
    double maximum = 0;
    double total = 0;  ///< sum of weight x value
    double volume_mm3 = 0;
    double weight = 0;  ///< sum of fractions: the effective number of voxels
    double outsideFraction =
        0;  ///< share of the ROI that lies outside the lattice, excluded from all of the above
};

/// A voxel and the fraction of it inside an ROI.
struct WeightedVoxel {
    std::size_t index;
    double fraction;
};

/// Voxels of an ROI with their fractions. Circles and annuli: exact area of the circle inside the pixel, in
/// the one slice nearest to the centre. Other flat shapes: 8 x 8 points per pixel. Solids: 5 x 5 x 5 points
/// per voxel. Regions: their voxels on their own lattice, 5 x 5 x 5 points on others.
[[nodiscard]] std::vector<WeightedVoxel> roiVoxels(const Roi& roi, const Lattice& lattice,
                                                   double* outsideFraction = nullptr);

[[nodiscard]] RoiStatistics roiStatistics(const Roi& roi, const Volume& volume);
[[nodiscard]] RoiStatistics roiStatistics(const std::vector<WeightedVoxel>& voxels, const Lattice& lattice,
                                          const float* image);

/// JSON list of ROIs, as study.json and `analyze --rois FILE` have it. Throws BadInput.
[[nodiscard]] std::vector<Roi> roisFromJson(const std::string& text, const std::string& source);
[[nodiscard]] std::string roisToJson(const std::vector<Roi>& rois);

/// Area of the intersection of a circle around the origin with an axis-aligned rectangle; exact.
[[nodiscard]] double circleRectangleArea(double radius, double x0, double y0, double x1, double y1);

}  // namespace tof
