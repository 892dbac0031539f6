// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/metrics/robust_range.h"

namespace robust_range_test {

using namespace tof;

class RobustRangeTest : public QObject {
    Q_OBJECT

  private slots:
    void robustRangeIgnoresTheHottestVoxels() {
        Volume volume(Lattice::centred({100, 100, 10}, {1, 1, 1}), 50.0F);
        for (std::size_t i = 0; i < 5; ++i) {
            volume.data[i * 997] = 1e6F;  // 5 of 100 000 voxels
        }

        const DisplayRange range = robustRange(volume);

        QCOMPARE(range.low, 0.0);
        QCOMPARE(range.high, 50.0);
    }

    /// Every image is looked at as if all its values were put in order.
    void theHighEndIsAPercentile_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("noise") << 0;
        QTest::newRow("mostly zeros") << 1;
        QTest::newRow("one value") << 2;
        QTest::newRow("in order") << 3;
        QTest::newRow("hot where nobody looks first") << 4;
        QTest::newRow("negative") << 5;
        QTest::newRow("some are no numbers") << 6;
        QTest::newRow("some are infinite") << 7;
    }

    void theHighEndIsAPercentile() {
        QFETCH(int, kind);
        Volume volume(Lattice::centred({80, 70, 60}, {1, 1, 1}));
        std::uint32_t state = 7;
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            state = state * 1664525U + 1013904223U;
            const float noise = static_cast<float>(state >> 8U) * 0x1p-24F;
            const float made[] = {noise,
                                  noise > 0.99995F ? noise : 0.0F,
                                  3.0F,
                                  static_cast<float>(i),
                                  i % 61 == 5 ? 100 + noise : noise,
                                  -1 - noise,
                                  i % 7 == 3 ? std::numeric_limits<float>::quiet_NaN() : noise,
                                  i % 7 == 3 ? std::numeric_limits<float>::infinity() : noise};
            volume.data[i] = made[kind];
        }
        std::vector<float> values = volume.data;
        std::erase_if(values, [](float v) { return !std::isfinite(v); });
        std::sort(values.begin(), values.end());
        const auto at = static_cast<std::size_t>(0.9999 * static_cast<double>(values.size() - 1));

        double expected = roundUpTwoDigits(static_cast<double>(values[at]));
        if (expected <= 0) {
            expected = roundUpTwoDigits(static_cast<double>(values.back()));
        }
        const DisplayRange range = robustRange(volume);
        QCOMPARE(range.high, expected > range.low ? expected : range.low + 1);
    }

    void valuesAreRoundedUpToTwoDigits() {
        QCOMPARE(roundUpTwoDigits(0.01201), 0.013);
        QCOMPARE(roundUpTwoDigits(130), 130.0);
        QCOMPARE(roundUpTwoDigits(-1), 0.0);
    }

    void negativeValuesBelongToTheRange() {
        Volume volume(Lattice::centred({10, 10, 10}, {1, 1, 1}), -2.0F);
        volume.data[0] = 7;

        QVERIFY((robustRange(volume) == DisplayRange{-2, 7}));
    }

    void anEmptyImageHasTheRangeOfOne() {
        QVERIFY((robustRange(Volume(Lattice::centred({4, 4, 4}, {1, 1, 1}))) == DisplayRange{0, 1}));
    }

    void objectBoxSurroundsTheObject() {
        Volume volume(Lattice::centred({40, 40, 20}, {2, 2, 2}));
        for (int z = 4; z < 16; ++z) {
            for (int y = 10; y < 30; ++y) {
                for (int x = 8; x < 28; ++x) {
                    volume.at(x, y, z) = 100;
                }
            }
        }

        const Box box = objectBox(volume);

        // Edges of voxels 8 and 27 along x, with two voxels of room.
        QCOMPARE(box.low.x, -40.0 + 16 - 4);
        QCOMPARE(box.high.x, -40.0 + 56 + 4);
        QCOMPARE(box.low.y, -40.0 + 20 - 4);
        QCOMPARE(box.high.z, -20.0 + 32 + 4);
    }

    /// Rows that are left out of a large volume move no edge: the same object in eight times the voxels.
    void largeVolumesHaveTheSameBox() {
        Volume volume(Lattice::centred({320, 320, 160}, {0.25, 0.25, 0.25}));
        std::size_t i = 0;
        volume.lattice.forEachVoxel([&](int x, int y, int z) {
            const bool inside = z >= 32 && z < 128 && y >= 80 && y < 240 && x >= 64 && x < 224;
            volume.data[i++] = inside ? 100.0F : 0.0F;
        });

        const Box box = objectBox(volume);

        const double room = 0.03 * 160 * 0.25;
        QVERIFY(std::abs(box.low.x - (-40 + 16 - room)) < 1e-9);
        QVERIFY(std::abs(box.high.y - (-40 + 60 + room)) < 1e-9);
        QVERIFY(std::abs(box.high.z - (-20 + 32 + 0.03 * 96 * 0.25)) < 1e-9);
    }

    void anObjectThatIsSmallIsShownWithTheWholeLattice() {
        Volume volume(Lattice::centred({40, 40, 20}, {2, 2, 2}));
        volume.at(20, 20, 10) = 100;

        const Box box = objectBox(volume);

        QCOMPARE(box.low.x, -40.0);
        QCOMPARE(box.high.z, 20.0);
    }
};

QTEST_APPLESS_MAIN(RobustRangeTest)

}  // namespace robust_range_test
#include "robust_range_test.moc"
