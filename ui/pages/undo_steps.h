// SPDX-License-Identifier: Apache-2.0
// Steps of undo that are no ROI's; they stand in one row with those of the ROIs.
#pragma once

#include <QString>
#include <string>

class QUndoStack;

namespace tof::ui {

class Messages;
class RunList;
class RunQueue;
class SettingsModel;

/// Sets a setting of the next run as a step that can be undone. Throws WrongUse as SettingsModel::set() does.
/// Steps with one `undoKey` from 0 in a row are one.
void setSetting(SettingsModel& settings, QUndoStack& undo, const std::string& key, const std::string& value,
                int undoKey = -1);
/// Deletes a run as a step that can be undone while what is open stays open. One that was to be continued is
/// only taken out of the queue, which is no step.
void deleteRun(RunQueue& queue, QUndoStack& undo, Messages& messages, int id);
/// Renames a run as a step that can be undone.
void renameRun(RunList& runs, QUndoStack& undo, int id, const QString& name);

}  // namespace tof::ui
