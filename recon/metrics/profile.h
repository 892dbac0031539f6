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

/// A peak of a profile, and what its width is taken from.
struct ProfilePeak {
    double top = 0;       ///< value of its highest voxel
    double base = 0;      ///< what it stands on
    double noise = 0;     ///< SD of what lies beside it, from the median distance to `base`
    double left_mm = 0;   ///< where it has fallen to half of its height above `base`, interpolated linearly
    double right_mm = 0;  ///< its other side, likewise

    [[nodiscard]] double half() const { return base + (top - base) / 2; }
    [[nodiscard]] double width_mm() const { return right_mm - left_mm; }
};

/// What was found where a peak was looked for.
struct PeakSearch {
    std::optional<ProfilePeak> peak{};  ///< it stands out and falls to half on both sides
    bool standsOut = false;  ///< by more than three times the noise and than float rounding, 1e-5 of its size
};

/// How far from the cursor peakNear() looks for the peak that a window tells of.
inline constexpr double kPeakReach_mm = 12;

/// The peak of an object near a point: the highest voxel within `reach_mm` of `at_mm`. Base and noise are the
/// median, and the median distance to it over 0.6745, of what lies beside the peak: on either side as much as
/// it is wide, at least 12 voxels, beyond half its width from where it has fallen to half. What is wider than
/// 120 mm is the body and no peak in it.
[[nodiscard]] PeakSearch peakNear(const Profile& profile, double at_mm, double reach_mm);

/// The highest peak of a line that was drawn across one: its base is the mean of the line's ends.
[[nodiscard]] PeakSearch peakAcross(const Profile& profile);

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
