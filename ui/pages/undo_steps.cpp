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

namespace tof::ui {

namespace {

class SettingStep : public QUndoCommand {
  public:
    SettingStep(SettingsModel& settings, std::string key, std::string before, std::string after)
        : settings_(settings), key_(std::move(key)), before_(std::move(before)), after_(std::move(after)) {
        setText(Text::tr("Set %1").arg(word(settingInfo(key_).label)));
    }
    void undo() override { settings_.set(key_, before_); }
    void redo() override { settings_.set(key_, after_); }

  private:
    SettingsModel& settings_;
    std::string key_, before_, after_;
};

class NameStep : public QUndoCommand {
  public:
    NameStep(RunList& runs, int id, QString before, QString after)
        : runs_(runs), id_(id), before_(std::move(before)), after_(std::move(after)) {
        setText(Text::tr("Rename %1").arg(runs_.find(id_)->label()));
    }
    void undo() override { give(before_); }
    void redo() override { give(after_); }

  private:
    void give(const QString& name) {
        if (runs_.find(id_) != nullptr) {  // it may have been deleted since
            runs_.rename(id_, name);
        }
    }

    RunList& runs_;
    int id_;
    QString before_, after_;
};

/// Holds the run while it is out; its files go with the step.
class DeleteStep : public QUndoCommand {
  public:
    DeleteStep(RunQueue& queue, std::unique_ptr<RunQueue::Removed> removed)
        : queue_(queue), id_(removed->item->id()), removed_(std::move(removed)) {
        setText(Text::tr("Delete run %1").arg(removed_->item->label()));
    }
    void undo() override {
        if (removed_ != nullptr) {
            queue_.putBack(std::move(removed_));
        }
    }
    void redo() override {
        if (removed_ == nullptr) {  // not when it is pushed: it was taken out before
            removed_ = queue_.take(id_);
        }
    }

  private:
    RunQueue& queue_;
    int id_;
    std::unique_ptr<RunQueue::Removed> removed_;
};

}  // namespace

void setSetting(SettingsModel& settings, QUndoStack& undo, const std::string& key, const std::string& value) {
    const std::string before = settings.current().get(key);
    settings.set(key, value);
    const std::string after = settings.current().get(key);
    if (after != before) {
        undo.push(new SettingStep(settings, key, before, after));
    }
}

void deleteRun(RunQueue& queue, QUndoStack& undo, Messages& messages, int id) {
    if (auto removed = queue.take(id)) {
        const QString label = removed->item->label();
        undo.push(new DeleteStep(queue, std::move(removed)));
        messages.add(
            Severity::Note,
            Text::tr("Run %1 is deleted; Undo brings it back until the study is closed.").arg(label));
    }
}

void renameRun(RunList& runs, QUndoStack& undo, int id, const QString& name) {
    const RunItem* item = runs.find(id);
    if (item != nullptr && item->name() != name) {
        undo.push(new NameStep(runs, id, item->name(), name));
    }
}

}  // namespace tof::ui
