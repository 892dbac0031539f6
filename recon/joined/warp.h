// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/displacement_field.h"
#include "recon/seam/space.h"

namespace tof {

/// A linear map from one lattice to another: every voxel of `to` takes `factor` times what an image has where
/// its centre goes by a shift and a displacement field, interpolated between the eight voxels around; the
/// image is 0 beyond its voxels. With its exact transpose. Immutable; share between threads.
class Warp {
  public:
    /// `field`: by voxel of `to`; null: no displacement. Throws InternalError for a field of another size.
    Warp(const Lattice& from, const Lattice& to, Vec3 shift_mm,
         std::shared_ptr<const DisplacementField> field, double factor);

    [[nodiscard]] std::size_t fromSize() const { return from_.voxels(); }
    [[nodiscard]] std::size_t toSize() const { return to_.voxels(); }
    [[nodiscard]] std::size_t memoryBytes() const;
    /// y = W x; [z][y][x] each.
    void apply(const float* x, float* y, const ThreadPool& pool) const;
    /// x = W^T y, or x += W^T y: the same bits for any number of threads. `room` is memory to work in, which
    /// grows as it must.
    void transpose(const float* y, float* x, Write write, const ThreadPool& pool,
                   std::vector<float>& room) const;

  private:
    /// Calls visit(voxel of `from`, weight) for those that a voxel of `to` takes from.
    template <typename Visit>
    void forEachSource(std::size_t voxel, const VoxelIndex& at, const Visit& visit) const;
    /// Calls visit(voxel, at) for the planes [begin, end) of `to`.
    template <typename Visit>
    void forEachVoxel(std::size_t begin, std::size_t end, const Visit& visit) const;

    Lattice from_;
    Lattice to_;
    Vec3 shift_mm_;
    std::shared_ptr<const DisplacementField> field_;
    double factor_;
};

}  // namespace tof
