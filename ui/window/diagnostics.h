// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "recon/base/log.h"
#include "recon/seam/engine.h"
#include "recon/settings/settings.h"

namespace tof::ui {

/// For a bug report: versions, the machine, what draws surfaces, engines with their devices or why one is not
/// there, the settings of the next run, and the last lines of the log. No name of a file, a phantom, a study
/// or a patient is in it. Plain English.
[[nodiscard]] QString diagnosticsText(const EngineRegistry& engines, const RunSettings& settings,
                                      const std::string& surfaceDriver, const Log& log);

}  // namespace tof::ui
