// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/moved_phantom.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/error.h"

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
            "as "
            "EMISSION,ATTENUATION volumes",
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

/// Interpolates at a continuous index; zero outside.
float valueAt(const Volume& volume, Vec3 at) {
    const VoxelIndex low{static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y)),
                         static_cast<int>(std::floor(at.z))};
    double sum = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        VoxelIndex voxel = low;
        double weight = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool upper = (corner >> axis & 1U) != 0;
            const double above = at[axis] - low[axis];
            voxel[axis] += upper ? 1 : 0;
            weight *= upper ? above : 1 - above;
        }
        sum += volume.lattice.contains(voxel) ? weight * static_cast<double>(volume.at(voxel)) : 0;
    }
    return static_cast<float>(sum);
}

Volume movedVolume(const Volume& volume, const Pose& pose) {
    Volume moved(latticeAround(volume.lattice, pose));
    moved.units = volume.units;
    const Pose back = pose.inverse();
    moved.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 from = back.moved(moved.lattice.centre(x, y, z));
        moved.at(x, y, z) = valueAt(volume, volume.lattice.continuousIndex(from));
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
