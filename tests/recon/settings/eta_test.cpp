// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/eta.h"

#include <QTest>

namespace eta_test {

using tof::durationText;
using tof::EtaEstimator;

class EtaTest : public QObject {
    Q_OBJECT

  private slots:
    void saysNothingBeforeThereIsAPace() {
        EtaEstimator eta;
        QVERIFY(!eta.remaining_s());

        eta.add(0, 0);
        QVERIFY(!eta.remaining_s());

        eta.add(0.1, 0.01);
        QVERIFY(!eta.remaining_s());
    }

    void saysNothingWhileNothingMoves() {
        EtaEstimator eta;
        for (int second = 0; second < 10; ++second) {
            eta.add(second, 0.25);
        }

        QVERIFY(!eta.remaining_s());
    }

    void followsASteadyPace() {
        EtaEstimator eta;
        for (int second = 0; second <= 20; ++second) {
            eta.add(second, second / 100.0);
        }

        // 80 of 100 hundredths are left at one per second.
        QVERIFY(eta.remaining_s());
        QVERIFY(std::abs(*eta.remaining_s() - 80) < 1e-9);
    }

    void forgetsASlowStart() {
        EtaEstimator eta;
        for (int second = 0; second <= 100; ++second) {
            eta.add(second, second <= 50 ? 0 : (second - 50) / 100.0);
        }

        // Half is done; the last half minute made one hundredth per second.
        QVERIFY(std::abs(*eta.remaining_s() - 50) < 1e-9);
    }

    void shrugsOffAStepThatTookManyTimesTheUsual() {
        EtaEstimator eta;
        double seconds = 0;
        for (int block = 1; block <= 50; ++block) {
            seconds += block == 30 ? 1000.0 : 0.5;
            eta.add(seconds, block / 150.0);
        }

        // 100 blocks at 0.5 s are left. The last 30 s reach back over 20 usual steps to the slow one, which
        // counts four: 24 halves of a second for 21 steps.
        QVERIFY(eta.remaining_s());
        QVERIFY(std::abs(*eta.remaining_s() - 100 * 0.5 * 24.0 / 21) < 1e-9);
    }

    void stepsThatBringNothingDoNotHideThePace() {
        EtaEstimator eta;
        for (int tenth = 0; tenth <= 200; ++tenth) {
            eta.add(tenth / 10.0, tenth / 10 / 100.0);  // asked ten times a second, moving once
        }

        QVERIFY(eta.remaining_s());
        QVERIFY(std::abs(*eta.remaining_s() - 80) < 1e-6);
    }

    void countsFromTheShareAResumedRunStartsAt() {
        EtaEstimator eta;
        for (int second = 0; second <= 10; ++second) {
            eta.add(100 + second, 0.8 + second / 100.0);
        }

        QVERIFY(std::abs(*eta.remaining_s() - 10) < 1e-9);
    }

    void keepsUpWithManySamples() {
        EtaEstimator eta;
        for (int i = 0; i <= 100000; ++i) {
            eta.add(i * 1e-3, i / 200000.0);
        }

        // Samples closer than a quarter second replace each other, so the pace is known to that much of 30 s.
        QVERIFY(std::abs(*eta.remaining_s() - 100) < 100 * 0.25 / 30);
    }

    void writesDurations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0 s";
        QTest::newRow("rounds up") << 7.2 << "8 s";
        QTest::newRow("a minute") << 60.0 << "1 min 00 s";
        QTest::newRow("minutes") << 125.0 << "2 min 05 s";
        QTest::newRow("an hour") << 3600.0 << "1 h 00 min";
        QTest::newRow("hours") << 3840.0 << "1 h 04 min";
    }

    void writesDurations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);

        QCOMPARE(QString::fromStdString(durationText(seconds)), text);
    }
};

QTEST_GUILESS_MAIN(EtaTest)

}  // namespace eta_test
#include "eta_test.moc"
