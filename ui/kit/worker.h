// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <exception>
#include <functional>
#include <thread>

namespace tof::ui {

/// Where work is done: in a thread of its own, or in the caller's (tests, scripts).
enum class Threading { Threaded, Inline };

/// Does one thing at a time away from the window.
///
/// Busy from start() until `done` was called, in the thread of the Worker, from its event loop (Threaded) or
/// from within start() (Inline). The destructor waits for the body; whoever starts something long sees to it
/// that the body can be told to stop.
class Worker : public QObject {
  public:
    explicit Worker(Threading threading, QObject* parent = nullptr);
    ~Worker() override;

    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] Threading threading() const { return threading_; }
    /// `done` gets what the body threw, or null. Throws InternalError when busy.
    void start(std::function<void()> body, std::function<void(std::exception_ptr)> done);
    /// Waits for the body; `done` is called before this returns.
    void join();

  private:
    void finished();

    Threading threading_;
    bool busy_ = false;
    std::thread thread_;
    std::exception_ptr fault_;
    std::function<void(std::exception_ptr)> done_;
};

/// The sentence of an exception, for a person.
[[nodiscard]] QString sentence(const std::exception_ptr& fault);
/// True when the exception is Cancelled.
[[nodiscard]] bool isCancelled(const std::exception_ptr& fault);

}  // namespace tof::ui
