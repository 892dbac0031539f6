// SPDX-License-Identifier: Apache-2.0
// Figures of two panels in the quick size: every check holds. Without a matrix in the cache it is made first.
#include <QTest>

#include "tests/recon/experiment/quick_checks.h"

namespace panel_checks_test {

using namespace tof::test;

class PanelChecksTest : public QObject {
    Q_OBJECT

  private slots:
    void checksOfTheQuickSize() { checkQuick("panel-figs", nullptr); }
};

QTEST_APPLESS_MAIN(PanelChecksTest)

}  // namespace panel_checks_test
#include "panel_checks_test.moc"
