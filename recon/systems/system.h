// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/io/format/format.h"
#include "recon/systems/measurement.h"

namespace tof {

/// What is known of a system without any data of it. recon/work/systems.cpp lists them.
struct System {
    std::string name;         ///< as Measurement::system()
    std::string describedBy;  ///< a key of Measurement::describe() that no other system's has
    /// Whether this system measured what an open file holds. Throws BadInput.
    bool (*holds)(const FormatFile& file);
    /// Measures those data. Throws BadInput.
    std::shared_ptr<const Measurement> (*measure)(const FormatFile& file);
    /// What tells a run from others of the same data, until somebody names it: "variant1", "siddon, 4 mm
    /// PSF".
    std::string (*runName)(const RunSettings& settings);
};

}  // namespace tof
