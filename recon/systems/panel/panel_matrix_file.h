// SPDX-License-Identifier: Apache-2.0
// Stored matrices in HDF5, for the next time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// What a matrix is made from, in JSON: geometry, quadrature and the version of its arithmetic.
[[nodiscard]] std::string panelMatrixOrigin(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// The file in the user's cache directory, named after the origin; empty where there is none.
[[nodiscard]] std::string panelMatrixPath(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// Written aside and renamed. Throws CannotWrite.
void writePanelMatrix(const std::string& path, const PanelMatrix& matrix);
/// Gives nothing where the file is not there or was made from something else. Throws BadInput where it is
/// damaged.
[[nodiscard]] std::optional<PanelMatrix> readPanelMatrix(const std::string& path,
                                                         const PanelGeometry& geometry,
                                                         const PanelQuadrature& quadrature);

/// Takes it from the cache, or has it made by `make` and left there. What is made is kept beside it kernel by
/// kernel, so that making that ends early, however it ends, goes on from there the next time; the entries are
/// the same bits. A cache that cannot be written is none. `progress` gets the share there is, from one thread
/// at a time, and may throw Cancelled.
[[nodiscard]] PanelMatrix storedPanelMatrix(const PanelGeometry& geometry, const PanelQuadrature& quadrature,
                                            const PanelKernelMaker& make,
                                            const std::function<void(double)>& progress);

}  // namespace tof
