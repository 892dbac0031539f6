// SPDX-License-Identifier: Apache-2.0
// What a session remembers of a request.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "recon/base/request_row.h"

namespace tof::ui {

/// The values that differ from the usual, by the keys that rows are saved under.
[[nodiscard]] nlohmann::json rowsToJson(const std::vector<BoundRow>& rows);
/// Writes what is there; what is missing or not allowed stays as it is.
void rowsFromJson(const std::vector<BoundRow>& rows, const nlohmann::json& saved);

}  // namespace tof::ui
