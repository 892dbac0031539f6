// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QString>

#include "ui/kit/commands.h"

namespace tof {
class EngineRegistry;
}  // namespace tof

namespace tof::ui {

class Messages;
class SettingsModel;

/// Every command with its keys, from the registry; not modal.
[[nodiscard]] QDialog* makeCheatSheet(const CommandRegistry& commands, QWidget* parent);
/// The key map as a Markdown table: docs/desktop.md holds exactly this.
[[nodiscard]] QString keyMapMarkdown(const CommandRegistry& commands);

/// All messages, newest first, with a report to copy; not modal.
[[nodiscard]] QDialog* makeMessageCentre(const EngineRegistry& engines, const SettingsModel& settings,
                                         Messages& messages, QWidget* parent);
/// Versions, engines, what draws surfaces, and messages, for a bug report.
[[nodiscard]] QString reportText(const EngineRegistry& engines, const SettingsModel& settings,
                                 const Messages& messages);

}  // namespace tof::ui
