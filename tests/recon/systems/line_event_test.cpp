// SPDX-License-Identifier: Apache-2.0
// The single-precision path of list-mode events, against the path in double and the mathematics.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/systems/lines/event_order.h"
#include "recon/systems/lines/event_path.h"
#include "recon/systems/lines/event_tiles.h"
#include "recon/systems/lines/line_operator.h"

namespace line_event_test {

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
    followSteps(
        eventSteps(startSiddon(op.grid, ray, begin), timed ? op.tof.edge(bin) + 0.5 * op.tof.width_mm : 0.0,
                   begin, end),
        [&](float distance) {
            return timed ? timeIntegral(pieces, table.count, table.perMm, distance) : distance;
        },
        [&](int voxel, float length) { row[voxel] += static_cast<double>(length); });
    return row;
}

/// What fast() gives, tile by tile.
Row tiled(const LineOperator& op, const TimeTable& table, const TileGrid& tiles, Vec3 one, Vec3 two,
          int bin) {
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
    forEachTile(tiles, ray, begin, end, [&](int tile, double from, double to) {
        int first[3];
        tiles.firstOf(tile, first);
        followSteps(
            eventSteps(startSiddon(tiles.gridOf(tile), ray, from),
                       timed ? op.tof.edge(bin) + 0.5 * op.tof.width_mm : 0.0, from, to),
            [&](float distance) {
                return timed ? timeIntegral(pieces, table.count, table.perMm, distance) : distance;
            },
            [&](int word, float length) {
                const int z = word / tiles.stride[2];
                const int y = word % tiles.stride[2] / tiles.stride[1];
                const int x = word % tiles.stride[2] % tiles.stride[1];
                row[((first[2] + z) * op.grid.size[1] + first[1] + y) * op.grid.size[0] + first[0] + x] +=
                    static_cast<double>(length);
            });
    });
    return row;
}

Row slow(const LineOperator& op, Vec3 one, Vec3 two, int bin) {
    Row row;
    followLine(op, one, two, bin,
               [&](int voxel, float length) { row[voxel] += static_cast<double>(length); });
    return row;
}

/// What is too different between two rows; empty when nothing is.
QString difference(const Row& found, const Row& expected) {
    Row all = expected;
    all.insert(found.begin(), found.end());
    double sum = 0;
    double sumFound = 0;
    for (const auto& [voxel, unused] : all) {
        const double a = expected.contains(voxel) ? expected.at(voxel) : 0;
        const double b = found.contains(voxel) ? found.at(voxel) : 0;
        // Distances up to 283 mm are floats 3e-5 apart; two faces of two roundings each.
        if (!(std::abs(a - b) < 1.3e-4)) {
            return QString("%1, %2").arg(a).arg(b);
        }
        sum += a;
        sumFound += b;
    }
    const bool same = std::abs(sum - sumFound) <= 1e-5 * std::max(sum, 10.0);
    return same ? QString() : QString("sums %1, %2").arg(sum).arg(sumFound);
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
            const QString fault = difference(found, expected);
            QVERIFY2(fault.isEmpty(), qPrintable(QString("ray %1: %2").arg(i).arg(fault)));
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

    void tilesGiveTheWholePath_data() {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("words");
        QTest::addColumn<double>("radius");
        QTest::newRow("one tile") << 9 << 40000 << 0.0;
        QTest::newRow("few tiles") << 9 << 3000 << 0.0;
        QTest::newRow("small tiles") << 9 << 100 << 0.0;
        QTest::newRow("tiles of a voxel") << 0 << 1 << 0.0;
        QTest::newRow("no time of flight") << 0 << 3000 << 0.0;
        QTest::newRow("no time of flight, field of view") << 0 << 1000 << 60.0;
    }
    void tilesGiveTheWholePath() {
        QFETCH(int, bins);
        QFETCH(int, words);
        QFETCH(double, radius);
        const TofBins tof = bins > 0 ? TofBins{bins, 170, 400, 4.5} : TofBins{};
        const LineOperator op{rayGrid(kLattice, radius), rayTof(tof), false};
        const TimeTable table = TimeTable::of(op.tof);
        const TileGrid tiles = tileGrid(op.grid, {0.6, 0.6, 0.2}, static_cast<std::size_t>(words));
        QVERIFY(tiles.words <= words);
        QCOMPARE(tiles.tiles() == 1, words == 40000);
        std::mt19937_64 random(6);
        std::uniform_real_distribution<double> within(-1, 1);
        std::size_t seen = 0;
        for (int i = 0; i < 2000; ++i) {
            Vec3 one{200 * within(random), 200 * within(random), 40 * within(random)};
            Vec3 two{200 * within(random), 200 * within(random), 40 * within(random)};
            if (i % 4 == 0) {  // along faces of voxels, some of them of tiles, in one axis or in two
                two.x = one.x = 4.0 * (i % 19 - 9);
                two.z = i % 8 == 0 ? two.z : one.z = 6.0 * (i % 13 - 6);
            } else if (i % 4 == 1) {  // through corners
                one = Vec3{4.0 * (i % 21 - 10), 5.0 * (i % 17 - 8), 6.0 * (i % 5 - 2)};
                two = one + Vec3{4, i % 3 == 0 ? 5.0 : -5.0, i % 5 == 0 ? 6.0 : 0.0};
                const Vec3 along = two - one;
                one = one - 50.0 * along;
                two = two + 50.0 * along;
            }
            const int bin = bins == 0 ? 0 : i % bins;
            const Row expected = fast(op, table, one, two, bin);
            const Row found = tiled(op, table, tiles, one, two, bin);
            const QString fault = difference(found, expected);
            QVERIFY2(fault.isEmpty(), qPrintable(QString("ray %1: %2").arg(i).arg(fault)));
            seen += expected.size();
        }
        QVERIFY(seen > 5000);
    }

    void voxelsHaveWordsOfTheirOwn() {
        const TileGrid tiles = tileGrid(rayGrid(kLattice, 0), {0.6, 0.6, 0.2}, 3000);
        std::vector<int> voxels(kLattice.voxels(), 0);
        for (int tile = 0; tile < tiles.tiles(); ++tile) {
            int first[3];
            tiles.firstOf(tile, first);
            const RayGrid grid = tiles.gridOf(tile);
            std::vector<bool> taken(static_cast<std::size_t>(tiles.words), false);
            for (int z = 0; z < grid.size[2]; ++z) {
                for (int y = 0; y < grid.size[1]; ++y) {
                    for (int x = 0; x < grid.size[0]; ++x) {
                        const int word = x * grid.stride[0] + y * grid.stride[1] + z * grid.stride[2];
                        QVERIFY(word < tiles.words && !taken[static_cast<std::size_t>(word)]);
                        taken[static_cast<std::size_t>(word)] = true;
                        voxels[static_cast<std::size_t>(((first[2] + z) * kLattice.size[1] + first[1] + y) *
                                                            kLattice.size[0] +
                                                        first[0] + x)] += 1;
                    }
                }
            }
        }
        QCOMPARE(voxels, std::vector<int>(kLattice.voxels(), 1));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(tileGrid(rayGrid(kLattice, 0), {1, 1, 1}, 0)), WrongUse);
    }

    void itemsShareOutEveryPieceOnce() {
        const TileGrid tiles = tileGrid(rayGrid(kLattice, 0), {0.6, 0.6, 0.2}, 3000);
        const auto places = static_cast<std::size_t>(tiles.tiles()) * kTileLengths;
        std::mt19937 random(8);
        std::vector<std::uint32_t> counts(places);
        for (std::size_t i = 0; i < places; ++i) {
            counts[i] = i / kTileLengths == 2 ? 0 : static_cast<std::uint32_t>(random() % 3000);
        }
        const std::uint64_t begin = 77;
        const std::vector<TileItem> items = tileItems(tiles, counts, begin, 100);
        QVERIFY(items.size() >= 90 && items.size() <= 100);
        std::map<std::uint64_t, TileItem> byPlace;
        for (const TileItem& item : items) {
            QVERIFY(item.count > 0 && item.tile != 2);
            byPlace[item.first] = item;
        }
        std::uint64_t next = begin;
        for (const auto& [first, item] : byPlace) {
            std::uint64_t tileBegin = begin;
            for (std::size_t i = 0; i < item.tile * static_cast<std::size_t>(kTileLengths); ++i) {
                tileBegin += counts[i];
            }
            QCOMPARE(first, next);
            QCOMPARE((first - tileBegin) % 32, std::uint64_t{0});
            next += item.count;
            std::uint64_t tileEnd = tileBegin;
            for (std::size_t i = 0; i < static_cast<std::size_t>(kTileLengths); ++i) {
                tileEnd += counts[item.tile * static_cast<std::size_t>(kTileLengths) + i];
            }
            QVERIFY(first >= tileBegin && next <= tileEnd);
        }
        QCOMPARE(next, begin + std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
        QVERIFY(tileItems(tiles, std::vector<std::uint32_t>(places, 0), 0, 100).empty());
    }

    void wordsAndWhatLeavesThemAddUp() {
        std::mt19937 random(9);
        for (const int sign : {-1, 0, 1}) {
            std::uint32_t word = 0;
            std::int64_t upper = 0;
            std::int64_t exact = 0;
            for (int i = 0; i < 100000; ++i) {
                auto value = static_cast<std::int32_t>(random() % 2147483648U);
                value = sign < 0 || (sign == 0 && i % 2 == 0) ? -value : value;
                upper += upperOf(word, value);
                word += static_cast<std::uint32_t>(value);
                exact += value;
            }
            QCOMPARE((upper << 32) + static_cast<std::int64_t>(word), exact);
        }
    }

    void longerPiecesComeFirst() {
        const TileGrid tiles = tileGrid(rayGrid(kLattice, 0), {0.6, 0.6, 0.2}, 3000);
        const Ray ray = makeRay(tiles.grid, {-300, -280, -20}, {300, 280, 20});
        int before = -1;
        for (const double length : {1000.0, 60.0, 30.0, 10.0, 0.0}) {
            const int found = lengthClass(tiles, ray, 0, length);
            QVERIFY(found > before && found < kTileLengths);
            before = found;
        }
    }

    void tooWideBinsHaveNoTable() {
        QVERIFY(TimeTable::of(rayTof({5, 50000, 100, 4.5})).pieces.empty());
        QVERIFY(TimeTable::of(rayTof({1, 500, 400, 4.5})).pieces.empty());
    }
};

QTEST_GUILESS_MAIN(RingEventTest)

}  // namespace line_event_test
#include "line_event_test.moc"
