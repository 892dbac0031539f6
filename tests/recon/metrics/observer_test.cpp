// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/observer.h"

#include <QTest>
#include <cmath>
#include <numbers>
#include <random>

#include "recon/base/error.h"

namespace observer_test {

using namespace tof;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSize = 48;
constexpr double kSignalSigma = 2.5;  // voxels
constexpr double kNoiseSigma = 0.9;   // voxels, of the Gaussian that colours white noise
constexpr double kHeight = 2.0;

Lattice square() {
    return Lattice::centred({kSize, kSize, 1}, {1, 1, 1});
}

double normalShare(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// Covariance of stationary noise at a distance: white noise of variance 1 through a Gaussian of sum 1, plus
/// white noise of variance `white`.
double covarianceAt(double dx, double dy, double white) {
    const double s2 = 2 * kNoiseSigma * kNoiseSigma;
    const double colour = std::exp(-(dx * dx + dy * dy) / (2 * s2)) / (2 * kPi * s2);
    return colour + (dx == 0 && dy == 0 ? white : 0);
}

/// The prewhitening observer's SNR^2 of a Gaussian signal in it, in the plane: the integral over frequencies
/// of |S|^2 / (N + white), rings by Simpson's rule.
double closedSnr(double white) {
    const double amplitude = kHeight * 2 * kPi * kSignalSigma * kSignalSigma;
    constexpr int kSteps = 20000;
    constexpr double kEnd = 0.5;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const double f = kEnd * i / kSteps;
        const double signal = amplitude * std::exp(-2 * kPi * kPi * kSignalSigma * kSignalSigma * f * f);
        const double noise = std::exp(-4 * kPi * kPi * kNoiseSigma * kNoiseSigma * f * f) + white;
        const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * 2 * kPi * f * signal * signal / noise;
    }
    return std::sqrt(sum * kEnd / kSteps / 3);
}

Volume signalImage() {
    Volume image(square());
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 at = image.lattice.centre(x, y, z);
        image.at(x, y, z) = static_cast<float>(
            kHeight * std::exp(-(at.x * at.x + at.y * at.y) / (2 * kSignalSigma * kSignalSigma)));
    });
    return image;
}

/// The channels' covariance by the voxels', with each channel's weights found from unit images.
struct ChannelNoise {
    std::vector<double> difference;
    std::vector<double> covariance;
};
ChannelNoise exactNoise(const ChannelBank& bank, double white) {
    const std::size_t n = bank.channels();
    const Lattice lattice = square();
    std::vector<std::vector<double>> weights;  // by voxel
    lattice.forEachVoxel([&](int x, int y, int z) {
        Volume unit(lattice);
        unit.at(x, y, z) = 1;
        weights.push_back(bank.responses(unit));
    });
    ChannelNoise noise{bank.responses(signalImage()), std::vector<double>(n * n, 0.0)};
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const VoxelIndex a = lattice.voxel(i);
        std::vector<double> coloured(n, 0.0);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const VoxelIndex b = lattice.voxel(j);
            if (std::abs(a[0] - b[0]) > 9 || std::abs(a[1] - b[1]) > 9) {
                continue;
            }
            const double k = covarianceAt(a[0] - b[0], a[1] - b[1], white);
            for (std::size_t c = 0; c < n; ++c) {
                coloured[c] += k * weights[j][c];
            }
        }
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t d = 0; d < n; ++d) {
                noise.covariance[c * n + d] += weights[i][c] * coloured[d];
            }
        }
    }
    return noise;
}

/// Ratings of places without an image: one channel, unit variance, the first place shifted where the signal
/// is there.
std::vector<SearchedImage> normalPlaces(std::mt19937& random, int images, int places, double shift) {
    std::normal_distribution<double> normal;
    std::vector<SearchedImage> all;
    for (int i = 0; i < images; ++i) {
        SearchedImage one;
        for (int p = 0; p < places; ++p) {
            one.push_back({normal(random) + (p == 0 ? shift : 0)});
        }
        all.push_back(one);
    }
    return all;
}

}  // namespace

class ObserverTest : public QObject {
    Q_OBJECT

  private slots:
    void channelsReachThePrewhiteningObserver_data() {
        QTest::addColumn<double>("white");
        QTest::newRow("white noise among coloured") << 0.2;
        QTest::newRow("as much white noise") << 1.0;
    }

    /// Twelve Laguerre-Gauss channels hold nearly all of a round signal: SNR within 2 % of the closed form.
    void channelsReachThePrewhiteningObserver() {
        QFETCH(double, white);
        const ChannelSettings settings{ChannelKind::LaguerreGauss, 12, 4 * kSignalSigma};
        const ChannelBank bank(settings, square(), {});
        const ChannelNoise noise = exactNoise(bank, white);
        const double snr = hotellingObserver(noise.difference, noise.covariance, 0).snr;
        const double expected = closedSnr(white);
        QVERIFY2(std::abs(snr / expected - 1) < 0.02,
                 qPrintable(QString("%1 for %2").arg(snr).arg(expected)));
        // Nobody does better than the prewhitening observer.
        QVERIFY(snr < 1.0005 * expected);
    }

    void internalNoiseTakesFromEachChannel() {
        // Independent channels: SNR^2 = sum d^2 / (k (1 + noise)).
        const std::vector<double> difference{1, 2};
        const std::vector<double> covariance{4, 0, 0, 9};
        const HotellingObserver observer = hotellingObserver(difference, covariance, 0.5);
        QVERIFY(std::abs(observer.snr - std::sqrt((1 / 4.0 + 4 / 9.0) / 1.5)) < 1e-12);
        QVERIFY(std::abs(observer.internalVariance - 0.5 * (1 / 4.0 + 4 / 9.0) / 2.25) < 1e-12);
        QVERIFY_EXCEPTION_THROWN((void)hotellingObserver(difference, std::vector<double>{1, 1, 1, 1}, 0),
                                 BadInput);
    }

    void areaIsThatOfNormalRatings_data() {
        QTest::addColumn<double>("internal");
        QTest::newRow("no internal noise") << 0.0;
        QTest::newRow("as much internal noise") << 1.0;
    }

    /// One channel of SNR d: AUC = Phi(d / sqrt(2 (1 + internal))), within four of its standard deviations,
    /// and those are DeLong's.
    void areaIsThatOfNormalRatings() {
        QFETCH(double, internal);
        std::mt19937 random(5);
        constexpr double kShift = 1.5;
        constexpr int kImages = 1000;
        const auto present = normalPlaces(random, kImages, 1, kShift);
        const auto absent = normalPlaces(random, kImages, 1, 0);
        const TaskFigures figures =
            taskFigures(rateByOthers(present, absent, std::vector<char>{1}, internal));
        const double expected = normalShare(kShift / std::sqrt(2 * (1 + internal)));
        QVERIFY2(std::abs(figures.area - expected) < 4 * figures.sd,
                 qPrintable(QString::number(figures.area)));
        QVERIFY(figures.sd > 0.003 && figures.sd < 0.015);
        const double snr = kShift / std::sqrt(1 + internal);
        // SD of an SNR of so many images of each kind: sqrt((2 + snr^2 / 4) / images), about.
        QVERIFY2(std::abs(figures.snr - snr) < 4 * std::sqrt((2 + snr * snr / 4) / kImages),
                 qPrintable(QString::number(figures.snr)));
    }

    /// Independent places: P(found and above) = int phi(t - d) Phi(t)^(2 places - 1) dt.
    void areaOfASearchIsThatOfIndependentPlaces() {
        std::mt19937 random(7);
        constexpr double kShift = 2.5;
        constexpr int kPlaces = 20;
        const auto present = normalPlaces(random, 600, kPlaces, kShift);
        const auto absent = normalPlaces(random, 600, kPlaces, 0);
        std::vector<char> near(kPlaces, 0);
        near[0] = 1;
        const TaskFigures figures = taskFigures(rateByOthers(present, absent, near, 0));
        double expected = 0;
        for (double t = -8; t < 12; t += 0.001) {
            expected += 0.001 * std::exp(-(t - kShift) * (t - kShift) / 2) / std::sqrt(2 * kPi) *
                        std::pow(normalShare(t), 2 * kPlaces - 1);
        }
        QVERIFY2(std::abs(figures.area - expected) < 4 * figures.sd,
                 qPrintable(QString("%1 for %2").arg(figures.area).arg(expected)));
        QVERIFY(figures.sd < 0.03);
    }

    /// The share of pairs in which one is rated above the other has this variance, whatever the method.
    void theStandardDeviationIsThatOfRepeatedStudies() {
        std::mt19937 random(11);
        double sum = 0;
        double squares = 0;
        double told = 0;
        constexpr int kStudies = 300;
        for (int study = 0; study < kStudies; ++study) {
            const TaskFigures figures = taskFigures(rateByOthers(
                normalPlaces(random, 40, 1, 1), normalPlaces(random, 40, 1, 0), std::vector<char>{1}, 0));
            sum += figures.area / kStudies;
            squares += figures.area * figures.area / kStudies;
            told += figures.sd / kStudies;
        }
        const double sd = std::sqrt(squares - sum * sum);
        // An SD of 300 studies is known to 4 %.
        QVERIFY2(std::abs(told / sd - 1) < 0.16, qPrintable(QString("%1 for %2").arg(told).arg(sd)));
    }

    /// Channels far wider than the image reach its ends and no further.
    void wideChannelsSeeTheWholeImage() {
        const ChannelBank bank({ChannelKind::LaguerreGauss, 1, 1e9}, square(), {0, 0, 0});
        const double one = bank.responses(Volume(square(), 1.0F))[0];
        Volume corner(square());
        corner.at(kSize - 1, 0, 0) = 1;
        QVERIFY(std::abs(one / bank.responses(corner)[0] - kSize * kSize) < 1e-6 * kSize * kSize);
    }

    void tooFewImagesAreRefused() {
        std::mt19937 random(3);
        const auto two = normalPlaces(random, 2, 1, 0);
        QVERIFY_EXCEPTION_THROWN((void)rateByOthers(two, two, std::vector<char>{1}, 0), BadInput);
        const ChannelSettings none{ChannelKind::LaguerreGauss, 0, 10};
        QVERIFY_EXCEPTION_THROWN(ChannelBank(none, square(), {}), WrongUse);
    }
};

QTEST_APPLESS_MAIN(ObserverTest)

}  // namespace observer_test
#include "observer_test.moc"
