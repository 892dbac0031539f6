// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/crystal_response.h"

#include <QTest>
#include <cmath>
#include <random>
#include <vector>

namespace crystal_response_test {

using namespace tof;

namespace {

/// Modules with gaps between and within them, so that edges and shadows matter.
Scanner scanner() {
    return Scanner::fromJson(
        R"({"name":"t","modules":{"count":12,"face_to_face_mm":300,"crystals":[6,5],"pitch_mm":[10,10]},)"
        R"("crystal_mm":[9,9.5,24],"attenuation_per_mm":0.06,"acceptance_deg":20,"fov_diameter_mm":180})",
        "test");
}

/// Mean area of crystals in a beam, by following photons that fill a square of the beam.
std::vector<double> followed(const Scanner& scanner, Vec3 d, int photons) {
    const Detector detector(scanner);
    const Vec3 across = normalized(Vec3{-d.y, d.x, 0});
    const Vec3 up = cross(d, across);
    constexpr double kHalf = 90;
    std::vector<double> areas(scanner.crystals.size(), 0.0);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> place(-kHalf, kHalf);
    std::exponential_distribution<double> depth(scanner.attenuation_per_mm);
    for (int i = 0; i < photons; ++i) {
        const Vec3 p = place(random) * across + place(random) * up;
        if (const auto hit = detector.follow(p, d, depth(random))) {
            areas[hit->crystal] += 4 * kHalf * kHalf / photons;
        }
    }
    return areas;
}

}  // namespace

class CrystalResponseTest : public QObject {
    Q_OBJECT

  private slots:
    void turnsAndMirrorsOfTheScannerShareTables() {
        const Scanner s = scanner();

        const CrystalResponse response(s, Detector(s), ThreadPool(2));

        QCOMPARE(response.tables(), std::size_t{9});  // those of a quarter of one module of 6 x 5
    }

    /// No turn and no mirror along its axis leave a ring the same that lacks its modules 0, 1 and 3.
    void withoutSomeModulesOnlyBothEndsShareTables() {
        Scanner s = scanner();
        const std::size_t modules = s.crystals.size() / 30;
        const auto first = s.crystals.begin();
        s.crystals.erase(first + 90, first + 120);
        s.crystals.erase(first, first + 60);

        const CrystalResponse response(s, Detector(s), ThreadPool(2));

        QCOMPARE(response.tables(), (modules - 3) * 6 * 3);
    }

    void areasAreThoseOfFollowedPhotons_data() {
        QTest::addColumn<double>("azimuth_deg");
        QTest::addColumn<double>("tilt_deg");

        QTest::newRow("head-on") << 0.0 << 0.0;
        QTest::newRow("past the gaps")
            << 2.6 << 1.3;  // gaps of 1 and 0.5 mm, closed from 2.4 and 1.2 degrees on
        QTest::newRow("tilted") << 0.0 << 14.0;
        QTest::newRow("oblique") << 23.0 << -9.0;
    }

    /// Every crystal that the square of the beam covers whole; 4.5 SD of its counts and 1.5 % of the mean
    /// area for the table.
    void areasAreThoseOfFollowedPhotons() {
        QFETCH(double, azimuth_deg);
        QFETCH(double, tilt_deg);
        constexpr int kPhotons = 1'000'000;
        const Scanner s = scanner();
        const double phi = azimuth_deg * 0.017453292519943295;
        const double theta = tilt_deg * 0.017453292519943295;
        const Vec3 d{std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta)};
        const CrystalResponse response(s, Detector(s), ThreadPool(2));

        const std::vector<double> areas = followed(s, d, kPhotons);

        const double perPhoton = 180.0 * 180.0 / kPhotons;
        int compared = 0;
        double sum = 0;
        double expectedSum = 0;
        for (std::uint32_t c = 0; c < s.crystals.size(); ++c) {
            const Vec3 p = s.crystals[c].front;
            const Vec3 beside = p - dot(p, d) * d;
            if (dot(p, d) < 0 || norm(beside) > 70) {
                continue;
            }
            const double expected = response.area(c, d);
            const double sd = std::sqrt(expected * perPhoton);
            QVERIFY2(std::abs(areas[c] - expected) < 4.5 * sd + 0.015 * 60,
                     qPrintable(QString("crystal %1: %2 followed, %3").arg(c).arg(areas[c]).arg(expected)));
            ++compared;
            sum += areas[c];
            expectedSum += expected;
        }
        QVERIFY(compared > 40);
        // 4 SD of the photons counted, and 0.5 % for table and rays.
        const double sd = std::sqrt(perPhoton / expectedSum);
        qInfo() << "followed over expected" << sum / expectedSum << "SD" << sd;
        QVERIFY2(std::abs(sum / expectedSum - 1) < 4 * sd + 0.005,
                 qPrintable(QString::number(sum / expectedSum)));
    }

    /// A point in the middle: pairs of opposite crystals share what flies into both.
    void pairsBeyondTheAcceptanceExpectNothing() {
        const Scanner s = scanner();
        const PairFactors factors(s, ThreadPool(2));
        const auto opposite = static_cast<std::uint32_t>(6 * 30);

        QVERIFY(factors.of(0, opposite) > 0);
        QCOMPARE(factors.of(0, opposite), factors.of(opposite, 0));
        QCOMPARE(factors.of(0, 0), 0.0);
        Scanner narrow = s;
        narrow.acceptance_rad = 0.05;
        const auto top = static_cast<std::uint32_t>(opposite + 29);
        QVERIFY(factors.of(0, top) > 0);
        QCOMPARE(PairFactors(narrow, ThreadPool(2)).of(0, top), 0.0);
    }
};

QTEST_GUILESS_MAIN(CrystalResponseTest)

}  // namespace crystal_response_test
#include "crystal_response_test.moc"
