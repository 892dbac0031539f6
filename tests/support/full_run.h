// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace tof::test {

/// Whether a test is to make what docs/measurements tells, with as many events, which takes minutes.
inline bool fullRun() {
    return qEnvironmentVariableIsSet("TOFSCOPE_FULL");
}

}  // namespace tof::test
