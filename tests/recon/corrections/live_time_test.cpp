// SPDX-License-Identifier: Apache-2.0
// What dead and piling blocks record follows from their own counters.
#include <QTest>
#include <cmath>
#include <string>

#include "recon/corrections/randoms_of_views.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/crystal_medium.h"
#include "recon/simulate/monte_carlo.h"

using namespace tof;

class LiveTimeTest : public QObject {
    Q_OBJECT

  private slots:
    void pairsThatStayFollowFromTheCounters_data() {
        QTest::addColumn<QString>("phantom");
        QTest::addColumn<double>("activity_MBq");
        QTest::newRow("cylinder, few") << "uniform-cylinder" << 60.0;
        QTest::newRow("cylinder") << "uniform-cylinder" << 300.0;
        QTest::newRow("long cylinder") << "nema-scatter" << 300.0;
    }
    void pairsThatStayFollowFromTheCounters() {
        // Pairs of one decay that are counted, over those that would be if no other photon came: the mean of the product
        // of both blocks' shares, by blocks that record alike. Some 10,000 pairs, 1 % by chance; 4 % for blocks that do
        // not, and for spectra that the counters do not tell.
        QFETCH(QString, phantom);
        QFETCH(double, activity_MBq);
        const Scanner scanner = Scanner::find("ge-ste-blocks");
        SimulationSettings settings;
        settings.events = 15000;
        settings.seed = 5;
        settings.physics = Physics::fromText("all");
        settings.activity_MBq = activity_MBq;
        CrystalSingles counters;
        SimulationHooks hooks;
        hooks.singles = &counters;
        SimulationReport report;

        static_cast<void>(
            simulateWith(scanner, Phantom::find(phantom.toStdString()), settings, ThreadPool(2), hooks, &report));

        const std::vector<double> shares = aliveShares(counters, scanner);
        double all = 0;
        double kept = 0;
        for (std::size_t c = 0; c < shares.size(); ++c) {
            const double alone = counters.recorded[c] / shares[c];
            all += alone;
            kept += alone * shares[c] * shares[c];
        }
        const auto counted = static_cast<double>(report.trues + report.scattered);
        const double found = counted / (counted + static_cast<double>(report.dead + report.piledUp));
        qInfo("%.0f counted of %.4f of all; expected %.4f", counted, found, kept / all);
        QVERIFY2(std::abs(found / (kept / all) - 1) < 0.05, qPrintable(QString::number(found / (kept / all))));
    }
};

QTEST_GUILESS_MAIN(LiveTimeTest)
#include "live_time_test.moc"
