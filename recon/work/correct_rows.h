// SPDX-License-Identifier: Apache-2.0
// The one table of what can be asked of corrections.
#pragma once

#include <vector>

#include "recon/base/request_row.h"
#include "recon/corrections/correct_request.h"

namespace tof {

/// Groups of rows: how scatter is found, whose crystals sinograms are of, and how randoms of two panels are
/// taken.
inline constexpr const char* kScatterGroup = "scatter";
inline constexpr const char* kRingsGroup = "rings";
inline constexpr const char* kPanelGroup = "panel";

[[nodiscard]] const std::vector<RequestRow<CorrectRequest>>& correctRows();

}  // namespace tof
