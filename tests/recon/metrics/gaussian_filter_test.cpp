// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/gaussian_filter.h"

#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/error.h"
#include "recon/metrics/matched_filter.h"

namespace gaussian_filter_test {

using namespace tof;

namespace {

constexpr double kFwhmPerSigma = 2.354820045;

double total(const Volume& volume) {
    double sum = 0;
    for (const float v : volume.data) {
        sum += static_cast<double>(v);
    }
    return sum;
}

}  // namespace

class GaussianFilterTest : public QObject {
    Q_OBJECT
  private slots:
    void aConstantStaysOne() {
        const Volume before(Lattice::centred({21, 18, 7}, {2, 3, 5}), 4.0F);
        for (const float v : gaussianFiltered(before, 12).data) {
            QVERIFY(std::abs(v - 4) < 1e-5);
        }
    }

    /// The second moment along each axis is that of the Gaussian and of the voxel; what is cut off beyond
    /// 4 sigma is 0.1 % of it.
    void aPointBecomesTheGaussian() {
        const Lattice lattice = Lattice::centred({61, 41, 31}, {1, 2, 3});
        Volume point(lattice);
        point.at(30, 20, 15) = 1;
        const Volume spread = gaussianFiltered(point, 8);
        QVERIFY(std::abs(total(spread) - 1) < 1e-4);
        const double sigma = 8 / kFwhmPerSigma;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double moment = 0;
            lattice.forEachVoxel([&](int x, int y, int z) {
                const double mm = lattice.centre(x, y, z)[axis];
                moment += static_cast<double>(spread.at(x, y, z)) * mm * mm;
            });
            const double expected = sigma * sigma + std::pow(lattice.spacing_mm[axis], 2) / 12;
            QVERIFY2(std::abs(moment / expected - 1) < 3e-3, qPrintable(QString::number(moment / expected)));
        }
    }

    void theResultIsThatOfOneThread() {
        Volume volume(Lattice::centred({70, 33, 9}, {2, 2, 2}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>((i * 7919) % 101);
        }
        QCOMPARE(gaussianFiltered(volume, 6, ThreadPool(2)).data, gaussianFiltered(volume, 6).data);
        QCOMPARE(gaussianFiltered(volume, 0).data, volume.data);
    }

    /// White noise of SD 1 on a mean of 10: a Gaussian of sigma s in each axis leaves
    /// (2 sqrt(pi) s)^(-3/2) voxels^(3/2) of its SD, where s is above a voxel. Some 120 of the blurred values
    /// are independent, so that SD is known to 6.5 % and the width to 4.3 %: 3 of these.
    void theFilterForANoiseIsTheNarrowest() {
        Volume noisy(Lattice::centred({64, 64, 64}, {2, 2, 2}));
        std::mt19937 random(3);
        std::normal_distribution<float> normal(10, 1);
        for (float& v : noisy.data) {
            v = normal(random);
        }
        Roi roi;
        roi.name = "all";
        roi.shape = Roi::Shape::Sphere;
        roi.role = Roi::Role::Uniform;
        roi.radius_mm = 45;
        RoiSet set;
        set.rois = {roi};
        const FigureEvaluator evaluator(set, noisy.lattice);
        const double asked = 0.005;

        const double fwhm_mm = filterForNoise(noisy, evaluator, asked, ThreadPool(1));

        const double sigma = 2 * std::pow(0.1 / asked, 2.0 / 3) / (2 * std::sqrt(M_PI));
        QVERIFY2(std::abs(fwhm_mm / (kFwhmPerSigma * sigma) - 1) < 0.13,
                 qPrintable(QString::number(fwhm_mm)));
        const auto noiseAfter = [&](double mm) {
            return evaluator.evaluate(1, gaussianFiltered(noisy, mm).data.data()).noise;
        };
        QVERIFY(noiseAfter(fwhm_mm) <= asked && noiseAfter(fwhm_mm - 0.02) > asked);
        QCOMPARE(filterForNoise(noisy, evaluator, 0.2, ThreadPool(1)), 0.0);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(filterForNoise(noisy, evaluator, 0, ThreadPool(1))),
                                 WrongUse);
        set.rois[0].role = Roi::Role::Sphere;
        const FigureEvaluator blind(set, noisy.lattice);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(filterForNoise(noisy, blind, asked, ThreadPool(1))),
                                 WrongUse);
    }

    void widthsOutOfRangeAreRefused() {
        const Volume volume(Lattice::centred({4, 4, 4}, {2, 2, 2}));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(gaussianFiltered(volume, -1)), WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(gaussianFiltered(volume, std::nan(""))), WrongUse);
    }
};

QTEST_APPLESS_MAIN(GaussianFilterTest)

}  // namespace gaussian_filter_test
#include "gaussian_filter_test.moc"
