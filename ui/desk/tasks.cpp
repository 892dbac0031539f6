// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/tasks.h"

#include "recon/base/error.h"

namespace tof::ui {

void TaskControl::checkpoint() const {
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

void TaskQueue::next() {
    if (worker_.busy() || waiting_.empty()) {
        return;
    }
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    title_ = task.title;
    control_ = std::make_shared<TaskControl>();
    Q_EMIT changed();
    worker_.start([control = control_, body = task.body] { body(*control); },
                  [this, task](const std::exception_ptr& fault) {
                      title_.clear();
                      control_.reset();
                      if (fault == nullptr) {
                          task.done();
                      } else if (!isCancelled(fault)) {
                          Q_EMIT failed(task.title, sentence(fault), failureOf(fault).kind);
                      }
                      Q_EMIT changed();
                      next();
                  });
}

void TaskQueue::cancelAll() {
    waiting_.clear();
    if (control_ != nullptr) {
        control_->cancel();
    }
}

void TaskQueue::stop() {
    cancelAll();
    worker_.join();
}

}  // namespace tof::ui
