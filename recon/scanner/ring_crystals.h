// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The ring crystal of every crystal of a scanner: the nearest place of the nearest ring, seen from the axis.
/// Throws BadInput when a crystal lies off every ring.
[[nodiscard]] std::vector<std::uint32_t> ringCrystals(const Scanner& scanner, const RingScanner& ring);

}  // namespace tof
