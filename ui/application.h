// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/log.h"
#include "recon/seam/engine.h"
#include "ui/desk/simulation_request.h"
#include "ui/experiments/experiments_model.h"

namespace tof::ui {

/// The whole desktop program. Throws what makes it fail, be it in the middle of a script. `log` is not null.
void runDesktop(int argc, char** argv, const EngineRegistry& engines, const SimulatorChoice& simulators,
                const ExperimentParts& experiments, const std::shared_ptr<Log>& log);

}  // namespace tof::ui
