// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "recon/work/sweep.h"

namespace tof {

/// The comparison of a sweep as one HTML file that needs no other: a table, contrast against noise, and the
/// central slice of every run in one tone. Reads the runs' images. Throws BadInput.
[[nodiscard]] std::string sweepPage(const Sweep& sweep, const Study& study,
                                    const std::vector<SweepRow>& rows);

}  // namespace tof
