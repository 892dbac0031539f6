// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/labr3.h"
#include "tests/support/phantoms.h"

namespace binning_test {

using namespace tof;
using test::crystalAt;
using tof::test::pointAt;

namespace {

EventList eventsOf(const Scanner& scanner, const Phantom& phantom, std::uint64_t events) {
    return simulate(scanner, phantom, {.events = events, .seed = 2, .duration_s = 30}, ThreadPool(2), {});
}

double total(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

BinningSettings settingsFor(const Lattice& lattice, bool trilinear) {
    BinningSettings settings;
    settings.lattice = lattice;
    settings.trilinear = trilinear;
    return settings;
}

}  // namespace

class BinningTest : public QObject {
    Q_OBJECT

  private slots:
    void aPointSourceSitsWhereItWasPutInEveryView_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::newRow("near the centre") << 3.0 << -2.0 << 1.0;
        QTest::newRow("off centre") << 110.0 << -60.0 << 20.0;
        QTest::newRow("far off") << -40.0 << 170.0 << -35.0;
        QTest::newRow("near the edge of the field") << 250.0 << 0.0 << 0.0;
        QTest::newRow("near its other edge") << 0.0 << -250.0 << 10.0;
    }
    void aPointSourceSitsWhereItWasPutInEveryView() {
        // No blur: its mean is zero (tested with the simulation), and the mean of a view settles sooner. The
        // centroid of trilinear weights is the point itself, so the histo-image's centroid is the mean of the
        // deposited points.
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        const Vec3 source{x, y, z};
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        const Lattice lattice = Lattice::centred({72, 72, 30}, {8, 8, 8});
        const EventList events = eventsOf(scanner, pointAt(source), 1000000);

        const HistoData data = depositEvents(events, scanner, settingsFor(lattice, true), ThreadPool(2), {});

        QCOMPARE(data.views.size(), std::size_t{120});
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            double weight = 0;
            Vec3 mean;
            for (int k = 0; k < 30; ++k) {
                for (int j = 0; j < 72; ++j) {
                    for (int i = 0; i < 72; ++i) {
                        const double counts = static_cast<double>(
                            data.counts[view * lattice.voxels() + lattice.index(i, j, k)]);
                        weight += counts;
                        mean = mean + counts * lattice.centre(i, j, k);
                    }
                }
            }
            const Vec3 away = (1 / weight) * mean - source;
            // Beside 0.5 mm, three standard errors: depths spread a point by 5.7 mm along the line.
            const double tolerance = 0.5 + 3 * 5.7 / std::sqrt(weight);
            QVERIFY2(weight > 4000, qPrintable(QString("view %1: %2 events").arg(view).arg(weight)));
            QVERIFY2(
                norm(away) < tolerance,
                qPrintable(QString("view %1: %2 %3 %4 mm").arg(view).arg(away.x).arg(away.y).arg(away.z)));
        }
    }

    void theBlurredSourceStaysInPlace() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Lattice lattice = Lattice::centred({60, 60, 30}, {8, 8, 8});
        const EventList events = eventsOf(scanner, pointAt({70, 40, 10}), 200000);

        const HistoData data = depositEvents(events, scanner, settingsFor(lattice, true), ThreadPool(2), {});

        Vec3 mean;
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            const auto at = static_cast<int>(i % lattice.voxels());
            mean = mean + (static_cast<double>(data.counts[i]) / static_cast<double>(data.kept)) *
                              lattice.centre(at % 60, at / 60 % 60, at / 3600);
        }
        // 25.5 mm of blur along lines, 200000 events: a standard error of 0.06 mm.
        QVERIFY(norm(mean - Vec3{70, 40, 10}) < 0.3);
    }

    void aLateFirstPhotonMovesThePointTowardsTheSecondCrystal() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events;
        const std::uint32_t right = crystalAt(0, 13, 30);  // +x
        const std::uint32_t left = crystalAt(12, 13, 30);  // -x
        events.crystals = {{right, left}, {left, right}};
        events.dt_ps = {300.0F, 300.0F};  // 44.97 mm
        const Lattice lattice = Lattice::centred({101, 3, 1}, {2, 20, 300});

        const HistoData data = depositEvents(events, scanner, settingsFor(lattice, false), ThreadPool(1), {});

        QCOMPARE(data.kept, std::uint64_t{2});
        const std::size_t view = 1 * 40;  // the untilted one at azimuth 0
        QCOMPARE(data.counts[view * lattice.voxels() + lattice.index(50 - 22, 1, 0)], 1.0F);
        QCOMPARE(data.counts[view * lattice.voxels() + lattice.index(50 + 22, 1, 0)], 1.0F);
    }

    void tiltedLinesGoToTheirView() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events;
        // From +x to -x, rising by 20 rows (86 mm over 953 mm: 5.2 degrees): along +x the line falls. And
        // turned round.
        events.crystals = {{crystalAt(0, 13, 20), crystalAt(12, 13, 40)},
                           {crystalAt(12, 13, 20), crystalAt(0, 13, 40)}};
        events.dt_ps = {0.0F, 0.0F};
        const Lattice lattice = Lattice::centred({3, 3, 3}, {20, 20, 20});

        const HistoData data = depositEvents(events, scanner, settingsFor(lattice, false), ThreadPool(1), {});

        const std::size_t middle = lattice.index(1, 1, 1);
        QCOMPARE(data.counts[0 * 40 * lattice.voxels() + middle], 1.0F);  // tilt -6.67 degrees
        QCOMPARE(data.counts[2 * 40 * lattice.voxels() + middle], 1.0F);  // tilt +6.67 degrees
    }

    void everyEventIsAccountedFor_data() {
        QTest::addColumn<bool>("trilinear");
        QTest::newRow("nearest") << false;
        QTest::newRow("trilinear") << true;
    }
    void everyEventIsAccountedFor() {
        QFETCH(bool, trilinear);
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events = eventsOf(scanner, Phantom::find("spheres"), 30000);
        events.crystals[3] = {5, 5};                                        // no line at all
        events.crystals[4] = {crystalAt(0, 13, 0), crystalAt(12, 13, 59)};  // 15 degrees
        events.dt_ps[5] = std::numeric_limits<float>::quiet_NaN();
        events.dt_ps[6] = std::numeric_limits<float>::infinity();
        events.dt_ps[7] = 1e30F;
        const Lattice small = Lattice::centred({30, 31, 16}, {8, 8, 8});

        const HistoData data =
            depositEvents(events, scanner, settingsFor(small, trilinear), ThreadPool(2), {});

        QCOMPARE(data.kept + data.outside + data.rejected, std::uint64_t{30000});
        QCOMPARE(data.rejected, std::uint64_t{2});
        QVERIFY(data.outside > 1000);
        QCOMPARE(eventsOnLattice(events, scanner, settingsFor(small, trilinear), ThreadPool(2)), data.kept);
        // Eight float weights sum to one within a few units of rounding.
        const double rounding = trilinear ? 1e-6 * static_cast<double>(data.kept) : 0;
        QVERIFY(std::abs(total(data.counts) - static_cast<double>(data.kept)) <= rounding);
        QCOMPARE(data.duration_s, 30.0);
        QCOMPARE(data.phantom, events.phantom);
        QCOMPARE(Scanner::fromJson(data.scannerJson, "kept").crystals.size(), scanner.crystals.size());
    }

    void countsDoNotDependOnTheNumberOfThreads_data() { everyEventIsAccountedFor_data(); }
    void countsDoNotDependOnTheNumberOfThreads() {
        QFETCH(bool, trilinear);
        const Scanner scanner = Scanner::find("labr3-ideal");
        const EventList events = eventsOf(scanner, Phantom::find("spheres"), 100000);
        const Lattice lattice = Lattice::centred({48, 48, 16}, {12, 12, 12});

        const HistoData one =
            depositEvents(events, scanner, settingsFor(lattice, trilinear), ThreadPool(1), {});
        const HistoData three =
            depositEvents(events, scanner, settingsFor(lattice, trilinear), ThreadPool(3), {});

        QVERIFY(one.counts == three.counts);
        QCOMPARE(one.kept, three.kept);
        QCOMPARE(one.outside, three.outside);
    }

    void nearestVoxelHoldsThePoint() {
        // One event by hand: the middle of a line along y, 10.03 mm off the axis by crystal columns.
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events;
        events.crystals = {{crystalAt(6, 16, 32), crystalAt(18, 10, 32)}};  // 3 columns of 4.3 mm to one side
        events.dt_ps = {0.0F};
        const Lattice lattice = Lattice::centred({41, 41, 41}, {1, 1, 1});

        const HistoData data = depositEvents(events, scanner, settingsFor(lattice, false), ThreadPool(1), {});

        // x = -12.9 mm (columns grow with azimuth), z = (32 - 29.5) 4.3 = 10.75 mm.
        const std::size_t view = 40 + 20;
        QCOMPARE(data.counts[view * lattice.voxels() + lattice.index(20 - 13, 20, 20 + 11)], 1.0F);
    }

    void foreignCrystalsAreRefused() {
        EventList events;
        events.crystals = {{1, 99999}};
        events.dt_ps = {0.0F};
        const BinningSettings settings = settingsFor(Lattice::centred({3, 3, 3}, {1, 1, 1}), false);
        try {
            (void)depositEvents(events, Scanner::find("labr3-ideal"), settings, ThreadPool(1), {});
            QFAIL("accepted");
        } catch (const BadInput& error) {
            QVERIFY2(QString(error.what()).contains("99999"), error.what());
        }
        QVERIFY_EXCEPTION_THROWN(
            (void)eventsOnLattice(events, Scanner::find("labr3-ideal"), settings, ThreadPool(1)), BadInput);
    }

    void emptyListGivesEmptyViews() {
        const BinningSettings settings = settingsFor(Lattice::centred({3, 3, 3}, {1, 1, 1}), false);

        const HistoData data = depositEvents({}, Scanner::find("labr3-ideal"), settings, ThreadPool(1), {});

        QCOMPARE(data.counts.size(), std::size_t{120} * 27);
        QCOMPARE(total(data.counts), 0.0);
    }

    void cancellingStops() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const EventList events = eventsOf(scanner, pointAt({0, 0, 0}), 100);
        const BinningSettings settings = settingsFor(Lattice::centred({3, 3, 3}, {1, 1, 1}), false);

        QVERIFY_EXCEPTION_THROWN(
            (void)depositEvents(events, scanner, settings, ThreadPool(1), [](double) { throw Cancelled(); }),
            Cancelled);
    }
};

QTEST_GUILESS_MAIN(BinningTest)

}  // namespace binning_test
#include "binning_test.moc"
