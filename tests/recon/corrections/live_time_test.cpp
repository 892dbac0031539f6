// SPDX-License-Identifier: Apache-2.0
// What dead and piling blocks record follows from their own counters and spectra.
#include <QTest>
#include <cmath>

#include "recon/corrections/randoms_of_views.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/phantoms.h"

namespace live_time_test {

using namespace tof;
using namespace tof::test;

namespace {

struct Scan {
    EventList events;
    CrystalSingles counters;
    SimulationReport report;

    Scan(const Scanner& scanner, const Phantom& phantom, const char* physics, std::uint64_t prompts) {
        SimulationSettings settings;
        settings.events = prompts;
        settings.seed = 5;
        settings.physics = Physics::fromText(physics);
        settings.activity_MBq = 150;
        SimulationHooks hooks;
        hooks.singles = &counters;
        events = simulateWith(scanner, phantom, settings, ThreadPool(2), hooks, &report);
    }
    [[nodiscard]] double truesPerDecay() const { return static_cast<double>(report.trues) / events.decays; }
};

/// Mean product of both crystals' values over the true pairs.
double meanOf(const EventList& events, const std::vector<double>& values) {
    double sum = 0;
    double trues = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (events.kind[i] == EventKind::True) {
            sum += values[events.crystals[i][0]] * values[events.crystals[i][1]];
            trues += 1;
        }
    }
    return sum / trues;
}

}  // namespace

class LiveTimeTest : public QObject {
    Q_OBJECT

  private slots:
    /// A small cylinder, whose photons go to all blocks alike. Trues of a decay with dead time and pile-up,
    /// over those without both.
    void truesThatStayFollowFromTheCounters() {
        const Scanner scanner = Scanner::find("ge-ste-blocks");
        const Phantom phantom = airCylinder(100, 150);

        const Scan scan(scanner, phantom, "randoms,energy,crystals,position,dead-time,pile-up", 20000);
        const Scan alone(scanner, phantom, "randoms,energy,crystals,position", 10000);

        CrystalSingles without = scan.counters;
        without.spectra = {};
        const double kept = meanOf(alone.events, aliveShares(scan.counters, scanner));
        const double alive = meanOf(alone.events, aliveShares(without, scanner));
        const double found = scan.truesPerDecay() / alone.truesPerDecay();
        const double sd = found * std::sqrt(1 / static_cast<double>(scan.report.trues) +
                                            1 / static_cast<double>(alone.report.trues));
        QVERIFY2(std::abs(found - kept) < 4 * sd, qPrintable(QString::number(found / kept)));
        QVERIFY2(found < alive - 8 * sd, "pile-up takes more than dead time alone does");
    }
};

QTEST_GUILESS_MAIN(LiveTimeTest)

}  // namespace live_time_test
#include "live_time_test.moc"
