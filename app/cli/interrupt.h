// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// From now on SIGINT and SIGTERM are noted instead of ending the program; a second one ends it at once.
void installInterruptHandler();

/// Throws Cancelled once a signal has been noted. Called between blocks of work.
void throwIfInterrupted();

}  // namespace tof
