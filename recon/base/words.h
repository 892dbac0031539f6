// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tof {

/// What stands between the separators of a text. No part follows a separator at the end; an empty text has
/// none.
[[nodiscard]] std::vector<std::string> parts(const std::string& text, char separator);

/// What stands between the white space of a line.
[[nodiscard]] std::vector<std::string> words(const std::string& line);

}  // namespace tof
