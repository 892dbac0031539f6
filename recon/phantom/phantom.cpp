// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/phantom.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/parallel.h"

namespace tof {

namespace {

using Kind = PhantomShape::Kind;

/// Where a point of a voxel lies along an axis, in voxels from its centre.
double placeOfPoint(int i, int subdivisions) {
    return (i + 0.5) / subdivisions - 0.5;
}

/// Mean over subdivisions^3 points of a voxel.
template <typename ValueAt>
double meanOver(const Lattice& lattice, const VoxelIndex& voxel, int subdivisions, const ValueAt& valueAt) {
    const auto offset = [subdivisions](int i) { return placeOfPoint(i, subdivisions); };
    double sum = 0;
    for (int k = 0; k < subdivisions; ++k) {
        for (int j = 0; j < subdivisions; ++j) {
            for (int i = 0; i < subdivisions; ++i) {
                sum +=
                    valueAt(lattice.centre(voxel[0] + offset(i), voxel[1] + offset(j), voxel[2] + offset(k)));
            }
        }
    }
    return sum / (static_cast<double>(subdivisions) * subdivisions * subdivisions);
}

/// Gives a value to those of the points (x, y, z) that a shape contains.
void setWithin(const PhantomShape& shape, const std::vector<double>& x, double y, double z, double value,
               std::vector<double>& values) {
    const double dy = y - shape.centre.y;
    const double dz = z - shape.centre.z;
    const double r2 = shape.radius_mm * shape.radius_mm;
    const auto setWhere = [&](const auto& isIn) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            values[i] = isIn(x[i] - shape.centre.x) ? value : values[i];
        }
    };
    const bool high = std::abs(dz) > 0.5 * shape.size_mm.z;
    switch (shape.kind) {
        case Kind::Sphere: setWhere([&](double dx) { return dx * dx + dy * dy + dz * dz <= r2; }); break;
        case Kind::Cylinder:
            if (!high) {
                setWhere([&](double dx) { return dx * dx + dy * dy <= r2; });
            }
            break;
        case Kind::Box:
            if (!high && std::abs(dy) <= 0.5 * shape.size_mm.y) {
                setWhere([&](double dx) { return std::abs(dx) <= 0.5 * shape.size_mm.x; });
            }
            break;
        case Kind::Point: break;
    }
}

/// Samples one quantity of the shapes on a lattice.
class ShapeSampler {
  public:
    /// Room that one voxel after the other is given.
    struct Room {
        std::vector<const PhantomShape*> touching;
        std::vector<double> x;  ///< a row of points
        std::vector<double> values;
    };

    ShapeSampler(const std::vector<PhantomShape>& shapes, double PhantomShape::*value, const Lattice& lattice,
                 int subdivisions)
        : shapes_(shapes), value_(value), lattice_(lattice), subdivisions_(subdivisions) {
        const auto& d = lattice.spacing_mm;
        halfDiagonal_ = 0.5 * std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }

    /// The shapes that voxels of a row may touch, in their order.
    [[nodiscard]] std::vector<const PhantomShape*> near(int y, int z) const {
        const Vec3 p = lattice_.centre(0, y, z);
        std::vector<const PhantomShape*> found;
        for (const PhantomShape& shape : shapes_) {
            const Vec3 half = shape.halfExtent();
            if (shape.kind != Kind::Point && std::abs(p.y - shape.centre.y) < half.y + halfDiagonal_ &&
                std::abs(p.z - shape.centre.z) < half.z + halfDiagonal_) {
                found.push_back(&shape);
            }
        }
        return found;
    }

    /// `shapes`: those near the voxel's row.
    [[nodiscard]] double at(const VoxelIndex& voxel, const std::vector<const PhantomShape*>& shapes,
                            Room& room) const {
        const Vec3 centre = lattice_.centre(voxel);
        std::vector<const PhantomShape*>& touching = room.touching;
        // From the one on top down to one that holds the whole voxel.
        touching.clear();
        bool filled = false;
        for (auto each = shapes.rbegin(); each != shapes.rend() && !filled; ++each) {
            const PhantomShape* const shape = *each;
            if (std::abs(centre.x - shape->centre.x) >= shape->halfExtent().x + halfDiagonal_) {
                continue;
            }
            const double distance = shape->distance(centre);
            if (distance < halfDiagonal_) {
                touching.push_back(shape);
                filled = distance <= -halfDiagonal_;
            }
        }
        if (touching.empty()) {
            return 0;
        }
        const double below = (*touching.back()).*value_;
        if (filled && std::all_of(touching.begin(), touching.end(),
                                  [&](const PhantomShape* shape) { return (*shape).*value_ == below; })) {
            return below;
        }
        return meanOfTouching(voxel, room);
    }

  private:
    /// Mean over the points of a voxel, row by row; from the bottom up, so that the shape on top has the last
    /// word.
    [[nodiscard]] double meanOfTouching(const VoxelIndex& voxel, Room& room) const {
        const auto points = static_cast<std::size_t>(subdivisions_);
        room.x.resize(points);
        room.values.resize(points);
        for (int i = 0; i < subdivisions_; ++i) {
            room.x[static_cast<std::size_t>(i)] =
                lattice_.centre(voxel[0] + placeOfPoint(i, subdivisions_), 0, 0).x;
        }
        double sum = 0;
        for (int k = 0; k < subdivisions_; ++k) {
            for (int j = 0; j < subdivisions_; ++j) {
                const Vec3 p = lattice_.centre(0, voxel[1] + placeOfPoint(j, subdivisions_),
                                               voxel[2] + placeOfPoint(k, subdivisions_));
                std::fill(room.values.begin(), room.values.end(), 0.0);
                for (auto shape = room.touching.rbegin(); shape != room.touching.rend(); ++shape) {
                    setWithin(**shape, room.x, p.y, p.z, (**shape).*value_, room.values);
                }
                sum = std::accumulate(room.values.begin(), room.values.end(), sum);
            }
        }
        return sum / static_cast<double>(points * points * points);
    }

    const std::vector<PhantomShape>& shapes_;
    double PhantomShape::*value_;
    const Lattice& lattice_;
    int subdivisions_;
    double halfDiagonal_;
};

Volume sampledOn(const std::vector<PhantomShape>& shapes, double PhantomShape::*value,
                 const std::optional<Volume>& volume, const Lattice& lattice, int subdivisions,
                 const ThreadPool& pool) {
    if (volume.has_value() && volume->lattice == lattice) {
        return *volume;
    }
    Volume result(lattice);
    const ShapeSampler sampler(shapes, value, lattice, subdivisions);
    const auto nearest = [&](Vec3 p) {
        const VoxelIndex at = volume->lattice.voxelAt(p);
        return volume->lattice.contains(at) ? static_cast<double>(volume->at(at)) : 0.0;
    };
    const auto rows = static_cast<std::size_t>(lattice.size[1]) * static_cast<std::size_t>(lattice.size[2]);
    pool.forRange(rows, 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const auto y = static_cast<int>(row % static_cast<std::size_t>(lattice.size[1]));
            const auto z = static_cast<int>(row / static_cast<std::size_t>(lattice.size[1]));
            const std::vector<const PhantomShape*> near = sampler.near(y, z);
            ShapeSampler::Room room;
            for (int x = 0; x < lattice.size[0]; ++x) {
                result.at(x, y, z) =
                    static_cast<float>(volume ? meanOver(lattice, {x, y, z}, subdivisions, nearest)
                                              : sampler.at({x, y, z}, near, room));
            }
        }
    });
    return result;
}

/// A lattice of the same extent whose voxels are equal parts of the other's, at most `spacing` wide.
Lattice dividedTo(double spacing_mm, Lattice lattice) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int parts = std::max(1, static_cast<int>(std::ceil(lattice.spacing_mm[axis] / spacing_mm)));
        lattice.origin_mm[axis] -= 0.5 * lattice.spacing_mm[axis];
        lattice.spacing_mm[axis] /= parts;
        lattice.origin_mm[axis] += 0.5 * lattice.spacing_mm[axis];
        lattice.size[axis] *= parts;
    }
    return lattice;
}

}  // namespace

double PhantomShape::distance(Vec3 p) const {
    const Vec3 d = p - centre;
    switch (kind) {
        case Kind::Sphere: return norm(d) - radius_mm;
        case Kind::Cylinder:
            return std::max(std::hypot(d.x, d.y) - radius_mm, std::abs(d.z) - 0.5 * size_mm.z);
        case Kind::Box:
            return std::max({std::abs(d.x) - 0.5 * size_mm.x, std::abs(d.y) - 0.5 * size_mm.y,
                             std::abs(d.z) - 0.5 * size_mm.z});
        case Kind::Point: break;
    }
    return std::numeric_limits<double>::infinity();
}

bool PhantomShape::contains(Vec3 p) const {
    const Vec3 d = p - centre;
    const double r2 = radius_mm * radius_mm;
    switch (kind) {
        case Kind::Sphere: return dot(d, d) <= r2;
        case Kind::Cylinder: return d.x * d.x + d.y * d.y <= r2 && std::abs(d.z) <= 0.5 * size_mm.z;
        case Kind::Box:
            return std::abs(d.x) <= 0.5 * size_mm.x && std::abs(d.y) <= 0.5 * size_mm.y &&
                   std::abs(d.z) <= 0.5 * size_mm.z;
        case Kind::Point: break;
    }
    return false;
}

double PhantomShape::volume_mm3() const {
    switch (kind) {
        case Kind::Sphere: return 4.0 / 3.0 * kPi * radius_mm * radius_mm * radius_mm;
        case Kind::Cylinder: return kPi * radius_mm * radius_mm * size_mm.z;
        case Kind::Box: return size_mm.x * size_mm.y * size_mm.z;
        case Kind::Point: break;
    }
    return 0;
}

Vec3 PhantomShape::halfExtent() const {
    switch (kind) {
        case Kind::Sphere: return {radius_mm, radius_mm, radius_mm};
        case Kind::Cylinder: return {radius_mm, radius_mm, 0.5 * size_mm.z};
        case Kind::Box: return 0.5 * size_mm;
        case Kind::Point: break;
    }
    return {};
}

Volume Phantom::emissionOn(const Lattice& lattice, int subdivisions, const ThreadPool& pool) const {
    Volume result = sampledOn(shapes, &PhantomShape::activity, emission, lattice, subdivisions, pool);
    const double voxel = lattice.spacing_mm[0] * lattice.spacing_mm[1] * lattice.spacing_mm[2];
    for (const PhantomShape& shape : shapes) {
        const VoxelIndex at = lattice.voxelAt(shape.centre);
        if (shape.kind == Kind::Point && lattice.contains(at)) {
            result.data[lattice.index(at)] += static_cast<float>(shape.activity / voxel);
        }
    }
    result.units = "relative emissions/mm3";
    return result;
}

Volume Phantom::attenuationOn(const Lattice& lattice, int subdivisions, const ThreadPool& pool) const {
    Volume result = sampledOn(shapes, &PhantomShape::mu_per_mm, attenuation, lattice, subdivisions, pool);
    result.units = "1/mm";
    return result;
}

Volume Phantom::wholeAttenuation(const Lattice& lattice, double spacing_mm, const ThreadPool& pool) const {
    constexpr int kSubdivisions = 8;
    if (attenuation) {
        return *attenuation;
    }
    Lattice grown = dividedTo(spacing_mm, lattice);
    const Vec3 origin = grown.origin_mm;
    Vec3 corner = origin;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double step = grown.spacing_mm[axis];
        const double last = origin[axis] + (grown.size[axis] - 1) * step;
        int before = 0;
        int after = 0;
        for (const PhantomShape& shape : shapes) {
            const double half = shape.halfExtent()[axis];
            const double low = shape.centre[axis] - half;
            const double high = shape.centre[axis] + half;
            before = std::max(before, static_cast<int>(std::ceil((origin[axis] - low) / step)));
            after = std::max(after, static_cast<int>(std::ceil((high - last) / step)));
        }
        grown.size[axis] += before + after;
        corner[axis] -= before * step;
    }
    grown = Lattice::centred(grown.size, grown.spacing_mm);  // checks the size
    grown.origin_mm = corner;
    return attenuationOn(grown, kSubdivisions, pool);
}

}  // namespace tof
