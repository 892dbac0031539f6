// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "recon/io/bytes/destination.h"
#include "recon/io/import_sinograms.h"

namespace tof {

/// Writes what importSinograms() makes of a file without corrections, a part in memory at a time. Returns its
/// note, or nothing where they have to be read whole. Throws BadInput and CannotWrite.
[[nodiscard]] std::optional<std::string> convertSinograms(const std::string& path, const Destination& out,
                                                          const SinogramImport& import);

}  // namespace tof
