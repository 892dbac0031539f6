// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "recon/base/error.h"
#include "recon/settings/eta.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// What a task sees of the window: it reports its share and asks whether it is still wanted. Thread-safe.
class TaskControl {
  public:
    void report(double share) { share_ = share; }
    [[nodiscard]] double share() const { return share_; }
    /// What ends early and keeps what there is asks finishing().
    void finish() { finishing_ = true; }
    [[nodiscard]] bool finishing() const { return finishing_; }
    void cancel();
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    void setPaused(bool on);
    [[nodiscard]] bool paused() const { return paused_; }
    /// Stands still while the task is paused; throws Cancelled when it is not wanted any more.
    void checkpoint();

  private:
    std::atomic<double> share_{-1};
    std::atomic<bool> finishing_{false};
    std::atomic<bool> cancelled_{false};
    std::atomic<bool> paused_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
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
    /// `next` runs in the window's thread behind everything that waits and whatever that adds; at once where
    /// there is nothing. It goes with what waits when that is cancelled, and does not mind failures.
    void then(std::function<void()> next);
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    [[nodiscard]] Threading threading() const { return worker_.threading(); }
    [[nodiscard]] QString title() const { return title_; }
    /// 0..1, or negative while unknown.
    [[nodiscard]] double share() const { return control_ != nullptr ? control_->share() : -1; }
    /// Work whose loss is asked about: simulating and binning, not reading.
    [[nodiscard]] bool isWork() const { return work_; }
    /// Says of the task that was added last, or is going on, that it is such work.
    void markWork();
    /// Says likewise that it can end early and keep what there is.
    void markFinishable();
    [[nodiscard]] bool finishable() const { return finishable_; }
    /// It ends early and keeps what there is.
    void finishCurrent();
    /// Says what the current task is at now, in place of its title.
    void retitle(const QString& title);
    [[nodiscard]] bool paused() const { return control_ != nullptr && control_->paused(); }
    [[nodiscard]] bool cancelling() const { return control_ != nullptr && control_->cancelled(); }
    /// The task stands still at its next step, or goes on.
    void togglePause();
    /// From the pace of the last half minute, pauses left out; empty until a pace is known.
    [[nodiscard]] std::optional<double> remainingSeconds();
    /// By the user: as cancelAll(), and cancelled() says so.
    void cancelCurrent();
    /// Cancels the current task and drops those that wait.
    void cancelAll();
    /// Cancels and waits.
    void stop();

  Q_SIGNALS:
    void changed();
    void failed(const QString& title, const QString& sentence, ErrorKind kind);
    /// By the user.
    void cancelled(const QString& title);

  private:
    struct Task {
        QString title;
        std::function<void(TaskControl&)> body;
        std::function<void()> done;
        bool work = false;
        bool finishable = false;
    };
    void next();
    /// Seconds that were worked on the current task.
    [[nodiscard]] double worked_s() const;

    Worker worker_;
    std::deque<Task> waiting_;
    std::deque<std::function<void()>> behind_;  ///< what then() was given
    std::shared_ptr<TaskControl> control_;
    QString title_;
    bool work_ = false;
    bool finishable_ = false;
    bool byUser_ = false;
    EtaEstimator eta_;
    QElapsedTimer clock_;
    double before_s_ = 0;  ///< worked before the last pause
};

}  // namespace tof::ui
