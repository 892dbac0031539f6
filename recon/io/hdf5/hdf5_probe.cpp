// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/hdf5_probe.h"

#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

namespace tof::h5 {

namespace {

constexpr std::size_t kSlab = 64U << 20U;  // bytes read at a time

herr_t readAttribute(hid_t object, const char* name, const H5A_info_t* /*info*/, void* /*data*/) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t size = H5Tget_size(type);
    if (count > 0 && size > 0 && static_cast<std::size_t>(count) <= kSlab / size) {
        std::vector<char> buffer(static_cast<std::size_t>(count) * size);
        H5Aread(attribute, type, buffer.data());
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return 0;
}

/// All elements, a few rows of the slowest dimension at a time.
void readDataset(hid_t dataset) {
    const hid_t type = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset);
    const std::size_t size = H5Tget_size(type);
    const hssize_t total = H5Sget_simple_extent_npoints(space);
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    const bool stored = H5Dget_storage_size(dataset) > 0;
    if (rank == 0 && size > 0 && size < kSlab) {
        std::vector<char> buffer(size);
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data());
    } else if (rank > 0 && total > 0 && size > 0 && stored) {
        const std::size_t row = static_cast<std::size_t>(total) / static_cast<std::size_t>(sizes[0]);
        const hsize_t rows =
            row > 0 && row <= kSlab / size ? std::max<std::size_t>(kSlab / size / row, 1) : 0;
        std::vector<char> buffer(static_cast<std::size_t>(std::min(rows, sizes[0])) * row * size);
        std::array<hsize_t, H5S_MAX_RANK> start{};
        for (hsize_t first = 0; rows > 0 && first < sizes[0]; first += rows) {
            std::array<hsize_t, H5S_MAX_RANK> block = sizes;
            start[0] = first;
            block[0] = std::min(rows, sizes[0] - first);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
            const hid_t memory = H5Screate_simple(rank, block.data(), nullptr);
            const herr_t done = H5Dread(dataset, type, memory, space, H5P_DEFAULT, buffer.data());
            H5Sclose(memory);
            if (done < 0) {
                break;
            }
        }
    }
    H5Sclose(space);
    H5Tclose(type);
}

herr_t readObject(hid_t root, const char* name, const H5O_info_t* info, void* /*data*/) {
    const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    if (object >= 0) {
        hsize_t start = 0;
        H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &start, readAttribute, nullptr);
        if (info->type == H5O_TYPE_DATASET) {
            readDataset(object);
        }
        H5Oclose(object);
    }
    return 0;
}

/// In the child: whatever happens, it ends here, with 0 when nothing crashed.
[[noreturn]] void readInChild(const std::string& path, unsigned seconds) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM, SIGILL}) {
        std::signal(signal, SIG_DFL);
    }
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::alarm(seconds);
    try {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        if (file >= 0) {
            H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, readObject, nullptr, H5O_INFO_BASIC);
            H5Fclose(file);
        }
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

enum class Outcome { Survived, Crashed, TimedOut };

Outcome readOnce(const std::string& path, unsigned seconds) {
    const pid_t child = ::fork();
    if (child == 0) {
        readInChild(path, seconds);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        return Outcome::Survived;
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? Outcome::TimedOut : Outcome::Crashed;
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
    const auto seconds =
        static_cast<unsigned>(5 + std::filesystem::file_size(path, ignored) / kBytesPerSecond);
    // A child made while another thread was inside the library finds its lock taken for ever: once more,
    // then.
    const Outcome first = readOnce(path, seconds);
    return (first == Outcome::TimedOut ? readOnce(path, seconds) : first) == Outcome::Survived;
}

}  // namespace tof::h5
