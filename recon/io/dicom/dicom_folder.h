// SPDX-License-Identifier: Apache-2.0
// Which files are DICOM. Internal to recon/io/dicom.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tof {

/// Whether a file that starts so has the mark of DICOM behind its preamble.
[[nodiscard]] bool hasDicomMark(std::string_view start);

/// DICOM files directly in a folder, by name; at most `most`.
[[nodiscard]] std::vector<std::string> dicomFilesIn(const std::string& folder, std::size_t most);

}  // namespace tof
