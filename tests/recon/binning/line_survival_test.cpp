// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <random>

#include "recon/binning/line_survival.h"
#include "recon/phantom/attenuation.h"

namespace line_survival_test {

using namespace tof;

namespace {

/// Attenuation that differs from voxel to voxel, in a body that does not fill its lattice evenly.
Volume unevenBody() {
    Volume body(Lattice::centred({30, 24, 20}, {3, 4, 2}), 0.0F);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> mu(0.0F, 0.02F);
    body.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = body.lattice.centre(x, y, z);
        body.at(x, y, z) = std::hypot(p.x, p.y) < 40 - 0.3 * p.z ? mu(random) : 0.0F;
    });
    return body;
}

}  // namespace

class LineSurvivalTest : public QObject {
    Q_OBJECT

  private slots:
    void agreesWithSiddonInThePlane_data() {
        QTest::addColumn<double>("azimuth");
        for (const double azimuth : {0.0, 0.3, 1.5707963267948966, 2.2, 3.1}) {
            QTest::newRow(qPrintable(QString::number(azimuth))) << azimuth;
        }
    }
    void agreesWithSiddonInThePlane() {
        QFETCH(double, azimuth);
        const Volume body = unevenBody();
        // A height in each slice, and some outside.
        const Samples heights{30, -29, 2};
        const LineSurvival lines(body, heights, 0.2, ThreadPool(2));
        const Vec3 along{std::cos(azimuth), std::sin(azimuth), 0};
        std::vector<float> survival(heights.count);
        std::vector<ShiftedColumn> crossed;
        for (double s = -60; s <= 60; s += 1.7) {
            const Vec3 foot{-s * along.y, s * along.x, 0};
            lines.along(foot, along, 0, crossed, survival.data());
            for (std::size_t h = 0; h < heights.count; ++h) {
                const Vec3 p{foot.x, foot.y, heights.at(h)};
                const double expected = std::exp(-lineIntegral(body, p, along, 1e9));
                // Sums of some 50 floats.
                QVERIFY2(std::abs(static_cast<double>(survival[h]) - expected) < 1e-5,
                         qPrintable(QString("s %1 height %2: %3 for %4")
                                        .arg(s)
                                        .arg(heights.at(h))
                                        .arg(static_cast<double>(survival[h]))
                                        .arg(expected)));
            }
        }
    }

    void followsATiltedLine() {
        // Where attenuation changes evenly with height, a line sees the mean of what it passes: means between
        // heights and a step per column lose nothing but a column's share of the line's end.
        Volume body(Lattice::centred({40, 40, 60}, {2, 2, 2}), 0.0F);
        body.lattice.forEachVoxel([&](int x, int y, int z) {
            body.at(x, y, z) = static_cast<float>(0.01 + 1e-4 * body.lattice.centre(x, y, z).z);
        });
        const double tangent = 0.17;
        const Samples heights{20, -20, 2};
        const LineSurvival lines(body, heights, tangent, ThreadPool(2));
        std::vector<float> survival(heights.count);
        std::vector<ShiftedColumn> crossed;
        const Vec3 along{std::cos(0.4), std::sin(0.4), 0};
        for (const double slope : {tangent, -tangent}) {
            lines.along({}, along, slope, crossed, survival.data());
            const double cosine = 1 / std::sqrt(1 + slope * slope);
            for (std::size_t h = 0; h < heights.count; ++h) {
                const Vec3 d{cosine * along.x, cosine * along.y, cosine * slope};
                const double siddon = lineIntegral(body, {0, 0, heights.at(h)}, d, 1e9);
                const double found = -std::log(static_cast<double>(survival[h]));
                // A voxel's steps of 2e-4 per mm even out but for one at either end, 2.2 mm long.
                QVERIFY2(std::abs(found - siddon) < 2 * 2.2 * 2e-4,
                         qPrintable(QString("%1 for %2").arg(found).arg(siddon)));
            }
        }
    }

    void aBodyLongerThanTheHeightsIsSeenWhole() {
        // A tilted line leaves the range of heights and meets the body's end beyond it.
        Volume body(Lattice::centred({40, 4, 100}, {2, 2, 2}), 0.01F);
        const Samples heights{2, -1, 2};
        const LineSurvival lines(body, heights, 1.0, ThreadPool(2));
        std::vector<float> survival(heights.count);
        std::vector<ShiftedColumn> crossed;
        lines.along({}, {1, 0, 0}, 1.0, crossed, survival.data());
        const double expected = std::exp(-0.01 * 80 * std::sqrt(2.0));
        QVERIFY(std::abs(static_cast<double>(survival[0]) - expected) < 1e-5);
    }
};

QTEST_GUILESS_MAIN(LineSurvivalTest)

}  // namespace line_survival_test
#include "line_survival_test.moc"
