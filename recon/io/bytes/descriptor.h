// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace tof {

/// A file that is open by the system, and closed with its owner. Where it cannot be opened get() is below 0
/// and errno says why.
class Descriptor {
  public:
    /// `flags` as of open(2); a file that is made by it has `mode`, less what the user's mask takes away.
    Descriptor(const std::string& path, int flags, mode_t mode = 0666)
        : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
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

}  // namespace tof
