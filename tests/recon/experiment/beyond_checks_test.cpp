// SPDX-License-Identifier: Apache-2.0
// What the papers do not have, in the quick size: every check holds.
#include <QTest>

#include "tests/recon/experiment/quick_checks.h"

namespace beyond_checks_test {

using namespace tof::test;

class BeyondChecksTest : public QObject {
    Q_OBJECT

  private slots:
    void checksOfTheQuickSize() { checkQuick("beyond", nullptr); }
};

QTEST_APPLESS_MAIN(BeyondChecksTest)

}  // namespace beyond_checks_test
#include "beyond_checks_test.moc"
