// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <nlohmann/json_fwd.hpp>

#include "recon/base/log.h"
#include "recon/seam/engine.h"
#include "recon/settings/settings.h"

class QObject;

namespace tof::ui {

/// For a bug report: versions, the machine, what draws surfaces, engines with their devices or why one is not
/// there, the settings of the next run, and the last lines of the log. No name of a file, a phantom, a study
/// or a patient is in it. Plain English.
[[nodiscard]] QString diagnosticsText(const EngineRegistry& engines, const RunSettings& settings,
                                      const std::string& surfaceDriver, const Log& log);

/// What a screen reader finds in a window, or in a part of it, as it is visible now: a list of objects from
/// the outside in with "depth", "role" (a name of QAccessible::Role) and, where they are there, "id" (the
/// name of the object), "name", "value", "description", and "row" and "column" of cells, from 0.
[[nodiscard]] nlohmann::json accessibleTree(QObject& part);

}  // namespace tof::ui
