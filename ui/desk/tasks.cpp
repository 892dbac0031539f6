// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/tasks.h"

#include "recon/base/error.h"

namespace tof::ui {

void TaskControl::cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
}

void TaskControl::setPaused(bool on) {
    const std::lock_guard lock(mutex_);
    paused_ = on;
    changed_.notify_all();
}

void TaskControl::checkpoint() {
    if (paused_) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !paused_ || cancelled_; });
    }
    if (cancelled_) {
        throw Cancelled();
    }
}

TaskQueue::TaskQueue(Threading threading, QObject* parent) : QObject(parent), worker_(threading) {}

TaskQueue::~TaskQueue() {
    stop();
}

void TaskQueue::add(const QString& title, std::function<void(TaskControl&)> body,
                    std::function<void()> done) {
    waiting_.push_back({title, std::move(body), std::move(done)});
    next();
}

void TaskQueue::then(std::function<void()> next) {
    behind_.push_back(std::move(next));
    this->next();
}

void TaskQueue::next() {
    while (!worker_.busy() && waiting_.empty() && !behind_.empty()) {
        const std::function<void()> first = std::move(behind_.front());
        behind_.pop_front();
        first();
    }
    if (worker_.busy() || waiting_.empty()) {
        return;
    }
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    title_ = task.title;
    work_ = task.work;
    finishable_ = task.finishable;
    byUser_ = false;
    eta_ = EtaEstimator();
    before_s_ = 0;
    clock_.start();
    control_ = std::make_shared<TaskControl>();
    Q_EMIT changed();
    worker_.start([control = control_, body = task.body] { body(*control); },
                  [this, task](const std::exception_ptr& fault) {
                      title_.clear();
                      control_.reset();
                      work_ = false;
                      finishable_ = false;
                      if (fault == nullptr) {
                          task.done();
                      } else if (isCancelled(fault) && byUser_) {
                          Q_EMIT cancelled(task.title);
                      } else if (!isCancelled(fault)) {
                          Q_EMIT failed(task.title, sentence(fault), failureOf(fault).kind);
                      }
                      Q_EMIT changed();
                      next();
                  });
}

void TaskQueue::markWork() {
    if (!waiting_.empty()) {
        waiting_.back().work = true;
    } else {
        work_ = busy();
    }
}

void TaskQueue::markFinishable() {
    if (!waiting_.empty()) {
        waiting_.back().finishable = true;
    } else {
        finishable_ = busy();
    }
    Q_EMIT changed();
}

void TaskQueue::finishCurrent() {
    if (control_ != nullptr && finishable_) {
        control_->finish();
    }
}

void TaskQueue::retitle(const QString& title) {
    if (busy()) {
        title_ = title;
        Q_EMIT changed();
    }
}

double TaskQueue::worked_s() const {
    return before_s_ + (paused() ? 0 : static_cast<double>(clock_.elapsed()) / 1000);
}

void TaskQueue::togglePause() {
    if (control_ == nullptr) {
        return;
    }
    const bool on = !control_->paused();
    if (on) {
        before_s_ = worked_s();
    } else {
        clock_.restart();
    }
    control_->setPaused(on);
    Q_EMIT changed();
}

std::optional<double> TaskQueue::remainingSeconds() {
    if (control_ == nullptr || paused() || share() < 0) {
        return std::nullopt;
    }
    eta_.add(worked_s(), share());
    return eta_.remaining_s();
}

void TaskQueue::cancelCurrent() {
    byUser_ = control_ != nullptr;
    cancelAll();
    Q_EMIT changed();
}

void TaskQueue::cancelAll() {
    waiting_.clear();
    behind_.clear();
    if (control_ != nullptr) {
        control_->cancel();
    }
}

void TaskQueue::stop() {
    cancelAll();
    worker_.join();
}

}  // namespace tof::ui
