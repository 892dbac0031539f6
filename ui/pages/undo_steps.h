// SPDX-License-Identifier: Apache-2.0
// Steps of undo that are no ROI's; they stand in one row with those of the ROIs.
#pragma once

#include <QString>
#include <string>

#include "ui/desk/desk.h"

namespace tof::ui {

/// Sets a setting of the next run as a step that can be undone. Throws WrongUse as SettingsModel::set() does.
void setSetting(Desk& desk, const std::string& key, const std::string& value);
/// Deletes a run as a step that can be undone while what is open stays open. One that was to be continued is
/// only taken out of the queue, which is no step.
void deleteRun(Desk& desk, int id);
/// Renames a run as a step that can be undone.
void renameRun(Desk& desk, int id, const QString& name);

}  // namespace tof::ui
