// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Images of ECAT 7 (.v), single or dynamic. Own code because Debian packages no library that reads them.
[[nodiscard]] Format ecat7Format();

}  // namespace tof
