// SPDX-License-Identifier: Apache-2.0
// The single-precision path of list-mode events, against the path in double and the mathematics.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "recon/core/constants.h"
#include "recon/ring/event_order.h"
#include "recon/ring/event_path.h"
#include "recon/ring/line_operator.h"

using namespace tof;

namespace {

const Lattice kLattice = Lattice::centred({40, 36, 12}, {4.0, 5.0, 6.0});

using Row = std::map<int, double>;

Row fast(const LineOperator& op, const TimeTable& table, Vec3 one, Vec3 two, int bin) {
    Row row;
    const Ray ray = makeRay(op.grid, one, two);
    const bool timed = op.tof.count > 0;
    double begin = timed ? op.tof.from(bin) : -ray.half;
    double end = timed ? op.tof.to(bin) : ray.half;
    if (!clipRay(op.grid, ray, &begin, &end)) {
        return row;
    }
    const TimePiece* const pieces =
        timed ? table.pieces.data() + timeKind(op.tof, bin) * table.count : nullptr;
    followEvent(
        startSiddon(op.grid, ray, begin), timed ? op.tof.edge(bin) + 0.5 * op.tof.width_mm : 0.0, begin, end,
        [&](float distance) {
            return timed ? timeIntegral(pieces, table.count, table.perMm, distance) : distance;
        },
        [&](int voxel, float length) { row[voxel] += static_cast<double>(length); });
    return row;
}

Row slow(const LineOperator& op, Vec3 one, Vec3 two, int bin) {
    Row row;
    followLine(op, one, two, bin,
               [&](int voxel, float length) { row[voxel] += static_cast<double>(length); });
    return row;
}

}  // namespace

class RingEventTest : public QObject {
    Q_OBJECT

  private slots:
    void agreesWithThePathInDouble_data() {
        QTest::addColumn<int>("bins");
        QTest::addColumn<double>("width_ps");
        QTest::newRow("no time of flight") << 0 << 0.0;
        QTest::newRow("bins of a sigma") << 9 << 170.0;
        QTest::newRow("two bins, both outermost") << 2 << 400.0;
        QTest::newRow("wide bins") << 3 << 900.0;
    }
    void agreesWithThePathInDouble() {
        QFETCH(int, bins);
        QFETCH(double, width_ps);
        TofBins tof;
        if (bins > 0) {
            tof = {bins, width_ps, 400, 4.5};
        }
        const LineOperator op{rayGrid(kLattice, 0), rayTof(tof), false};
        const TimeTable table = TimeTable::of(op.tof);
        QCOMPARE(table.pieces.empty(), bins == 0);
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> within(-1, 1);
        std::size_t seen = 0;
        for (int i = 0; i < 3000; ++i) {
            Vec3 one{200 * within(random), 200 * within(random), 40 * within(random)};
            Vec3 two{200 * within(random), 200 * within(random), 40 * within(random)};
            if (i % 5 == 0) {  // along an axis, and along faces of voxels
                two.x = one.x = 4.0 * (i % 11);
            }
            const int bin = bins == 0 ? 0 : i % bins;
            const Row expected = slow(op, one, two, bin);
            const Row found = fast(op, table, one, two, bin);
            Row all = expected;
            all.insert(found.begin(), found.end());
            double sum = 0;
            double sumFound = 0;
            for (const auto& [voxel, unused] : all) {
                const double a = expected.contains(voxel) ? expected.at(voxel) : 0;
                const double b = found.contains(voxel) ? found.at(voxel) : 0;
                // Distances up to 283 mm are floats 3e-5 apart; two faces of two roundings each.
                QVERIFY2(std::abs(a - b) < 1.3e-4,
                         qPrintable(QString("ray %1: %2, %3").arg(i).arg(a).arg(b)));
                sum += a;
                sumFound += b;
            }
            QVERIFY2(std::abs(sum - sumFound) <= 1e-5 * std::max(sum, 10.0),
                     qPrintable(QString("ray %1: %2, %3").arg(i).arg(sum).arg(sumFound)));
            seen += expected.size();
        }
        QVERIFY(seen > 10000);
    }

    void timeBinsSumToTheLength() {
        const LineOperator op{rayGrid(kLattice, 0), rayTof({9, 170, 400, 4.5}), false};
        const TimeTable table = TimeTable::of(op.tof);
        const Vec3 one{-190, 11, -20};
        const Vec3 two{180, -3, 25};
        Row sum;
        for (int bin = 0; bin < 9; ++bin) {
            for (const auto& [voxel, value] : fast(op, table, one, two, bin)) {
                sum[voxel] += value;
            }
        }
        const LineOperator plain{rayGrid(kLattice, 0), {0, 0, 0, 0}, false};
        for (const auto& [voxel, length] : slow(plain, one, two, 0)) {
            // Beyond 4.5 sigma a bin sees nothing: 3.4e-6 of the length at each of its two edges, and
            // roundings.
            QVERIFY(std::abs(sum[voxel] - length) < 1.5e-4);
        }
    }

    void nearbyEventsBecomeNeighbours() {
        // Two sources 100 mm apart, their events mixed: sorted, every event of one comes before all of the
        // other.
        LineEvents events;
        events.tof = {9, 170, 400, 3};
        std::mt19937 random(4);
        std::vector<bool> left;
        for (int i = 0; i < 400; ++i) {
            const double phi = 2 * kPi * static_cast<double>(random()) / 4294967296.0;
            const Vec3 u{std::cos(phi), std::sin(phi), 0};
            left.push_back(random() % 2 == 0);
            const Vec3 source{left.back() ? -56.0 : 56.0, 8, 8};
            events.points.push_back(source - 300.0 * u);
            events.points.push_back(source + 400.0 * u);
            events.pairs.push_back(
                {static_cast<std::uint32_t>(2 * i), static_cast<std::uint32_t>(2 * i + 1)});
            events.dt_ps.push_back(static_cast<float>(-50 / kMmPerPs));  // 50 mm before the middle
        }
        const std::vector<std::uint32_t> order = nearbyOrder(events, 100, 300);
        std::vector<std::uint32_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::uint32_t> all(300);
        std::iota(all.begin(), all.end(), 0U);
        QCOMPARE(sorted, all);
        int changes = 0;
        for (std::size_t i = 1; i < order.size(); ++i) {
            changes += left[100 + order[i]] != left[100 + order[i - 1]] ? 1 : 0;
        }
        QCOMPARE(changes, 1);
    }

    void tooWideBinsHaveNoTable() {
        QVERIFY(TimeTable::of(rayTof({5, 50000, 100, 4.5})).pieces.empty());
        QVERIFY(TimeTable::of(rayTof({1, 500, 400, 4.5})).pieces.empty());
    }
};

QTEST_GUILESS_MAIN(RingEventTest)
#include "ring_event_test.moc"
