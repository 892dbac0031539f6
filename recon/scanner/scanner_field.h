// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/scanner/scanner.h"

namespace tof {

/// Sets acceptance and field of view so that they hold every line between two of the crystals.
void describeField(Scanner& scanner);

}  // namespace tof
