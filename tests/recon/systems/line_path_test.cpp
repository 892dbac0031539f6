// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/systems/lines/line_operator.h"

namespace line_path_test {

using namespace tof;

namespace {

const Lattice kLattice = Lattice::centred({13, 10, 7}, {2.0, 3.0, 5.0});  // 26 x 30 x 35 mm

/// The coefficients of one line as a dense row.
std::vector<double> row(const LineOperator& op, Vec3 one, Vec3 two, int timeBin = 0) {
    std::vector<double> values(kLattice.voxels(), 0.0);
    followLine(op, one, two, timeBin, [&](int voxel, float length) {
        values[static_cast<std::size_t>(voxel)] += static_cast<double>(length);
    });
    return values;
}

double total(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

LineOperator plain(bool joseph = false) {
    return {rayGrid(kLattice, 0), {0, 0, 0, 0}, joseph};
}

/// Length of the segment one-two inside the box of the lattice, by the slab method.
double chord(Vec3 one, Vec3 two) {
    const double half[3] = {13.0, 15.0, 17.5};
    const double a[3] = {one.x, one.y, one.z};
    const double b[3] = {two.x, two.y, two.z};
    double low = 0;
    double high = 1;
    for (int k = 0; k < 3; ++k) {
        const double d = b[k] - a[k];
        if (d == 0) {
            if (std::abs(a[k]) > half[k]) {
                return 0;
            }
            continue;
        }
        low = std::max(low, std::min((-half[k] - a[k]) / d, (half[k] - a[k]) / d));
        high = std::min(high, std::max((-half[k] - a[k]) / d, (half[k] - a[k]) / d));
    }
    return high > low ? (high - low) * norm(two - one) : 0;
}

}  // namespace

class RingPathTest : public QObject {
    Q_OBJECT

  private slots:
    void randomRaysSumToTheirChord() {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> within(-1, 1);
        int hits = 0;
        for (int i = 0; i < 20000; ++i) {
            const Vec3 one{60 * within(random), 60 * within(random), 40 * within(random)};
            const Vec3 two{60 * within(random), 60 * within(random), 40 * within(random)};
            const double expected = chord(one, two);
            hits += expected > 0 ? 1 : 0;
            QVERIFY2(std::abs(total(row(plain(), one, two)) - expected) <= 1e-5 * std::max(expected, 1.0),
                     qPrintable(QString("ray %1").arg(i)));
        }
        QVERIFY(hits > 3000);
    }

    void specialRaysSumToTheirChord_data() {
        QTest::addColumn<QList<double>>("ends");
        QTest::addColumn<double>("expected");
        const double diagonal = std::sqrt(26.0 * 26 + 30 * 30 + 35 * 35);
        const double plane = std::sqrt(26.0 * 26 + 30 * 30);
        QTest::newRow("along x") << QList<double>{-99, 1, 1, 99, 1, 1} << 26.0;
        QTest::newRow("along -x") << QList<double>{99, 1, 1, -99, 1, 1} << 26.0;
        QTest::newRow("along y") << QList<double>{0.5, -99, 1, 0.5, 99, 1} << 30.0;
        QTest::newRow("along z") << QList<double>{0.5, 1, 99, 0.5, 1, -99} << 35.0;
        QTest::newRow("diagonal, through two corners")
            << QList<double>{-26, -30, -35, 26, 30, 35} << diagonal;
        QTest::newRow("other diagonal") << QList<double>{26, -30, 35, -26, 30, -35} << diagonal;
        QTest::newRow("in-plane diagonal") << QList<double>{-26, 30, 1, 26, -30, 1} << plane;
        QTest::newRow("along an inner x face") << QList<double>{1, -99, 1, 1, 99, 1} << 30.0;
        QTest::newRow("along an inner edge") << QList<double>{1, 0, -99, 1, 0, 99} << 35.0;
        QTest::newRow("along the first face") << QList<double>{-13, -99, 1, -13, 99, 1} << 30.0;
        QTest::newRow("along the last face") << QList<double>{13, -99, 1, 13, 99, 1} << 30.0;
        QTest::newRow("along an inner face but for rounding")
            << QList<double>{1 + 1e-13, -99, 1, 1 - 1e-13, 99, 1} << 30.0;
        QTest::newRow("missing, parallel") << QList<double>{13.001, -99, 1, 13.001, 99, 1} << 0.0;
        QTest::newRow("missing, oblique") << QList<double>{-99, -50, 0, 99, 200, 0} << 0.0;
        QTest::newRow("touching a corner") << QList<double>{0, 28, 0, 26, 2, 0} << 0.0;
        QTest::newRow("starting inside") << QList<double>{0.3, 0.2, 0.1, 99, 0.2, 0.1} << 12.7;
        QTest::newRow("both ends inside one voxel") << QList<double>{0.1, 0.2, 0.1, 0.4, 0.2, 0.1} << 0.3;
        QTest::newRow("a point") << QList<double>{1, 1, 1, 1, 1, 1} << 0.0;
    }
    void specialRaysSumToTheirChord() {
        QFETCH(QList<double>, ends);
        QFETCH(double, expected);

        const double sum = total(row(plain(), {ends[0], ends[1], ends[2]}, {ends[3], ends[4], ends[5]}));

        QVERIFY2(std::abs(sum - expected) <= 1e-5 * std::max(expected, 1.0),
                 qPrintable(QString("%1 instead of %2").arg(sum, 0, 'g', 9).arg(expected, 0, 'g', 9)));
    }

    void coefficientsAreTheLengthsInEachVoxel() {
        // From (-13, -3, 0) with slope 3/4: crosses x faces every 2 mm and y faces at -3, 0, 3, ...
        const std::vector<double> values = row(plain(), {-13 - 4, -3 - 3, 0}, {-13 + 40, -3 + 30, 0});

        // Row y = 4 ([-3, 0)) is crossed while x runs from -13 to -9, row 5 from -9 to -5, ...
        for (int x = 0; x < 13; ++x) {
            for (int y = 0; y < 10; ++y) {
                const double from = std::max(-13.0 + 4.0 * (y - 4), -13.0 + 2.0 * x);
                const double to = std::min(-13.0 + 4.0 * (y - 3), -13.0 + 2.0 * (x + 1));
                const double expected = std::max(to - from, 0.0) * 1.25;
                QVERIFY(std::abs(values[kLattice.index(x, y, 3)] - expected) < 1e-5);
            }
        }
    }

    void aTieChoosesTheSameVoxelsWhateverTheRounding() {
        // A line on the face between voxels 6 and 7 along x, its ends off by rounding either way.
        const auto reference = row(plain(), {1, -99, 1}, {1, 99, 1});
        for (const double off : {1e-12, -1e-12}) {
            for (const double tilt : {1e-12, -1e-12}) {
                const auto values = row(plain(), {1 + off + tilt, -99, 1}, {1 + off - tilt, 99, 1});
                for (std::size_t i = 0; i < values.size(); ++i) {
                    QVERIFY(std::abs(values[i] - reference[i]) < 1e-6);
                }
            }
        }
    }

    void theFieldOfViewCutsLines() {
        LineOperator op = plain();
        op.grid = rayGrid(kLattice, 10.0);

        QVERIFY(std::abs(total(row(op, {-99, 6, 0}, {99, 6, 0})) - 16.0) < 1e-5);
        QCOMPARE(total(row(op, {-99, 10.5, 0}, {99, 10.5, 0})), 0.0);
        QVERIFY(std::abs(total(row(op, {1, 1, -99}, {1, 1, 99})) - 35.0) < 1e-5);
        QCOMPARE(total(row(op, {8, 8, -99}, {8, 8, 99})), 0.0);
    }

    void josephSumsToTheChordAwayFromTheSides() {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> within(-1, 1);
        for (int i = 0; i < 2000; ++i) {
            // Main axis y; enters and leaves through y faces, at least one voxel away from the other sides.
            const Vec3 one{10 * within(random), -40, 12 * within(random)};
            const Vec3 two{10 * within(random), 40, 12 * within(random)};
            const double sum = total(row(plain(true), one, two));
            QVERIFY(std::abs(sum - chord(one, two)) <= 1e-5 * chord(one, two));
        }
    }

    void josephInterpolatesBetweenVoxelCentres() {
        // Parallel to y, a quarter of a voxel from the centre of x = 6 towards x = 7, at the centre of z = 3.
        const auto values = row(plain(true), {0.5, -99, 0}, {0.5, 99, 0});

        for (int y = 0; y < 10; ++y) {
            QVERIFY(std::abs(values[kLattice.index(6, y, 3)] - 0.75 * 3) < 1e-5);
            QVERIFY(std::abs(values[kLattice.index(7, y, 3)] - 0.25 * 3) < 1e-5);
        }
        QVERIFY(std::abs(total(values) - 30) < 1e-5);
    }

    void timeBinsSumToTheLineWithoutTime_data() {
        QTest::addColumn<int>("bins");
        QTest::addColumn<double>("width");
        QTest::addColumn<bool>("joseph");
        for (const bool joseph : {false, true}) {
            const char* const name = joseph ? "joseph" : "siddon";
            QTest::addRow("%s, 27 bins of 6 mm", name) << 27 << 6.0 << joseph;
            QTest::addRow("%s, 4 bins of 5 mm, narrower than the lattice", name) << 4 << 5.0 << joseph;
            QTest::addRow("%s, one bin", name) << 1 << 10.0 << joseph;
        }
    }
    void timeBinsSumToTheLineWithoutTime() {
        QFETCH(int, bins);
        QFETCH(double, width);
        QFETCH(bool, joseph);
        LineOperator op = plain(joseph);
        op.tof = {bins, width, 7.0, 4.5 * 7.0};
        std::mt19937_64 random(3);
        std::uniform_real_distribution<double> within(-1, 1);
        for (int i = 0; i < 50; ++i) {
            const Vec3 one{60 * within(random), -40, 20 * within(random)};
            const Vec3 two{60 * within(random), 50, 20 * within(random)};
            const auto expected = row(plain(joseph), one, two);
            std::vector<double> sum(expected.size(), 0.0);
            for (int k = 0; k < bins; ++k) {
                const auto values = row(op, one, two, k);
                std::transform(sum.begin(), sum.end(), values.begin(), sum.begin(), std::plus<>());
            }
            for (std::size_t v = 0; v < sum.size(); ++v) {
                QVERIFY(std::abs(sum[v] - expected[v]) <= 1e-4 * std::max(expected[v], 0.01));
            }
        }
    }

    void aTimeBinHoldsTheGaussianIntegratedOverTheSegment() {
        // Numerical integral over the segment of the probability of the bin, 2000 points.
        const RayTof tof{9, 6.0, 7.0, 4.5 * 7.0};
        for (const int k : {0, 3, 4, 8}) {
            for (const double a0 : {-20.0, -3.0, 0.0, 5.5, 25.0}) {
                const double a1 = a0 + 2.5;
                const auto below = [&](double edge, double a) {
                    return 0.5 * std::erfc((a - edge) / 7.0 / std::sqrt(2.0));
                };
                double expected = 0;
                for (int i = 0; i < 2000; ++i) {
                    const double a = a0 + 2.5 * (i + 0.5) / 2000;
                    const double low = k == 0 ? 0.0 : below(6.0 * (k - 4.5), a);
                    const double high = k == 8 ? 1.0 : below(6.0 * (k - 3.5), a);
                    expected += (high - low) * 2.5 / 2000;
                }
                TimeWalker walker(tof, k);
                // Beyond the cutoff at 4.5 sigma the tail of 7e-6 is taken as zero.
                QVERIFY(std::abs(timeShare(tof, k, a0, a1) - expected) < 2e-5);
                QVERIFY(std::abs(walker.share(a0, a1) - expected) < 2e-5);
            }
        }
    }
};

QTEST_APPLESS_MAIN(RingPathTest)

}  // namespace line_path_test
#include "line_path_test.moc"
