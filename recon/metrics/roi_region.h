// SPDX-License-Identifier: Apache-2.0
// Regions of voxels, read row by row, so that no voxel has to be searched for.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// Voxels of a lattice, for regions that are no simple shape: from a threshold or a label map. Immutable.
struct RoiRegion {
    Lattice lattice;
    std::vector<std::pair<std::size_t, std::size_t>> runs;  ///< {first index, count}, ascending, apart
    Vec3 home_mm;                                           ///< mean of the voxel centres
    VoxelIndex low{};                                       ///< least index of its voxels along each axis
    VoxelIndex high{};                                      ///< and largest

    /// Makes it from ascending voxel indices. Throws WrongUse when there are none.
    [[nodiscard]] static std::shared_ptr<const RoiRegion> ofVoxels(const Lattice& lattice,
                                                                   const std::vector<std::size_t>& indices);
    [[nodiscard]] bool contains(std::size_t index) const;
    [[nodiscard]] std::size_t voxels() const;
    [[nodiscard]] bool operator==(const RoiRegion& other) const {
        return lattice == other.lattice && runs == other.runs;
    }
};

/// Rows of a region's lattice. The region outlives it.
class RegionRows {
  public:
    /// Voxels of a row along x.
    struct Span {
        int first;
        int past;  ///< the voxel after the last one
    };

    explicit RegionRows(const RoiRegion& region) : region_(region) {}

    /// What the row (y, z) holds, ascending and apart; nothing outside the lattice. It stays until the next
    /// call. Rows that are asked for in the order of memory are found without a search.
    [[nodiscard]] const std::vector<Span>& at(int y, int z);

  private:
    [[nodiscard]] std::size_t past(std::size_t run) const;
    void seek(std::size_t voxel);

    const RoiRegion& region_;
    std::size_t run_ = 0;  ///< the first run that reached beyond the row last read
    std::vector<Span> spans_;
};

/// How many of the n x n x n points of each cell of another lattice lie in a region. The point's place along
/// an axis of the region's lattice hangs on its place along that axis alone, so that the points of a row of
/// cells lie in a few rows of the region. The region outlives it.
class RegionPoints {
  public:
    /// The region is displaced by `shift`, mm. Cells lie between two corners of the lattice, both included; n
    /// points to an edge.
    RegionPoints(const RoiRegion& region, Vec3 shift, const Lattice& lattice, const VoxelIndex& first,
                 const VoxelIndex& last, int n);

    /// Points inside, for the cells of the row (y, z) from the first one on. It stays until the next call.
    [[nodiscard]] const std::vector<int>& at(int y, int z);

  private:
    [[nodiscard]] const int* places(std::size_t axis, int cell) const;
    [[nodiscard]] int alike(const int* places, int from) const;
    void addRow(int y, int z, int times);

    RegionRows rows_;
    VoxelIndex first_;
    int n_;
    std::array<std::vector<int>, 3> places_;  ///< where the points lie along each axis, ascending
    std::vector<int> steps_;  ///< by how much the number of points inside grows at each place along x
    std::vector<int> held_;
};

}  // namespace tof
