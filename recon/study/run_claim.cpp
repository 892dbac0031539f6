// SPDX-License-Identifier: Apache-2.0
#include "recon/study/run_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/study/study.h"

namespace tof {

namespace {

/// A descriptor of the file, made or taken over; nothing where somebody else has it. Makes the folder of the
/// runs where a study without any has been brought without it.
std::optional<int> claimed(const std::string& file) {
    std::error_code told;  // by what cannot be opened in it
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (std::filesystem::create_directory(folder, told)) {
        flushFolderOf(folder.string());
    }
    constexpr int kAttempts = 100;  // each fails by another program that has just left
    constexpr int kPatience = 5;    // of a millisecond each, with one that stays
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        const bool made = descriptor >= 0;
        if (!made && errno != EEXIST) {
            throw CannotWrite(
                "{}: cannot be written ({}); check the folder, its permissions and the space left", file,
                std::generic_category().message(errno));
        }
        if (!made) {
            descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
            if (descriptor < 0 && errno == ENOENT) {
                continue;
            }
        }
        if (descriptor < 0) {
            return {};
        }
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (!made || errno == EWOULDBLOCK)) {
            ::close(descriptor);
            if (attempt >= kPatience) {
                return {};
            }
            // Perhaps it is taken for one that a killed program has left, and about to go.
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        if (isStillAt(file, descriptor)) {
            return descriptor;
        }
        ::close(descriptor);
    }
    return {};
}

/// Removes the claims that killed programs have left, whoever takes their letters next.
void removeLeftClaims(const Study& study) {
    const std::filesystem::path folder = std::filesystem::path(study.claimFile("A")).parent_path();
    std::error_code told;
    for (std::filesystem::directory_iterator at(folder, told), end; !told && at != end; at.increment(told)) {
        const std::string file = at->path().string();
        std::error_code gone;
        if (at->path().extension() != ".claim" ||
            at->symlink_status(gone).type() != std::filesystem::file_type::regular) {
            continue;
        }
        if (const std::optional<int> descriptor = claimed(file)) {
            ::unlink(file.c_str());
            ::close(*descriptor);
        }
    }
}

}  // namespace

std::unique_ptr<RunClaim> RunClaim::next(const Study& study) {
    removeLeftClaims(study);
    std::set<std::string> taken;
    for (;;) {
        const std::string run = study.nextRunName(taken);
        const std::string file = study.claimFile(run);
        if (const std::optional<int> descriptor = claimed(file)) {
            std::unique_ptr<RunClaim> claim(new RunClaim(run, file, *descriptor));
            // Whoever had it may have left since, and the run with it.
            if (study.nextRunName(taken) == run) {
                return claim;
            }
        } else {
            taken.insert(run);
        }
    }
}

RunClaim::RunClaim(const Study& study, const std::string& run) : run_(run), file_(study.claimFile(run)) {
    const std::optional<int> descriptor = claimed(file_);
    if (!descriptor) {
        throw CannotWrite("{}: run {} is being made by another program; wait for it or give another name",
                          study.folder(), run);
    }
    descriptor_ = *descriptor;
}

RunClaim::RunClaim(std::string run, std::string file, int descriptor)
    : run_(std::move(run)), file_(std::move(file)), descriptor_(descriptor) {}

RunClaim::~RunClaim() {
    if (isStillAt(file_, descriptor_)) {
        ::unlink(file_.c_str());
    }
    ::close(descriptor_);
}

}  // namespace tof
