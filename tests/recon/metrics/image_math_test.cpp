// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/image_math.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "recon/base/error.h"

namespace image_math_test {

using namespace tof;

namespace {

/// x + 10 y + 100 z in mm at the voxel centres.
Volume ramp(const Lattice& lattice) {
    Volume volume(lattice);
    std::size_t i = 0;
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = lattice.centre(x, y, z);
        volume.data[i++] = static_cast<float>(p.x + 10 * p.y + 100 * p.z);
    });
    return volume;
}

std::shared_ptr<const Volume> constant(float value) {
    return std::make_shared<const Volume>(Volume(Lattice::centred({3, 3, 3}, {1, 1, 1}), value));
}

}  // namespace

class ImageMathTest : public QObject {
    Q_OBJECT

  private slots:
    void aLinearImageIsExactOnAnotherLattice() {
        const Volume coarse = ramp(Lattice::centred({20, 18, 16}, {6, 6, 6}));
        const Lattice fine = Lattice::centred({9, 7, 5}, {4, 5, 3.5});

        const Volume there = resampled(coarse, fine, Sampling::Trilinear);

        const Volume exact = ramp(fine);
        for (std::size_t i = 0; i < exact.data.size(); ++i) {
            // Seven additions of values up to 4000 in 24 bits.
            QVERIFY2(std::abs(there.data[i] - exact.data[i]) < 5e-3, qPrintable(QString::number(i)));
        }
    }

    void labelsStayWholeAndOutsideIsZero() {
        Volume labels(Lattice::centred({2, 2, 2}, {10, 10, 10}));
        labels.at(1, 1, 1) = 7;
        const Lattice wide = Lattice::centred({8, 8, 8}, {4, 4, 4});

        const Volume there = resampled(labels, wide, Sampling::Nearest);

        QCOMPARE(there.at(0, 0, 0), 0.0F);  // at -14 mm: outside
        QCOMPARE(there.at(5, 5, 5), 7.0F);  // at 6 mm
        QCOMPARE(there.at(7, 7, 7), 0.0F);
        for (const float v : there.data) {
            QVERIFY(v == 0 || v == 7);
        }
    }

    void meanAndDeviationOfReplicates() {
        const std::vector<std::shared_ptr<const Volume>> images{constant(1), constant(2), constant(6)};

        QCOMPARE(meanOf(images).data[13], 3.0F);
        QCOMPARE(deviationOf(images).data[13], static_cast<float>(std::sqrt(7.0)));  // (4 + 1 + 9)/2
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(deviationOf(Images(images.data(), 1))), WrongUse);
    }

    void theBiasOfTheTruthIsZeroAndTheScaleDoesNotMatter() {
        Volume activity(Lattice::centred({4, 4, 4}, {2, 2, 2}), 1.0F);
        activity.at(1, 1, 1) = 6;
        activity.at(0, 0, 0) = 0;
        Volume image = activity;
        for (float& v : image.data) {
            v *= 250;
        }
        const Volume truth = scaledToTotal(activity, image);

        QVERIFY(std::abs(truth.at(1, 1, 1) - 1500) < 1e-3);
        image.at(1, 1, 1) = 750;
        const Volume bias = biasMap(image, truth);
        QVERIFY(std::abs(bias.at(1, 1, 1) + 50) < 1e-4);
        QVERIFY(std::abs(bias.at(2, 2, 2)) < 1e-4);
        QCOMPARE(bias.at(0, 0, 0), 0.0F);  // nothing there
        QCOMPARE(bias.units, std::string("%"));
    }

    void percentilesLeaveOutWhatIsNoNumber() {
        Volume volume(Lattice::centred({10, 10, 10}, {1, 1, 1}));
        for (std::size_t i = 0; i < 1000; ++i) {
            volume.data[i] = static_cast<float>(i);
        }
        volume.data[999] = std::numeric_limits<float>::quiet_NaN();

        QCOMPARE(largestOf(volume), 998.0);
        QCOMPARE(percentileOf(volume, 0.5), 499.0);
    }
};

QTEST_MAIN(ImageMathTest)

}  // namespace image_math_test
#include "image_math_test.moc"
