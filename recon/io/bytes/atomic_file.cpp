// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <sys/file.h>
#include <unistd.h>
#include <fstream>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw CannotWrite("{}: {}; check the folder, its permissions and the space left", path, what);
}

std::string systemText(int code) {
    return std::generic_category().message(code);
}

class Descriptor {
  public:
    Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] int release() { return std::exchange(fd_, -1); }
    [[nodiscard]] bool sync() const { return fd_ >= 0 && ::fsync(fd_) == 0; }

  private:
    int fd_;
};

/// True when somebody who is still running holds the file; false where the file system knows no locks.
bool lockedElsewhere(int descriptor) {
    return ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string path) : path_(std::move(path)) {
    std::error_code fault;
    // A link is followed, so that the file it names is replaced and not the link.
    const fs::path target =
        fs::is_symlink(path_, fault) ? fs::weakly_canonical(path_, fault) : fs::path(path_);
    if (path_.empty() || target.filename().empty()) {
        throw CannotWrite("'{}' is not a file name; give the name of a file", path_);
    }
    const fs::file_status status = fs::status(target, fault);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw CannotWrite("{}: is not a plain file and cannot be replaced; give another name", path_);
    }
    target_ = target.string();
    name_ = target_ + ".part";
    const Descriptor leftover(name_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (leftover.get() >= 0 && lockedElsewhere(leftover.get())) {
        throw CannotWrite("{}: is being written by another program; wait for it or give another name", path_);
    }
    // Left by a crash, or put there by somebody: removed first, so that a link is not written through.
    if (::unlink(name_.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
        fail(path_, fmt::format("'{}' is in the way ({})", name_, systemText(errno)));
    }
    Descriptor created(name_, O_WRONLY | O_CREAT | O_EXCL);
    if (created.get() < 0 || lockedElsewhere(created.get())) {
        fail(path_, fmt::format("cannot be written ({})", systemText(errno)));
    }
    lock_ = created.release();
}

TemporaryFile::~TemporaryFile() {
    if (!renamed_) {
        std::error_code ignored;
        fs::remove(name_, ignored);
    }
    ::close(lock_);
}

void TemporaryFile::renameTo(const std::string& target) {
    if (!Descriptor(name_, O_RDONLY).sync()) {
        fail(path_, fmt::format("cannot be flushed to disk ({})", systemText(errno)));
    }
    if (::rename(name_.c_str(), target.c_str()) != 0) {
        fail(path_, fmt::format("cannot be renamed into place ({})", systemText(errno)));
    }
    renamed_ = true;
    const fs::path folder = fs::path(target).parent_path();
    // The new file is whole and in place; a file system that cannot flush a folder does not make this a
    // failure.
    (void)Descriptor(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).sync();
}

void writeAside(const std::string& path, const std::function<void(const std::string&)>& write) {
    TemporaryFile temporary(path);
    try {
        write(temporary.name());
    } catch (const std::system_error& fault) {
        fail(path, fmt::format("cannot be written ({})", fault.code().message()));
    }
    temporary.renameIntoPlace();
}

void writeTextAside(const std::string& path, const std::string& text) {
    writeAside(path, [&](const std::string& temporary) {
        std::ofstream file(temporary, std::ios::binary);
        file << text;
        file.close();
        if (!file) {
            throw CannotWrite("{}: writing failed; check the free space", path);
        }
    });
}

}  // namespace tof
