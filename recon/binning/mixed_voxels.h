// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"

namespace tof {

/// The voxels of a lattice that do not attenuate evenly: at surfaces, where a voxel is filled in part. Its
/// activity lies where its matter is, so that what survives of it is a mean over that part.
///
/// A voxel is looked at in across() x across() x along() points, the centres of equal parts. Immutable; share
/// between threads.
class MixedVoxels {
  public:
    /// Takes 1/mm and keeps nothing of it. `along`: parts of a voxel in z, >= 1.
    MixedVoxels(const Lattice& lattice, const Volume& attenuation, std::size_t along, const ThreadPool& pool);

    struct Voxel {
        int x;
        int y;
        int z;
    };
    [[nodiscard]] const std::vector<Voxel>& voxels() const { return voxels_; }
    /// Shares of its attenuation, [z][y][x] of the parts of voxels()[i]; their sum is 1.
    [[nodiscard]] const float* shares(std::size_t i) const {
        return shares_.data() + i * across_ * across_ * along_;
    }
    [[nodiscard]] std::size_t across() const { return across_; }
    [[nodiscard]] std::size_t along() const { return along_; }
    /// Where part `k` of `parts` lies in a voxel, in voxels from its centre.
    [[nodiscard]] static double offset(std::size_t k, std::size_t parts) {
        return (static_cast<double>(k) + 0.5) / static_cast<double>(parts) - 0.5;
    }

  private:
    /// Fills `parts`; whether they differ.
    [[nodiscard]] bool look(const Lattice& lattice, const Volume& attenuation, Voxel voxel,
                            std::vector<float>& parts) const;

    std::size_t across_;
    std::size_t along_;
    std::vector<Voxel> voxels_;
    std::vector<float> shares_;
};

}  // namespace tof
