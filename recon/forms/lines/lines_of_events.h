// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/data/line_data.h"
#include "recon/forms/form/bin_context.h"

namespace tof {

/// The lines of a list between the crystals of `scanner` or of the rings that were asked for, with the
/// corrections that were named and without what attenuates. `scanner` may be null. Throws BadInput, WrongUse.
[[nodiscard]] LineData linesOfEvents(const EventList& events, const Scanner* scanner,
                                     const BinContext& context);

}  // namespace tof
