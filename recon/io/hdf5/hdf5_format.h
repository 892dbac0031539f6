// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Our own files, docs/formats.md: volumes, list-mode, measured data, runs and checkpoints.
[[nodiscard]] Format hdf5Format();

/// Writes data of any form. Throws CannotWrite.
void writeMeasured(const std::string& path, const MeasuredData& data);

}  // namespace tof
