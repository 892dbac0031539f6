// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "recon/base/constants.h"
#include "recon/kernel/frame.h"

namespace frame_test {

using namespace tof;

class FrameTest : public QObject {
    Q_OBJECT

  private slots:
    void boxHoldsTheWholeSupport_data();
    void boxHoldsTheWholeSupport();
    void everyColumnHasARow();
};

void FrameTest::boxHoldsTheWholeSupport_data() {
    QTest::addColumn<double>("azimuth");
    QTest::addColumn<double>("tilt");
    QTest::newRow("along x") << 0.0 << 0.0;
    QTest::newRow("oblique") << 33.0 << 0.0;
    QTest::newRow("oblique and tilted") << 120.0 << -8.0;
}

void FrameTest::boxHoldsTheWholeSupport() {
    QFETCH(double, azimuth);
    QFETCH(double, tilt);
    const Lattice grid = Lattice::centred({40, 41, 12}, {3.3, 4.1, 2.7});
    const View view{azimuth * kRadPerDeg, tilt * kRadPerDeg};

    const KernelFrame frame = makeKernelFrame(KernelSpec::preset("variant1"), grid, view);

    // Every offset of a box one wider is asked, so that a box too small cannot hide a tap.
    std::size_t inside = 0;
    for (int z = -frame.half[2] - 1; z <= frame.half[2] + 1; ++z) {
        for (int y = -frame.half[1] - 1; y <= frame.half[1] + 1; ++y) {
            for (int x = -frame.half[0] - 1; x <= frame.half[0] + 1; ++x) {
                const Vec3 tqa = offsetAlong(frame.axes, grid, x, y, z);
                inside += insideSupport(tqa.x, tqa.y, tqa.z, frame.support) ? 1 : 0;
            }
        }
    }
    QCOMPARE(inside, frame.taps.size());
    QVERIFY(std::all_of(frame.taps.begin(), frame.taps.end(), [&](const KernelTap& tap) {
        return std::abs(tap.x) <= frame.half[0] && std::abs(tap.y) <= frame.half[1] &&
               std::abs(tap.z) <= frame.half[2];
    }));
}

void FrameTest::everyColumnHasARow() {
    const Lattice grid = Lattice::centred({40, 41, 12}, {3.3, 4.1, 2.7});

    const KernelFrame frame = makeKernelFrame(KernelSpec::preset("variant2"), grid, {0.7, 0.1});

    QCOMPARE(frame.ids.size(), std::size_t{40 * 41});
    const auto [low, high] = std::minmax_element(frame.ids.begin(), frame.ids.end());
    QVERIFY(*low >= 0 && *high < frame.rows);
}

QTEST_GUILESS_MAIN(FrameTest)

}  // namespace frame_test
#include "frame_test.moc"
