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
    int points[3] = {1, 2, 2};
    int directions = 12;
};
[[nodiscard]] PanelVoxels panelVoxels(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// Response of a voxel: the mean over its points.
[[nodiscard]] TOF_HD inline double panelVoxel(const PanelPair& pair, const PanelVoxels& v, int x, int y,
                                              int z) {
    const double middle = (x - 0.5 * (v.planes - 1)) * v.spacing[0];
    double sum = 0;
    for (int k = 0; k < v.points[2]; ++k) {
        for (int j = 0; j < v.points[1]; ++j) {
            for (int i = 0; i < v.points[0]; ++i) {
                sum +=
                    panelResponse(pair, v.directions, middle + ((i + 0.5) / v.points[0] - 0.5) * v.spacing[0],
                                  (y + (j + 0.5) / v.points[1]) * v.spacing[1],
                                  (z + (k + 0.5) / v.points[2]) * v.spacing[2]);
            }
        }
    }
    return sum / (v.points[0] * v.points[1] * v.points[2]);
}

/// The voxels of one plane of a kernel that lines of its pair may cross.
struct MatrixSlab {
    std::int32_t kernel = 0;
    std::int32_t plane = 0;
    std::int32_t firstY = 0;
    std::int32_t countY = 0;
    std::int32_t firstZ = 0;
    std::int32_t countZ = 0;
    std::int64_t offset = 0;  ///< of its first value: [z][y]

    [[nodiscard]] TOF_HD int voxels() const { return countY * countZ; }
};

/// The planes of one kernel that are to be integrated: half of them where the others are their mirror images.
[[nodiscard]] std::vector<MatrixSlab> matrixSlabs(const PanelGeometry& geometry, const PanelVoxels& voxels,
                                                  const PanelClass& which);

/// The entries of a kernel that are kept, as keptEntries() has them, from the values of its slabs, whose
/// offsets count from that of the first.
[[nodiscard]] PanelEntries entriesOfSlabs(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                                          const PanelClass& which, std::span<const MatrixSlab> slabs,
                                          std::span<const float> values);

}  // namespace tof::device
