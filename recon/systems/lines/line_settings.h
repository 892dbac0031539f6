// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "recon/settings/settings.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// The settings' part of a model of lines of response; without the lines.
[[nodiscard]] LineModel lineModel(const Lattice& lattice, const RunSettings& settings);

/// What run files keep of it.
[[nodiscard]] nlohmann::ordered_json describeLines(const RunSettings& settings);

}  // namespace tof
