// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/half_made_matrix.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace tof {

namespace {

struct Head {
    std::uint32_t kernel = 0;
    std::uint32_t entries = 0;
    double sum = 0;
    double kept = 0;
};
static_assert(sizeof(Head) == 24);

std::uint64_t digest(const std::vector<char>& bytes) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : bytes) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

bool readWhole(int file, char* to, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t some = ::read(file, to, bytes);
        if (some < 0 && errno == EINTR) {
            continue;
        }
        if (some <= 0) {
            return false;
        }
        to += some;
        bytes -= static_cast<std::size_t>(some);
    }
    return true;
}

bool writeWhole(int file, const char* from, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t some = ::write(file, from, bytes);
        if (some < 0 && errno == EINTR) {
            continue;
        }
        if (some <= 0) {
            return false;
        }
        from += some;
        bytes -= static_cast<std::size_t>(some);
    }
    return true;
}

std::vector<char> record(int kernel, const PanelEntries& entries) {
    const Head head{static_cast<std::uint32_t>(kernel), static_cast<std::uint32_t>(entries.places.size()),
                    entries.sum, entries.kept};
    const std::size_t array = entries.places.size() * sizeof(std::uint32_t);
    std::vector<char> bytes(sizeof(Head) + 2 * array);
    std::memcpy(bytes.data(), &head, sizeof(Head));
    if (array > 0) {
        std::memcpy(bytes.data() + sizeof(Head), entries.places.data(), array);
        std::memcpy(bytes.data() + sizeof(Head) + array, entries.values.data(), array);
    }
    return bytes;
}

/// Nothing where it is cut off or damaged.
std::optional<std::pair<int, PanelEntries>> readRecord(int file, const PanelMatrix& plan) {
    Head head;
    std::array<char, sizeof(Head)> headBytes{};
    if (!readWhole(file, headBytes.data(), headBytes.size())) {
        return std::nullopt;
    }
    std::memcpy(&head, headBytes.data(), sizeof(Head));
    if (head.kernel >= plan.kernels.size()) {
        return std::nullopt;
    }
    const PanelGeometry& g = plan.geometry;
    const PanelClass& which = plan.kernels[head.kernel];
    const double most =
        1.0 * g.planes * g.voxelsPerPitch * (which.dy + 1) * g.voxelsPerPitch * (which.dz + 1);
    if (head.entries > most) {
        return std::nullopt;
    }
    const std::size_t array = head.entries * sizeof(std::uint32_t);
    std::vector<char> bytes(sizeof(Head) + 2 * array);
    std::copy(headBytes.begin(), headBytes.end(), bytes.begin());
    std::array<char, sizeof(std::uint64_t)> stated{};
    if (!readWhole(file, bytes.data() + sizeof(Head), 2 * array) ||
        !readWhole(file, stated.data(), stated.size())) {
        return std::nullopt;
    }
    const std::uint64_t found = digest(bytes);
    if (std::memcmp(&found, stated.data(), stated.size()) != 0) {
        return std::nullopt;
    }
    PanelEntries entries;
    entries.sum = head.sum;
    entries.kept = head.kept;
    entries.places.resize(head.entries);
    entries.values.resize(head.entries);
    if (array > 0) {
        std::memcpy(entries.places.data(), bytes.data() + sizeof(Head), array);
        std::memcpy(entries.values.data(), bytes.data() + sizeof(Head) + array, array);
    }
    if (!isKernel(g, which, entries.places, entries.values)) {
        return std::nullopt;
    }
    return std::pair(static_cast<int>(head.kernel), std::move(entries));
}

}  // namespace

HalfMadePanelMatrix::HalfMadePanelMatrix(const std::string& path, const PanelMatrix& plan,
                                         const std::string& origin)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        close();
    }
    if (file_ >= 0) {
        read(plan, origin + '\n');
    }
}

HalfMadePanelMatrix::~HalfMadePanelMatrix() {
    close();
}

void HalfMadePanelMatrix::close() {
    if (file_ >= 0) {
        ::close(file_);
    }
    file_ = -1;
}

void HalfMadePanelMatrix::read(const PanelMatrix& plan, const std::string& header) {
    std::string stated(header.size(), '\0');
    if (!readWhole(file_, stated.data(), stated.size()) || stated != header) {
        const bool begun = ::ftruncate(file_, 0) == 0 && ::lseek(file_, 0, SEEK_SET) == 0 &&
                           writeWhole(file_, header.data(), header.size());
        if (!begun) {
            close();
        }
        return;
    }
    ::off_t whole = static_cast<::off_t>(header.size());
    while (auto next = readRecord(file_, plan)) {
        found_.push_back(std::move(*next));
        whole = ::lseek(file_, 0, SEEK_CUR);
    }
    if (::ftruncate(file_, whole) != 0 || ::lseek(file_, whole, SEEK_SET) != whole) {
        close();
    }
}

void HalfMadePanelMatrix::add(int kernel, const PanelEntries& entries) {
    if (file_ < 0) {
        return;
    }
    std::vector<char> bytes = record(kernel, entries);
    const std::uint64_t hash = digest(bytes);
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof(hash));
    std::memcpy(bytes.data() + end, &hash, sizeof(hash));
    if (!writeWhole(file_, bytes.data(), bytes.size())) {
        close();
    }
}

void HalfMadePanelMatrix::remove() {
    if (file_ >= 0) {
        ::unlink(path_.c_str());
        close();
    }
}

}  // namespace tof
