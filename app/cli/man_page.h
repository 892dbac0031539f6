// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/command_form.h"

namespace tof {

/// The page tofscope-cli(1) as roff: what the program is, its commands and exit codes.
[[nodiscard]] std::string manPageOf(const ProgramForm& program);
/// The page tofscope-cli-COMMAND(1) as roff.
[[nodiscard]] std::string manPageOf(const ProgramForm& program, const CommandForm& command);

}  // namespace tof
