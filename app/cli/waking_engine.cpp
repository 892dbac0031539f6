// SPDX-License-Identifier: Apache-2.0
#include "app/cli/waking_engine.h"

#include <chrono>

namespace tof {

WakingEngine::WakingEngine(const EngineRegistry& engines, const std::string& name,
                           const EngineOptions& options)
    : found_(std::async(std::launch::async, [&engines, name, options] {
          std::shared_ptr<const Engine> engine = engines.choose(name);
          try {
              static_cast<void>(engine->makeSpace(options));
          } catch (const std::exception&) {
              // whoever uses the device says it
          }
          return engine;
      })) {}

void WakingEngine::sayIfMissing() const {
    constexpr std::chrono::milliseconds kAtOnce{10};
    if (found_.wait_for(kAtOnce) == std::future_status::ready) {
        static_cast<void>(found_.get());
    }
}

}  // namespace tof
