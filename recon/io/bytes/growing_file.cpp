// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/growing_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Bytes that a call has read; 0 where it was interrupted or there are none yet.
std::size_t bytesRead(ssize_t got, const std::string& path) {
    if (got < 0 && errno != EINTR && errno != EAGAIN) {
        throw BadInput(
            "{}: cannot be read any further ({}); look after the disk or the writer, and follow it anew",
            path, std::strerror(errno));
    }
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

}  // namespace

GrowingFile::GrowingFile(std::string path) : path_(std::move(path)) {
    // Without O_NONBLOCK a pipe would hold its reader until somebody writes.
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat found {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &found) != 0) {
        const int fault = errno;
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        throw BadInput("{}: cannot be opened ({}); make the file or pipe before it is followed", path_,
                       std::strerror(fault));
    }
    pipe_ = S_ISFIFO(found.st_mode);
    if (!pipe_ && !S_ISREG(found.st_mode)) {
        ::close(descriptor_);
        throw BadInput("{}: is neither a file nor a named pipe; follow one of these", path_);
    }
    device_ = found.st_dev;
    inode_ = found.st_ino;
}

GrowingFile::~GrowingFile() {
    ::close(descriptor_);
}

std::size_t GrowingFile::read(std::span<std::byte> out) {
    return pipe_ ? readPipe(out) : readFile(out);
}

void GrowingFile::requireItself() const {
    struct stat open {};
    struct stat named {};
    if (::fstat(descriptor_, &open) != 0 || ::stat(path_.c_str(), &named) != 0) {
        throw BadInput("{}: was removed while it was followed; let its writer keep it, and follow it anew",
                       path_);
    }
    if (named.st_dev != device_ || named.st_ino != inode_) {
        throw BadInput("{}: was replaced by another file while it was followed; follow the new one", path_);
    }
    if (static_cast<std::uint64_t>(open.st_size) < at_) {
        throw BadInput(
            "{}: was shortened to {} bytes after {} of them were counted; follow it anew, and let its writer "
            "append only",
            path_, open.st_size, at_);
    }
}

std::size_t GrowingFile::readFile(std::span<std::byte> out) {
    requireItself();
    const std::size_t got =
        bytesRead(::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(at_)), path_);
    at_ += got;
    return got;
}

std::size_t GrowingFile::readPipe(std::span<std::byte> out) {
    // A pipe that nobody has opened for writing yet gives no bytes either; only poll() tells it from a closed
    // one.
    pollfd asked{descriptor_, POLLIN, 0};
    if (::poll(&asked, 1, 0) <= 0) {
        return 0;
    }
    const unsigned told = static_cast<unsigned>(asked.revents);
    if ((told & POLLIN) != 0) {
        return bytesRead(::read(descriptor_, out.data(), out.size()), path_);
    }
    closed_ = (told & POLLHUP) != 0;
    return 0;
}

void GrowingFile::wait(std::chrono::milliseconds most) const {
    if (!pipe_) {
        std::this_thread::sleep_for(most);
        return;
    }
    pollfd asked{descriptor_, POLLIN, 0};
    ::poll(&asked, 1, static_cast<int>(most.count()));
}

}  // namespace tof
