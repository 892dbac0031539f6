// SPDX-License-Identifier: Apache-2.0
// Cells without trigonometry are those of the grid, also on its edges.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "recon/base/constants.h"
#include "recon/binning/cell_finder.h"

namespace cell_finder_test {

using namespace tof;

class CellFinderTest : public QObject {
    Q_OBJECT

  private slots:
    void linesGoWhereTheGridPutsThem_data() {
        QTest::addColumn<int>("azimuths");
        QTest::addColumn<int>("tilts");
        QTest::addColumn<double>("acceptance");
        QTest::newRow("usual") << 40 << 3 << 10.0;
        QTest::newRow("one cell") << 1 << 1 << 10.0;
        QTest::newRow("even") << 2 << 2 << 30.0;
        QTest::newRow("many") << 513 << 17 << 25.0;
        QTest::newRow("most") << 4096 << 255 << 89.0;
    }
    void linesGoWhereTheGridPutsThem() {
        QFETCH(int, azimuths);
        QFETCH(int, tilts);
        QFETCH(double, acceptance);
        const ViewGrid grid(azimuths, tilts, acceptance * kRadPerDeg);
        const CellFinder finder(grid);
        std::mt19937_64 random(9);
        const auto share = [&random] { return static_cast<double>(random() >> 11U) * 0x1p-53; };

        for (int i = 0; i < 200000; ++i) {
            const double length = std::exp(20 * share() - 10);
            const double tilt = 1.2 * (2 * share() - 1) * grid.acceptance();
            compare(finder, grid, length, 2 * kPi * share(), std::min(tilt, 0.49 * kPi));
        }
        // On edges, and as near to them as numbers get.
        for (const double off : {0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-8, -1e-8}) {
            for (int i = 0; i < 4 * azimuths; ++i) {
                compare(finder, grid, 300, (i + 0.5 + off) * kPi / azimuths, 0.1 * grid.acceptance());
            }
            for (int j = 0; j <= tilts; ++j) {
                const double edge = grid.acceptance() * (2.0 * j / tilts - 1) * (1 + off);
                compare(finder, grid, 300, 0.3, edge);
                compare(finder, grid, 300, 0.3 + kPi, edge);
            }
        }
    }

    void linesAlongTheAxesAndOfNoLengthAreTheGridsToo() {
        const ViewGrid grid(40, 3, 10 * kRadPerDeg);
        const CellFinder finder(grid);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const double x : {-1.0, -0.0, 0.0, 1e-200, 1.0}) {
            for (const double y : {-1.0, -0.0, 0.0, 1e-200, 1.0}) {
                for (const double z : {-1.0, -0.0, 0.0, 1e-200, 0.1}) {
                    QCOMPARE(finder.accepts({x, y, z}), grid.accepts({x, y, z}));
                    QCOMPARE(finder.nearest({x, y, z}), grid.nearestCell({x, y, z}).index);
                }
            }
        }
        QVERIFY(!finder.accepts({1, nan, 0}) && !finder.accepts({1, 1, nan}));
    }

  private:
    static void compare(const CellFinder& finder, const ViewGrid& grid, double length, double phi,
                        double tilt) {
        const Vec3 d{length * std::cos(tilt) * std::cos(phi), length * std::cos(tilt) * std::sin(phi),
                     length * std::sin(tilt)};
        QCOMPARE(finder.accepts(d), grid.accepts(d));
        QCOMPARE(finder.nearest(d), grid.nearestCell(d).index);
    }
};

QTEST_GUILESS_MAIN(CellFinderTest)

}  // namespace cell_finder_test
#include "cell_finder_test.moc"
