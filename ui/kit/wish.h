// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "recon/base/error.h"

namespace tof::ui {

/// The wish for what is made away from the window. Copies share it; any thread may ask or end it. It is a
/// `heed` of readers and loops.
class Wish {
  public:
    void end() { *ended_ = true; }
    [[nodiscard]] bool ended() const { return *ended_; }
    /// Throws Cancelled once it has ended.
    void operator()() const {
        if (ended()) {
            throw Cancelled();
        }
    }

  private:
    std::shared_ptr<std::atomic<bool>> ended_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace tof::ui
