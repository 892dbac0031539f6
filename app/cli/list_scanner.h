// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/data/events.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The scanner of list-mode read from the file `list`: `option` (--scanner; may be empty) where the format
/// was not read with it already, else what the list itself describes. Throws WrongUse, or BadInput when
/// neither says.
[[nodiscard]] Scanner scannerOfList(const EventList& events, const std::string& list,
                                    const std::string& option);

}  // namespace tof
