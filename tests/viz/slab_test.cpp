// SPDX-License-Identifier: Apache-2.0
#include "viz/slab.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "viz/slice_view.h"

namespace slab_test {

using namespace tof;
using namespace tof::viz;

class SlabTest : public QObject {
    Q_OBJECT

  private slots:
    void layersWithinHalfTheThickness_data() {
        QTest::addColumn<double>("centre");
        QTest::addColumn<double>("thickness");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        // Centres of the ten layers: -18, -14, ... 18 mm.
        QTest::newRow("none is one") << 2.0 << 0.0 << 5 << 5;
        QTest::newRow("between two takes the upper") << 0.0 << 0.0 << 5 << 5;
        QTest::newRow("three") << 2.0 << 8.0 << 4 << 6;
        QTest::newRow("almost three") << 2.0 << 7.9 << 5 << 5;
        QTest::newRow("at the edge") << 18.0 << 20.0 << 7 << 9;
        QTest::newRow("outside") << 100.0 << 4.0 << 9 << 9;
        QTest::newRow("all") << 2.0 << std::numeric_limits<double>::infinity() << 0 << 9;
    }

    void layersWithinHalfTheThickness() {
        QFETCH(double, centre);
        QFETCH(double, thickness);
        QFETCH(int, first);
        QFETCH(int, last);
        const Lattice lattice = Lattice::centred({3, 4, 10}, {4, 4, 4});

        const LayerRange layers = layersOf(lattice, 2, centre, thickness);

        QCOMPARE(layers.first, first);
        QCOMPARE(layers.last, last);
    }

    void everyModeAlongEveryAxis_data() {
        QTest::addColumn<int>("axis");
        QTest::newRow("x") << 0;
        QTest::newRow("y") << 1;
        QTest::newRow("z") << 2;
    }

    void everyModeAlongEveryAxis() {
        QFETCH(int, axis);
        Volume volume(Lattice::centred({5, 6, 7}, {1, 2, 3}));
        std::array<int, 3> at{2, 2, 2};
        const float values[] = {1, -5, 3};
        for (std::size_t i = 0; i < 3; ++i) {
            at[static_cast<std::size_t>(axis)] = 1 + static_cast<int>(i);
            volume.at(at[0], at[1], at[2]) = values[i];
        }
        at[static_cast<std::size_t>(axis)] = 0;

        const auto mean = slabOf(volume, Turn(), axis, {1, 3}, SlabMode::Mean);
        const auto sum = slabOf(volume, Turn(), axis, {1, 3}, SlabMode::Sum);
        const auto largest = slabOf(volume, Turn(), axis, {1, 3}, SlabMode::Largest);
        const auto strongest = slabOf(volume, Turn(), axis, {1, 3}, SlabMode::Strongest);

        QCOMPARE(mean->at(at[0], at[1], at[2]), -1.0F / 3);
        QCOMPARE(sum->at(at[0], at[1], at[2]), -1.0F);
        QCOMPARE(largest->at(at[0], at[1], at[2]), 3.0F);
        QCOMPARE(strongest->at(at[0], at[1], at[2]), -5.0F);
        // The slab lies where its layers lay.
        const auto ends = extent(mean->lattice, axis);
        const double step = volume.lattice.spacing_mm[static_cast<std::size_t>(axis)];
        QCOMPARE(ends[0], coordinate(volume.lattice.centre(0.5, 0.5, 0.5), axis));
        QCOMPARE(ends[1] - ends[0], 3 * step);
    }

    void aTurnedSlabTakesWhatLiesInIt() {
        // A sphere of one value, the origin of the scanner beside it; each slab goes through its middle.
        const Vec3 middle{7, -4, 5};
        Volume volume(Lattice::centred({40, 40, 40}, {1, 1, 1}));
        volume.lattice.forEachVoxel([&](int x, int y, int z) {
            volume.at(x, y, z) = norm(volume.lattice.centre(x, y, z) - middle) < 8 ? 3.0F : 0.0F;
        });
        const Turn turn = Turn().about(0, 0.5).about(1, -0.8).about(2, 0.3);
        const Vec3 local = turn.toLocal(middle);
        const Lattice along = latticeAlong(volume.lattice, turn);
        for (int axis = 0; axis < 3; ++axis) {
            const LayerRange layers = layersOf(along, axis, coordinate(local, axis), 4);

            const auto mean = slabOf(volume, turn, axis, layers, SlabMode::Mean);

            const VoxelIndex at = mean->lattice.voxelAt(local);
            QCOMPARE(mean->at(at), 3.0F);
            VoxelIndex beside = at;
            beside[static_cast<std::size_t>((axis + 1) % 3)] += 10;
            QCOMPARE(mean->at(beside), 0.0F);
            QVERIFY(std::isnan(mean->data.front()));  // the corner of the lattice around lies outside
        }
    }

    void aValueThatIsNoNumberDoesNoHarmBesideIt() {
        Volume volume(Lattice::centred({2, 1, 3}, {1, 1, 1}), 4.0F);
        volume.data[0] = std::nanf("");

        for (const SlabMode mode : {SlabMode::Largest, SlabMode::Strongest, SlabMode::Mean}) {
            QCOMPARE(slabOf(volume, Turn(), 2, {0, 2}, mode)->data[1], 4.0F);
        }
    }
};

QTEST_APPLESS_MAIN(SlabTest)

}  // namespace slab_test
#include "slab_test.moc"
