// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/spill_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/bytes/positioned.h"

namespace tof {

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
    const std::uint64_t at = size_ * sizeof(std::uint32_t);
    if (const int fault = writeWhole(descriptor_, at, std::as_bytes(numbers)); fault != 0) {
        fail(fault);
    }
    size_ += numbers.size();
}

void SpillFile::read(std::uint64_t first, std::span<std::uint32_t> out) const {
    const std::uint64_t at = first * sizeof(std::uint32_t);
    if (const int fault = readWhole(descriptor_, at, std::as_writable_bytes(out)); fault != 0) {
        fail(fault);
    }
}

}  // namespace tof
