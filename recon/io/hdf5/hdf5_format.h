// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Our own files, docs/formats.md: volumes, list-mode, measured data, runs and checkpoints.
[[nodiscard]] Format hdf5Format();

}  // namespace tof
