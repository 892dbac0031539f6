// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/seam/engine.h"

namespace tof {

/// The engine `cpu`: space-domain projection on host threads. Always there.
[[nodiscard]] std::shared_ptr<const Engine> makeCpuEngine();

}  // namespace tof
