// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/peak.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace tof {

namespace {

constexpr double kVolume_mm3 = 1000;
constexpr std::size_t kAbreast = 4;  ///< spheres summed at once: a sum alone waits for its last addition

}  // namespace

PeakSphere::PeakSphere(const Lattice& lattice) : lattice_(lattice) {
    Roi sphere;
    sphere.shape = Roi::Shape::Sphere;
    sphere.radius_mm = std::cbrt(kVolume_mm3 * 3 / (4 * std::numbers::pi));
    // On a lattice of its own, large enough that nothing is cut off.
    Lattice around = lattice;
    for (std::size_t k = 0; k < 3; ++k) {
        reach_[k] = static_cast<int>(std::ceil(sphere.radius_mm / lattice.spacing_mm[k] - 0.5));
        reach_[k] = std::max(reach_[k], 0);
        around.size[k] = 2 * reach_[k] + 1;
    }
    around.origin_mm = {-reach_[0] * around.spacing_mm[0], -reach_[1] * around.spacing_mm[1],
                        -reach_[2] * around.spacing_mm[2]};
    const std::vector<WeightedVoxel> voxels = roiVoxels(sphere, around);
    double total = 0;
    for (const WeightedVoxel& v : voxels) {
        total += v.fraction;
    }
    VoxelIndex before{};
    for (const WeightedVoxel& v : voxels) {
        VoxelIndex at = around.voxel(v.index);
        for (std::size_t k = 0; k < 3; ++k) {
            at[k] -= reach_[k];
        }
        const bool goesOn =
            !rows_.empty() && at[0] == before[0] + 1 && at[1] == before[1] && at[2] == before[2];
        if (!goesOn) {
            rows_.push_back({at, {}});
        }
        rows_.back().shares.push_back(static_cast<float>(v.fraction / total));
        before = at;
    }
}

template <std::size_t n>
std::array<double, n> PeakSphere::meansFrom(std::size_t centre, const float* image) const {
    const auto rowLength = static_cast<std::ptrdiff_t>(lattice_.size[0]);
    const auto slice = rowLength * lattice_.size[1];
    std::array<double, n> sums{};
    for (const Row& row : rows_) {
        const float* values = image + static_cast<std::ptrdiff_t>(centre) + row.from[0] +
                              row.from[1] * rowLength + row.from[2] * slice;
        for (const float share : row.shares) {
            for (std::size_t k = 0; k < n; ++k) {
                sums[k] += static_cast<double>(share * values[k]);
            }
            ++values;
        }
    }
    return sums;
}

bool PeakSphere::fitsAt(const VoxelIndex& centre) const {
    for (std::size_t k = 0; k < 3; ++k) {
        if (centre[k] < reach_[k] || centre[k] + reach_[k] >= lattice_.size[k]) {
            return false;
        }
    }
    return true;
}

std::vector<std::size_t> PeakSphere::centresIn(const std::vector<WeightedVoxel>& roi) const {
    constexpr double kHalf = 0.5;
    const bool any = std::any_of(roi.begin(), roi.end(),
                                 [](const WeightedVoxel& voxel) { return voxel.fraction >= kHalf; });
    std::vector<std::size_t> centres;
    for (const WeightedVoxel& voxel : roi) {
        if ((!any || voxel.fraction >= kHalf) && fitsAt(lattice_.voxel(voxel.index))) {
            centres.push_back(voxel.index);
        }
    }
    return centres;
}

std::optional<Peak> PeakSphere::hottest(const std::vector<WeightedVoxel>& roi, const float* image) const {
    const std::vector<std::size_t> centres = centresIn(roi);
    std::optional<Peak> found;
    const auto take = [&](const auto& means, std::size_t first) {
        for (const double mean : means) {
            if (!found || mean > found->mean) {
                found = Peak{mean, lattice_.centre(lattice_.voxel(first))};
            }
            ++first;
        }
        return means.size();
    };
    for (std::size_t i = 0; i < centres.size();) {
        const bool inLine =
            i + kAbreast <= centres.size() && centres[i + kAbreast - 1] == centres[i] + kAbreast - 1;
        i += inLine ? take(meansFrom<kAbreast>(centres[i], image), centres[i])
                    : take(meansFrom<1>(centres[i], image), centres[i]);
    }
    return found;
}

}  // namespace tof
