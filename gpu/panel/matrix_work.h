// SPDX-License-Identifier: Apache-2.0
// The matrix of two panels as a card fills it: which voxels, and the value of one. Host and device share it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recon/base/hd.h"
#include "recon/systems/panel/panel_matrix.h"
#include "recon/systems/panel/panel_response.h"

namespace tof::device {

/// What the voxels of all kernels have in common.
struct PanelVoxels {
    int planes = 1;
    double spacing[3] = {0.5, 0.6, 0.6};
    int rays = 2;  ///< as PanelQuadrature
    PanelPoints alongX;
    PanelPoints alongY[2];  ///< crystals far apart along y, and near
    PanelPoints alongZ[2];
};
[[nodiscard]] PanelVoxels panelVoxels(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// The voxels of one plane of a kernel that lines of its pair may cross.
struct MatrixSlab {
    std::int32_t kernel = 0;
    std::int32_t plane = 0;
    std::int32_t firstY = 0;
    std::int32_t countY = 0;
    std::int32_t firstZ = 0;
    std::int32_t countZ = 0;
    std::int32_t nearY = 0;  ///< which points of PanelVoxels
    std::int32_t nearZ = 0;
    std::int64_t offset = 0;  ///< where its first value is: [z][y]

    [[nodiscard]] TOF_HD int voxels() const { return countY * countZ; }
};

/// The rays through point (i, j) along x and y of the voxels of a slab whose y is `y`.
TOF_HD inline void panelVoxelRays(const PanelPair& pair, const PanelVoxels& v, const MatrixSlab& slab, int i,
                                  int j, int y, PanelRays& found) {
    const double x = (slab.plane - 0.5 * (v.planes - 1) + v.alongX.place[i]) * v.spacing[0];
    panelRaysOfY(pair, x, (y + 0.5 + v.alongY[slab.nearY].place[j]) * v.spacing[1], v.rays, found);
}
/// Those voxels of the slab along z that such rays may reach.
[[nodiscard]] TOF_HD inline PanelStrip panelVoxelStrip(const PanelPair& pair, const PanelVoxels& v,
                                                       const MatrixSlab& slab, int i, const PanelRays& rays) {
    const double x = (slab.plane - 0.5 * (v.planes - 1) + v.alongX.place[i]) * v.spacing[0];
    return panelStrip(pair, rays, x, v.spacing[2], slab.firstZ, slab.firstZ + slab.countZ - 1);
}
/// The share of point k along z in the mean over voxel z of what those rays make.
[[nodiscard]] TOF_HD inline double panelPointShare(const PanelPair& pair, const PanelVoxels& v,
                                                   const MatrixSlab& slab, int i, int k, int z,
                                                   const PanelRays& rays) {
    const double x = (slab.plane - 0.5 * (v.planes - 1) + v.alongX.place[i]) * v.spacing[0];
    const PanelPoints& alongZ = v.alongZ[slab.nearZ];
    return alongZ.weight[k] *
           panelResponse(pair, rays, v.rays, x, (z + 0.5 + alongZ.place[k]) * v.spacing[2]);
}
/// What point (i, j) adds to a voxel that has this mean along z.
[[nodiscard]] TOF_HD inline float panelVoxelShare(const PanelVoxels& v, const MatrixSlab& slab, int i, int j,
                                                  double mean) {
    return static_cast<float>(v.alongX.weight[i] * v.alongY[slab.nearY].weight[j] * mean);
}

/// The planes of one kernel that are to be integrated: half of them where the others are their mirror images.
[[nodiscard]] std::vector<MatrixSlab> matrixSlabs(const PanelGeometry& geometry, const PanelVoxels& voxels,
                                                  const PanelClass& which);

/// The values of a slab, as the card fills them.
[[nodiscard]] std::vector<float> slabValues(const PanelPair& pair, const PanelVoxels& voxels,
                                            const MatrixSlab& slab);

/// The entries of a kernel that are kept, as keptEntries() has them, from the values of its slabs, whose
/// offsets count from that of the first.
[[nodiscard]] PanelEntries entriesOfSlabs(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                                          const PanelClass& which, std::span<const MatrixSlab> slabs,
                                          std::span<const float> values);

}  // namespace tof::device
