// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// Memory of images that nobody has any more, for those that come next: pages that a process has already are
/// written several times as fast as new ones. Safe from any thread.
class SpareImages : public std::enable_shared_from_this<SpareImages> {
  public:
    /// A new volume whose memory, when it is let go, is kept here as long as this exists. Its values are any.
    [[nodiscard]] std::shared_ptr<Volume> volume();

  private:
    [[nodiscard]] std::vector<float> take();
    void giveBack(std::vector<float> data);

    std::mutex mutex_;
    std::vector<std::vector<float>> spare_;
};

}  // namespace tof
