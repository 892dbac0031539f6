// SPDX-License-Identifier: Apache-2.0
// Image quality on images whose figures a calculation by hand says.
#include "recon/nema/image_quality.h"

#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/error.h"

namespace image_quality_test {

using namespace tof;

namespace {

/// The phantom with its spheres `ratio` times as active as recovery `recovery` of their contrast leaves, by
/// voxels whose centre lies inside.
Volume painted(const Phantom& phantom, const Lattice& lattice, double recovery, double lung, Vec3 moved) {
    Volume image(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = lattice.centre(x, y, z) - moved;
        double value = 0;
        for (const PhantomShape& shape : phantom.shapes) {
            if (shape.contains(p)) {
                value = shape.role == "sphere"        ? 1 + recovery * (shape.activity - 1)
                        : shape.name == "lung insert" ? lung
                                                      : shape.activity;
            }
        }
        image.at(x, y, z) = static_cast<float>(100 * value);
    });
    return image;
}

}  // namespace

class ImageQualityTest : public QObject {
    Q_OBJECT

  private slots:
    /// The torso is 294 mm wide and 224 mm high, its background 1 and its spheres 4.
    void thePhantomIsTheStandards() {
        const Phantom phantom = Phantom::find("nema-iq-2018");
        const Lattice lattice = Lattice::centred({160, 130, 1}, {2, 2, 2});
        const Volume activity = phantom.emissionOn(lattice, 2);
        const auto at = [&](double x, double y) { return activity.at(lattice.voxelAt({x, y, 0})); };
        QCOMPARE(at(0, 109), 1.0F);
        QCOMPARE(at(0, 115), 0.0F);
        QCOMPARE(at(60, -109), 1.0F);
        QCOMPARE(at(60, -115), 0.0F);
        QCOMPARE(at(144, -35), 1.0F);
        QCOMPARE(at(150, -35), 0.0F);
        QCOMPARE(at(140, -100), 0.0F);  // a corner is round
        QCOMPARE(at(0, 0), 0.0F);
        QCOMPARE(at(-57.2, 0), 4.0F);
    }

    /// Its scan has the torso and a line of 116 MBq where the background has 5.3 kBq/ml, by arithmetic: half
    /// a disc of 147 mm, a box and two quarters of 77 mm, without the lung insert, and spheres thrice more.
    void theScanHasTheStandardsActivities() {
        const Phantom scan = Phantom::find("nema-iq-scan");
        const Phantom torso = Phantom::find("nema-iq-2018");
        QCOMPARE(scan.shapes.size(), torso.shapes.size() + 2);
        for (std::size_t i = 0; i < torso.shapes.size(); ++i) {
            QCOMPARE(scan.shapes[i].activity, torso.shapes[i].activity);
            QCOMPARE(norm(scan.shapes[i].centre - torso.shapes[i].centre), 0.0);
        }
        const PhantomShape& line = scan.shapes.back();
        QVERIFY(std::abs(5.3e-6 * line.activity * line.volume_mm3() - 116) < 0.1);
        // Behind the torso, which ends at -112 mm.
        QVERIFY(line.centre.z + line.size_mm.z / 2 <= -112);
        double ml = (M_PI * 147 * 147 / 2 + 140 * 77 + M_PI * 77 * 77 / 2 - M_PI * 25 * 25) * 180 / 1000;
        for (const double radius : {5.0, 6.5, 8.5, 11.0, 14.0, 18.5}) {
            ml += 3 * 4 * M_PI / 3 * std::pow(radius, 3) / 1000;
        }
        QVERIFY2(std::abs(nemaScanActivity_MBq(scan) / (116 + 5.3e-3 * ml) - 1) < 0.005,
                 qPrintable(QString::number(nemaScanActivity_MBq(scan))));
    }

    void knownContrastComesBack_data() {
        QTest::addColumn<double>("recovery");
        QTest::addColumn<double>("lung");
        QTest::newRow("perfect") << 1.0 << 0.0;
        QTest::newRow("a third of contrast is lost") << 0.66 << 0.12;
    }
    void knownContrastComesBack() {
        QFETCH(double, recovery);
        QFETCH(double, lung);
        const Phantom phantom = Phantom::find("nema-iq-2018");
        const Vec3 moved{3, -2, 5};
        const Volume image =
            painted(phantom, Lattice::centred({320, 250, 40}, {1, 1, 4}), recovery, lung, moved);
        const ImageQuality quality = imageQuality(image, phantom, moved);
        QCOMPARE(quality.spheres.size(), std::size_t{6});
        for (const SphereQuality& sphere : quality.spheres) {
            // A circle of voxels of 1 mm: its rim, 1 mm of a radius of 5, is half outside at most.
            const double rim = 100 * recovery * 0.5 / (0.5 * sphere.diameter_mm);
            QVERIFY2(sphere.contrast < 100 * recovery + 0.01 && sphere.contrast > 100 * recovery - rim,
                     qPrintable(QString("%1: %2").arg(sphere.diameter_mm).arg(sphere.contrast)));
            QVERIFY(sphere.variability < 1e-4);
            const double recovered = (1 + recovery * 3) / 4;
            QVERIFY(std::abs(sphere.maxRecovery - recovered) < 1e-4);
            QVERIFY(std::abs(sphere.meanRecovery - recovered) < 1e-4);
        }
        QVERIFY(std::abs(quality.background - 100) < 1e-4);
        QVERIFY(std::abs(quality.lungMean - 100 * lung) < 1e-3);
        QVERIFY(quality.lung.size() > 25);
        QVERIFY(quality.clearance_mm >= 0 && quality.clearance_mm <= 15);
    }

    /// White noise of relative SD s: a circle of n voxels has s / sqrt(n).
    void variabilityIsThatOfCircles() {
        const Phantom phantom = Phantom::find("nema-iq-2018");
        const Lattice lattice = Lattice::centred({160, 125, 40}, {2, 2, 4});
        Volume image = painted(phantom, lattice, 1, 0, {});
        std::mt19937 random(1);
        std::normal_distribution<float> noise(0, 20);
        for (float& value : image.data) {
            value += noise(random);
        }
        const ImageQuality quality = imageQuality(image, phantom, {});
        for (const SphereQuality& sphere : quality.spheres) {
            const double voxels = M_PI * sphere.diameter_mm * sphere.diameter_mm / 4 / 4;
            const double expected = 20 / std::sqrt(voxels);
            // 60 circles know an SD to 9 %; voxels at the rim count in part, which takes up to 15 % off.
            QVERIFY2(std::abs(sphere.variability / expected - 0.95) < 0.35,
                     qPrintable(QString("%1 for %2").arg(sphere.variability).arg(expected)));
        }
    }

    void whatIsNoSuchPhantomIsRefused() {
        const Volume small(Lattice::centred({20, 20, 20}, {4, 4, 4}), 1.0F);
        QVERIFY_EXCEPTION_THROWN((void)imageQuality(small, Phantom::find("nema-iq-2018"), {}), BadInput);
        QVERIFY_EXCEPTION_THROWN((void)imageQuality(small, Phantom::find("nema-line"), {}), BadInput);
    }

    void whatHasNoFiguresIsRefused() {
        Phantom phantom = Phantom::find("nema-iq-2018");
        const Volume empty(Lattice::centred({160, 125, 40}, {2, 2, 4}));
        QVERIFY_EXCEPTION_THROWN((void)imageQuality(empty, phantom, {}), BadInput);
        for (PhantomShape& shape : phantom.shapes) {
            shape.activity = shape.role == "sphere" ? 1 : shape.activity;
        }
        const Volume even = painted(phantom, empty.lattice, 1, 0, {});
        QVERIFY_EXCEPTION_THROWN((void)imageQuality(even, phantom, {}), BadInput);
    }

    /// Spheres of half the background have nothing above it: the largest value stands for the mean.
    void coldSpheresHaveFigures() {
        Phantom phantom = Phantom::find("nema-iq-2018");
        for (PhantomShape& shape : phantom.shapes) {
            shape.activity = shape.role == "sphere" ? 0.5 : shape.activity;
        }
        Volume image = painted(phantom, Lattice::centred({160, 125, 40}, {2, 2, 4}), 1, 0, {});
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            for (const PhantomShape& shape : phantom.shapes) {
                if (shape.role == "sphere" &&
                    norm(image.lattice.centre(x, y, z) - shape.centre) < shape.radius_mm + 8) {
                    image.at(x, y, z) = 50;
                }
            }
        });
        const ImageQuality quality = imageQuality(image, phantom, {});
        QVERIFY(std::abs(quality.spheres.back().meanRecovery - 1) < 0.1);
        QCOMPARE(quality.spheres.back().meanRecovery, quality.spheres.back().maxRecovery);
    }
};

QTEST_APPLESS_MAIN(ImageQualityTest)

}  // namespace image_quality_test
#include "image_quality_test.moc"
