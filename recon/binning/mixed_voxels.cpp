// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/mixed_voxels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tof {

namespace {

constexpr double kPart_mm = 2;
/// Parts of a voxel that differ by less than this share of the densest are alike; noise of a CT in soft
/// tissue is less.
constexpr float kAlike = 0.1F;

/// The voxel that holds a point; 0 outside.
float valueAt(const Volume& volume, Vec3 p) {
    const VoxelIndex at = volume.lattice.voxelAt(p);
    return volume.lattice.contains(at) ? volume.at(at[0], at[1], at[2]) : 0;
}

}  // namespace

MixedVoxels::MixedVoxels(const Lattice& lattice, const Volume& attenuation, std::size_t along,
                         const ThreadPool& pool)
    : along_(along) {
    const double widest = std::max(lattice.spacing_mm[0], lattice.spacing_mm[1]);
    across_ = std::max<std::size_t>(2, static_cast<std::size_t>(std::ceil(widest / kPart_mm)));
    struct Slice {
        std::vector<float> shares;
        std::vector<Voxel> voxels;
    };
    std::vector<Slice> slices(static_cast<std::size_t>(lattice.size[2]));
    pool.forRange(slices.size(), 1, [&](std::size_t slice, std::size_t) {
        const auto z = static_cast<int>(slice);
        std::vector<float> parts(across_ * across_ * along_);
        for (int y = 0; y < lattice.size[1]; ++y) {
            for (int x = 0; x < lattice.size[0]; ++x) {
                if (look(lattice, attenuation, {x, y, z}, parts)) {
                    const float sum = std::accumulate(parts.begin(), parts.end(), 0.0F);
                    std::transform(parts.begin(), parts.end(), std::back_inserter(slices[slice].shares),
                                   [sum](float mu) { return mu / sum; });
                    slices[slice].voxels.push_back({x, y, z});
                }
            }
        }
    });
    for (const Slice& slice : slices) {
        shares_.insert(shares_.end(), slice.shares.begin(), slice.shares.end());
        voxels_.insert(voxels_.end(), slice.voxels.begin(), slice.voxels.end());
    }
}

bool MixedVoxels::look(const Lattice& lattice, const Volume& attenuation, Voxel voxel,
                       std::vector<float>& parts) const {
    auto part = parts.begin();
    for (std::size_t k = 0; k < along_; ++k) {
        for (std::size_t j = 0; j < across_; ++j) {
            for (std::size_t i = 0; i < across_; ++i) {
                *part++ = valueAt(attenuation,
                                  lattice.centre(voxel.x + offset(i, across_), voxel.y + offset(j, across_),
                                                 voxel.z + offset(k, along_)));
            }
        }
    }
    const auto [least, most] = std::minmax_element(parts.begin(), parts.end());
    return *most - *least > kAlike * *most;
}

}  // namespace tof
