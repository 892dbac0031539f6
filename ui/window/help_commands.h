// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/log.h"
#include "ui/kit/commands.h"

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class Messages;
class SettingsModel;

/// The menu Help. What is given outlives the commands; `window` is where dialogs stand.
void addHelpCommands(CommandRegistry& commands, const EngineRegistry& engines, const SettingsModel& settings,
                     Messages& messages, std::shared_ptr<const Log> log, QWidget& window);

}  // namespace tof::ui
