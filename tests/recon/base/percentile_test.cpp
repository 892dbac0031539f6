// SPDX-License-Identifier: Apache-2.0
#include "recon/base/percentile.h"

#include <QTest>

#include "recon/base/memory.h"

namespace percentile_test {

using namespace tof;

class PercentileTest : public QObject {
    Q_OBJECT

  private slots:
    void percentilesAreValuesOfTheList_data() {
        QTest::addColumn<double>("share");
        QTest::addColumn<float>("value");
        QTest::newRow("least") << 0.0 << 0.0F;
        QTest::newRow("most") << 1.0 << 1000.0F;
        QTest::newRow("half") << 0.5 << 500.0F;
        QTest::newRow("99.9 %") << 0.999 << 999.0F;
        QTest::newRow("between two, the lower") << 0.2509 << 250.0F;
    }
    void percentilesAreValuesOfTheList() {
        QFETCH(double, share);
        QFETCH(float, value);
        std::vector<float> values(1001);  // 0 to 1000, out of order
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i * 5 % values.size());
        }

        QCOMPARE(percentile(values, share), value);
    }

    void ofTwoMiddleValuesTheUpperIsTheMedian() {
        QCOMPARE(median(std::vector<double>{5, 1, 3}), 3.0);
        QCOMPARE(median(std::vector<double>{5, 1, 3, 4}), 4.0);
        QCOMPARE(median(std::vector<double>{2}), 2.0);
    }

    void theMachineHasMemory() { QVERIFY(physicalBytes() > std::uint64_t{1} << 28U); }
};

QTEST_APPLESS_MAIN(PercentileTest)

}  // namespace percentile_test
#include "percentile_test.moc"
