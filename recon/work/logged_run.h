// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "recon/base/log.h"
#include "recon/work/reconstruction_job.h"

namespace tof {

/// Every setting with its value, in one line without names: a kernel that is no preset of the program is "*".
[[nodiscard]] std::string settingsWithoutNames(const RunSettings& settings);

/// Runs a job that has these settings. The log is told of them before, and after that of the engine, the
/// iterations and the time, or of why there is no result.
[[nodiscard]] ReconstructionJob::Result runLogged(ReconstructionJob& job, const RunSettings& settings,
                                                  JobListener& listener, Log& log);

}  // namespace tof
