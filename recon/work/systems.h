// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/systems/system.h"

namespace tof {

/// Every system of the program.
[[nodiscard]] std::vector<System> allSystems();

/// The system of a run file from its description. Histo-images where none is named: the first were of no
/// other.
[[nodiscard]] std::string systemOfRun(const nlohmann::json& description);

/// What tells a run of a system from others of the same data, until somebody names it, with the strength of
/// its prior ("variant1, RDP β 0.03"); the engine's setting for a system that is not known.
[[nodiscard]] std::string runName(const RunSettings& settings, const std::string& system);

}  // namespace tof
