// SPDX-License-Identifier: Apache-2.0
// Widths of lines around a point against what geometry says of them.
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/simulate/point_spread.h"

namespace point_spread_test {

using namespace tof;

class PointSpreadTest : public QObject {
    Q_OBJECT

    /// Rings of 4.3 mm wide crystals without gaps of interest, about 477 mm from the axis.
    static Scanner ideal() { return Scanner::find("labr3-ideal"); }

    /// The variance of the narrow and the wide Gaussian together.
    static double variance(const PointSpread& spread, double width) {
        return width * width *
               (1 - spread.tailShare + spread.tailShare * spread.tailWidth * spread.tailWidth);
    }

  private slots:
    void crystalsThatStopEveryPhotonSpreadByTheirFaces() {
        nlohmann::json description = nlohmann::json::parse(ideal().toJson());
        description["attenuation_per_mm"] = 10;
        description["mean_depth_mm"] = 0.1;
        const Scanner scanner = Scanner::fromJson(description.dump(), "opaque");
        const PointSpread spread = pointSpreadOf(scanner, ThreadPool());
        // Two faces of a pitch, each even, and the point between them at the share t of the way from the
        // middle: the line lies (1 + t)/2 of one and (1 - t)/2 of the other off. Squares of 24,000 numbers
        // are right to sqrt(2/24000) = 0.9 %; faces are 4 mm of a pitch of 4.3, whose variance is 0.93 of
        // it where photons in the gap are stopped deeper.
        const double face = 4.3 * 4.3 / 12;
        const double ring_mm = 465 + 0.1;
        // Farther out, faces seen from the side are narrower, and the straight line in sin^2 does not hold.
        for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) {
            const double t = spread.step_mm * static_cast<double>(i) / ring_mm;
            const double tangential = variance(spread, spread.at[i].tangential_mm);
            const double expected = 0.5 * face * (1 + t * t);
            QVERIFY2(std::abs(tangential / expected - 1) < 0.1,
                     qPrintable(QString("%1: %2 of %3").arg(i).arg(tangential).arg(expected)));
            const double axial = variance(spread, spread.at[i].axial_mm);
            QVERIFY2(std::abs(axial / (0.5 * face) - 1) < 0.2, qPrintable(QString::number(axial)));
        }
    }

    void depthSpreadsAlongTheRadiusWithItsSquare() {
        const Scanner scanner = ideal();
        const PointSpread spread = pointSpreadOf(scanner, ThreadPool());
        // Depths are exponential, cut off at the crystals' length: seen from the side at the sine s/R, two
        // ends each half of the line.
        const double mu = scanner.attenuation_per_mm;
        const double length = scanner.crystalSize_mm[2];
        const double e = std::exp(mu * length);
        const double depth = 1 / (mu * mu) - length * length * e / ((e - 1) * (e - 1));
        const double ring_mm = 465 + 12;
        for (const std::size_t i : {std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
            const double sine = spread.step_mm * static_cast<double>(i) / ring_mm;
            const double excess =
                variance(spread, spread.at[i].radial_mm) - variance(spread, spread.at[0].radial_mm);
            // Slanted photons cross several crystals, so that depth and crystal are not independent.
            const double expected = 0.5 * depth * sine * sine;
            QVERIFY2(std::abs(excess / expected - 1) < 0.25,
                     qPrintable(QString("%1: %2 of %3").arg(i).arg(excess).arg(expected)));
        }
        QCOMPARE(spread.at[0].radial_mm, spread.at[0].tangential_mm);
    }

    void isTheSameWhoeverAsks() {
        const Scanner scanner = Scanner::find("inveon");
        double told = 0;
        const PointSpread one = pointSpreadOf(scanner, ThreadPool(1), [&](double share) {
            QVERIFY(share >= told && share < 1);
            told = share;
        });
        const PointSpread two = pointSpreadOf(scanner, ThreadPool(3));
        QVERIFY(told > 0.9);
        QCOMPARE(one.tailShare, two.tailShare);
        QCOMPARE(one.at.size(), two.at.size());
        for (std::size_t i = 0; i < one.at.size(); ++i) {
            QCOMPARE(one.at[i].radial_mm, two.at[i].radial_mm);
            QCOMPARE(one.at[i].axial_mm, two.at[i].axial_mm);
        }
    }

    void variancesLieBetweenTheDistances() {
        PointSpread spread;
        spread.step_mm = 10;
        spread.at = {{1, 1, 2}, {3, 1, 2}};
        QCOMPARE(spread.widths(5).radial_mm, std::sqrt(5.0));
        QCOMPARE(spread.widths(50).radial_mm, 3.0);
        QCOMPARE(spread.widened(4).at[1].radial_mm, 5.0);
        QCOMPARE(spread.widened(0).at[0].axial_mm, 2.0);
    }

    void aScannerThatSaysNothingOfItsCrystalsIsRefused() {
        Scanner scanner = ideal();
        scanner.attenuation_per_mm = 0;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(pointSpreadOf(scanner, ThreadPool())), WrongUse);
    }

    void twoPanelsAreRefused() {
        for (const char* name : {"small-panel", "hrrt-panel-2"}) {
            const Scanner panels = Scanner::find(name);
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(pointSpreadOf(panels, ThreadPool())), WrongUse);
        }
    }

    void crystalsWhoseLinesPassTheirPointFarOffAreRefused() {
        // Lines pass the middle by the mean of two places on faces 240 mm wide: within 40 mm along one axis
        // 1 - (80/120)^2 = 0.56 of them, along both 0.31.
        const Scanner scanner = Scanner::fromJson(R"({"name": "coarse", "modules": {"count": 12,
            "face_to_face_mm": 930, "crystals": [1, 1], "pitch_mm": [240, 240]}, "crystal_mm": [240, 240, 30],
            "attenuation_per_mm": 0.0917, "acceptance_deg": 20, "fov_diameter_mm": 400,
            "timing_fwhm_ps": 400})",
                                                  "coarse");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(pointSpreadOf(scanner, ThreadPool())), WrongUse);
    }
};

QTEST_GUILESS_MAIN(PointSpreadTest)

}  // namespace point_spread_test
#include "point_spread_test.moc"
