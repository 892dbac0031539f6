// SPDX-License-Identifier: Apache-2.0
// What a kernel does to single voxels, straight from its tables: the definition of docs/model.md section 2,
// at the price of the kernel instead of the lattice.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/kernel/histogram_fit.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

/// The voxel whose centre is nearest to a point; points outside the lattice give its nearest edge voxel.
[[nodiscard]] VoxelIndex nearestVoxel(const Lattice& lattice, Vec3 point_mm);

/// An image that is 1 in each of the voxels (n where one is named n times) and 0 elsewhere.
[[nodiscard]] Volume pointImage(const Lattice& lattice, std::span<const VoxelIndex> points);

/// Forward projection of pointImage(): source j spreads row ids[j] over j + taps. Summed in double.
[[nodiscard]] Volume forwardOfPoints(const KernelTables& tables, const Lattice& lattice,
                                     std::span<const VoxelIndex> points);
/// Back projection of pointImage(): voxel j gathers row ids[j] from j + taps. Summed in double.
[[nodiscard]] Volume backOfPoints(const KernelTables& tables, const Lattice& lattice,
                                  std::span<const VoxelIndex> points);

/// Projections for a picture that cannot wait: only the rows that the points need are computed, to
/// the rounding of single precision (KernelOutline::factorsOf), and kept for the next call.
class QuickPoints {
  public:
    /// `outline` was made for `lattice`.
    QuickPoints(std::shared_ptr<const KernelOutline> outline, const Lattice& lattice);
    /// Work that `points` points take at most, in multiply-adds or so; a million is a few milliseconds.
    [[nodiscard]] double cost(std::size_t points) const;
    /// Throws BadInput for a kernel that is zero at every voxel of a row.
    [[nodiscard]] Volume forward(std::span<const VoxelIndex> points);
    [[nodiscard]] Volume back(std::span<const VoxelIndex> points);

  private:
    [[nodiscard]] const std::vector<double>& factors(std::int32_t id);

    std::shared_ptr<const KernelOutline> outline_;
    Lattice lattice_;
    std::vector<std::vector<double>> factors_;  ///< by row; empty until one is needed
};

/// A row of values as a volume just large enough for it, with the offset (0, 0, 0) at the origin.
[[nodiscard]] Volume kernelVolume(std::span<const KernelTap> taps, std::span<const float> values,
                                  std::array<double, 3> spacing_mm);
/// One row of the tables as a volume just large enough for it, with the offset (0, 0, 0) at the origin.
[[nodiscard]] Volume kernelVolume(const KernelTables& tables, std::array<double, 3> spacing_mm, int row);

/// The kernel id of every column of voxels, as a volume of one layer.
[[nodiscard]] Volume kernelIdMap(std::span<const std::int32_t> ids, const Lattice& lattice);

/// Sum and FWHM (mm, of the Gaussians with the same second moments about the mean) of a row along u, r, a.
struct KernelMoments {
    double sum = 0;
    std::array<double, 3> fwhm_mm{0, 0, 0};
    std::array<double, 3> mean_mm{0, 0, 0};
};
[[nodiscard]] KernelMoments kernelMoments(std::span<const KernelTap> taps, std::span<const float> values,
                                          std::array<double, 3> spacing_mm, const View& view);
[[nodiscard]] KernelMoments kernelMoments(const KernelTables& tables, std::array<double, 3> spacing_mm,
                                          const View& view, int row);

/// Full width at half maximum (mm) of the Gaussian of a measured profile's mean and variance, which of all
/// Gaussians is the likeliest to have made it, and what kernelMoments() gives of tables. Its error is 0 where
/// the knots' are not known.
[[nodiscard]] Estimate measuredFwhm(const MeasuredProfile& profile);

}  // namespace tof
