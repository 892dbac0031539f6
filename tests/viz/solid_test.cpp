// SPDX-License-Identifier: Apache-2.0
#include "viz/solid.h"

#include <QTest>
#include <cmath>

namespace solid_test {

using namespace tof;
using namespace tof::viz;

namespace {

/// 1 - |p| / radius: the level L is reached at (1 - L) radius from the middle.
std::shared_ptr<const Volume> cone(double radius) {
    auto volume = std::make_shared<Volume>(Lattice::centred({41, 41, 41}, {2, 2, 2}));
    for (int z = 0; z < 41; ++z) {
        for (int y = 0; y < 41; ++y) {
            for (int x = 0; x < 41; ++x) {
                volume->at(x, y, z) = static_cast<float>(1 - norm(volume->lattice.centre(x, y, z)) / radius);
            }
        }
    }
    return volume;
}

SolidRequest request(std::shared_ptr<const Volume> volume, double azimuth, double elevation) {
    SolidRequest r;
    r.volume = std::move(volume);
    r.view = {azimuth, elevation, {}, 1, 100, 80};
    r.map = ColourMap::find("grey");
    return r;
}

}  // namespace

class SolidTest : public QObject {
    Q_OBJECT

  private slots:
    void axesAreRightHandedAndUnit_data() {
        QTest::addColumn<double>("azimuth");
        QTest::addColumn<double>("elevation");
        QTest::newRow("front") << 0.0 << 0.0;
        QTest::newRow("turned") << 35.0 << 0.0;
        QTest::newRow("above") << -120.0 << 60.0;
    }

    void axesAreRightHandedAndUnit() {
        QFETCH(double, azimuth);
        QFETCH(double, elevation);

        const auto a = SolidView{azimuth, elevation, {}, 1, 1, 1}.axes();

        QVERIFY(norm(cross(a.right, a.up) + a.away) < 1e-12);  // away is -z of a right-handed picture
        QVERIFY(std::abs(norm(a.up) - 1) < 1e-12);
        QVERIFY(std::abs(dot(a.up, a.away)) < 1e-12);
    }

    void theFrontShowsACoronalPicture() {
        const SolidView view{0, 0, {10, 0, 0}, 2, 100, 80};

        const auto left = view.toPixel({30, 7, 0});
        const auto top = view.toPixel({10, -7, 20});

        QCOMPARE(left[0], 60.0);
        QCOMPARE(left[1], 40.0);
        QCOMPARE(top[0], 50.0);
        QCOMPARE(top[1], 30.0);
    }

    void theSurfaceLiesWhereTheLevelIsReached_data() { axesAreRightHandedAndUnit_data(); }

    void theSurfaceLiesWhereTheLevelIsReached() {
        QFETCH(double, azimuth);
        QFETCH(double, elevation);
        SolidRequest r = request(cone(30), azimuth, elevation);
        r.level = 0.4;  // a sphere of 18 mm

        const auto middle = surfaceDepth(r, 50, 40);
        const auto aside = surfaceDepth(r, 50 + 10, 40);
        const auto beside = surfaceDepth(r, 50 + 21, 40);

        // Interpolating |p| between voxels of 2 mm is wrong by up to h^2 / (8 r) = 0.03 mm along each axis;
        // the step is halved to 0.02 mm.
        QVERIFY(middle && std::abs(*middle + 18) < 0.12);
        QVERIFY(aside && std::abs(*aside + std::sqrt(18.0 * 18 - 100)) < 0.15);
        QVERIFY(!beside);
    }

    void theSurfaceIsBrightestTowardsTheLight() {
        SolidRequest r = request(cone(30), 20, 10);
        r.mode = SolidMode::Surface;
        r.level = 0.4;
        const ThreadPool pool(1);

        const Picture picture = renderSolid(r, pool);

        const auto red = [&](int x, int y) { return (picture.at(x, y) >> 16U) & 0xffU; };
        QVERIFY(red(46, 36) > red(58, 48));  // the light comes from above on the left
        QCOMPARE(picture.at(2, 2), r.map.zero().packed());
    }

    void aBrightVoxelShowsThroughFromEverySide_data() { axesAreRightHandedAndUnit_data(); }

    void aBrightVoxelShowsThroughFromEverySide() {
        QFETCH(double, azimuth);
        QFETCH(double, elevation);
        auto volume = std::make_shared<Volume>(Lattice::centred({21, 21, 21}, {2, 2, 2}), 0.1F);
        volume->at(14, 8, 12) = 1.0F;
        const SolidRequest r = request(volume, azimuth, elevation);
        const ThreadPool pool(2);

        const Picture picture = renderSolid(r, pool);

        const auto at = r.view.toPixel(volume->lattice.centre(14, 8, 12));
        const auto brightest = std::max_element(picture.pixels.begin(), picture.pixels.end(),
                                                [](auto a, auto b) { return (a & 0xff) < (b & 0xff); });
        const auto index = static_cast<int>(brightest - picture.pixels.begin());
        QVERIFY(std::abs(index % 100 + 0.5 - at[0]) < 1.5);
        QVERIFY(std::abs(index / 100 + 0.5 - at[1]) < 1.5);
        // Everything else of the object is the 0.1 around it: entry 25 of 256.
        QCOMPARE(picture.at(50, 40), r.map.table[25].packed());
    }
};

QTEST_APPLESS_MAIN(SolidTest)

}  // namespace solid_test
#include "solid_test.moc"
