// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/base/log.h"
#include "ui/desk/desk.h"
#include "ui/kit/commands.h"

namespace tof::ui {

/// The menu Help. What is given outlives the commands; `window` is where dialogs stand.
void addHelpCommands(CommandRegistry& commands, Desk& desk, std::shared_ptr<const Log> log, QWidget& window);

}  // namespace tof::ui
