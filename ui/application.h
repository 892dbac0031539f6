// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/log.h"
#include "recon/seam/engine.h"
#include "ui/window/wing.h"

namespace tof::ui {

/// The whole desktop program with its wings. Throws what makes it fail, be it in the middle of a script.
/// `log` is not null.
void runDesktop(int argc, char** argv, const EngineRegistry& engines, const std::vector<Wing>& wings,
                const std::shared_ptr<Log>& log);

}  // namespace tof::ui
