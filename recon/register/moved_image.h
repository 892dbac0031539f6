// SPDX-License-Identifier: Apache-2.0
// Images that are put elsewhere, and what lies where there is no image.
#pragma once

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/metrics/image_math.h"
#include "recon/motion/pose.h"

namespace tof {

/// The image carried by `place`, at the voxel centres of a lattice, in its unit: the value at p is that of
/// the image at place.inverse() of p. Where the image does not reach it is nothingOf() the image.
[[nodiscard]] Volume movedImage(const Volume& image, const Pose& place, const Lattice& lattice,
                                Sampling sampling, const ThreadPool& pool);
/// The value of empty space: in HU the least value of the image, else 0.
[[nodiscard]] float nothingOf(const Volume& image);
/// Nearest for labels, whose numbers have nothing between them, else trilinear.
[[nodiscard]] Sampling samplingOf(const Volume& image);
/// The lattice of an image's spacing, about its middle after the motion, that holds the moved image whole.
[[nodiscard]] Lattice latticeAround(const Lattice& lattice, const Pose& place);
/// The means of blocks of voxels of about `spacing_mm` along every axis; those that are larger stay. Voxels
/// at the upper ends that fill no block are left out.
[[nodiscard]] Volume blockMeans(const Volume& image, double spacing_mm);

}  // namespace tof
