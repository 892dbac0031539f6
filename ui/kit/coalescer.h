// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <functional>

namespace tof::ui {

/// Turns any number of touches within one event-loop turn into one call.
class Coalescer : public QObject {
  public:
    Coalescer(std::function<void()> call, QObject* parent) : QObject(parent), call_(std::move(call)) {}

    void touch() {
        if (!pending_) {
            pending_ = true;
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
        }
    }
    /// Makes a pending call now.
    void flush() {
        if (pending_) {
            pending_ = false;
            call_();
        }
    }

  protected:
    void customEvent(QEvent*) override { flush(); }

  private:
    std::function<void()> call_;
    bool pending_ = false;
};

}  // namespace tof::ui
