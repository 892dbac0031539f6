// SPDX-License-Identifier: Apache-2.0
#include "recon/study/study_lock.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstream>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "recon/base/error.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// True while the file that is locked is the one that others find: whoever leaves removes it.
bool isStillThere(int descriptor, const std::string& file) {
    struct stat held = {};
    struct stat found = {};
    return ::fstat(descriptor, &held) == 0 && ::stat(file.c_str(), &found) == 0 &&
           held.st_ino == found.st_ino && held.st_dev == found.st_dev;
}

bool isHeldElsewhere(int descriptor, int kind) {
    return ::flock(descriptor, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// "tofscope (process 4711)", as the holder has written it.
std::string holderIn(const std::string& file) {
    std::ifstream in(file);
    std::string holder;
    std::getline(in, holder);
    return holder.empty() || holder.size() > 200 ? "another program" : holder;
}

std::string thisProgram() {
    std::ifstream in("/proc/self/comm");
    std::string name;
    std::getline(in, name);
    return fmt::format("{} (process {})", name.empty() ? "a program" : name, ::getpid());
}

}  // namespace

StudyLock::StudyLock(const std::string& folder, Use use) : file_((fs::path(folder) / ".lock").string()) {
    const int kind = use == Use::Writes ? LOCK_EX : LOCK_SH;
    do {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
        descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor_ < 0) {
            throw CannotWrite(
                fmt::format("{}: the study's folder cannot be written ({}); copy it to a place that can",
                            folder, std::generic_category().message(errno)));
        }
        if (isHeldElsewhere(descriptor_, kind)) {
            ::close(descriptor_);
            throw CannotWrite(
                fmt::format("{}: the study is open in {}; close it there first", folder, holderIn(file_)));
        }
    } while (!isStillThere(descriptor_, file_));
    const std::string holder = thisProgram() + "\n";
    // Only for the sentence that another program says; without it that is less precise.
    if (::ftruncate(descriptor_, 0) == 0) {
        static_cast<void>(::pwrite(descriptor_, holder.data(), holder.size(), 0) == 0);
    }
}

StudyLock::~StudyLock() {
    // The last one who leaves takes the file along.
    if (!isHeldElsewhere(descriptor_, LOCK_EX) && isStillThere(descriptor_, file_)) {
        ::unlink(file_.c_str());
    }
    ::close(descriptor_);
}

}  // namespace tof
