// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/settings/settings.h"

namespace tof {

/// What a run file or a checkpoint says of how its run was made.
struct RunDescription {
    RunSettings settings;
    std::string engine;  ///< "cpu, AVX-512"
    DataKind data = DataKind::HistoImages;
    std::string dataHash;  ///< of the data it was made from
};
/// Reads `settingsJson` of `file`. Throws BadInput.
[[nodiscard]] RunDescription describedBy(const std::string& settingsJson, const std::string& file);

/// "custom kernel" unless the setting is a preset, a file, or JSON text that gives its name.
[[nodiscard]] std::string kernelName(const RunSettings& settings);
/// What tells a run from others of the same data, until somebody names it: "variant1", "siddon, 4 mm PSF".
[[nodiscard]] std::string runName(const RunSettings& settings, DataKind data);

}  // namespace tof
