// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "recon/binning/interaction_points.h"
#include "recon/scanner/scanner.h"

namespace interaction_points_test {

using namespace tof;

namespace {

/// Crystal of labr3's module 0, by column (from -azimuth), in the middle row.
std::uint32_t crystalAt(std::uint32_t column) {
    return 30U * 27 + column;
}

/// Axes of labr3's module 0: into the crystals, and along growing azimuth.
struct Axes {
    explicit Axes(const Scanner& scanner)
        : outward(scanner.crystals[crystalAt(0)].outward),
          transaxial(
              normalized(scanner.crystals[crystalAt(26)].front - scanner.crystals[crystalAt(0)].front)) {}
    Vec3 outward;
    Vec3 transaxial;
};

}  // namespace

class InteractionPointsTest : public QObject {
    Q_OBJECT

  private slots:
    void headOnPhotonsInteractAtTheReferencePoint() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const InteractionPoints points(scanner, ThreadPool(2));
        for (const std::uint32_t column : {5U, 13U, 21U}) {
            const Vec3 away =
                points.at(crystalAt(column), Axes(scanner).outward) - scanner.reference(crystalAt(column));
            // 32 depths a ray stand for the exponential: the quadrature's midpoints miss 0.02 mm of its mean.
            QVERIFY2(norm(away) < 0.05, qPrintable(QString::number(norm(away))));
        }
    }

    void slantedPhotonsInteractLessDeep_data() {
        QTest::addColumn<double>("slope");
        QTest::newRow("27 degrees") << 0.5;
        QTest::newRow("37 degrees") << 0.75;
        QTest::newRow("-37 degrees") << -0.75;
    }
    void slantedPhotonsInteractLessDeep() {
        // Far from the module's sides a slanted ray meets crystal and gap in the ratio of the pitch: 4.0
        // of 4.3 mm, over sqrt(1 + slope^2) mm of way per mm of depth.
        QFETCH(double, slope);
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Axes axes(scanner);
        const InteractionPoints points(scanner, ThreadPool(2));
        const double mu = scanner.attenuation_per_mm * 4.0 / 4.3 * std::sqrt(1 + slope * slope);
        const double expected = meanInteractionDepth(mu, 30) - scanner.meanDepth_mm;

        const Vec3 away = points.at(crystalAt(13), slope * axes.transaxial + axes.outward) -
                          scanner.reference(crystalAt(13));

        // The ray's first crystal and gap come in whole pieces: a share of the 4.3 mm pitch over the slope.
        QVERIFY2(std::abs(dot(away, axes.outward) - expected) < 0.15,
                 qPrintable(QString("%1, expected %2").arg(dot(away, axes.outward)).arg(expected)));
        QVERIFY(std::abs(dot(away, axes.transaxial)) < 0.15);
    }

    void aModulesTwoSidesMirrorEachOther() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Axes axes(scanner);
        const InteractionPoints points(scanner, ThreadPool(2));
        double largest = 0;
        for (std::uint32_t column = 0; column < 13; ++column) {
            for (const double slope : {-0.9, -0.33, 0.12, 0.6}) {
                const Vec3 left = points.at(crystalAt(column), slope * axes.transaxial + axes.outward) -
                                  scanner.reference(crystalAt(column));
                const Vec3 right =
                    points.at(crystalAt(26 - column), -slope * axes.transaxial + axes.outward) -
                    scanner.reference(crystalAt(26 - column));
                QVERIFY(std::abs(dot(left, axes.outward) - dot(right, axes.outward)) < 1e-3);
                QVERIFY(std::abs(dot(left, axes.transaxial) + dot(right, axes.transaxial)) < 1e-3);
                largest = std::max(largest, norm(left));
            }
        }
        // Crystals beside the gap are entered through their sides, too: otherwise 1.0 mm would be the most.
        QVERIFY2(largest > 1.0, qPrintable(QString::number(largest)));
        QVERIFY(largest < 30);
    }

    void unknownCrystalsKeepTheReferencePoint() {
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.attenuation_per_mm = 0;
        const InteractionPoints points(scanner, ThreadPool(2));
        QCOMPARE(norm(points.at(7, scanner.crystals[7].outward) - scanner.reference(7)), 0.0);
    }

    void linesThatLeaveThroughTheFrontKeepTheReferencePoint() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const InteractionPoints points(scanner, ThreadPool(2));
        QCOMPARE(norm(points.at(7, -scanner.crystals[7].outward) - scanner.reference(7)), 0.0);
    }
};

QTEST_GUILESS_MAIN(InteractionPointsTest)

}  // namespace interaction_points_test
#include "interaction_points_test.moc"
