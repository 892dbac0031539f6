// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/roi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr int kFlatSamples = 8;   // per pixel edge, shapes without a closed form
constexpr int kSolidSamples = 5;  // per voxel edge

/// Integral of sqrt(r^2 - x^2) from 0 to x, |x| <= r.
double halfDiskIntegral(double x, double r) {
    const double inside = std::sqrt(std::max(0.0, r * r - x * x));
    return 0.5 * (x * inside + r * r * std::asin(std::clamp(x / r, -1.0, 1.0)));
}

/// Area of the circle inside the quadrant region [0, x] x [0, y]; x, y >= 0.
double cornerArea(double r, double x, double y) {
    const double right = std::min(x, r);
    const double top = std::min(y, r);
    if (right * right + top * top <= r * r) {
        return right * top;
    }
    // Full height up to where the circle comes down to `top`, then below the arc.
    const double bend = std::sqrt(std::max(0.0, r * r - top * top));
    return bend * top + halfDiskIntegral(right, r) - halfDiskIntegral(bend, r);
}

/// cornerArea for signed x, y, odd in each: areas of rectangles follow by differences.
double signedCornerArea(double r, double x, double y) {
    const double area = cornerArea(r, std::abs(x), std::abs(y));
    return (x < 0) == (y < 0) ? area : -area;
}

bool insidePolygon(const std::vector<Vec3>& vertices, PlaneFrame axes, double u, double v) {
    bool inside = false;
    for (std::size_t i = 0, j = vertices.size() - 1; i < vertices.size(); j = i++) {
        const double ui = vertices[i][axes.first];
        const double vi = vertices[i][axes.second];
        const double uj = vertices[j][axes.first];
        const double vj = vertices[j][axes.second];
        if ((vi > v) != (vj > v) && u < (uj - ui) * (v - vi) / (vj - vi) + ui) {
            inside = !inside;
        }
    }
    return inside;
}

/// A rectangle or box, mm.
struct Cell {
    Vec3 low;
    Vec3 high;
};

/// Distances from a centre along an axis: of the cell's nearest and farthest points.
struct Reach {
    double near;
    double far;
};

Reach reachOf(const Cell& cell, Vec3 centre, std::size_t axis) {
    const double low = cell.low[axis] - centre[axis];
    const double high = cell.high[axis] - centre[axis];
    return {std::max({low, 0.0, -high}), std::max(std::abs(low), std::abs(high))};
}

enum class Cover { None, Partial, Full };

/// How a shape whose sum over `axes` of (distance / half)^2 is at most 1 covers a cell.
Cover roundCover(const Cell& cell, Vec3 centre, std::initializer_list<std::pair<std::size_t, double>> axes) {
    double near = 0;
    double far = 0;
    for (const auto& [axis, half] : axes) {
        const Reach r = reachOf(cell, centre, axis);
        near += r.near / half * (r.near / half);
        far += r.far / half * (r.far / half);
    }
    return near > 1 ? Cover::None : far <= 1 ? Cover::Full : Cover::Partial;
}

/// How a slab of a half width along one axis covers a cell.
Cover slabCover(const Cell& cell, Vec3 centre, std::size_t axis, double half) {
    const Reach r = reachOf(cell, centre, axis);
    return r.near > half ? Cover::None : r.far <= half ? Cover::Full : Cover::Partial;
}

Cover both(Cover a, Cover b) {
    return a == Cover::None || b == Cover::None ? Cover::None : std::min(a, b);
}

/// True when an edge of the polygon may pass through the rectangle.
bool edgesTouch(const std::vector<Vec3>& vertices, PlaneFrame axes, const Cell& cell) {
    const double u0 = cell.low[axes.first];
    const double u1 = cell.high[axes.first];
    const double v0 = cell.low[axes.second];
    const double v1 = cell.high[axes.second];
    for (std::size_t i = 0, j = vertices.size() - 1; i < vertices.size(); j = i++) {
        const double ui = vertices[i][axes.first];
        const double vi = vertices[i][axes.second];
        const double uj = vertices[j][axes.first];
        const double vj = vertices[j][axes.second];
        if (std::max(ui, uj) < u0 || std::min(ui, uj) > u1 || std::max(vi, vj) < v0 ||
            std::min(vi, vj) > v1) {
            continue;
        }
        // All corners on one side of the line: it passes by.
        const auto side = [&](double u, double v) { return (uj - ui) * (v - vi) - (vj - vi) * (u - ui); };
        const auto [least, most] = std::minmax({side(u0, v0), side(u1, v0), side(u0, v1), side(u1, v1)});
        if (least <= 0 && most >= 0) {
            return true;
        }
    }
    return false;
}

/// Turned about the centre in the ROI's plane.
Vec3 turned(const Roi& roi, Vec3 p, double angle_deg) {
    const PlaneFrame axes = planeFrame(roi.plane);
    const double c = std::cos(angle_deg * kRadPerDeg);
    const double s = std::sin(angle_deg * kRadPerDeg);
    const Vec3 d = p - roi.centre;
    const double u = d[axes.first];
    const double v = d[axes.second];
    p[axes.first] = roi.centre[axes.first] + c * u - s * v;
    p[axes.second] = roi.centre[axes.second] + s * u + c * v;
    return p;
}

bool inside(const Roi& roi, Vec3 p);

/// How a turned shape covers a cell: it has no dents, so a cell whose corners are inside is inside.
Cover turnedCover(const Roi& roi, const Cell& cell) {
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p{(corner & 1) != 0 ? cell.high.x : cell.low.x,
                     (corner & 2) != 0 ? cell.high.y : cell.low.y,
                     (corner & 4) != 0 ? cell.high.z : cell.low.z};
        if (!inside(roi, p)) {
            return Cover::Partial;
        }
    }
    return Cover::Full;
}

Cover coverOf(const Roi& roi, const Cell& cell) {
    if (hasAngle(roi.shape) && roi.angle_deg != 0) {
        return turnedCover(roi, cell);
    }
    const PlaneFrame axes = planeFrame(roi.plane);
    const auto disk = [&](double radius) {
        return roundCover(cell, roi.centre, {{axes.first, radius}, {axes.second, radius}});
    };
    switch (roi.shape) {
        case Roi::Shape::Circle: return disk(roi.radius_mm);
        case Roi::Shape::Annulus: {
            const Cover outer = disk(roi.radius_mm);
            const Cover hole = roi.innerRadius_mm > 0 ? disk(roi.innerRadius_mm) : Cover::None;
            return hole == Cover::Full                           ? Cover::None
                   : hole == Cover::None || outer == Cover::None ? outer
                                                                 : Cover::Partial;
        }
        case Roi::Shape::Ellipse:
            return roundCover(
                cell, roi.centre,
                {{axes.first, roi.size_mm[axes.first] / 2}, {axes.second, roi.size_mm[axes.second] / 2}});
        case Roi::Shape::Polygon: {
            if (edgesTouch(roi.vertices, axes, cell)) {
                return Cover::Partial;
            }
            const Vec3 middle = 0.5 * (cell.low + cell.high);
            return insidePolygon(roi.vertices, axes, middle[axes.first], middle[axes.second]) ? Cover::Full
                                                                                              : Cover::None;
        }
        case Roi::Shape::Sphere:
            return roundCover(cell, roi.centre, {{0, roi.radius_mm}, {1, roi.radius_mm}, {2, roi.radius_mm}});
        case Roi::Shape::Cylinder:
            return both(disk(roi.radius_mm), slabCover(cell, roi.centre, axes.normal, roi.size_mm.z / 2));
        case Roi::Shape::Box:
            return both(both(slabCover(cell, roi.centre, 0, roi.size_mm.x / 2),
                             slabCover(cell, roi.centre, 1, roi.size_mm.y / 2)),
                        slabCover(cell, roi.centre, 2, roi.size_mm.z / 2));
        case Roi::Shape::Region: break;  // its cells are counted in rows
    }
    return Cover::Partial;
}

/// Whether an ROI without a closed form holds a point; of a flat one, whether the point's place in the plane
/// is held.
bool inside(const Roi& roi, Vec3 p) {
    const PlaneFrame axes = planeFrame(roi.plane);
    if (roi.shape == Roi::Shape::Polygon) {
        return insidePolygon(roi.vertices, axes, p[axes.first], p[axes.second]);
    }
    const Vec3 d = turnedBack(roi, p) - roi.centre;
    const double a = d[axes.first];
    const double b = d[axes.second];
    if (roi.shape == Roi::Shape::Ellipse) {
        const double u = 2 * a / roi.size_mm[axes.first];
        const double v = 2 * b / roi.size_mm[axes.second];
        return u * u + v * v <= 1;
    }
    if (roi.shape == Roi::Shape::Sphere) {
        return dot(d, d) <= roi.radius_mm * roi.radius_mm;
    }
    if (roi.shape == Roi::Shape::Box) {
        return 2 * std::abs(d.x) <= roi.size_mm.x && 2 * std::abs(d.y) <= roi.size_mm.y &&
               2 * std::abs(d.z) <= roi.size_mm.z;
    }
    return a * a + b * b <= roi.radius_mm * roi.radius_mm && 2 * std::abs(d[axes.normal]) <= roi.size_mm.z;
}

/// Fraction of a pixel that only partly lies inside a flat ROI.
double flatFraction(const Roi& roi, PlaneFrame axes, const Cell& cell) {
    const double u0 = cell.low[axes.first];
    const double u1 = cell.high[axes.first];
    const double v0 = cell.low[axes.second];
    const double v1 = cell.high[axes.second];
    if (roi.shape == Roi::Shape::Circle || roi.shape == Roi::Shape::Annulus) {
        const double x = roi.centre[axes.first];
        const double y = roi.centre[axes.second];
        const auto area = [&](double radius) {
            return radius > 0 ? circleRectangleArea(radius, u0 - x, v0 - y, u1 - x, v1 - y) : 0.0;
        };
        const double hole = roi.shape == Roi::Shape::Annulus ? area(roi.innerRadius_mm) : 0.0;
        return (area(roi.radius_mm) - hole) / ((u1 - u0) * (v1 - v0));
    }
    int held = 0;
    Vec3 p = roi.centre;
    for (int a = 0; a < kFlatSamples; ++a) {
        p[axes.first] = u0 + (a + 0.5) / kFlatSamples * (u1 - u0);
        for (int b = 0; b < kFlatSamples; ++b) {
            p[axes.second] = v0 + (b + 0.5) / kFlatSamples * (v1 - v0);
            held += inside(roi, p) ? 1 : 0;
        }
    }
    return static_cast<double>(held) / (kFlatSamples * kFlatSamples);
}

double solidFraction(const Roi& roi, const Lattice& lattice, int x, int y, int z) {
    int held = 0;
    const auto offset = [](int sample) { return (sample + 0.5) / kSolidSamples - 0.5; };
    for (int a = 0; a < kSolidSamples; ++a) {
        for (int b = 0; b < kSolidSamples; ++b) {
            for (int c = 0; c < kSolidSamples; ++c) {
                held += inside(roi, lattice.centre(x + offset(a), y + offset(b), z + offset(c))) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(held) / (kSolidSamples * kSolidSamples * kSolidSamples);
}

/// Whether the lattice is the region's own, and the region where it was made: then its voxels are voxels.
bool onOwnLattice(const Roi& roi, const Lattice& lattice) {
    return roi.region->lattice == lattice && norm(roi.centre - roi.region->home_mm) == 0;
}

std::vector<WeightedVoxel> wholeVoxels(const RoiRegion& region) {
    std::vector<WeightedVoxel> voxels;
    voxels.reserve(region.voxels());
    for (const auto& [first, count] : region.runs) {
        for (std::size_t i = first; i < first + count; ++i) {
            voxels.push_back({i, 1.0});
        }
    }
    return voxels;
}

std::array<Vec3, 2> regionBounds(const Roi& roi) {
    const Lattice& own = roi.region->lattice;
    const VoxelIndex& low = roi.region->low;
    const VoxelIndex& high = roi.region->high;
    const Vec3 shift = roi.centre - roi.region->home_mm;
    return {own.centre(low[0] - 0.5, low[1] - 0.5, low[2] - 0.5) + shift,
            own.centre(high[0] + 0.5, high[1] + 0.5, high[2] + 0.5) + shift};
}

/// Cells of a lattice between two of its corners, both included; they may lie outside it.
struct CellBox {
    VoxelIndex begin{};
    VoxelIndex end{};
};

/// The cells that an ROI's bounds touch.
CellBox cellsOf(const Roi& roi, const Lattice& lattice) {
    const auto [low, high] = roiBounds(roi);
    const Vec3 first = lattice.continuousIndex(low);
    const Vec3 last = lattice.continuousIndex(high);
    CellBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Far outside the lattice nothing counts; a margin of its own size keeps the outside share
        // meaningful.
        const double margin = lattice.size[axis];
        box.begin[axis] = static_cast<int>(std::floor(std::clamp(first[axis], -margin, 2 * margin) + 0.5));
        box.end[axis] = static_cast<int>(std::floor(std::clamp(last[axis], -margin, 2 * margin) + 0.5));
    }
    if (isFlat(roi.shape)) {
        const std::size_t normal = planeFrame(roi.plane).normal;
        box.begin[normal] = box.end[normal] = lattice.voxelAt(roi.centre)[normal];
    }
    return box;
}

/// What an ROI holds of a lattice, cell by cell.
class HeldVoxels {
  public:
    explicit HeldVoxels(const Lattice& lattice) : lattice_(lattice) {}

    void add(int x, int y, int z, double fraction) {
        if (fraction <= 1e-12) {
            return;
        }
        if (lattice_.contains(x, y, z)) {
            voxels_.push_back({lattice_.index(x, y, z), fraction});
            inside_ += fraction;
        } else {
            outside_ += fraction;
        }
    }
    [[nodiscard]] double outsideFraction() const {
        return inside_ + outside_ > 0 ? outside_ / (inside_ + outside_) : 1.0;
    }
    [[nodiscard]] std::vector<WeightedVoxel> take() { return std::move(voxels_); }

  private:
    const Lattice& lattice_;
    std::vector<WeightedVoxel> voxels_;
    double inside_ = 0;
    double outside_ = 0;
};

/// A region displaced or on another lattice.
void addRegion(const Roi& roi, const Lattice& lattice, const CellBox& box, HeldVoxels& held) {
    RegionPoints points(*roi.region, roi.centre - roi.region->home_mm, lattice, box.begin, box.end,
                        kSolidSamples);
    for (int z = box.begin[2]; z <= box.end[2]; ++z) {
        for (int y = box.begin[1]; y <= box.end[1]; ++y) {
            int x = box.begin[0];
            for (const int count : points.at(y, z)) {
                held.add(x++, y, z,
                         static_cast<double>(count) / (kSolidSamples * kSolidSamples * kSolidSamples));
            }
        }
    }
}

void addShape(const Roi& roi, const Lattice& lattice, const CellBox& box, HeldVoxels& held) {
    const PlaneFrame axes = planeFrame(roi.plane);
    const bool flat = isFlat(roi.shape);
    for (int z = box.begin[2]; z <= box.end[2]; ++z) {
        for (int y = box.begin[1]; y <= box.end[1]; ++y) {
            for (int x = box.begin[0]; x <= box.end[0]; ++x) {
                const Cell cell{lattice.centre(x - 0.5, y - 0.5, z - 0.5),
                                lattice.centre(x + 0.5, y + 0.5, z + 0.5)};
                const Cover cover = coverOf(roi, cell);
                held.add(x, y, z,
                         cover == Cover::None   ? 0.0
                         : cover == Cover::Full ? 1.0
                         : flat                 ? flatFraction(roi, axes, cell)
                                                : solidFraction(roi, lattice, x, y, z));
            }
        }
    }
}

bool sameRegion(const Roi& a, const Roi& b) {
    return a.region == b.region || (a.region != nullptr && b.region != nullptr && *a.region == *b.region);
}

}  // namespace

PlaneFrame planeFrame(Plane plane) {
    switch (plane) {
        case Plane::Transverse: return {0, 1, 2};
        case Plane::Coronal: return {0, 2, 1};
        case Plane::Sagittal: return {1, 2, 0};
    }
    return {0, 1, 2};
}

bool hasAngle(Roi::Shape shape) {
    return shape == Roi::Shape::Ellipse || shape == Roi::Shape::Box;
}

Vec3 turnedBack(const Roi& roi, Vec3 p) {
    return hasAngle(roi.shape) && roi.angle_deg != 0 ? turned(roi, p, -roi.angle_deg) : p;
}

Vec3 turnedForth(const Roi& roi, Vec3 p) {
    return hasAngle(roi.shape) && roi.angle_deg != 0 ? turned(roi, p, roi.angle_deg) : p;
}

bool isFlat(Roi::Shape shape) {
    return shape == Roi::Shape::Circle || shape == Roi::Shape::Annulus || shape == Roi::Shape::Ellipse ||
           shape == Roi::Shape::Polygon;
}

bool sameExtent(const Roi& a, const Roi& b) {
    return a.shape == b.shape && a.plane == b.plane && a.centre == b.centre && a.radius_mm == b.radius_mm &&
           a.innerRadius_mm == b.innerRadius_mm && a.size_mm == b.size_mm && a.angle_deg == b.angle_deg &&
           a.vertices == b.vertices && sameRegion(a, b);
}

bool Roi::operator==(const Roi& other) const {
    return sameExtent(*this, other) && name == other.name && role == other.role && group == other.group &&
           trueRatio == other.trueRatio && colour == other.colour && dash == other.dash &&
           locked == other.locked;
}

std::array<Vec3, 2> roiBounds(const Roi& roi) {
    Vec3 half{roi.radius_mm, roi.radius_mm, roi.radius_mm};
    if (roi.shape == Roi::Shape::Region) {
        return regionBounds(roi);
    }
    if (roi.shape == Roi::Shape::Polygon) {
        Vec3 low = roi.vertices.front();
        Vec3 high = low;
        for (const Vec3 v : roi.vertices) {
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        }
        return {low, high};
    }
    if (roi.shape == Roi::Shape::Ellipse || roi.shape == Roi::Shape::Box) {
        half = 0.5 * roi.size_mm;
        if (roi.angle_deg != 0) {
            const PlaneFrame axes = planeFrame(roi.plane);
            const double c = std::abs(std::cos(roi.angle_deg * kRadPerDeg));
            const double s = std::abs(std::sin(roi.angle_deg * kRadPerDeg));
            const double a = half[axes.first];
            const double b = half[axes.second];
            const bool round = roi.shape == Roi::Shape::Ellipse;
            half[axes.first] = round ? std::hypot(a * c, b * s) : a * c + b * s;
            half[axes.second] = round ? std::hypot(a * s, b * c) : a * s + b * c;
        }
    } else if (roi.shape == Roi::Shape::Cylinder) {
        const double length = 0.5 * roi.size_mm.z;
        (roi.plane == Plane::Transverse ? half.z : roi.plane == Plane::Coronal ? half.y : half.x) = length;
    }
    return {roi.centre - half, roi.centre + half};
}

std::string roiFault(const Roi& roi) {
    using Shape = Roi::Shape;
    const bool round = roi.shape == Shape::Circle || roi.shape == Shape::Annulus ||
                       roi.shape == Shape::Sphere || roi.shape == Shape::Cylinder;
    if (round && !(roi.radius_mm > 0)) {
        return "field 'radius_mm' must be positive";
    }
    if (roi.shape == Shape::Annulus && !(roi.innerRadius_mm >= 0 && roi.innerRadius_mm < roi.radius_mm)) {
        return "field 'inner_radius_mm' must be smaller than 'radius_mm'";
    }
    if (roi.shape == Shape::Polygon && roi.vertices.size() < 3) {
        return "field 'vertices' needs at least three points";
    }
    if (!(std::abs(roi.angle_deg) <= 360)) {
        return "field 'angle_deg' must lie between -360 and 360";
    }
    const PlaneFrame axes = planeFrame(roi.plane);
    if (roi.shape == Shape::Ellipse && !(roi.size_mm[axes.first] > 0 && roi.size_mm[axes.second] > 0)) {
        return "field 'size_mm' must be positive in its plane";
    }
    if (roi.shape == Shape::Box && !(roi.size_mm.x > 0 && roi.size_mm.y > 0 && roi.size_mm.z > 0)) {
        return "field 'size_mm' must be positive";
    }
    if (roi.shape == Shape::Cylinder && !(roi.size_mm.z > 0)) {
        return "field 'size_mm' must give the length as its third number";
    }
    if (roi.shape == Shape::Region && (roi.region == nullptr || roi.region->runs.empty())) {
        return "field 'runs' must name at least one voxel";
    }
    return {};
}

double circleRectangleArea(double radius, double x0, double y0, double x1, double y1) {
    return signedCornerArea(radius, x1, y1) - signedCornerArea(radius, x0, y1) -
           signedCornerArea(radius, x1, y0) + signedCornerArea(radius, x0, y0);
}

std::vector<WeightedVoxel> roiVoxels(const Roi& roi, const Lattice& lattice, double* outsideFraction) {
    if (const std::string fault = roiFault(roi); !fault.empty()) {
        throw BadInput("region of interest: ROI '{}': {}", roi.name, fault);
    }
    if (outsideFraction != nullptr) {
        *outsideFraction = 0;
    }
    if (roi.shape == Roi::Shape::Region && onOwnLattice(roi, lattice)) {
        return wholeVoxels(*roi.region);
    }
    HeldVoxels held(lattice);
    const CellBox box = cellsOf(roi, lattice);
    roi.shape == Roi::Shape::Region ? addRegion(roi, lattice, box, held) : addShape(roi, lattice, box, held);
    if (outsideFraction != nullptr) {
        *outsideFraction = held.outsideFraction();
    }
    return held.take();
}

RoiStatistics roiStatistics(const std::vector<WeightedVoxel>& voxels, const Lattice& lattice,
                            const float* image) {
    RoiStatistics out;
    if (voxels.empty()) {
        out.mean = out.sd = out.minimum = out.maximum = std::numeric_limits<double>::quiet_NaN();
        return out;
    }
    out.minimum = std::numeric_limits<double>::infinity();
    out.maximum = -out.minimum;
    for (const WeightedVoxel& v : voxels) {
        const auto value = static_cast<double>(image[v.index]);
        out.weight += v.fraction;
        out.total += v.fraction * value;
        out.minimum = std::min(out.minimum, value);
        out.maximum = std::max(out.maximum, value);
    }
    // About the first value: of equal values the mean is that value and the SD 0, without rounding.
    const auto first = static_cast<double>(image[voxels.front().index]);
    double above = 0;
    for (const WeightedVoxel& v : voxels) {
        above += v.fraction * (static_cast<double>(image[v.index]) - first);
    }
    out.mean = first + above / out.weight;
    double squares = 0;
    for (const WeightedVoxel& v : voxels) {
        const double d = static_cast<double>(image[v.index]) - out.mean;
        squares += v.fraction * d * d;
    }
    out.sd =
        out.weight > 1 ? std::sqrt(squares / (out.weight - 1)) : std::numeric_limits<double>::quiet_NaN();
    out.volume_mm3 = out.weight * lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
    return out;
}

RoiStatistics roiStatistics(const Roi& roi, const Volume& volume) {
    double outside = 0;
    const auto voxels = roiVoxels(roi, volume.lattice, &outside);
    RoiStatistics out = roiStatistics(voxels, volume.lattice, volume.data.data());
    out.outsideFraction = outside;
    return out;
}

}  // namespace tof
