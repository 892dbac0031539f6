// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tof {

/// Waits beside something that may never come to its end, as ranks do for one that has died before it joined
/// them: calls `tooLate` in a thread of its own when this still exists after `patience`.
class Deadline {
  public:
    Deadline(std::chrono::milliseconds patience, std::function<void()> tooLate);
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace tof
