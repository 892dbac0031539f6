// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// Values of a row of voxels.
struct Profile {
    std::vector<double> position_mm;  ///< voxel centres, ascending
    std::vector<double> value;
};

/// The row of voxels along axis 0 (x), 1 (y) or 2 (z) through the voxel nearest to `through`; empty when that
/// point lies outside the lattice.
[[nodiscard]] Profile profileAlong(const Volume& volume, int axis, Vec3 through);

/// Values along the straight line from `a` to `b`, which must be apart: positions are mm from `a`, in equal
/// steps of at most half the smallest voxel edge; between voxel centres by trilinear interpolation, 0 outside
/// the lattice.
[[nodiscard]] Profile profileBetween(const Volume& volume, Vec3 a, Vec3 b);

/// Full width at half maximum, mm, of the peak nearest to `at_mm` (the highest voxel within `reach_mm`): half
/// of the peak above `base`, crossings by linear interpolation between voxels. Empty when there is no such
/// peak or it does not fall to half on both sides.
[[nodiscard]] std::optional<double> fullWidthHalfMaximum(const Profile& profile, double at_mm,
                                                         double reach_mm, double base);

/// Whether the highest value within `reach_mm` of `at_mm` is a peak at all: it stands out of `base` by more
/// than float rounding (1e-5 of its size) and by more than three times the noise. The noise is the lesser of
/// two that real structure only raises: from the median step between neighbours, and from the median distance
/// to `base` of what lies outside the peak.
[[nodiscard]] bool peakStandsOut(const Profile& profile, double at_mm, double reach_mm, double base);

/// Counts of finite values in `bins` equal intervals of [low, high); values outside are not counted.
[[nodiscard]] std::vector<std::size_t> histogram(std::span<const float> values, double low, double high,
                                                 std::size_t bins);

/// How two images differ.
struct DifferenceFigures {
    double largest = 0;        ///< max |a - b|
    Vec3 where_mm;             ///< voxel centre where that is
    double rms = 0;            ///< root mean square of a - b over all voxels
    double relativeRms = 0;    ///< rms / root mean square of b; 0 when b is zero everywhere
    double mean = 0;           ///< mean of a - b
    double percentile999 = 0;  ///< 99.9th percentile of |a - b|
    bool identical = false;    ///< every voxel has the same bits
};

/// Throws WrongUse when the lattices differ.
[[nodiscard]] DifferenceFigures compareVolumes(const Volume& a, const Volume& b);
/// a - b on their lattice. Throws WrongUse when the lattices differ.
[[nodiscard]] Volume differenceOf(const Volume& a, const Volume& b);

}  // namespace tof
