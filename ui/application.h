// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recon/seam/engine.h"

namespace tof::ui {

/// The whole desktop program. Throws what makes it fail, be it in the middle of a script.
void runDesktop(int argc, char** argv, const EngineRegistry& engines);

}  // namespace tof::ui
