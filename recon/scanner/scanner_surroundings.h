// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/scanner/scanner.h"
#include "recon/scanner/surroundings.h"

namespace tof {

/// What the scanner's description says of them, which was checked when it was read; nothing for a scanner
/// without.
[[nodiscard]] std::vector<Surrounding> surroundingsOf(const Scanner& scanner);

}  // namespace tof
