// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "recon/settings/settings.h"

class QWidget;

namespace tof::ui {

/// Asks for the settings of one run of such data, beginning with `settings`; empty when the user thinks
/// better of it.
[[nodiscard]] std::optional<RunSettings> askForSettings(QWidget* parent, const QString& title,
                                                        const RunSettings& settings,
                                                        const std::string& system);

}  // namespace tof::ui
