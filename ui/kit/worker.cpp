// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/worker.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recon/base/error.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// The window must get the processor whenever it asks for it.
void lowerOwnPriority() {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), 10);
}

}  // namespace

Worker::Worker(Threading threading, QObject* parent) : QObject(parent), threading_(threading) {}

Worker::~Worker() {
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Worker::start(std::function<void()> body, std::function<void(std::exception_ptr)> done) {
    if (busy_) {
        throw InternalError("a worker was given work while it was busy");
    }
    busy_ = true;
    fault_ = nullptr;
    done_ = std::move(done);
    const auto guarded = [this, work = std::move(body)] {
        try {
            work();
        } catch (...) {
            fault_ = std::current_exception();
        }
    };
    if (threading_ == Threading::Inline) {
        guarded();
        finished();
        return;
    }
    thread_ = std::thread([this, guarded] {
        lowerOwnPriority();
        guarded();
        QMetaObject::invokeMethod(
            this, [this] { finished(); }, Qt::QueuedConnection);
    });
}

void Worker::join() {
    if (busy_) {
        finished();
    }
}

void Worker::finished() {
    if (!busy_) {
        return;  // join() came first
    }
    if (thread_.joinable()) {
        thread_.join();
    }
    busy_ = false;
    const auto done = std::move(done_);
    done_ = nullptr;
    done(std::exchange(fault_, nullptr));
}

QString sentence(const std::exception_ptr& fault) {
    if (fault == nullptr) {
        return {};
    }
    const Failure failure = failureOf(fault);
    const QString said = QString::fromStdString(failure.said);
    switch (failure.thrower) {
        case Thrower::Ours: return said;
        case Thrower::Memory:
            return Text::tr(
                "the machine has not enough free memory for this; close other programs or choose a smaller "
                "lattice");
        case Thrower::Foreign: break;
    }
    return said.isEmpty() ? Text::tr("internal error of unknown kind")
                          : Text::tr("internal error: %1").arg(said);
}

bool isCancelled(const std::exception_ptr& fault) {
    return fault != nullptr && failureOf(fault).kind == ErrorKind::Cancelled;
}

}  // namespace tof::ui
