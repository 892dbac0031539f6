// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/data/crystal_singles.h"
#include "recon/io/format/format.h"

namespace tof {

/// Uncompressed list-mode of GE RDF 9, which is HDF5: ask it before hdf5Format(). Own code because GE
/// publishes no library.
[[nodiscard]] Format rdf9Format();

/// Singles of the crystals of such a list, numbered as its coincidences are; nothing for files of other
/// kinds. Throws BadInput.
[[nodiscard]] std::optional<CrystalSingles> rdf9Singles(const std::string& path);

}  // namespace tof
