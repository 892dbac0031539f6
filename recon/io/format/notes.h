// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// Two remarks as one, in this order; either may be empty.
[[nodiscard]] inline std::string joinedNotes(const std::string& first, const std::string& second) {
    return first.empty() || second.empty() ? first + second : first + "; " + second;
}

}  // namespace tof
