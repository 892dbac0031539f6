// SPDX-License-Identifier: Apache-2.0
// Where and with what a report was made.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "recon/seam/engine.h"

namespace tof {

struct Provenance {
    std::string date;     ///< UTC, "2026-11-23 01:20"; empty: not known
    std::string version;  ///< version of this program
    std::string machine;  ///< processor and threads
    /// Every engine: its name, and its device or why it is not there.
    std::vector<std::pair<std::string, std::string>> engines;
    std::string size;  ///< "quick", "full"
    double seconds = 0;
};

/// What is true now, here. The engines that are there are loaded.
[[nodiscard]] Provenance provenanceHere(const EngineRegistry& engines);

}  // namespace tof
