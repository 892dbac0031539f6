// SPDX-License-Identifier: Apache-2.0
// SUVpeak of PERCIST and EANM.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "recon/metrics/roi.h"

namespace tof {

/// The hottest sphere of an ROI.
struct Peak {
    double mean = 0;
    Vec3 centre_mm;
};

/// The mean over a sphere of 1 cm3 (12.4 mm diameter), placed where it is largest: PERCIST 1.0 (Wahl and
/// others, J. Nucl. Med. 50 (2009) 122S) and EANM 2.0 (Boellaard and others, Eur. J. Nucl. Med. Mol. Imaging
/// 42 (2015) 328). Prepared for one lattice; immutable.
class PeakSphere {
  public:
    explicit PeakSphere(const Lattice& lattice);

    /// The sphere is centred on every voxel that lies in the ROI at least by half (on each of them where
    /// there is none) and need not lie in the ROI itself. Its voxels count by the fraction inside, 5 x 5 x 5
    /// points. Empty where no sphere lies wholly in the image.
    [[nodiscard]] std::optional<Peak> hottest(const std::vector<WeightedVoxel>& roi,
                                              const float* image) const;

  private:
    struct Row {
        VoxelIndex from{};          ///< relative to the centre, along x
        std::vector<float> shares;  ///< the sphere's shares, for the voxels from there on
    };
    /// Means about n voxels of a line along x; each adds up alike, whatever n is.
    template <std::size_t n>
    [[nodiscard]] std::array<double, n> meansFrom(std::size_t centre, const float* image) const;
    [[nodiscard]] bool fitsAt(const VoxelIndex& centre) const;
    /// Where spheres are put: see hottest().
    [[nodiscard]] std::vector<std::size_t> centresIn(const std::vector<WeightedVoxel>& roi) const;

    Lattice lattice_;
    std::vector<Row> rows_;
    VoxelIndex reach_{};
};

}  // namespace tof
