// SPDX-License-Identifier: Apache-2.0
// The one table of what can be asked of binning.
#pragma once

#include <vector>

#include "recon/base/request_row.h"
#include "recon/forms/form/bin_request.h"

namespace tof {

/// Groups of rows: a file is a list, or sinograms of another program.
inline constexpr const char* kListGroup = "list";
inline constexpr const char* kSinogramGroup = "sinograms";

[[nodiscard]] const std::vector<RequestRow<BinRequest>>& binRows();
/// What goes with sinograms of STIR; binRows() has them, too.
[[nodiscard]] const std::vector<RequestRow<SinogramImport>>& sinogramRows();
/// The image that goes with them.
[[nodiscard]] const std::vector<RequestRow<SinogramImport>>& sinogramImageRows();

}  // namespace tof
