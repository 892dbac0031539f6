// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstream>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/descriptor.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw CannotWrite("{}: {}; check the folder, its permissions and the space left", path, what);
}

std::string systemText(int code) {
    return std::generic_category().message(code);
}

/// ".PID-NUMBER.part" after the name of a file, with a number that nobody else draws.
std::string ownSuffix() {
    std::random_device random;
    return fmt::format(".{}-{:08x}.part", ::getpid(), random());
}

/// Names of temporaries beside a file, whoever writes them.
std::vector<fs::path> temporariesOf(const fs::path& target) {
    const std::string start = target.filename().string() + ".";
    const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
    std::vector<fs::path> found;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
        const std::string name = at->path().filename().string();
        constexpr std::string_view kEnd = ".part";
        if (!name.starts_with(start) || !name.ends_with(kEnd) || name.size() < start.size() + kEnd.size()) {
            continue;
        }
        const std::string own = name.substr(start.size(), name.size() - start.size() - kEnd.size());
        if (own.find_first_not_of("0123456789abcdef-") == std::string::npos && own.find('-') != own.npos &&
            at->symlink_status(fault).type() == fs::file_type::regular) {
            found.push_back(at->path());
        }
    }
    return found;
}

enum class Lock { Free, Held, Unknown };

Lock lockOf(int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
        return Lock::Free;
    }
    return errno == EWOULDBLOCK ? Lock::Held : Lock::Unknown;
}

/// True when another program is writing the file; what programs that were killed have left goes.
bool isBeingWritten(const fs::path& target) {
    bool held = false;
    for (const fs::path& left : temporariesOf(target)) {
        const Descriptor file(left.string(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        const Lock lock = file.get() < 0 ? Lock::Unknown : lockOf(file.get());
        held = held || lock == Lock::Held;
        if (lock == Lock::Free && isStillAt(left.string(), file.get())) {
            ::unlink(left.c_str());
        }
    }
    return held;
}

}  // namespace

void flushFolderOf(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    (void)Descriptor(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).sync();
}

bool isStillAt(const std::string& path, int descriptor) {
    struct stat held = {};
    struct stat found = {};
    return ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &found) == 0 &&
           held.st_ino == found.st_ino && held.st_dev == found.st_dev;
}

void removeLeftTemporaries(const std::string& path) {
    static_cast<void>(isBeingWritten(path));
}

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
    if (isBeingWritten(target)) {
        throw CannotWrite("{}: is being written by another program; wait for it or give another name", path_);
    }
    constexpr int kAttempts = 100;
    for (int attempt = 0; lock_ < 0; ++attempt) {
        name_ = target_ + ownSuffix();
        Descriptor created(name_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
        if (created.get() < 0 || attempt == kAttempts) {
            fail(path_, fmt::format("cannot be written ({})", systemText(errno)));
        }
        // Whoever looks before it is locked takes it for one of a killed program and removes it.
        if (lockOf(created.get()) != Lock::Held && isStillAt(name_, created.get())) {
            lock_ = created.release();
        }
    }
}

TemporaryFile::~TemporaryFile() {
    if (!renamed_ && isStillAt(name_, lock_)) {
        ::unlink(name_.c_str());
    }
    ::close(lock_);
}

void TemporaryFile::flush() const {
    if (::fsync(lock_) != 0) {
        fail(path_, fmt::format("cannot be flushed to disk ({})", systemText(errno)));
    }
}

void TemporaryFile::removeReplaced() const {
    if (::unlink(target_.c_str()) != 0 && errno != ENOENT) {
        fail(path_, fmt::format("cannot be replaced ({})", systemText(errno)));
    }
}

void TemporaryFile::renameTo(const std::string& target) {
    flush();
    if (!isStillAt(name_, lock_)) {
        fail(path_,
             fmt::format("cannot be renamed into place, as '{}' is no longer what was written", name_));
    }
    if (::rename(name_.c_str(), target.c_str()) != 0) {
        fail(path_, fmt::format("cannot be renamed into place ({})", systemText(errno)));
    }
    renamed_ = true;
    flushFolderOf(target);
}

namespace {

void writeInto(const TemporaryFile& temporary, const FileOfSeveral& file) {
    try {
        file.write(temporary.name());
    } catch (const std::system_error& fault) {
        fail(file.path, fmt::format("cannot be written ({})", fault.code().message()));
    }
}

}  // namespace

void writeAside(const std::string& path, const std::function<void(const std::string&)>& write) {
    TemporaryFile temporary(path);
    writeInto(temporary, {path, write});
    temporary.renameIntoPlace();
}

void writeTogether(const std::vector<FileOfSeveral>& files) {
    std::deque<TemporaryFile> written;
    for (const FileOfSeveral& file : files) {
        if (file.write) {
            writeInto(written.emplace_back(file.path), file);
            written.back().flush();
        }
    }
    for (const FileOfSeveral& file : files) {
        if (std::error_code fault; !file.write && !fs::remove(file.path, fault) && fault) {
            fail(file.path, fmt::format("cannot be removed ({})", fault.message()));
        }
    }
    for (auto file = written.rbegin(); file + 1 != written.rend(); ++file) {
        file->removeReplaced();
    }
    for (TemporaryFile& file : written) {
        file.renameIntoPlace();
    }
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
