// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/io/format/format.h"

namespace tof {

/// Headers of CASToR (.cdh): list-mode, and histograms as lines of response. Own code because CASToR is a
/// program, not a library.
[[nodiscard]] Format castorFormat();

}  // namespace tof
