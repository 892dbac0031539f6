// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tof {

/// A text as words of XML 1.0: marks escaped, and characters that XML has not left out.
[[nodiscard]] std::string markupText(std::string_view text);

/// Bytes by RFC 4648.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace tof
