// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"

namespace tof::test {

QString inTree(const QString& name) {
    return QStringLiteral(TOF_SOURCE_DIR "/") + name;
}

QString inBuild(const QString& name) {
    return QStringLiteral(TOF_BINARY_DIR "/") + name;
}

}  // namespace tof::test
