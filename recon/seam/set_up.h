// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "recon/seam/engine.h"

namespace tof {

/// Who a model is made for, and who watches while it is made: that may take minutes.
struct SetUp {
    const Engine& engine;
    const EngineOptions& options;
    /// What is being made, "system matrix", and the share of it that is done, 0..1: some times a second, from
    /// one thread at a time. May throw Cancelled, and wait.
    std::function<void(const std::string& what, double share)> progress;
};

}  // namespace tof
