// SPDX-License-Identifier: Apache-2.0
// Images made of images: on another lattice, over replicates, against the truth.
#pragma once

#include <memory>
#include <span>

#include "recon/base/lattice.h"

namespace tof {

enum class Sampling { Nearest, Trilinear };

/// The volume at the voxel centres of another lattice, in its unit; 0 where a centre lies outside it. Between
/// its outermost centres and its faces values go on as they are.
[[nodiscard]] Volume resampled(const Volume& volume, const Lattice& lattice, Sampling sampling);

using Images = std::span<const std::shared_ptr<const Volume>>;
/// Voxel by voxel, in the unit of the first one. Throws WrongUse for none, or on several lattices.
[[nodiscard]] Volume meanOf(Images images);
/// SD with n - 1, voxel by voxel. Throws WrongUse for fewer than two, or on several lattices.
[[nodiscard]] Volume deviationOf(Images images);

/// `activity` times what gives it the total of `image`, in the image's unit: the truth of a simulation beside
/// a reconstruction of it. Throws WrongUse when the lattices differ or the activity is zero.
[[nodiscard]] Volume scaledToTotal(const Volume& activity, const Volume& image);
/// (image - truth)/truth in per cent where the truth exceeds a twentieth of its largest value, else 0.
/// Throws WrongUse when the lattices differ.
[[nodiscard]] Volume biasMap(const Volume& image, const Volume& truth);

/// The value that a share of the finite voxels does not exceed; of every n-th one in large volumes. 0 for
/// none.
[[nodiscard]] double percentileOf(const Volume& volume, double share);
/// The largest finite value; 0 for none.
[[nodiscard]] double largestOf(const Volume& volume);

}  // namespace tof
