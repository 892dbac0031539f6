// SPDX-License-Identifier: Apache-2.0
// Kinds of files that are told apart, but not read: a refusal names them. Internal to recon/io.
#pragma once

#include <string>

#include "recon/io/format/format.h"

namespace tof {

/// "NRRD", "MINC 1", ... or empty.
[[nodiscard]] std::string foreignKind(const FileStart& start);

}  // namespace tof
