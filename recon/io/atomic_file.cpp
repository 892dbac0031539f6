// SPDX-License-Identifier: Apache-2.0
#include "recon/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "recon/core/error.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw CannotWrite(
        fmt::format("{}: {}; check the folder, its permissions and the space left", path, what));
}

std::string systemText(int code) {
    return std::generic_category().message(code);
}

class Descriptor {
  public:
    Descriptor(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
    ~Descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] bool sync() const { return fd_ >= 0 && ::fsync(fd_) == 0; }

  private:
    int fd_;
};

/// Removes the temporary unless it was renamed away.
class Temporary {
  public:
    explicit Temporary(std::string name) : name_(std::move(name)) {}
    ~Temporary() {
        std::error_code ignored;
        fs::remove(name_, ignored);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

  private:
    std::string name_;
};

}  // namespace

std::string temporaryBeside(const std::string& path) {
    std::error_code fault;
    // A link is followed, so that the file it names is replaced and not the link.
    const fs::path target = fs::is_symlink(path, fault) ? fs::weakly_canonical(path, fault) : fs::path(path);
    if (path.empty() || target.empty() || target.filename().empty()) {
        throw CannotWrite(fmt::format("'{}' is not a file name; give the name of a file", path));
    }
    const fs::file_status status = fs::status(target, fault);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw CannotWrite(
            fmt::format("{}: is not a plain file and cannot be replaced; give another name", path));
    }
    const std::string name = target.string() + ".part";
    // Left by a crash, or put there by somebody: removed first, so that a link is not written through.
    if (!fs::remove(name, fault) && fault) {
        fail(path, fmt::format("'{}' is in the way ({})", name, fault.message()));
    }
    return name;
}

void renameIntoPlace(const std::string& temporary, const std::string& path) {
    const std::string target = temporary.substr(0, temporary.size() - std::string(".part").size());
    if (!Descriptor(temporary, O_RDONLY).sync()) {
        fail(path, fmt::format("cannot be flushed to disk ({})", systemText(errno)));
    }
    if (::rename(temporary.c_str(), target.c_str()) != 0) {
        fail(path, fmt::format("cannot be renamed into place ({})", systemText(errno)));
    }
    const fs::path folder = fs::path(target).parent_path();
    // The new file is whole and in place; a file system that cannot flush a folder does not make this a
    // failure.
    (void)Descriptor(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY).sync();
}

void writeAside(const std::string& path, const std::function<void(const std::string&)>& write) {
    const std::string name = temporaryBeside(path);
    const Temporary temporary(name);
    try {
        write(name);
    } catch (const std::system_error& fault) {
        fail(path, fmt::format("cannot be written ({})", fault.code().message()));
    }
    renameIntoPlace(name, path);
}

}  // namespace tof
