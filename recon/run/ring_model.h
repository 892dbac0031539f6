// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/engine/system_model.h"
#include "recon/run/settings.h"

namespace tof {

/// The settings' part of a model of lines of response; without the lines.
[[nodiscard]] RingModel ringModel(const Lattice& lattice, const RunSettings& settings);

}  // namespace tof
