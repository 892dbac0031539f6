// SPDX-License-Identifier: Apache-2.0
// Time-of-flight list-mode that costs nothing to make: what benchmarks project.
#pragma once

#include <cstddef>
#include <memory>

#include "recon/base/parallel.h"
#include "recon/scanner/line_events.h"

namespace tof {

/// Random pairs of crystals whose lines meet a cylinder 350 mm wide, with a random point on each line inside
/// it; 400 ps, bins one sigma wide, cut off at 3 sigma. The same events whatever the number of threads; all
/// in one part.
[[nodiscard]] std::shared_ptr<LineEvents> randomEvents(const RingScanner& scanner, std::size_t count,
                                                       const ThreadPool& pool);

}  // namespace tof
