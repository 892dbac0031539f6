// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/spill_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Calls move(bytes done) until all are; returns the fault, 0: none.
template <class Move>
int moveAll(std::size_t bytes, const Move& move) {
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t moved = move(done);
        if (moved < 0 && errno == EINTR) {
            continue;
        }
        if (moved <= 0) {
            return moved < 0 ? errno : EIO;
        }
        done += static_cast<std::size_t>(moved);
    }
    return 0;
}

}  // namespace

SpillFile::~SpillFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void SpillFile::open() {
    std::string name = beside_ + ".XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
        fail(errno);
    }
    ::unlink(name.c_str());
}

void SpillFile::fail(int fault) const {
    throw CannotWrite(
        "{}: what does not stay in memory cannot be kept beside it ({}); free space or choose "
        "another folder",
        beside_, std::strerror(fault));
}

void SpillFile::append(std::span<const std::uint32_t> numbers) {
    if (descriptor_ < 0) {
        open();
    }
    const auto bytes = std::as_bytes(numbers);
    const std::uint64_t at = size_ * sizeof(std::uint32_t);
    const int fault = moveAll(bytes.size(), [&](std::size_t done) {
        return ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    });
    if (fault != 0) {
        fail(fault);
    }
    size_ += numbers.size();
}

void SpillFile::read(std::uint64_t first, std::span<std::uint32_t> out) const {
    const auto bytes = std::as_writable_bytes(out);
    const std::uint64_t at = first * sizeof(std::uint32_t);
    const int fault = moveAll(bytes.size(), [&](std::size_t done) {
        return ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    });
    if (fault != 0) {
        fail(fault);
    }
}

}  // namespace tof
