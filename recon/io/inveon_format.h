// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// List-mode of Siemens Inveon (.lst), words of 48 bits. The layout has no mark: a file is told by its name
/// and by words that name crystals of an Inveon between times.
[[nodiscard]] Format inveonFormat();

}  // namespace tof
