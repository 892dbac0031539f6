// SPDX-License-Identifier: Apache-2.0
// Internal to recon/io.
#pragma once

#include <string>
#include <vector>

#include "recon/io/bytes/text_header.h"

namespace tof {

/// As readHeaderLines(), of a text that is there already.
[[nodiscard]] std::vector<HeaderLine> headerLines(std::string text, const HeaderSyntax& syntax);

}  // namespace tof
