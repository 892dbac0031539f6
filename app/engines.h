// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/seam/engine.h"

namespace tof {

/// Every engine of this program: cpu, fftw, cuda, cufft. Nothing is opened until it is asked for.
[[nodiscard]] EngineRegistry makeEngineRegistry();

}  // namespace tof
