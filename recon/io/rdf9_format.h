// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recon/data/crystal_singles.h"
#include "recon/io/format/format.h"

namespace tof {

/// Uncompressed list-mode of GE RDF 9, which is HDF5: ask it before hdf5Format(). Own code because GE
/// publishes no library.
[[nodiscard]] Format rdf9Format();

/// Singles of the crystals of such a list, numbered as its coincidences are; nothing for files of other
/// kinds. Throws BadInput.
[[nodiscard]] std::optional<CrystalSingles> rdf9Singles(const std::string& path);

/// Efficiencies of the crystals over their mean, of a normalisation of GE RDF 9, numbered as coincidences of
/// lists are; nothing for files of other kinds. A crystal without a factor has 0. Throws BadInput.
[[nodiscard]] std::optional<std::vector<double>> rdf9Efficiencies(const std::string& path);

}  // namespace tof
