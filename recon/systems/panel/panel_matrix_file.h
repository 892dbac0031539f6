// SPDX-License-Identifier: Apache-2.0
// Stored matrices in HDF5, for the next time.
#pragma once

#include <optional>
#include <string>

#include "recon/systems/panel/panel_matrix.h"

namespace tof {

/// What a matrix is made from, in JSON: geometry, quadrature and the version of its arithmetic.
[[nodiscard]] std::string panelMatrixOrigin(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// In the user's cache directory, named after the origin; empty where there is none.
[[nodiscard]] std::string panelMatrixPath(const PanelGeometry& geometry, const PanelQuadrature& quadrature);

/// Written aside and renamed. Throws CannotWrite.
void writePanelMatrix(const std::string& path, const PanelMatrix& matrix);
/// Nothing where the file is not there or was made from something else. Throws BadInput where it is damaged.
[[nodiscard]] std::optional<PanelMatrix> readPanelMatrix(const std::string& path,
                                                         const PanelGeometry& geometry,
                                                         const PanelQuadrature& quadrature);

}  // namespace tof
