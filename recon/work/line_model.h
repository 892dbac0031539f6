// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/seam/system_model.h"
#include "recon/settings/settings.h"

namespace tof {

/// The settings' part of a model of lines of response; without the lines.
[[nodiscard]] LineModel ringModel(const Lattice& lattice, const RunSettings& settings);

}  // namespace tof
