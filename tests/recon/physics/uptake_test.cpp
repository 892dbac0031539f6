// SPDX-License-Identifier: Apache-2.0
#include "recon/physics/uptake.h"

#include <QTest>
#include <cmath>

using namespace tof;

class UptakeTest : public QObject {
    Q_OBJECT
  private slots:
    void theDoseThatIsLeftCounts() {
        const Uptake atInjection{70, 370e6, 6586.2, 0};
        QVERIFY(std::abs(suvPerBqMl(atInjection) * 370e6 / 70e3 - 1) < 1e-12);
        const Uptake oneHalfLifeLater{70, 370e6, 6586.2, 6586.2};
        QVERIFY(std::abs(suvPerBqMl(oneHalfLifeLater) / suvPerBqMl(atInjection) - 2) < 1e-12);
        // All of the dose spread evenly over the body of 1 g/ml is SUV 1.
        QVERIFY(std::abs(suvPerBqMl(atInjection) * (370e6 / 70e3) - 1) < 1e-12);
    }

    void impossibleNumbersAreNamed_data() {
        QTest::addColumn<Uptake>("uptake");
        QTest::addColumn<QString>("named");
        QTest::newRow("weight") << Uptake{0, 1e6, 6586, 0} << "weight";
        QTest::newRow("dose") << Uptake{70, 0, 6586, 0} << "dose";
        QTest::newRow("half life") << Uptake{70, 1e6, 0, 0} << "half life";
        QTest::newRow("before the injection") << Uptake{70, 1e6, 6586, -1} << "time";
        QTest::newRow("not a number") << Uptake{70, std::nan(""), 6586, 0} << "dose";
    }

    void impossibleNumbersAreNamed() {
        QFETCH(Uptake, uptake);
        QFETCH(QString, named);
        QVERIFY(QString::fromStdString(uptakeFault(uptake)).contains(named));
    }

    void activityPerMlOfUnits() {
        const Lattice lattice = Lattice::centred({4, 4, 4}, {2, 2, 2.5});  // 0.01 ml
        QCOMPARE(bqMlPerStored("Bq/ml", lattice, 0), 1.0);
        QCOMPARE(bqMlPerStored("kBq/ml", lattice, 0), 1000.0);
        QVERIFY(std::abs(bqMlPerStored("emissions/voxel", lattice, 50) - 2) < 1e-12);
        QCOMPARE(bqMlPerStored("emissions/voxel", lattice, 0), 0.0);
        QCOMPARE(bqMlPerStored("1/cm", lattice, 50), 0.0);
    }
};

QTEST_APPLESS_MAIN(UptakeTest)
#include "uptake_test.moc"
