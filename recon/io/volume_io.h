// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/io/format_table.h"

namespace tof {

/// Reads a volume: HDF5 (`/image`; a run file counts as its last iterate), NIfTI (.nii, .nii.gz, .hdr/.img)
/// or Interfile (.hv, .hdr). The kind is told from the content, not the name. Result in the scanner frame,
/// index order [z][y][x]. Throws BadInput.
[[nodiscard]] Volume readVolume(const std::string& path);

/// Writes a volume in the format of the extension: .h5, .nii, .nii.gz, .hv (with .v beside it). Written
/// aside, flushed and renamed: on CannotWrite what was there is untouched.
void writeVolume(const std::string& path, const Volume& volume);
void writeVolume(const std::string& path, const Volume& volume, const FormatTable& formats);

}  // namespace tof
