// SPDX-License-Identifier: Apache-2.0
// Curves: their means, integrals and convolutions.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/kinetics/time_curve.h"
#include "tests/recon/kinetics/exponentials.h"

namespace time_curve_test {

using namespace tof;
using namespace tof::test;

namespace {

/// A curve of few samples, its frames, and the straight line between samples.
const std::vector<double> kTimes{2, 5, 9, 30, 31, 80};
const std::vector<double> kValues{1, 7, -2, 4, 0.5, 3};
const std::vector<TimeFrame> kFrames{{0, 4}, {4, 6}, {12, 30}, {42, 50}};

double valueAt(double t) {
    if (t < kTimes.front()) {
        return 0;
    }
    for (std::size_t i = 1; i < kTimes.size(); ++i) {
        if (t < kTimes[i]) {
            const double u = (t - kTimes[i - 1]) / (kTimes[i] - kTimes[i - 1]);
            return (1 - u) * kValues[i - 1] + u * kValues[i];
        }
    }
    return kValues.back();
}

}  // namespace

class TimeCurveTest : public QObject {
    Q_OBJECT

  private slots:
    /// Against a sum over steps of 1 ms, whose midpoints are exact but for the bend of exp: relative error
    /// (rate x step)^2 / 24 < 1e-8, and 5e-4 of a value where a sample's jump lies within a step.
    void convolutionsAreThoseOfADoubleLoop_data() {
        QTest::addColumn<double>("rate");
        for (const double rate : {0.0, 1e-6, 1e-3, 0.02, 0.5}) {
            QTest::addRow("%g", rate) << rate;
        }
    }
    void convolutionsAreThoseOfADoubleLoop() {
        QFETCH(double, rate);
        const TimeCurve curve(kTimes, kValues, "test");

        const std::vector<double> means = curve.convolvedMeans(kFrames, rate);
        const std::vector<double> plain = curve.means(kFrames);

        constexpr double kStep = 1e-3;
        std::vector<double> sums(kFrames.size(), 0.0);
        std::vector<double> plainSums(kFrames.size(), 0.0);
        double response = 0;
        for (int i = 0; i < 92000; ++i) {
            const double t = (i + 0.5) * kStep;
            const double half = response * std::exp(-rate * kStep / 2) + valueAt(t) * kStep / 2;
            for (std::size_t f = 0; f < kFrames.size(); ++f) {
                if (t > kFrames[f].start_s && t < kFrames[f].end_s()) {
                    sums[f] += half * kStep / kFrames[f].duration_s;
                    plainSums[f] += valueAt(t) * kStep / kFrames[f].duration_s;
                }
            }
            response = response * std::exp(-rate * kStep) + valueAt(t) * kStep * std::exp(-rate * kStep / 2);
        }
        for (std::size_t f = 0; f < kFrames.size(); ++f) {
            QVERIFY2(std::abs(means[f] - sums[f]) < 2e-3 * (1 + std::abs(sums[f])) * 0.5,
                     qPrintable(QString("%1: %2 and %3").arg(f).arg(means[f]).arg(sums[f])));
            QVERIFY(std::abs(plain[f] - plainSums[f]) < 1e-3);
        }
    }

    /// c(t) = t: t/rate - (1 - exp(-rate t))/rate^2, whose mean over a frame has a closed form.
    void theConvolutionOfALineIsItsClosedForm() {
        const TimeCurve line({0, 1000}, {0, 1000}, "test");
        const double k = 0.01;
        const std::vector<TimeFrame> frames{{0, 50}, {50, 200}, {300, 700}};

        const std::vector<double> means = line.convolvedMeans(frames, k);

        for (std::size_t f = 0; f < frames.size(); ++f) {
            const double a = frames[f].start_s;
            const double b = frames[f].end_s();
            const double expected = ((b * b - a * a) / (2 * k) - (b - a) / (k * k) +
                                     (std::exp(-k * a) - std::exp(-k * b)) / (k * k * k)) /
                                    (b - a);
            QVERIFY(std::abs(means[f] / expected - 1) < 1e-11);
        }
    }

    void aCurveOfMeansHasTheseMeans() {
        const std::vector<TimeFrame> frames = usualFrames();
        const std::vector<double> means = plasmaLike().means(frames);

        const std::vector<double> back = TimeCurve::ofMeans(frames, means).means(frames);

        for (std::size_t f = 0; f < frames.size(); ++f) {
            QVERIFY(std::abs(back[f] - means[f]) < 1e-10 * *std::max_element(means.begin(), means.end()));
        }
    }

    /// The integral of the true curve, from means alone. Frames of tissue change slowly: 0.1 % from the
    /// second minute on, where frames are a tenth of what the curve's fastest part takes or shorter.
    void integralsOfACurveOfMeansAreTrue() {
        const std::vector<TimeFrame> frames = usualFrames();
        const Exponentials tissue = plasmaLike().convolved(0.003);

        const std::vector<double> integrals =
            TimeCurve::ofMeans(frames, tissue.means(frames)).convolvedMeans(frames, 0);

        const std::vector<double> expected = tissue.sampled(5000).convolvedMeans(frames, 0);
        for (std::size_t f = 9; f < frames.size(); ++f) {
            if (frames[f].end_s() <= 5000) {
                QVERIFY2(std::abs(integrals[f] / expected[f] - 1) < 1e-3,
                         qPrintable(QString("%1: %2").arg(f).arg(integrals[f] / expected[f] - 1)));
            }
        }
    }

    void gapsAreStraight() {
        const std::vector<TimeFrame> frames{{10, 10}, {30, 10}};

        const std::vector<double> means =
            TimeCurve::ofMeans(frames, {4, 8}).means({{0, 10}, {10, 10}, {20, 10}, {30, 10}});

        const std::vector<double> expected{2, 4, 6, 8};
        for (std::size_t f = 0; f < expected.size(); ++f) {
            QVERIFY(std::abs(means[f] - expected[f]) < 1e-12);
        }
    }

    void samplesOutOfOrderAreRefused() {
        QVERIFY_EXCEPTION_THROWN(TimeCurve({0, 2, 1}, {0, 0, 0}, "test"), BadInput);
        QVERIFY_EXCEPTION_THROWN(TimeCurve({0}, {0}, "test"), BadInput);
        QVERIFY_EXCEPTION_THROWN(TimeCurve({0, 1}, {0, std::nan("")}, "test"), BadInput);
    }
};

QTEST_GUILESS_MAIN(TimeCurveTest)

}  // namespace time_curve_test
#include "time_curve_test.moc"
