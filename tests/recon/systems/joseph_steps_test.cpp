// SPDX-License-Identifier: Apache-2.0
// Joseph's interpolation in single precision, through a lattice and through its tiles, against the path in
// double; and the table that hosts have the ramp of the normal distribution from, against its definition.
#include <QTest>
#include <cmath>
#include <map>
#include <random>

#include "recon/base/constants.h"
#include "recon/systems/lines/event_path.h"
#include "recon/systems/lines/event_tiles.h"
#include "recon/systems/lines/joseph_steps.h"
#include "recon/systems/lines/line_operator.h"

namespace joseph_steps_test {

using namespace tof;

namespace {

using Row = std::map<int, double>;

const Lattice kLattice = Lattice::centred({40, 36, 12}, {4.0, 5.0, 6.0});

struct Line {
    Vec3 one;
    Vec3 two;
    int bin;
};

/// Adds what a box sees of a line; visit(voxel of the box, coefficient).
template <typename Visit>
void seeBox(const LineOperator& op, const TimeTable& table, const RayGrid& box, const Line& line,
            const Visit& visit) {
    const bool timed = op.tof.count > 0;
    const Ray ray = makeRay(op.grid, line.one, line.two);
    double begin = timed ? op.tof.from(line.bin) : -ray.half;
    double end = timed ? op.tof.to(line.bin) : ray.half;
    JosephSteps steps;
    const double origin = timed ? op.tof.edge(line.bin) + 0.5 * op.tof.width_mm : 0.0;
    if (!clipRay(op.grid, ray, &begin, &end) || !josephSteps(box, ray, origin, begin, end, &steps)) {
        return;
    }
    const TimePiece* const pieces =
        timed ? table.pieces.data() + timeKind(op.tof, line.bin) * table.count : nullptr;
    followJosephSteps(
        steps, box.size, box.stride,
        [&](float distance) {
            return timed ? timeIntegral(pieces, table.count, table.perMm, distance) : distance;
        },
        visit);
}

Row whole(const LineOperator& op, const TimeTable& table, const Line& line) {
    Row row;
    seeBox(op, table, op.grid, line, [&](int voxel, float w) { row[voxel] += static_cast<double>(w); });
    return row;
}

Row tiled(const LineOperator& op, const TimeTable& table, const TileGrid& tiles, const Line& line) {
    Row row;
    for (int tile = 0; tile < tiles.tiles(); ++tile) {
        int first[3];
        tiles.firstOf(tile, first);
        const RayGrid box = tiles.gridOf(tile);
        seeBox(op, table, box, line, [&](int word, float w) {
            const int z = word / tiles.stride[2];
            const int y = word % tiles.stride[2] / tiles.stride[1];
            const int x = word % tiles.stride[2] % tiles.stride[1];
            QVERIFY(x < box.size[0] && y < box.size[1] && z < box.size[2]);
            row[((first[2] + z) * op.grid.size[1] + first[1] + y) * op.grid.size[0] + first[0] + x] +=
                static_cast<double>(w);
        });
    }
    return row;
}

/// The largest difference of two rows, mm.
double apart(const Row& found, const Row& expected) {
    Row all = expected;
    all.insert(found.begin(), found.end());
    double most = 0;
    for (const auto& [voxel, unused] : all) {
        const double a = expected.contains(voxel) ? expected.at(voxel) : 0;
        const double b = found.contains(voxel) ? found.at(voxel) : 0;
        most = std::max(most, std::abs(a - b));
    }
    return most;
}

}  // namespace

class JosephStepsTest : public QObject {
    Q_OBJECT

  private slots:
    void rowsAreThoseOfThePathInDouble_data() {
        QTest::addColumn<int>("bins");
        QTest::newRow("no time of flight") << 0;
        QTest::newRow("bins of a sigma") << 9;
        QTest::newRow("two bins, both outermost") << 2;
    }
    void rowsAreThoseOfThePathInDouble() {
        QFETCH(int, bins);
        const TofBins tof = bins > 0 ? TofBins{bins, bins == 2 ? 400.0 : 170.0, 400, 4.5} : TofBins{};
        const LineOperator op{rayGrid(kLattice, 0), rayTof(tof), true};
        const TimeTable table = TimeTable::of(op.tof);
        const TileGrid tiles = tileGrid(op.grid, {0.6, 0.6, 0.5}, 700);
        QVERIFY(tiles.tiles() > 20);
        std::mt19937 random(5);
        const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
        int seen = 0;
        for (int i = 0; i < 1000; ++i) {
            const double a = 2 * kPi * uniform();
            const double b = a + kPi + 0.9 * (uniform() - 0.5);
            Line line{{150 * std::cos(a), 150 * std::sin(a), 90 * (uniform() - 0.5)},
                      {150 * std::cos(b), 150 * std::sin(b), 90 * (uniform() - 0.5)},
                      bins > 0 ? static_cast<int>(uniform() * bins) : 0};
            if (i % 10 == 0) {  // along axes and faces
                line.two = {-line.one.x, i % 20 == 0 ? line.one.y : -line.one.y, line.one.z};
                line.one.z = line.two.z = 6.0 * std::round(line.one.z / 6.0);
            }
            Row expected;
            followLine(op, line.one, line.two, line.bin,
                       [&](int voxel, float w) { expected[voxel] += static_cast<double>(w); });
            seen += expected.empty() ? 0 : 1;
            // Places below 64 voxels are floats 4e-6 apart, shares 8 mm at most; distances up to 150 mm are
            // 1.5e-5 apart.
            QVERIFY2(apart(whole(op, table, line), expected) < 1.3e-4, qPrintable(QString::number(i)));
            QVERIFY2(apart(tiled(op, table, tiles, line), expected) < 1.3e-4, qPrintable(QString::number(i)));
        }
        QVERIFY(seen > 500);
    }

    void theRampIsThatOfItsDefinition() {
        double most = 0;
        for (int i = -120000; i <= 120000; ++i) {
            const double t = i * 1e-4;
            most = std::max(most, std::abs(normalRamp(t) - normalRampByDefinition(t)));
        }
        QVERIFY2(most < 5e-13, qPrintable(QString::number(most)));
        QCOMPARE(normalRamp(-1e300), 0.0);
        QCOMPARE(normalRamp(1e300), 1e300);
    }
};

QTEST_APPLESS_MAIN(JosephStepsTest)

}  // namespace joseph_steps_test
#include "joseph_steps_test.moc"
