// SPDX-License-Identifier: Apache-2.0
// What is recorded of photons that interact, by crystal.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "recon/binning/binning.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/recorded_share.h"
#include "recon/simulate/share_counts.h"
#include "tests/support/fresh_cache.h"
#include "tests/support/phantoms.h"

namespace recorded_share_test {

using namespace tof;
using test::airCylinder;
using test::FreshCache;

namespace {

ShareCounts oneOfEach(int recorded) {
    ShareCounts counts({3, 2});
    counts.count(ShareCounts::Kind::First, {2, 0});
    counts.count(ShareCounts::Kind::Recorded, {recorded, 1});
    return counts;
}

/// What the cache gives for a scanner whose first photons are `first`; `made` tells whether it was counted.
ShareCounts stored(const ShareCounts& first, bool& made) {
    made = false;
    return storedShareCounts("a scanner", first, [&] {
        made = true;
        ShareCounts all = first;
        all.add(oneOfEach(0));
        return all;
    });
}

}  // namespace

class RecordedShareTest : public QObject {
    Q_OBJECT
  private slots:
    void sharesAreTheSameForAnyThreads() {
        const Scanner scanner = Scanner::find("labr3");
        const Detector detector(scanner);
        std::optional<FreshCache> cache(std::in_place);
        const RecordedShares one = recordedShares(scanner, detector, ThreadPool(1));
        QCOMPARE(cache->files().size(), 1);
        const RecordedShares kept = recordedShares(scanner, detector, ThreadPool(1));
        cache.emplace();
        const RecordedShares two = recordedShares(scanner, detector, ThreadPool(3));
        for (const RecordedShares& other : {kept, two}) {
            QCOMPARE(one.mean, other.mean);
            QVERIFY(one.columns == other.columns && one.rows == other.rows &&
                    one.ofCrystal == other.ofCrystal);
        }
        QCOMPARE(one.columns.size(), std::size_t{27});
        QCOMPARE(one.rows.size(), std::size_t{60});
        // A module of one block is the same from either end; less of a photon stays at its ends.
        QCOMPARE(one.columns.front(), one.columns.back());
        QCOMPARE(one.rows[3], one.rows[56]);
        QVERIFY(one.columns[0] < 0.8 * one.columns[13] && one.rows[0] < 0.8 * one.rows[30]);
        // Means of columns and rows, both weighted by what interacts, are nearly even.
        const double columns = std::accumulate(one.columns.begin(), one.columns.end(), 0.0) / 27;
        QVERIFY2(std::abs(columns - 1) < 0.02, qPrintable(QString::number(columns)));
        // Photons come from the middle alone: crystals near the axial ends have no part in it.
        const double middle = recordedShare(scanner, detector);
        QVERIFY2(std::abs(one.mean / middle - 1) < 0.03, qPrintable(QString::number(one.mean / middle)));
    }

    void countsAreKeptForThePhotonsTheyBeginWith() {
        const FreshCache cache;
        bool made = false;
        const ShareCounts first = stored(oneOfEach(1), made);
        QVERIFY(made);
        QVERIFY(stored(oneOfEach(1), made).numbers() == first.numbers());
        QVERIFY(!made);
        // Other physics: the first photons are recorded elsewhere.
        QVERIFY(stored(oneOfEach(2), made).numbers() != first.numbers());
        QVERIFY(made);
        QCOMPARE(cache.files().size(), 1);
    }

    void aDamagedFileIsMadeAgain_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("");
        QTest::newRow("no list") << QByteArray("\"all\":[") << QByteArray("\"all\":5,\"x\":[");
        QTest::newRow("no field") << QByteArray("\"all\"") << QByteArray("\"none\"");
        QTest::newRow("too short") << QByteArray("\"all\":[2,") << QByteArray("\"all\":[");
        QTest::newRow("no number") << QByteArray("\"all\":[2,") << QByteArray("\"all\":[\"2\",");
        QTest::newRow("no sum") << QByteArray("\"all\":[2,") << QByteArray("\"all\":[3,");
    }
    void aDamagedFileIsMadeAgain() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        const FreshCache cache;
        bool made = false;
        const ShareCounts whole = stored(oneOfEach(1), made);
        const std::string file = shareCountsPath("a scanner");
        QByteArray text = FreshCache::read(file);
        QCOMPARE(text.count(from), 1);
        FreshCache::write(file, text.replace(from, to));

        QVERIFY(stored(oneOfEach(1), made).numbers() == whole.numbers());
        QVERIFY(made);
        QVERIFY(stored(oneOfEach(1), made).numbers() == whole.numbers());
        QVERIFY(!made);
    }

    void aCacheThatCannotBeWrittenIsNone() {
        qputenv("XDG_CACHE_HOME", "/proc/no-such-place");
        bool made = false;
        const ShareCounts counts = stored(oneOfEach(1), made);
        QVERIFY(made);
        QCOMPARE(counts.all(ShareCounts::Kind::Recorded), std::uint64_t{2});
    }

    void scannersWithoutDetectionRecordAll() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const RecordedShares shares = recordedShares(scanner, Detector(scanner), ThreadPool(1));
        QCOMPARE(shares.mean, 1.0);
        QVERIFY(shares.columns.empty() && shares.rows.empty() && shares.ofCrystal.empty());
    }

    void multFollowsTheRowsOfModules() {
        // Trues of a rod in air along the whole field, expected by mult over simulated, by height: 2 % of the
        // model and 4 sigma of counting. One share for all crystals has the ends a tenth too high.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom rod = airCylinder(40, 320);
        SimulationSettings settings;
        settings.events = 150000;
        settings.seed = 5;
        settings.physics = Physics::fromText("crystals,energy,position");
        const EventList events = simulate(scanner, rod, settings, ThreadPool(2), {});
        BinningSettings binning;
        binning.azimuths = 12;
        binning.tilts = 3;
        binning.lattice = Lattice::centred({36, 36, 28}, {8, 8, 8});
        HistoData data = depositEvents(events, scanner, binning, ThreadPool(2), {});
        computeMult(data, scanner, nullptr, ThreadPool(2), {});
        Volume activity = rod.emissionOn(binning.lattice);
        const double emitted = 512 * events.decays / rod.shapes[0].volume_mm3();
        std::vector<double> expected(28, 0.0);
        std::vector<double> found(28, 0.0);
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                const auto z = static_cast<std::size_t>(data.lattice.voxel(i)[2]);
                const std::size_t at = view * data.voxels() + i;
                expected[z] += emitted * static_cast<double>(data.mult[at] * activity.data[i]);
                found[z] += static_cast<double>(data.counts[at]);
            }
        }
        double all = 0;
        for (std::size_t part = 0; part < 7; ++part) {
            const double e =
                std::accumulate(expected.begin() + 4 * static_cast<std::ptrdiff_t>(part),
                                expected.begin() + 4 * static_cast<std::ptrdiff_t>(part + 1), 0.0);
            const double f = std::accumulate(found.begin() + 4 * static_cast<std::ptrdiff_t>(part),
                                             found.begin() + 4 * static_cast<std::ptrdiff_t>(part + 1), 0.0);
            qInfo("slices %zu to %zu: %.3f of %.0f", 4 * part, 4 * part + 3, e / f, f);
            QVERIFY2(std::abs(e / f - 1) < 0.03 + 4 / std::sqrt(f), qPrintable(QString::number(e / f)));
            all += f;
        }
        QVERIFY(all > 50000);
    }
};

QTEST_GUILESS_MAIN(RecordedShareTest)

}  // namespace recorded_share_test
#include "recorded_share_test.moc"
