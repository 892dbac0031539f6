// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/systems/system.h"

namespace tof {

/// "custom kernel" unless the setting is a preset, a file, or JSON text that gives its name.
[[nodiscard]] std::string kernelName(const RunSettings& settings);

[[nodiscard]] System histoSystem();

}  // namespace tof
