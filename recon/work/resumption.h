// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/hdf5/run_io.h"
#include "recon/settings/settings.h"
#include "recon/systems/measurement.h"

namespace tof {

/// The checkpoint that a run of these data with these settings goes on from. Throws BadInput when there is
/// none, or when it is of other data or of settings that may not differ.
[[nodiscard]] Checkpoint checkpointToResume(const std::string& path, const Measurement& data,
                                            const RunSettings& settings);

}  // namespace tof
