// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "recon/settings/settings.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// Whether the blur goes by the scanner (setting `psf-model`).
[[nodiscard]] bool goesByScanner(const RunSettings& settings);

/// The settings' part of a model of lines of response; without the lines. `spread`: the scanner's, where the
/// settings ask for it.
[[nodiscard]] LineModel lineModel(const Lattice& lattice, const RunSettings& settings,
                                  std::shared_ptr<const PointSpread> spread);

/// What run files keep of it.
[[nodiscard]] nlohmann::ordered_json describeLines(const RunSettings& settings);

}  // namespace tof
