// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/moved_phantom.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/error.h"
#include "recon/base/interpolated.h"

namespace tof {

namespace {

using Kind = PhantomShape::Kind;

constexpr double kAlongAxis = 1e-9;

bool isWhole(double cosine) {
    return std::min(std::abs(cosine), std::abs(std::abs(cosine) - 1)) < kAlongAxis;
}

void requireAxes(const PhantomShape& shape, const Pose& pose) {
    const bool upright = std::abs(std::abs(pose.turn[8]) - 1) < kAlongAxis;
    const bool square = std::all_of(pose.turn.begin(), pose.turn.end(), isWhole);
    if ((shape.kind == Kind::Cylinder && !upright) || (shape.kind == Kind::Box && !square)) {
        throw WrongUse(
            "the motion tilts the {} '{}', which shapes cannot say; make the phantom of spheres, or give it "
            "as EMISSION,ATTENUATION volumes",
            shape.kind == Kind::Box ? "box" : "cylinder", shape.name);
    }
}

/// Edges of a box along the axes after it turned.
Vec3 turnedSize(const Vec3& size, const Pose& pose) {
    Vec3 turned;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            turned[row] += std::abs(pose.turn[3 * row + column]) * size[column];
        }
    }
    return turned;
}

/// A lattice of the same spacing, whole voxels from the old one, that holds a moved volume.
Lattice latticeAround(const Lattice& lattice, const Pose& pose) {
    Vec3 low{INFINITY, INFINITY, INFINITY};
    Vec3 high = -low;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const auto end = [&](unsigned bit, std::size_t axis) {
            return (corner & bit) != 0 ? lattice.size[axis] - 0.5 : -0.5;
        };
        const Vec3 p = lattice.continuousIndex(pose.moved(lattice.centre(end(1, 0), end(2, 1), end(4, 2))));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    Lattice grown = lattice;
    std::array<int, 3> first{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        first[axis] = static_cast<int>(std::floor(low[axis]));
        grown.size[axis] = static_cast<int>(std::ceil(high[axis])) - first[axis] + 1;
    }
    grown.origin_mm = lattice.centre(first[0], first[1], first[2]);
    return grown;
}

Volume movedVolume(const Volume& volume, const Pose& pose) {
    Volume moved(latticeAround(volume.lattice, pose));
    moved.units = volume.units;
    const Pose back = pose.inverse();
    moved.lattice.forEachVoxel([&](int x, int y, int z) {
        moved.at(x, y, z) =
            static_cast<float>(interpolated(volume, back.moved(moved.lattice.centre(x, y, z))));
    });
    return moved;
}

}  // namespace

Phantom movedPhantom(const Phantom& phantom, const Pose& pose) {
    Phantom moved = phantom;
    for (PhantomShape& shape : moved.shapes) {
        requireAxes(shape, pose);
        shape.centre = pose.moved(shape.centre);
        if (shape.kind == Kind::Box) {
            shape.size_mm = turnedSize(shape.size_mm, pose);
        }
    }
    for (std::optional<Volume>* const volume : {&moved.emission, &moved.attenuation}) {
        if (*volume) {
            *volume = movedVolume(**volume, pose);
        }
    }
    return moved;
}

}  // namespace tof
