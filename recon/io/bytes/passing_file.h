// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace tof {

/// The name of a file that goes with its owner, unless somebody has moved it elsewhere by then.
struct PassingFile {
    explicit PassingFile(std::string name) : path(std::move(name)) {}
    ~PassingFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
    PassingFile(const PassingFile&) = delete;
    PassingFile& operator=(const PassingFile&) = delete;
    std::string path;
};

}  // namespace tof
