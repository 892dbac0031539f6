// SPDX-License-Identifier: Apache-2.0
// Singles of crystals in HDF5 (docs/formats.md).
#pragma once

#include <string>

#include "recon/data/crystal_singles.h"

namespace tof {

/// Throws BadInput.
[[nodiscard]] CrystalSingles readSingles(const std::string& path);
/// Throws CannotWrite.
void writeSingles(const std::string& path, const CrystalSingles& singles);

}  // namespace tof
