// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tof {

/// Edit distance between two words; for "did you mean".
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);
/// ", did you mean 'x'?" for the nearest candidate within two edits, else "".
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace tof
