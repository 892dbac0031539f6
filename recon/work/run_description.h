// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/settings/settings.h"

namespace tof {

/// What a run file or a checkpoint says of how its run was made.
struct RunDescription {
    RunSettings settings;
    std::string engine;  ///< "cpu, AVX-512"
    std::string system;  ///< of the data: "histo", "lines"
    std::string dataHash;  ///< of the data it was made from
};
/// Reads `settingsJson` of `file`. Throws BadInput.
[[nodiscard]] RunDescription describedBy(const std::string& settingsJson, const std::string& file);

}  // namespace tof
