// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// A text whose signs mean nothing to HTML.
[[nodiscard]] std::string escaped(const std::string& text);

[[nodiscard]] std::string base64(const std::string& bytes);

}  // namespace tof
