// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tof {

/// Rows of text in aligned columns, the first row being the heading.
/// The first column is set to the left, all others to the right.
[[nodiscard]] std::string textTable(const std::vector<std::vector<std::string>>& rows);

/// A JSON text as indented "name: value" lines for a person.
[[nodiscard]] std::string jsonAsLines(const std::string& json);

}  // namespace tof
