// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <memory>
#include <string>

#include "recon/seam/engine.h"

namespace tof {

/// An engine that is looked for, and whose device starts, while files are read: that takes 0.2 to 0.3 s on a
/// card. Keeps a reference to the engines.
class WakingEngine {
  public:
    WakingEngine(const EngineRegistry& engines, const std::string& name, const EngineOptions& options);

    /// A driver that is missing is known at once: throws Unavailable before large files are read for nothing.
    void sayIfMissing() const;
    /// Waits for it. Throws as EngineRegistry::choose(); what else fails is said by whoever uses the device.
    [[nodiscard]] const Engine& get() const { return *found_.get(); }

  private:
    std::shared_future<std::shared_ptr<const Engine>> found_;
};

}  // namespace tof
