// SPDX-License-Identifier: Apache-2.0
// Which family of formats a file belongs to. Internal to recon/io.
#pragma once

#include <string>

namespace tof {

enum class FileFormat { Unknown, Folder, Hdf5, Nifti, Interfile, Castor, Safir };

/// Told from the content. Throws BadInput when the file cannot be opened or is empty.
[[nodiscard]] FileFormat fileFormat(const std::string& path);
[[nodiscard]] const char* formatName(FileFormat format);

/// "; open X, the header beside it" where `path` is the data part of a pair, else "".
[[nodiscard]] std::string headerHint(const std::string& path);

}  // namespace tof
