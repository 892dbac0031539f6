// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/scanner/line_events.h"

namespace tof {

/// Events [first, first + count) in an order in which neighbours pass near each other in much the same
/// direction, so that what follows them together meets the same memory: places relative to `first`. By blocks
/// of 16 mm around the most likely points (without time of flight, the middles of the lines), in Morton
/// order, and twelve azimuths; equal ones as they come.
[[nodiscard]] std::vector<std::uint32_t> nearbyOrder(const LineEvents& events, std::size_t first,
                                                     std::size_t count);

}  // namespace tof
