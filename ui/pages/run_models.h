// SPDX-License-Identifier: Apache-2.0
#pragma once

class QUndoStack;

namespace tof::ui {

class LiveTuning;
class Messages;
class OpenStudy;
class RunList;
class RunQueue;
class SettingsModel;
class TaskQueue;

/// What shows and drives runs works on these; all of it outlives whoever holds this.
struct RunModels {
    const OpenStudy& study;
    RunList& runs;
    RunQueue& queue;
    SettingsModel& settings;
    LiveTuning& live;
    TaskQueue& tasks;
    Messages& messages;
    QUndoStack& undo;
};

}  // namespace tof::ui
