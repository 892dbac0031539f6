// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/log.h"
#include "recon/seam/engine.h"

namespace tof {

/// Every engine of this program: cpu, fftw, cuda, cufft. Nothing is opened until it is asked for; the log
/// (not null) is told which engine is there then, and why one is not.
[[nodiscard]] EngineRegistry makeEngineRegistry(const std::shared_ptr<Log>& log = std::make_shared<NoLog>());

}  // namespace tof
