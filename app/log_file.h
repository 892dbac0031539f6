// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/base/log.h"

namespace tof {

/// How much of the log a person sees while the program runs.
enum class Verbosity { Silent, Verbose };

/// The log of a program: NAME.log in logFolder(), with a time and a level before each line; at 1 MB it
/// becomes NAME.1.log, and there are three of those at most. Verbose writes it to standard error as well,
/// with the lines of level Debug. A folder that cannot be written costs the file, nothing else.
[[nodiscard]] std::shared_ptr<Log> openLog(const std::string& name, Verbosity verbosity);

/// The user's folder of state (recon/base/user_folder.h).
[[nodiscard]] std::string logFolder();

}  // namespace tof
