// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// From now on SIGINT, SIGTERM and SIGHUP (a closed terminal, unless nohup has said to stay) are noted
/// instead of ending the program; a second one ends it at once. What waits in a system call is woken.
void installInterruptHandler();

/// Throws Cancelled once a signal has been noted. Called between blocks of work.
void throwIfInterrupted();

}  // namespace tof
