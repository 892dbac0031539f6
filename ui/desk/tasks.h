// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include "recon/base/error.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// What a task sees of the window: it reports its share and asks whether it is still wanted. Thread-safe.
class TaskControl {
  public:
    void report(double share) { share_ = share; }
    [[nodiscard]] double share() const { return share_; }
    void cancel() { cancelled_ = true; }
    /// Throws Cancelled when the task is not wanted any more.
    void checkpoint() const;

  private:
    std::atomic<double> share_{-1};
    std::atomic<bool> cancelled_{false};
};

/// Files read and studies simulated away from the window, one after the other.
class TaskQueue : public QObject {
    Q_OBJECT

  public:
    explicit TaskQueue(Threading threading, QObject* parent = nullptr);
    ~TaskQueue() override;

    /// `body` runs away from the window; then `done` runs in it unless the task failed; failures go to
    /// failed().
    void add(const QString& title, std::function<void(TaskControl&)> body, std::function<void()> done);
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    [[nodiscard]] Threading threading() const { return worker_.threading(); }
    [[nodiscard]] QString title() const { return title_; }
    /// 0..1, or negative while unknown.
    [[nodiscard]] double share() const { return control_ != nullptr ? control_->share() : -1; }
    /// Cancels the current task and drops those that wait.
    void cancelAll();
    /// Cancels and waits.
    void stop();

  Q_SIGNALS:
    void changed();
    void failed(const QString& title, const QString& sentence, ErrorKind kind);

  private:
    struct Task {
        QString title;
        std::function<void(TaskControl&)> body;
        std::function<void()> done;
    };
    void next();

    Worker worker_;
    std::deque<Task> waiting_;
    std::shared_ptr<TaskControl> control_;
    QString title_;
};

}  // namespace tof::ui
