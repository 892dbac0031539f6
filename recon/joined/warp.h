// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/displacement_field.h"
#include "recon/joined/warp_math.h"
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

    [[nodiscard]] std::size_t fromSize() const { return fromSize_; }
    [[nodiscard]] std::size_t toSize() const { return toSize_; }
    [[nodiscard]] std::size_t memoryBytes() const;
    /// y = W x; [z][y][x] each.
    void apply(const float* x, float* y, const ThreadPool& pool) const;
    /// x = W^T y, or x += W^T y: the same bits for any number of threads. `room` is memory to work in, which
    /// grows as it must.
    void transpose(const float* y, float* x, Write write, const ThreadPool& pool,
                   std::vector<float>& room) const;

    [[nodiscard]] const WarpMap& map() const { return map_; }
    /// By voxel of the lattice that it goes to; null: no displacement.
    [[nodiscard]] const DisplacementField* field() const { return field_.get(); }

  private:
    /// Calls visit(voxel of `to`, voxel of `from`, weight) for the planes [begin, end) of `to`.
    template <typename Visit>
    void forPlanes(std::size_t begin, std::size_t end, const Visit& visit) const;

    std::size_t fromSize_;
    std::size_t toSize_;
    std::shared_ptr<const DisplacementField> field_;
    WarpMap map_{};
};

}  // namespace tof
