// SPDX-License-Identifier: Apache-2.0
// Spatial resolution as NEMA NU 2-2018, section 3, evaluates it: filtered back-projection of point sources,
// without any smoothing.
#pragma once

#include <array>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/nema/slice_sinograms.h"

namespace tof {

/// Filtered back-projection of every slice by Ramachandran and Lakshminarayanan's filter (PNAS 68 (1971)
/// 2236), straight between bins. A voxel gets the slice of the sinogram that holds its centre, 0 beyond the
/// sinogram; what every angle sees as its line integrals, in counts per mm of s, comes back in counts per
/// mm^2. The lattice may hold a part of the field alone.
[[nodiscard]] Volume filteredBackProjection(const SliceSinograms& sinograms, const Lattice& lattice,
                                            const ThreadPool& pool);

/// Widths of a point along x, y and z, mm.
struct PointWidths {
    std::array<double, 3> fwhm_mm{0, 0, 0};
    std::array<double, 3> fwtm_mm{0, 0, 0};  ///< at a tenth of the maximum
};
/// Along each axis through the highest voxel, summed over what lies within one FWHM of it along the others;
/// the top is that of a parabola through three voxels, the flanks are straight between voxels. A width that
/// does not end within the image is no number.
[[nodiscard]] PointWidths widthsOf(const Volume& image);

}  // namespace tof
