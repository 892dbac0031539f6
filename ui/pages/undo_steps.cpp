// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/undo_steps.h"

#include <QUndoStack>
#include <memory>
#include <utility>

#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/settings_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/text.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

void setSetting(SettingsModel& settings, QUndoStack& undo, const std::string& key, const std::string& value,
                int undoKey) {
    const std::string before = settings.current().get(key);
    settings.set(key, value);
    const std::string after = settings.current().get(key);
    if (after != before) {
        undo.push(new UndoStep<std::string>(
            Text::tr("Set %1").arg(word(settingInfo(key).label)), before, after,
            [&settings, key](const std::string& set) { settings.set(key, set); }, undoKey));
    }
}

namespace {

/// Where a run is that was deleted.
enum class DeletedRun { InTheList, Out };

}  // namespace

void deleteRun(RunQueue& queue, QUndoStack& undo, Messages& messages, int id) {
    if (auto removed = queue.take(id)) {
        const QString label = removed->item->label();
        // The step holds the run while it is out; its files go with the step.
        const auto held = std::make_shared<std::unique_ptr<RunQueue::Removed>>(std::move(removed));
        undo.push(new UndoStep<DeletedRun>(Text::tr("Delete run %1").arg(label), DeletedRun::InTheList,
                                           DeletedRun::Out, [&queue, held, id](DeletedRun run) {
                                               if (run == DeletedRun::Out && *held == nullptr) {
                                                   *held = queue.take(id);
                                               } else if (run == DeletedRun::InTheList && *held != nullptr) {
                                                   queue.putBack(std::move(*held));
                                               }
                                           }));
        messages.add(
            Severity::Note,
            Text::tr("Run %1 is deleted; Undo brings it back until the study is closed.").arg(label));
    }
}

void renameRun(RunList& runs, QUndoStack& undo, int id, const QString& name) {
    const RunItem* item = runs.find(id);
    if (item != nullptr && item->name() != name) {
        undo.push(new UndoStep<QString>(Text::tr("Rename %1").arg(item->label()), item->name(), name,
                                        [&runs, id](const QString& given) { runs.rename(id, given); }));
    }
}

}  // namespace tof::ui
