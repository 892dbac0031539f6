// SPDX-License-Identifier: Apache-2.0
// Shells complete commands, options and the values of choices; every other value is completed as a file.
#pragma once

#include <string>

#include "app/cli/command_form.h"

namespace tof {

[[nodiscard]] std::string bashCompletion(const ProgramForm& program);
[[nodiscard]] std::string zshCompletion(const ProgramForm& program);
[[nodiscard]] std::string fishCompletion(const ProgramForm& program);

}  // namespace tof
