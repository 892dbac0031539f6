// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/seam/engine.h"

namespace tof::ui {

/// The whole desktop program. Returns its exit code; throws the errors of recon/base/error.h.
[[nodiscard]] int runDesktop(int argc, char** argv, const EngineRegistry& engines);

}  // namespace tof::ui
