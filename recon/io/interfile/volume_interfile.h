// SPDX-License-Identifier: Apache-2.0
// Images in Interfile as STIR writes them. Internal to recon/io.
#pragma once

#include <string>
#include <string_view>

#include "recon/base/lattice.h"

namespace tof {

/// True when the first key of a file's text is INTERFILE.
[[nodiscard]] bool isInterfile(std::string_view start);

[[nodiscard]] Volume readVolumeInterfile(const std::string& path);
/// Writes `path` and the data beside it, same name with .v in place of the extension.
void writeVolumeInterfile(const std::string& path, const Volume& volume);

}  // namespace tof
