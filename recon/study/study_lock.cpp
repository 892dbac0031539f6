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
#include "recon/io/bytes/atomic_file.h"

namespace tof {

namespace {

namespace fs = std::filesystem;

/// A file of the study's own: what is written into another name of it would be written there, too.
bool isOwn(int descriptor) {
    struct stat held = {};
    return ::fstat(descriptor, &held) == 0 && S_ISREG(held.st_mode) && held.st_nlink <= 1;
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
        descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (descriptor_ < 0) {
            throw CannotWrite(
                fmt::format("{}: the study's folder cannot be written ({}); copy it to a place that can",
                            folder, std::generic_category().message(errno)));
        }
        if (!isOwn(descriptor_)) {
            ::close(descriptor_);
            throw CannotWrite("{}: is a link or no plain file, and would be written; remove it", file_);
        }
        if (isHeldElsewhere(descriptor_, kind)) {
            ::close(descriptor_);
            throw CannotWrite(
                fmt::format("{}: the study is open in {}; close it there first", folder, holderIn(file_)));
        }
        // Whoever leaves removes it: the one that is locked must be the one that others find.
    } while (!isStillAt(file_, descriptor_));
    const std::string holder = thisProgram() + "\n";
    // Only for the sentence that another program says; without it that is less precise.
    if (::ftruncate(descriptor_, 0) == 0) {
        static_cast<void>(::pwrite(descriptor_, holder.data(), holder.size(), 0) == 0);
    }
}

StudyLock::~StudyLock() {
    // The last one who leaves takes the file along.
    if (!isHeldElsewhere(descriptor_, LOCK_EX) && isStillAt(file_, descriptor_)) {
        ::unlink(file_.c_str());
    }
    ::close(descriptor_);
}

}  // namespace tof
