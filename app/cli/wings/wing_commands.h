// SPDX-License-Identifier: Apache-2.0
// Commands of parts that the program can be built without.
#pragma once

#include "app/cli/command.h"

namespace tof {

[[nodiscard]] CommandInfo experimentCommand();
[[nodiscard]] CommandInfo nemaCommand();
[[nodiscard]] CommandInfo benchCommand();

}  // namespace tof
