// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/settings/settings.h"
#include "recon/systems/measurement.h"

namespace tof {

/// What a run file or a checkpoint says of how its run was made.
struct RunDescription {
    RunSettings settings;
    std::string engine;       ///< "cpu, AVX-512"
    std::string system;       ///< the system of the data: "histo", "lines", "panel"
    std::string dataHash;     ///< hash of the data it was made from
    std::string anatomyHash;  ///< and of the anatomy that it went by; empty: of none, or it is not said
};
/// What run files and checkpoints keep of how a run is made, as JSON: the settings, what `data` make of them,
/// engine and device, what `projector` says of itself and `dataNote`. `parts` are those of the data in use.
[[nodiscard]] std::string describe(const RunSettings& settings, const Measurement& data, const Engine& engine,
                                   std::size_t parts, const Projector& projector,
                                   const std::string& dataNote);
/// Reads `settingsJson` of `file`. Throws BadInput.
[[nodiscard]] RunDescription describedBy(const std::string& settingsJson, const std::string& file);

}  // namespace tof
