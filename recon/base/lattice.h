// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "recon/base/vec3.h"

namespace tof {

/// The regular grid that images and histo-images live on.
///
/// Index order in memory is [z][y][x], x fastest. A plain value; safe to share between threads.
struct Lattice {
    std::array<int, 3> size{0, 0, 0};                 ///< voxels along x, y, z; each >= 1 when valid
    std::array<double, 3> spacing_mm{1.0, 1.0, 1.0};  ///< voxel edge along x, y, z in mm; each > 0
    Vec3 origin_mm;                                   ///< centre of voxel (0, 0, 0)

    /// A lattice whose voxel centres are symmetric about the scanner centre.
    /// Throws WrongUse unless sizes are 1..65535, their product below 2^31, and spacings positive and finite.
    [[nodiscard]] static Lattice centred(std::array<int, 3> size, std::array<double, 3> spacing_mm);

    [[nodiscard]] std::size_t voxels() const {
        return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
               static_cast<std::size_t>(size[2]);
    }
    [[nodiscard]] std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(size[0]) +
               static_cast<std::size_t>(x);
    }
    /// Centre of a voxel in mm; indices may lie outside the lattice or between voxels.
    [[nodiscard]] Vec3 centre(double x, double y, double z) const {
        return {origin_mm.x + x * spacing_mm[0], origin_mm.y + y * spacing_mm[1],
                origin_mm.z + z * spacing_mm[2]};
    }
    /// Continuous voxel index of a point: integers are voxel centres.
    [[nodiscard]] Vec3 continuousIndex(Vec3 p) const {
        return {(p.x - origin_mm.x) / spacing_mm[0], (p.y - origin_mm.y) / spacing_mm[1],
                (p.z - origin_mm.z) / spacing_mm[2]};
    }
    [[nodiscard]] bool contains(int x, int y, int z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
    }
    [[nodiscard]] bool operator==(const Lattice& other) const;

    /// For messages: "144 x 144 x 48, 4 x 4 x 4 mm".
    [[nodiscard]] std::string text() const;
};

/// The units of reconstructed images, in memory and in files.
inline constexpr const char* kEmissionsPerVoxel = "emissions/voxel";

/// A scalar image on a lattice; data.size() == lattice.voxels().
struct Volume {
    Lattice lattice;
    std::vector<float> data;
    std::string units;

    Volume() = default;
    explicit Volume(const Lattice& grid, float value = 0.0F) : lattice(grid), data(grid.voxels(), value) {}

    [[nodiscard]] float at(int x, int y, int z) const { return data[lattice.index(x, y, z)]; }
    [[nodiscard]] float& at(int x, int y, int z) { return data[lattice.index(x, y, z)]; }
};

}  // namespace tof
