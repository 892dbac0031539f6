// SPDX-License-Identifier: Apache-2.0
// Makers of the commands for many runs and many ranks (docs/ranks.md).
#pragma once

#include <memory>

#include "app/cli/command.h"

namespace tof {

[[nodiscard]] std::unique_ptr<Command> makeSweepCommand();
[[nodiscard]] std::unique_ptr<Command> makePlanCommand();

}  // namespace tof
