// SPDX-License-Identifier: Apache-2.0
// Where events end in their crystals: no comb of lines is left in histo-images.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/binning/binning.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/labr3.h"
#include "tests/support/phantoms.h"

namespace deposit_test {

using namespace tof;
using test::airCylinder;
using test::crystalAt;

namespace {

/// Counts over what they are expected to be, by slice.
struct Slices {
    double sd = 0;       ///< over slices, in units of the Poisson SD
    double largest = 0;  ///< distance from the mean, in units of the slice's Poisson SD
    double mean = 0;     ///< counts over expected, of all slices
};

/// Within 25 mm of the axis and 72 mm of the middle, all views together.
Slices nearTheAxis(const HistoData& data, double perVoxel) {
    const Lattice& lattice = data.lattice;
    const auto slices = static_cast<std::size_t>(lattice.size[2]);
    std::vector<double> counts(slices, 0.0);
    std::vector<double> expected(slices, 0.0);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = lattice.centre(x, y, z);
        if (std::hypot(p.x, p.y) >= 25 || std::abs(p.z) >= 72) {
            return;
        }
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            const std::size_t at = view * lattice.voxels() + lattice.index(x, y, z);
            counts[static_cast<std::size_t>(z)] += static_cast<double>(data.counts[at]);
            expected[static_cast<std::size_t>(z)] += perVoxel * static_cast<double>(data.mult[at]);
        }
    });
    Slices found;
    found.mean = std::accumulate(counts.begin(), counts.end(), 0.0) /
                 std::accumulate(expected.begin(), expected.end(), 0.0);
    double squares = 0;
    double n = 0;
    for (std::size_t z = 0; z < slices; ++z) {
        if (expected[z] > 0) {
            const double poisson = std::sqrt(found.mean * expected[z]);
            const double off = (counts[z] - found.mean * expected[z]) / poisson;
            found.largest = std::max(found.largest, std::abs(off));
            squares += off * off;
            n += 1;
        }
    }
    found.sd = std::sqrt(squares / (n - 1));
    return found;
}

}  // namespace

class DepositTest : public QObject {
    Q_OBJECT

  private slots:
    void slicesNearTheAxisHoldWhatIsExpected_data() {
        QTest::addColumn<bool>("spread");
        QTest::newRow("spread over the faces") << true;
        QTest::newRow("at the centres: a comb") << false;
    }
    void slicesNearTheAxisHoldWhatIsExpected() {
        QFETCH(bool, spread);
        // All events lie near the axis here, so a million see what sixteen million in a 350 mm cylinder see.
        // No blur of times: it would carry events out of the lattice, which mult says nothing of.
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        constexpr double kRadius_mm = 40;
        SimulationReport report;
        const EventList events = simulate(scanner, airCylinder(kRadius_mm, 180),
                                          {.events = 1000000, .seed = 21}, ThreadPool(2), {}, &report);
        BinningSettings settings;
        settings.lattice = Lattice::centred({24, 24, 46}, {4, 4, 4});
        settings.endPoints = spread ? EndPoints::Face : EndPoints::Centre;
        HistoData data = depositEvents(events, scanner, settings, ThreadPool(2), {});
        computeMult(data, scanner, nullptr, ThreadPool(2), {});
        const double perVoxel = report.decays() * 64 / (kPi * kRadius_mm * kRadius_mm * 180);

        const Slices found = nearTheAxis(data, perVoxel);

        const QString said =
            QString("SD %1 Poisson, largest %2, mean %3").arg(found.sd).arg(found.largest).arg(found.mean);
        if (spread) {
            // 36 slices: the SD of an SD of Poisson numbers is 1/sqrt(70) = 12 %.
            QVERIFY2(found.sd <= 1.25 && found.largest <= 3.5, qPrintable(said));
        } else {
            // Twice the Poisson SD, 1.6 or more but once in a thousand.
            QVERIFY2(found.sd > 1.6 && found.largest > 3.5, qPrintable(said));
        }
        // 0.4 million events: 0.16 % of statistics; mult is known to half a per cent.
        QVERIFY2(std::abs(found.mean - 1) < 0.01, qPrintable(said));
    }

    void placesAreEvenOverBothFaces() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const FaceSpread spread(scanner, EndPoints::Face, 3);
        const std::uint32_t one = crystalAt(0, 13, 30);    // +x: its face lies along y and z
        const std::uint32_t other = crystalAt(6, 13, 30);  // +y: along x and z
        constexpr int kEvents = 20000;
        constexpr double kHalf = 2;  // mm; crystals of 4 mm
        std::array<double, 4> sum{};
        std::array<double, 4> squares{};
        double product = 0;

        for (std::uint64_t event = 0; event < kEvents; ++event) {
            const auto [a, b] = spread.offsets(event, one, other);
            QVERIFY(std::abs(a.x) < 1e-9 && std::abs(b.y) < 1e-9);  // not in depth
            const std::array<double, 4> places{a.y, a.z, b.x, b.z};
            for (std::size_t k = 0; k < 4; ++k) {
                QVERIFY(std::abs(places[k]) < kHalf);
                sum[k] += places[k];
                squares[k] += places[k] * places[k];
            }
            product += a.y * b.z;
        }

        // Even over 4 mm: variance 16/12, of squares 16^2/180, of products (16/12)^2; four standard errors.
        for (std::size_t k = 0; k < 4; ++k) {
            QVERIFY(std::abs(sum[k] / kEvents) < 4 * std::sqrt(16.0 / 12 / kEvents));
            QVERIFY(std::abs(squares[k] / kEvents - 16.0 / 12) < 4 * std::sqrt(256.0 / 180 / kEvents));
        }
        QVERIFY(std::abs(product / kEvents) < 4 * 16.0 / 12 / std::sqrt(kEvents));
    }

    void placesDependOnSeedAndEventAlone() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const EventList events =
            simulate(scanner, airCylinder(60, 180), {.events = 120000, .seed = 4}, ThreadPool(2), {});
        BinningSettings settings;
        settings.azimuths = 6;
        settings.lattice = Lattice::centred({40, 40, 40}, {6, 6, 5});
        BinningSettings reseeded = settings;
        reseeded.seed = 2;

        const HistoData one = depositEvents(events, scanner, settings, ThreadPool(1), {});
        const HistoData three = depositEvents(events, scanner, settings, ThreadPool(3), {});
        const HistoData other = depositEvents(events, scanner, reseeded, ThreadPool(2), {});

        QVERIFY(one.counts == three.counts);
        QVERIFY(one.counts != other.counts);
        QCOMPARE(one.deposit, std::string("face"));
        QCOMPARE(other.depositSeed, std::uint64_t{2});
        // Far on in a list a place is what it would be at its start's cut: a function of the number alone.
        const FaceSpread spread(scanner, EndPoints::Face, 1);
        const auto late = spread.offsets((std::uint64_t{1} << 33U) + 5, 7, 8);
        QCOMPARE(
            norm(late[0] -
                 FaceSpread(scanner, EndPoints::Face, 1).offsets((std::uint64_t{1} << 33U) + 5, 7, 8)[0]),
            0.0);
        QVERIFY(norm(late[0] - spread.offsets(5, 7, 8)[0]) > 0);
    }

    void crystalsOfUnknownSizeKeepTheirEventsAtTheCentre() {
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.facesKnown = false;
        EventList events;
        events.crystals = {{crystalAt(0, 13, 30), crystalAt(12, 13, 30)}};
        events.dt_ps = {0};
        BinningSettings settings;
        settings.lattice = Lattice::centred({3, 3, 3}, {20, 20, 20});

        const HistoData data = depositEvents(events, scanner, settings, ThreadPool(1), {});

        QCOMPARE(data.deposit, std::string("centre"));
        QCOMPARE(data.kept, std::uint64_t{1});
        QVERIFY(!Scanner::fromJson(scanner.toJson(), "kept").facesKnown);
        QVERIFY(Scanner::fromJson(Scanner::find("labr3-ideal").toJson(), "kept").facesKnown);
    }

    void pairsAreAcceptedByTheirCrystalsAndSortedByTheirEndPoints() {
        // Rows 39 apart: 167.7 mm over 953 mm between reference points, 9.98 degrees. End points moved apart
        // would be tilted by up to 10.2 degrees; whatever their places, the pair is accepted.
        const Scanner scanner = Scanner::find("labr3-ideal");
        EventList events;
        events.crystals.assign(2000, {crystalAt(0, 13, 10), crystalAt(12, 13, 49)});
        events.dt_ps.assign(2000, 0.0F);
        BinningSettings settings;
        settings.azimuths = 120;  // cells of 1.5 degrees: 12 mm to either side of 0 at the ring
        settings.tilts = 41;      // each spans 0.49 degrees: end points 2 mm off move a line by up to 0.24
        settings.lattice = Lattice::centred({3, 3, 3}, {40, 40, 40});

        const HistoData data = depositEvents(events, scanner, settings, ThreadPool(1), {});

        QCOMPARE(data.kept, std::uint64_t{2000});
        int views = 0;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            const auto begin = data.counts.begin() + static_cast<std::ptrdiff_t>(view * data.voxels());
            views +=
                std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(data.voxels()), 0.0) > 0 ? 1 : 0;
        }
        QVERIFY2(views >= 1 && views <= 2, qPrintable(QString::number(views)));
    }
};

QTEST_GUILESS_MAIN(DepositTest)

}  // namespace deposit_test
#include "deposit_test.moc"
