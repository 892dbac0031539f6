// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <array>
#include <csignal>
#include <mutex>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
using Handlers = std::array<struct sigaction, kSignals.size()>;

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t noted = 0;

void note(int /*signal*/) {
    noted = 1;
}

/// What a process has one of.
struct Noting {
    std::mutex mutex;
    int users = 0;
    Handlers before{};
};
Noting& noting() {
    static Noting one;
    return one;
}

/// The handlers that were there.
Handlers noteSignals() {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a wait must end
    sigemptyset(&action.sa_mask);
    Handlers all{};
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &all[i]);
        if (kSignals[i] != SIGHUP || all[i].sa_handler != SIG_IGN) {
            sigaction(kSignals[i], &action, nullptr);
        }
    }
    return all;
}

}  // namespace

void installInterruptHandler() {
    static_cast<void>(noteSignals());
}

InterruptsNoted::InterruptsNoted() {
    Noting& all = noting();
    const std::lock_guard lock(all.mutex);
    if (all.users++ == 0) {
        noted = 0;
        all.before = noteSignals();
    }
}

InterruptsNoted::~InterruptsNoted() {
    Noting& all = noting();
    const std::lock_guard lock(all.mutex);
    if (--all.users == 0) {
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            sigaction(kSignals[i], &all.before[i], nullptr);
        }
        noted = 0;
    }
}

void throwIfInterrupted() {
    if (noted != 0) {
        throw Cancelled();
    }
}

}  // namespace tof
