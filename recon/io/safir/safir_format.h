// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// List-mode of the SAFIR family. Own code because there is no library for it.
[[nodiscard]] Format safirFormat();

}  // namespace tof
