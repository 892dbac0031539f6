// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace tof {

/// A file that goes with its object.
struct TemporaryFile {
    std::string path = (std::filesystem::temp_directory_path() /
                        fmt::format("tofscope-{}-{}.h5", ::getpid(), static_cast<const void*>(this)))
                           .string();
    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

}  // namespace tof
