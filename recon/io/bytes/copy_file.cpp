// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/copy_file.h"

#include <sys/sendfile.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "recon/base/error.h"
#include "recon/io/bytes/descriptor.h"

namespace tof {

namespace {

constexpr std::size_t kCopyPiece = std::size_t{48} << 20U;  ///< bytes; a disk of 100 MB/s takes half a second

std::string reason() {
    return std::generic_category().message(errno);
}

}  // namespace

void copyFile(const std::string& from, const std::string& to, const std::function<void()>& heed) {
    const Descriptor in(from, O_RDONLY | O_NONBLOCK);  // a pipe would hold its reader
    struct stat facts {};
    if (in.get() < 0 || ::fstat(in.get(), &facts) != 0) {
        throw BadInput("{}: cannot be read ({}); check the file and its permissions", from, reason());
    }
    if (!S_ISREG(facts.st_mode)) {
        throw BadInput("{}: is no plain file, so it cannot be copied", from);
    }
    const Descriptor out(to, O_WRONLY | O_CREAT | O_TRUNC, facts.st_mode & 0777U);
    if (out.get() < 0) {
        throw CannotWrite("{}: cannot be written ({}); check the folder and its permissions", to, reason());
    }
    while (true) {
        if (heed) {
            heed();
        }
        const ssize_t copied = ::sendfile(out.get(), in.get(), nullptr, kCopyPiece);
        if (copied == 0) {
            return;
        }
        if (copied < 0 && errno != EINTR) {
            throw CannotWrite("{}: cannot be copied from {} ({}); check the space left", to, from, reason());
        }
    }
}

}  // namespace tof
