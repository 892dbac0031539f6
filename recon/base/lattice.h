// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "recon/base/box.h"
#include "recon/base/vec3.h"

namespace tof {

/// A voxel by its indices along x, y, z.
using VoxelIndex = std::array<int, 3>;

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
    [[nodiscard]] std::size_t index(const VoxelIndex& at) const { return index(at[0], at[1], at[2]); }
    /// The voxel of an index in memory.
    [[nodiscard]] VoxelIndex voxel(std::size_t index) const;
    /// Centre of a voxel in mm; indices may lie outside the lattice or between voxels.
    [[nodiscard]] Vec3 centre(double x, double y, double z) const {
        return {origin_mm.x + x * spacing_mm[0], origin_mm.y + y * spacing_mm[1],
                origin_mm.z + z * spacing_mm[2]};
    }
    [[nodiscard]] Vec3 centre(const VoxelIndex& at) const { return centre(at[0], at[1], at[2]); }
    /// Continuous voxel index of a point: integers are voxel centres.
    [[nodiscard]] Vec3 continuousIndex(Vec3 p) const {
        return {(p.x - origin_mm.x) / spacing_mm[0], (p.y - origin_mm.y) / spacing_mm[1],
                (p.z - origin_mm.z) / spacing_mm[2]};
    }
    [[nodiscard]] bool contains(int x, int y, int z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2];
    }
    [[nodiscard]] bool contains(const VoxelIndex& at) const { return contains(at[0], at[1], at[2]); }
    /// The voxel that holds a point, of two that share it the upper one; it may lie outside the lattice.
    [[nodiscard]] VoxelIndex voxelAt(Vec3 p) const;
    /// Calls visit(x, y, z) for every voxel in the order of memory.
    template <typename Visit>
    void forEachVoxel(const Visit& visit) const {
        for (int z = 0; z < size[2]; ++z) {
            for (int y = 0; y < size[1]; ++y) {
                for (int x = 0; x < size[0]; ++x) {
                    visit(x, y, z);
                }
            }
        }
    }
    [[nodiscard]] bool operator==(const Lattice&) const = default;

    /// What messages call it: "144 x 144 x 48, 4 x 4 x 4 mm".
    [[nodiscard]] std::string text() const;
};

/// The box of all of it, voxel edges included.
[[nodiscard]] Box latticeBox(const Lattice& lattice);

/// The units of reconstructed images, in memory and in files.
inline constexpr const char* kEmissionsPerVoxel = "emissions/voxel";
/// These are the units of images whose model does not know how many emissions a count stands for: counts per
/// mm of line, up to the scale of the data's mult.
inline constexpr const char* kCountsPerMm = "counts/mm";

/// A scalar image on a lattice; data.size() == lattice.voxels().
struct Volume {
    Lattice lattice;
    std::vector<float> data;
    std::string units;

    Volume() = default;
    explicit Volume(const Lattice& grid, float value = 0.0F) : lattice(grid), data(grid.voxels(), value) {}

    [[nodiscard]] float at(int x, int y, int z) const { return data[lattice.index(x, y, z)]; }
    [[nodiscard]] float& at(int x, int y, int z) { return data[lattice.index(x, y, z)]; }
    [[nodiscard]] float at(const VoxelIndex& at) const { return data[lattice.index(at)]; }
};

}  // namespace tof
