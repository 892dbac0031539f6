// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <csignal>

#include "recon/base/error.h"

namespace tof {

namespace {

// A signal handler can reach nothing but static storage.
volatile std::sig_atomic_t noted = 0;

void note(int /*signal*/) {
    noted = 1;
}

}  // namespace

void installInterruptHandler() {
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a wait must end
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        sigaction(signal, nullptr, &before);
        if (signal != SIGHUP || before.sa_handler != SIG_IGN) {
            sigaction(signal, &action, nullptr);
        }
    }
}

void throwIfInterrupted() {
    if (noted != 0) {
        throw Cancelled();
    }
}

}  // namespace tof
