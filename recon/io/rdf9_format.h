// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Uncompressed list-mode of GE RDF 9, which is HDF5: ask it before hdf5Format(). Own code because GE
/// publishes no library.
[[nodiscard]] Format rdf9Format();

}  // namespace tof
