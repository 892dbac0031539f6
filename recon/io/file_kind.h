// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/format/format.h"

namespace tof {

/// What a file (or study folder) holds, told from its content. Throws BadInput when it cannot be read at all.
[[nodiscard]] FileKind fileKind(const std::string& path);

/// What a file holds, as JSON for `info`: kind, format, sizes, attributes. Throws BadInput.
[[nodiscard]] std::string fileInfoJson(const std::string& path);

}  // namespace tof
