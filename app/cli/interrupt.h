// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// From now on SIGINT, SIGTERM and SIGHUP (a closed terminal, unless nohup has said to stay) are noted
/// instead of ending the program; a second one ends it at once. What waits in a system call is woken.
void installInterruptHandler();

/// In a program that has handlers of its own: while one of these lives, signals are noted as
/// installInterruptHandler() has it; the last one to go puts back the handlers that were there and forgets
/// what was noted. Thread-safe.
class InterruptsNoted {
  public:
    InterruptsNoted();
    ~InterruptsNoted();
    InterruptsNoted(const InterruptsNoted&) = delete;
    InterruptsNoted& operator=(const InterruptsNoted&) = delete;
};

/// Throws Cancelled once a signal has been noted. Called between blocks of work.
void throwIfInterrupted();

}  // namespace tof
