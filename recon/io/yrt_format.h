// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// List-mode of YRT-PET (.lmDat) with the scanner's JSON and its table of crystals. Such lists have no
/// header, so that they are told by their name, and what an event holds by the crystals it would name.
[[nodiscard]] Format yrtFormat();

}  // namespace tof
