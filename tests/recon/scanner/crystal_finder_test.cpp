// SPDX-License-Identifier: Apache-2.0
#include "recon/scanner/crystal_finder.h"

#include <QTest>
#include <cmath>
#include <random>

#include "recon/scanner/scanner.h"

namespace crystal_finder_test {

using namespace tof;

namespace {

/// Eight modules of two layers, with gaps between crystals; their corners nearly touch.
Scanner twoLayers() {
    return Scanner::fromJson(R"({"name": "layers", "modules": {"count": 8, "face_to_face_mm": 60,
        "first_angle_deg": 10, "crystals": [5, 4], "pitch_mm": [4.5, 5], "layers": 2}, "crystal_mm": [4, 4.6, 10],
        "acceptance_deg": 40, "fov_diameter_mm": 50})",
                             "layers");
}

/// Distance of a place from a crystal: what of its coordinates along the crystal's edges lies beyond them.
double distanceFrom(const Scanner& scanner, const Crystal& crystal, Vec3 place) {
    const Vec3 from = place - crystal.front;
    const Vec3 across = normalized(cross(Vec3{0, 0, 1}, crystal.outward));
    const double depth = dot(from, crystal.outward);
    const double t = std::max(0.0, std::abs(dot(from, across)) - scanner.crystalSize_mm[0] / 2);
    const double z = std::max(0.0, std::abs(from.z) - scanner.crystalSize_mm[1] / 2);
    const double d = std::max({0.0, -depth, depth - scanner.crystalSize_mm[2]});
    return std::sqrt(t * t + z * z + d * d);
}

}  // namespace

class CrystalFinderTest : public QObject {
    Q_OBJECT

  private slots:
    void placesGoToTheNearestOfAllCrystals() {
        const Scanner scanner = twoLayers();
        const CrystalFinder finder(scanner);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> transverse(-110, 110);
        std::uniform_real_distribution<double> axial(-35, 35);
        int inside = 0;
        int beyond = 0;

        for (int i = 0; i < 20000; ++i) {
            const Vec3 place{transverse(random), transverse(random), axial(random)};
            double nearest = 1e9;
            for (const Crystal& crystal : scanner.crystals) {
                nearest = std::min(nearest, distanceFrom(scanner, crystal, place));
            }
            const CrystalFinder::Found found = finder.find(place);
            if (nearest > CrystalFinder::kReach_mm) {
                QVERIFY(std::isinf(found.outside_mm));
                ++beyond;
                continue;
            }
            QVERIFY(std::abs(found.outside_mm - nearest) < 1e-9);
            QVERIFY(distanceFrom(scanner, scanner.crystals[found.crystal], place) < nearest + 1e-9);
            inside += nearest == 0 ? 1 : 0;
        }

        QVERIFY(inside > 200 && beyond > 1000);
    }

    void whatIsNoPlaceIsFoundNowhere() {
        const CrystalFinder finder(twoLayers());

        for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            QVERIFY(std::isinf(finder.find({bad, 0, 0}).outside_mm));
        }
    }
};

QTEST_APPLESS_MAIN(CrystalFinderTest)

}  // namespace crystal_finder_test
#include "crystal_finder_test.moc"
