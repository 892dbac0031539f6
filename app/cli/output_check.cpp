// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_check.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "recon/base/error.h"

namespace tof {

namespace fs = std::filesystem;

void refuseSameFile(const std::string& input, const std::string& output) {
    std::error_code different;
    if (fs::equivalent(input, output, different)) {
        throw WrongUse("'{}' is both input and output; name another output", output);
    }
}

void requireWritable(const std::string& output) {
    std::error_code fault;
    if (fs::is_directory(output, fault)) {
        throw CannotWrite("{}: is a folder; name a file", output);
    }
    fs::path folder = fs::path(output).parent_path();
    if (folder.empty()) {
        folder = ".";
    }
    // The dot makes a file in the place of the folder a fault too.
    if (::access((folder / ".").c_str(), W_OK) != 0) {
        throw CannotWrite("{}: cannot be written: {}; check the folder '{}'", output, std::strerror(errno),
                          folder.string());
    }
}

}  // namespace tof
