// SPDX-License-Identifier: Apache-2.0
#include "recon/ranks/loader/deadline.h"

#include <utility>

namespace tof {

Deadline::Deadline(std::chrono::milliseconds patience, std::function<void()> tooLate)
    : thread_([this, patience, tooLate = std::move(tooLate)] {
          std::unique_lock lock(mutex_);
          if (!changed_.wait_for(lock, patience, [this] { return over_; })) {
              tooLate();
          }
      }) {}

Deadline::~Deadline() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

}  // namespace tof
