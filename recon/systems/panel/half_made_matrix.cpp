// SPDX-License-Identifier: Apache-2.0
#include "recon/systems/panel/half_made_matrix.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <span>

#include "recon/io/bytes/positioned.h"

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

template <class T>
std::span<std::byte> bytesOf(T& one) {
    return std::as_writable_bytes(std::span(&one, 1));
}

/// The record at a place, which moves behind it; nothing where it is cut off or damaged.
std::optional<std::pair<int, PanelEntries>> readRecord(int file, std::uint64_t& at, const PanelMatrix& plan) {
    Head head;
    if (readWhole(file, at, bytesOf(head)) != 0 || head.kernel >= plan.kernels.size()) {
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
    std::uint64_t stated = 0;
    if (readWhole(file, at, std::as_writable_bytes(std::span(bytes))) != 0 ||
        readWhole(file, at + bytes.size(), bytesOf(stated)) != 0 || digest(bytes) != stated) {
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
    at += bytes.size() + sizeof(stated);
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
    end_ = header.size();
    if (readWhole(file_, 0, std::as_writable_bytes(std::span(stated))) != 0 || stated != header) {
        if (::ftruncate(file_, 0) != 0 || writeWhole(file_, 0, std::as_bytes(std::span(header))) != 0) {
            close();
        }
        return;
    }
    while (auto next = readRecord(file_, end_, plan)) {
        found_.push_back(std::move(*next));
    }
    if (::ftruncate(file_, static_cast<::off_t>(end_)) != 0) {
        close();
    }
}

void HalfMadePanelMatrix::add(int kernel, const PanelEntries& entries) {
    if (file_ < 0) {
        return;
    }
    std::vector<char> bytes = record(kernel, entries);
    const std::uint64_t hash = digest(bytes);
    const std::size_t hashed = bytes.size();
    bytes.resize(hashed + sizeof(hash));
    std::memcpy(bytes.data() + hashed, &hash, sizeof(hash));
    if (writeWhole(file_, end_, std::as_bytes(std::span(bytes))) != 0) {
        close();
    }
    end_ += bytes.size();
}

void HalfMadePanelMatrix::remove() {
    if (file_ >= 0) {
        ::unlink(path_.c_str());
        close();
    }
}

}  // namespace tof
