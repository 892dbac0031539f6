// SPDX-License-Identifier: Apache-2.0
// Reads all of an HDF5 file and throws it away: a program of its own because the library may crash or go
// round in circles over a damaged one. usage: tofscope-hdf5-probe FILE SECONDS
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

#if H5_VERSION_GE(1, 12, 0)
constexpr auto visit = H5Ovisit3;
#else
constexpr auto visit = H5Ovisit2;
#endif

constexpr std::size_t kSlab = 64U << 20U;           // bytes read at a time
constexpr std::uint64_t kMostMemory = 8ULL << 30U;  // a list may name one stored part any number of times
constexpr hsize_t kMostLists = 1024;                // rows read at a time whose length only reading tells
constexpr std::size_t kMostOfRows = 256U << 20U;    // bytes of their lists; then rows are read one by one
constexpr std::size_t kMostOfRow = 1U << 30U;       // as readers bound it (recon/io/hdf5/hdf5_records.h)

/// Sanitizers reserve more than any bound.
void boundMemory() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return;
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit memory{kMostMemory, kMostMemory};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
}

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

/// True where the data lie in other files, which are not opened: one may be a pipe, and no reader takes them.
bool liesElsewhere(hid_t dataset) {
    const hid_t plist = H5Dget_create_plist(dataset);
    const bool elsewhere = H5Pget_external_count(plist) > 0 || H5Pget_layout(plist) == H5D_VIRTUAL;
    H5Pclose(plist);
    return elsewhere;
}

/// Lists that are read. The library loses those of a read that fails, so they are kept here.
class Lists {
  public:
    Lists() : transfer_(H5Pcreate(H5P_DATASET_XFER)) {
        H5Pset_vlen_mem_manager(
            transfer_, [](std::size_t bytes, void* lists) { return static_cast<Lists*>(lists)->take(bytes); },
            this, [](void* /*list*/, void* /*lists*/) {}, this);
    }
    ~Lists() {
        forget();
        H5Pclose(transfer_);
    }
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;

    /// False where the lists do not fit, or the library cannot read them.
    bool read(hid_t dataset, hid_t type, hid_t memory, hid_t space, std::size_t most, char* buffer) {
        most_ = most;
        const bool done = H5Dread(dataset, type, memory, space, transfer_, buffer) >= 0;
        forget();
        return done;
    }

  private:
    // Called by the C library: must not throw.
    void* take(std::size_t bytes) noexcept {
        if (bytes > most_ - taken_) {
            return nullptr;
        }
        void* const piece = std::malloc(std::max<std::size_t>(bytes, 1));
        try {
            pieces_.push_back(piece);
        } catch (const std::bad_alloc&) {
            std::free(piece);
            return nullptr;
        }
        taken_ += piece != nullptr ? bytes : 0;
        return piece;
    }
    void forget() {
        std::for_each(pieces_.begin(), pieces_.end(), std::free);
        pieces_.clear();
        taken_ = 0;
    }

    hid_t transfer_;
    std::vector<void*> pieces_;
    std::size_t taken_ = 0;
    std::size_t most_ = 0;
};

/// All elements, a few rows of the slowest dimension at a time.
void readDataset(hid_t dataset) {
    const hid_t type = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset);
    const std::size_t size = H5Tget_size(type);
    const hssize_t total = H5Sget_simple_extent_npoints(space);
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
    const bool stored = H5Dget_storage_size(dataset) > 0;
    const bool lists = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tdetect_class(type, H5T_STRING) > 0;
    if (rank == 0 && size > 0 && size < kSlab) {
        std::vector<char> buffer(size);
        Lists kept;
        if (!kept.read(dataset, type, H5S_ALL, H5S_ALL, kMostOfRow, buffer.data()) && lists) {
            throw std::runtime_error("a list cannot be read");
        }
    } else if (rank > 0 && total > 0 && size > 0 && stored) {
        const std::size_t row = static_cast<std::size_t>(total) / static_cast<std::size_t>(sizes[0]);
        const hsize_t fitting =
            row > 0 && row <= kSlab / size ? std::max<std::size_t>(kSlab / size / row, 1) : 0;
        hsize_t rows = lists ? std::min(fitting, kMostLists) : fitting;
        std::vector<char> buffer(static_cast<std::size_t>(std::min(rows, sizes[0])) * row * size);
        std::array<hsize_t, H5S_MAX_RANK> start{};
        Lists kept;
        while (rows > 0 && start[0] < sizes[0]) {
            std::array<hsize_t, H5S_MAX_RANK> block = sizes;
            block[0] = std::min(rows, sizes[0] - start[0]);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
            const hid_t memory = H5Screate_simple(rank, block.data(), nullptr);
            const bool done =
                kept.read(dataset, type, memory, space, rows > 1 ? kMostOfRows : kMostOfRow, buffer.data());
            H5Sclose(memory);
            if (done) {
                start[0] += block[0];
            } else if (!lists) {
                break;
            } else if (std::exchange(rows, 1) == 1) {
                throw std::runtime_error("a list cannot be read");
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
        if (info->type == H5O_TYPE_DATASET && !liesElsewhere(object)) {
            readDataset(object);
        }
        H5Oclose(object);
    }
    return 0;
}

}  // namespace

/// Ends with 0 when the file could be gone through, by a signal or another code when not.
int main(int count, char** words) {
    if (count != 3) {
        return 2;
    }
    // As at a program's start, whatever the caller has open and blocked; and nothing is said.
    ::closefrom(3);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (std::freopen("/dev/null", "r+", stdout) == nullptr ||
        std::freopen("/dev/null", "r+", stderr) == nullptr) {
        return 2;
    }
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    boundMemory();
    ::alarm(static_cast<unsigned>(std::strtoul(words[2], nullptr, 10)));
    try {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        H5PLset_loading_state(0);  // what a file names is not loaded
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_file_locking(access, 0, 1);  // as readers open it
        const hid_t file = H5Fopen(words[1], H5F_ACC_RDONLY, access);
        if (file >= 0) {
            visit(file, H5_INDEX_NAME, H5_ITER_INC, readObject, nullptr, H5O_INFO_BASIC);
            H5Fclose(file);
        }
    } catch (const std::exception&) {
        return 1;
    }
    ::_exit(0);  // nothing of the library's own tidying up
}
