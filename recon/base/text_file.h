// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tof {

/// Whole text of a file; throws BadInput when it cannot be read or is longer than `limit` bytes.
[[nodiscard]] std::string readTextFile(const std::string& path, std::size_t limit = 16U << 20U);

}  // namespace tof
