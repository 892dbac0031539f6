// SPDX-License-Identifier: Apache-2.0
// Contours by rule and the brush, against sets of voxels that are counted here.
#include <QTest>
#include <cmath>
#include <set>

#include "recon/base/error.h"
#include "recon/metrics/contour.h"
#include "recon/metrics/range_presets.h"

namespace contour_test {

using namespace tof;

namespace {

/// Values fall from 10 by one for every 3 mm from a point.
Volume cone(Vec3 top) {
    Volume volume(Lattice::centred({40, 40, 30}, {2, 2, 2.5}));
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        volume.at(x, y, z) = static_cast<float>(10 - norm(volume.lattice.centre(x, y, z) - top) / 3);
    });
    return volume;
}

std::set<std::size_t> voxelsOf(const Roi& roi) {
    std::set<std::size_t> voxels;
    for (const auto& [first, count] : roi.region->runs) {
        for (std::size_t i = first; i < first + count; ++i) {
            voxels.insert(i);
        }
    }
    return voxels;
}

template <typename Wanted>
std::set<std::size_t> voxelsWhere(const Volume& volume, Wanted wanted) {
    std::set<std::size_t> voxels;
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        if (wanted(volume.lattice.centre(x, y, z), static_cast<double>(volume.at(x, y, z)))) {
            voxels.insert(volume.lattice.index(x, y, z));
        }
    });
    return voxels;
}

}  // namespace

class ContourTest : public QObject {
    Q_OBJECT

  private slots:
    void levelsFollowTheirRules() {
        const Volume volume = cone({1, 1, 1.25});  // the centre of a voxel
        RoiStatistics liver;
        liver.mean = 2;
        liver.sd = 0.3;
        const ContourFacts facts{0.5, liver};
        const auto level = [&](const char* id) {
            return contourLevel(contourRule(id), volume, {0, 0, 0}, 20, facts);
        };

        QVERIFY(std::abs(level("41") - 4.1) < 1e-6);
        QVERIFY(std::abs(level("50") - 5) < 1e-6);
        QCOMPARE(level("suv-2.5"), 5.0);
        QCOMPARE(level("suv-4"), 8.0);
        QCOMPARE(level("percist"), 1.5 * 2 + 2 * 0.3);
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(contourRule("42")));
        QVERIFY_THROWS_EXCEPTION(
            WrongUse, static_cast<void>(contourLevel(contourRule("percist"), volume, {}, 20, {0.5})));
        QVERIFY_THROWS_EXCEPTION(
            WrongUse, static_cast<void>(contourLevel(contourRule("suv-4"), volume, {}, 20, {0, liver})));
    }

    void aLiverOfOneVoxelHasNoSpread() {
        RoiStatistics one;
        one.mean = 2;
        one.sd = std::nan("");
        QVERIFY_THROWS_EXCEPTION(
            WrongUse, static_cast<void>(contourLevel(contourRule("percist"), cone({}), {}, 20, {0, one})));
    }

    void aContourIsEveryVoxelAboveItsLevel() {
        const Volume volume = cone({1, 1, 1.25});

        const Roi roi = contourRegion(volume, {0, 0, 0}, 5, 30);

        QCOMPARE(voxelsOf(roi), voxelsWhere(volume, [](Vec3, double value) { return value >= 5; }));
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(contourRegion(volume, {}, 10.5, 30)));
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(contourRegion(volume, {}, 5, 0)));
    }

    void aBrushIsAUnionOrADifferenceOfBalls() {
        const Volume volume = cone({});
        Roi roi;
        roi.shape = Roi::Shape::Region;
        const auto in = [](Vec3 p, Vec3 middle, double radius) { return norm(p - middle) <= radius; };

        roi = brushed(roi, volume.lattice, {{0, 0, 0}, 9});
        roi = brushed(roi, volume.lattice, {{12, 0, 0}, 7});
        roi = brushed(roi, volume.lattice, {{6, 0, 0}, 5, BrushUse::Remove});

        QCOMPARE(voxelsOf(roi), voxelsWhere(volume, [&](Vec3 p, double) {
                     const bool painted = in(p, {}, 9) || in(p, {12, 0, 0}, 7);
                     return painted && !in(p, {6, 0, 0}, 5);
                 }));
    }

    void theSmallestBrushTakesOneVoxelAndTheLastOneGoes() {
        const Volume volume = cone({});
        Roi roi;
        roi.shape = Roi::Shape::Region;

        roi = brushed(roi, volume.lattice, {{0.1, 0.1, 0.1}, 0.01});
        QCOMPARE(roi.region->voxels(), std::size_t{1});
        roi = brushed(roi, volume.lattice, {{0.1, 0.1, 0.1}, 5, BrushUse::Remove});
        QVERIFY(roi.region == nullptr);
    }

    void aBrushLeavesOtherShapesAlone() {
        const Volume volume = cone({});
        Roi sphere;
        sphere.shape = Roi::Shape::Sphere;
        const Roi region = contourRegion(volume, {}, 5, 30);
        Roi away = region;
        away.centre.x += 1;
        const Volume other(Lattice::centred({10, 10, 10}, {2, 2, 2}));

        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(brushed(sphere, volume.lattice, {})));
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(brushed(away, volume.lattice, {})));
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(brushed(region, other.lattice, {})));
    }

    void windowsOfCtAreLevelAndWidth() {
        // Level and width as radiologists say them: lung -600 and 1500, brain 40 and 80.
        QCOMPARE(findRangePreset("ct-lung")->range, (DisplayRange{-1350, 150}));
        QCOMPARE(findRangePreset("ct-brain")->range, (DisplayRange{0, 80}));
        QCOMPARE(findRangePreset("ct-bone")->range, (DisplayRange{-500, 1300}));
        QVERIFY(findRangePreset("ct-nothing") == nullptr);
        for (const RangePreset& preset : rangePresets()) {
            QVERIFY(preset.range.high > preset.range.low && !preset.units.empty());
        }
    }
};

QTEST_APPLESS_MAIN(ContourTest)

}  // namespace contour_test
#include "contour_test.moc"
