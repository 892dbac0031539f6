// SPDX-License-Identifier: Apache-2.0
#include "recon/base/plain_file.h"

#include <filesystem>
#include <system_error>

#include "recon/base/error.h"

namespace tof {

void requirePlainFile(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_other(path, ignored)) {
        throw BadInput("{}: is a pipe or a device, not a file; write what it gives into a file first", path);
    }
}

}  // namespace tof
