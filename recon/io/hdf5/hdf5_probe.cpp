// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/hdf5_probe.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "recon/base/error.h"
#include "recon/base/module.h"

namespace tof::h5 {

namespace {

namespace fs = std::filesystem;

/// Beside the running program as it was built, or where it is installed.
std::string probeProgram() {
    std::error_code ignored;
    const fs::path folder = programFolder();
    if (folder.empty()) {
        throw Unavailable(
            "tofscope-hdf5-probe, which reads foreign HDF5 files first, cannot be found without /proc; mount "
            "it");
    }
    for (const fs::path& place :
         {folder / "tofscope-hdf5-probe", folder / "../libexec/tofscope-hdf5-probe"}) {
        if (fs::exists(place, ignored)) {
            return place.string();
        }
    }
    throw Unavailable(
        "the program tofscope-hdf5-probe, which reads foreign HDF5 files first, is missing; install Tofscope "
        "again");
}

}  // namespace

bool hasOldSuperblock(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 9> start{};
    for (const int offset : {0, 512, 1024, 2048}) {
        file.seekg(offset);
        if (!file.read(start.data(), start.size())) {
            return true;
        }
        if (start[0] == '\x89' && start[1] == 'H') {
            return start[8] < 2;
        }
    }
    return true;
}

bool survivesReading(const std::string& path) {
    std::error_code ignored;
    constexpr std::uintmax_t kBytesPerSecond = 20U << 20U;  // a slow disk
    std::string program = probeProgram();
    std::string file = fs::absolute(path, ignored).string();
    std::string seconds = std::to_string(5 + fs::file_size(path, ignored) / kBytesPerSecond);
    std::array<char*, 4> words{program.data(), file.data(), seconds.data(), nullptr};
    pid_t child = 0;
    // Spawned, not forked: this program may hold a window, threads and a graphics card.
    const int fault = ::posix_spawn(&child, program.c_str(), nullptr, nullptr, words.data(), environ);
    if (fault != 0) {
        throw Unavailable("{}: cannot be started ({}); check its permissions and the memory left", program,
                          std::strerror(fault));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tof::h5
