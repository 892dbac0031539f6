// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/roi.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "recon/core/constants.h"
#include "recon/core/error.h"
#include "recon/core/json_fields.h"

namespace tof {

namespace {

constexpr int kFlatSamples = 8;   // per pixel edge, shapes without a closed form
constexpr int kSolidSamples = 5;  // per voxel edge

/// Lattice axes of a plane: first and second in the picture, third normal to it.
struct PlaneAxes {
    std::size_t first;
    std::size_t second;
    std::size_t normal;
};

PlaneAxes planeAxes(Plane plane) {
    switch (plane) {
        case Plane::Transverse: return {0, 1, 2};
        case Plane::Coronal: return {0, 2, 1};
        case Plane::Sagittal: return {1, 2, 0};
    }
    return {0, 1, 2};
}

double component(Vec3 v, std::size_t axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

bool isFlat(Roi::Shape shape) {
    return shape == Roi::Shape::Circle || shape == Roi::Shape::Annulus || shape == Roi::Shape::Ellipse ||
           shape == Roi::Shape::Polygon;
}

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

bool insidePolygon(const std::vector<Vec3>& vertices, PlaneAxes axes, double u, double v) {
    bool inside = false;
    for (std::size_t i = 0, j = vertices.size() - 1; i < vertices.size(); j = i++) {
        const double ui = component(vertices[i], axes.first);
        const double vi = component(vertices[i], axes.second);
        const double uj = component(vertices[j], axes.first);
        const double vj = component(vertices[j], axes.second);
        if ((vi > v) != (vj > v) && u < (uj - ui) * (v - vi) / (vj - vi) + ui) {
            inside = !inside;
        }
    }
    return inside;
}

bool insideFlat(const Roi& roi, PlaneAxes axes, double u, double v) {
    if (roi.shape == Roi::Shape::Polygon) {
        return insidePolygon(roi.vertices, axes, u, v);
    }
    const double a = 2 * (u - component(roi.centre, axes.first)) / component(roi.size_mm, axes.first);
    const double b = 2 * (v - component(roi.centre, axes.second)) / component(roi.size_mm, axes.second);
    return a * a + b * b <= 1;
}

bool insideSolid(const Roi& roi, Vec3 p) {
    const Vec3 d = p - roi.centre;
    if (roi.shape == Roi::Shape::Sphere) {
        return dot(d, d) <= roi.radius_mm * roi.radius_mm;
    }
    if (roi.shape == Roi::Shape::Box) {
        return 2 * std::abs(d.x) <= roi.size_mm.x && 2 * std::abs(d.y) <= roi.size_mm.y &&
               2 * std::abs(d.z) <= roi.size_mm.z;
    }
    const PlaneAxes axes = planeAxes(roi.plane);
    const double a = component(d, axes.first);
    const double b = component(d, axes.second);
    return a * a + b * b <= roi.radius_mm * roi.radius_mm &&
           2 * std::abs(component(d, axes.normal)) <= roi.size_mm.z;
}

/// Lower and upper corner of an ROI, mm.
std::array<Vec3, 2> bounds(const Roi& roi) {
    Vec3 half{roi.radius_mm, roi.radius_mm, roi.radius_mm};
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
    } else if (roi.shape == Roi::Shape::Cylinder) {
        const double length = 0.5 * roi.size_mm.z;
        (roi.plane == Plane::Transverse ? half.z : roi.plane == Plane::Coronal ? half.y : half.x) = length;
    }
    return {roi.centre - half, roi.centre + half};
}

/// Fraction of pixel (i, j) of the slice inside a flat ROI; i, j may lie outside the lattice.
double flatFraction(const Roi& roi, const Lattice& lattice, PlaneAxes axes, int i, int j) {
    const double du = lattice.spacing_mm[axes.first];
    const double dv = lattice.spacing_mm[axes.second];
    const double u = component(lattice.origin_mm, axes.first) + i * du;
    const double v = component(lattice.origin_mm, axes.second) + j * dv;
    if (roi.shape == Roi::Shape::Circle || roi.shape == Roi::Shape::Annulus) {
        const double x = u - component(roi.centre, axes.first);
        const double y = v - component(roi.centre, axes.second);
        const auto area = [&](double radius) {
            return radius > 0 ? circleRectangleArea(radius, x - du / 2, y - dv / 2, x + du / 2, y + dv / 2)
                              : 0.0;
        };
        const double hole = roi.shape == Roi::Shape::Annulus ? area(roi.innerRadius_mm) : 0.0;
        return (area(roi.radius_mm) - hole) / (du * dv);
    }
    int inside = 0;
    for (int a = 0; a < kFlatSamples; ++a) {
        for (int b = 0; b < kFlatSamples; ++b) {
            inside += insideFlat(roi, axes, u + ((a + 0.5) / kFlatSamples - 0.5) * du,
                                 v + ((b + 0.5) / kFlatSamples - 0.5) * dv)
                          ? 1
                          : 0;
        }
    }
    return static_cast<double>(inside) / (kFlatSamples * kFlatSamples);
}

double solidFraction(const Roi& roi, const Lattice& lattice, int x, int y, int z) {
    int inside = 0;
    const auto offset = [](int sample) { return (sample + 0.5) / kSolidSamples - 0.5; };
    for (int a = 0; a < kSolidSamples; ++a) {
        for (int b = 0; b < kSolidSamples; ++b) {
            for (int c = 0; c < kSolidSamples; ++c) {
                inside +=
                    insideSolid(roi, lattice.centre(x + offset(a), y + offset(b), z + offset(c))) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(inside) / (kSolidSamples * kSolidSamples * kSolidSamples);
}

template <std::size_t N>
std::size_t indexOf(const std::array<const char*, N>& names, const std::string& name, const char* field,
                    const std::string& source) {
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) {
            return i;
        }
    }
    throw BadInput(fmt::format("{}: field '{}' is '{}'; it must be one of: {}", source, field, name,
                               fmt::join(names, ", ")));
}

constexpr std::array<const char*, 7> kShapes{"circle", "annulus",  "ellipse", "polygon",
                                             "sphere", "cylinder", "box"};
constexpr std::array<const char*, 4> kRoles{"", "sphere", "background", "uniform"};
constexpr std::array<const char*, 3> kPlanes{"transverse", "coronal", "sagittal"};
constexpr double kFar_mm = 1e5;

Vec3 readPoint(const nlohmann::json& value, const std::string& source, const char* field) {
    const bool good =
        value.is_array() && value.size() == 3 && std::all_of(value.begin(), value.end(), [](const auto& v) {
            return v.is_number() && std::abs(v.template get<double>()) <= kFar_mm;
        });
    if (!good) {
        throw BadInput(fmt::format("{}: field '{}' must be three numbers in mm", source, field));
    }
    return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

void requireUsable(const Roi& roi, const std::string& source) {
    using Shape = Roi::Shape;
    const bool round = roi.shape == Shape::Circle || roi.shape == Shape::Annulus ||
                       roi.shape == Shape::Sphere || roi.shape == Shape::Cylinder;
    const auto fail = [&](const char* what) {
        throw BadInput(fmt::format("{}: ROI '{}': {}", source, roi.name, what));
    };
    if (round && !(roi.radius_mm > 0)) {
        fail("field 'radius_mm' must be positive");
    }
    if (roi.shape == Shape::Annulus && !(roi.innerRadius_mm >= 0 && roi.innerRadius_mm < roi.radius_mm)) {
        fail("field 'inner_radius_mm' must be smaller than 'radius_mm'");
    }
    if (roi.shape == Shape::Polygon && roi.vertices.size() < 3) {
        fail("field 'vertices' needs at least three points");
    }
    const PlaneAxes axes = planeAxes(roi.plane);
    if (roi.shape == Shape::Ellipse &&
        !(component(roi.size_mm, axes.first) > 0 && component(roi.size_mm, axes.second) > 0)) {
        fail("field 'size_mm' must be positive in its plane");
    }
    if (roi.shape == Shape::Box && !(roi.size_mm.x > 0 && roi.size_mm.y > 0 && roi.size_mm.z > 0)) {
        fail("field 'size_mm' must be positive");
    }
    if (roi.shape == Shape::Cylinder && !(roi.size_mm.z > 0)) {
        fail("field 'size_mm' must give the length as its third number");
    }
}

}  // namespace

double circleRectangleArea(double radius, double x0, double y0, double x1, double y1) {
    return signedCornerArea(radius, x1, y1) - signedCornerArea(radius, x0, y1) -
           signedCornerArea(radius, x1, y0) + signedCornerArea(radius, x0, y0);
}

std::vector<WeightedVoxel> roiVoxels(const Roi& roi, const Lattice& lattice, double* outsideFraction) {
    requireUsable(roi, "region of interest");
    const auto [low, high] = bounds(roi);
    const Vec3 first = lattice.continuousIndex(low);
    const Vec3 last = lattice.continuousIndex(high);
    std::array<int, 3> begin{};
    std::array<int, 3> end{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Far outside the lattice nothing counts; a margin of its own size keeps the outside share
        // meaningful.
        const double margin = lattice.size[axis];
        begin[axis] =
            static_cast<int>(std::floor(std::clamp(component(first, axis), -margin, 2 * margin) + 0.5));
        end[axis] =
            static_cast<int>(std::floor(std::clamp(component(last, axis), -margin, 2 * margin) + 0.5));
    }
    const PlaneAxes axes = planeAxes(roi.plane);
    if (isFlat(roi.shape)) {
        // The slice whose centre is nearest; exactly between two slices, the upper one.
        const double slice = component(lattice.continuousIndex(roi.centre), axes.normal);
        begin[axes.normal] = end[axes.normal] =
            static_cast<int>(std::floor(std::clamp(slice, -1e6, 1e6) + 0.5));
    }
    std::vector<WeightedVoxel> voxels;
    double inside = 0;
    double outside = 0;
    for (int z = begin[2]; z <= end[2]; ++z) {
        for (int y = begin[1]; y <= end[1]; ++y) {
            for (int x = begin[0]; x <= end[0]; ++x) {
                const std::array<int, 3> index{x, y, z};
                const double fraction =
                    isFlat(roi.shape)
                        ? flatFraction(roi, lattice, axes, index[axes.first], index[axes.second])
                        : solidFraction(roi, lattice, x, y, z);
                if (fraction <= 1e-12) {
                    continue;
                }
                if (lattice.contains(x, y, z)) {
                    voxels.push_back({lattice.index(x, y, z), fraction});
                    inside += fraction;
                } else {
                    outside += fraction;
                }
            }
        }
    }
    if (outsideFraction != nullptr) {
        *outsideFraction = inside + outside > 0 ? outside / (inside + outside) : 1.0;
    }
    return voxels;
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
    out.mean = out.total / out.weight;
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

std::vector<Roi> roisFromJson(const std::string& text, const std::string& source) {
    const nlohmann::json root = parseJson(text, source);
    const nlohmann::json& list = root.is_object() && root.contains("rois") ? root.at("rois") : root;
    if (!list.is_array()) {
        throw BadInput(fmt::format("{}: expected a list of ROIs, or an object with a list 'rois'", source));
    }
    std::vector<Roi> rois;
    for (const auto& item : list) {
        const JsonFields fields(item, source,
                                {"name", "shape", "role", "plane", "centre_mm", "radius_mm",
                                 "inner_radius_mm", "size_mm", "vertices", "group"});
        Roi roi;
        roi.name = fields.text("name", fmt::format("ROI {}", rois.size() + 1));
        roi.shape = static_cast<Roi::Shape>(indexOf(kShapes, fields.text("shape"), "shape", source));
        roi.role = static_cast<Roi::Role>(indexOf(kRoles, fields.text("role", ""), "role", source));
        roi.plane = static_cast<Plane>(indexOf(kPlanes, fields.text("plane", "transverse"), "plane", source));
        roi.radius_mm = fields.number("radius_mm", 0, 0, kFar_mm);
        roi.innerRadius_mm = fields.number("inner_radius_mm", 0, 0, kFar_mm);
        roi.group = fields.has("group") ? fields.integer("group", -1, 1000000) : -1;
        if (fields.has("size_mm")) {
            roi.size_mm = readPoint(fields.raw("size_mm"), source, "size_mm");
        }
        if (fields.has("vertices")) {
            for (const auto& vertex : fields.raw("vertices")) {
                roi.vertices.push_back(readPoint(vertex, source, "vertices"));
            }
        }
        if (fields.has("centre_mm") || roi.shape != Roi::Shape::Polygon) {
            roi.centre = readPoint(fields.raw("centre_mm"), source, "centre_mm");
        } else if (!roi.vertices.empty()) {
            roi.centre = roi.vertices.front();
        }
        requireUsable(roi, source);
        rois.push_back(std::move(roi));
    }
    return rois;
}

std::string roisToJson(const std::vector<Roi>& rois) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const auto point = [](Vec3 v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
    for (const Roi& roi : rois) {
        nlohmann::ordered_json item{{"name", roi.name},
                                    {"shape", kShapes[static_cast<std::size_t>(roi.shape)]},
                                    {"role", kRoles[static_cast<std::size_t>(roi.role)]},
                                    {"plane", kPlanes[static_cast<std::size_t>(roi.plane)]},
                                    {"centre_mm", point(roi.centre)}};
        if (roi.radius_mm > 0) {
            item["radius_mm"] = roi.radius_mm;
        }
        if (roi.innerRadius_mm > 0) {
            item["inner_radius_mm"] = roi.innerRadius_mm;
        }
        if (roi.size_mm.x > 0 || roi.size_mm.y > 0 || roi.size_mm.z > 0) {
            item["size_mm"] = point(roi.size_mm);
        }
        for (const Vec3 vertex : roi.vertices) {
            item["vertices"].push_back(point(vertex));
        }
        if (roi.group >= 0) {
            item["group"] = roi.group;
        }
        list.push_back(std::move(item));
    }
    return nlohmann::ordered_json{{"rois", list}}.dump(2);
}

}  // namespace tof
