// SPDX-License-Identifier: Apache-2.0
// Fonts that are part of the library (cmake/TofscopeEmbed.cmake), as their files are.
#pragma once

#include <string_view>

namespace tof {

[[nodiscard]] std::string_view fontRegularBytes();
[[nodiscard]] std::string_view fontBoldBytes();

}  // namespace tof
