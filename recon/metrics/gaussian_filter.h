// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"

namespace tof {

/// A post filter: the volume convolved with a Gaussian of this FWHM in mm along every axis, integrated over
/// voxels, cut off beyond 4 sigma. At the faces of the lattice the weights that lie inside are scaled to 1: a
/// constant stays one. A width of 0 gives the volume back. Throws WrongUse for others below 0 or above 1000
/// mm.
[[nodiscard]] Volume gaussianFiltered(const Volume& volume, double fwhm_mm,
                                      const ThreadPool& pool = ThreadPool(1));

}  // namespace tof
