// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/random_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "recon/base/error.h"
#include "recon/base/plain_file.h"
#include "recon/io/bytes/positioned.h"

namespace tof {

RandomFile::RandomFile(std::string path) : path_(std::move(path)) {
    requirePlainFile(path_);
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat found {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &found) != 0) {
        const int fault = errno;
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        throw BadInput("{}: cannot be opened ({}); check the name and the permission to read it", path_,
                       std::strerror(fault));
    }
    size_ = static_cast<std::uint64_t>(found.st_size);
}

RandomFile::~RandomFile() {
    ::close(descriptor_);
}

void RandomFile::read(std::uint64_t at, std::span<std::byte> out, const char* what) const {
    const bool inside = at <= size_ && out.size() <= size_ - at;
    if (!inside || readWhole(descriptor_, at, out) != 0) {
        throw BadInput(
            "{}: is truncated or damaged: the {} bytes of {} at {} are not all there; copy or make it again",
            path_, out.size(), what, at);
    }
}

}  // namespace tof
