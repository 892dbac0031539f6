// SPDX-License-Identifier: Apache-2.0
#include "recon/nema/small_image_quality.h"

#include <QTest>
#include <cmath>

#include "recon/base/error.h"

namespace small_image_quality_test {

using namespace tof;

namespace {

const Lattice kImage = Lattice::centred({160, 160, 130}, {0.25, 0.25, 0.5});

/// Every voxel has what lies at its centre; walls and chambers have what is given.
Volume painted(const Phantom& phantom, double inRods, double inChambers, Vec3 moved) {
    Volume image(kImage);
    kImage.forEachVoxel([&](int x, int y, int z) {
        double value = 0;
        for (const PhantomShape& shape : phantom.shapes) {
            if (shape.contains(kImage.centre(x, y, z) - moved)) {
                value = shape.name.starts_with("rod ")       ? inRods
                        : shape.name.starts_with("chamber ") ? inChambers
                                                             : shape.activity;
            }
        }
        image.at(x, y, z) = static_cast<float>(50 * value);
    });
    return image;
}

}  // namespace

class SmallImageQualityTest : public QObject {
    Q_OBJECT

  private slots:
    void whatWasPaintedIsFound() {
        const Phantom phantom = Phantom::find("nema-nu4");
        const Vec3 moved{0.5, -0.25, 1};
        const Volume image = painted(phantom, 0.7, 0.1, moved);

        const SmallImageQuality quality = smallImageQuality(image, phantom, moved);

        QVERIFY(hasRods(phantom) && !hasRods(Phantom::find("nema-iq-2018")));
        QVERIFY(std::abs(quality.mean - 50) < 1e-3);
        QVERIFY(quality.sd < 1e-3 && std::abs(quality.lowest - 100) < 1e-3);
        QCOMPARE(quality.recovery.size(), std::size_t{5});
        QCOMPARE(quality.spillOver.size(), std::size_t{2});
        for (const SmallFigure& rod : quality.recovery) {
            QVERIFY2(std::abs(rod.value - 0.7) < 1e-5, rod.name.c_str());
        }
        for (const SmallFigure& chamber : quality.spillOver) {
            QVERIFY2(std::abs(chamber.value - 0.1) < 1e-5, chamber.name.c_str());
        }
    }

    /// Halves of 95 and 105 % of the mean have an SD of 5 %.
    void unevennessIsFound() {
        const Phantom phantom = Phantom::find("nema-nu4");
        Volume image = painted(phantom, 1, 0, {});
        kImage.forEachVoxel(
            [&](int x, int y, int z) { image.at(x, y, z) *= kImage.centre(x, y, z).x > 0 ? 1.05F : 0.95F; });

        const SmallImageQuality quality = smallImageQuality(image, phantom, {});

        QVERIFY(std::abs(quality.sd - 5) < 0.01);
        QVERIFY(std::abs(quality.lowest - 95) < 1e-3 && std::abs(quality.highest - 105) < 1e-3);
        // The rod of 1 mm lies where x > 0; the even part's SD is in its own.
        QVERIFY(std::abs(quality.recovery[0].value - 1.05) < 1e-5);
        QVERIFY(std::abs(quality.recovery[0].sd - 5) < 0.01);
    }

    void anImageBesideThePhantomIsRefused() {
        const Phantom phantom = Phantom::find("nema-nu4");
        const Volume image = painted(phantom, 1, 0, {});
        QVERIFY_EXCEPTION_THROWN((void)smallImageQuality(image, phantom, {30, 0, 0}), BadInput);
        const Volume empty(kImage);
        QVERIFY_EXCEPTION_THROWN((void)smallImageQuality(empty, phantom, {}), BadInput);
        const Volume coarse(Lattice::centred({10, 10, 10}, {20, 20, 20}), 1.0F);
        QVERIFY_EXCEPTION_THROWN((void)smallImageQuality(coarse, phantom, {}), BadInput);
    }
};

QTEST_APPLESS_MAIN(SmallImageQualityTest)

}  // namespace small_image_quality_test
#include "small_image_quality_test.moc"
