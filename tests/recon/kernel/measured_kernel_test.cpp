// SPDX-License-Identifier: Apache-2.0
// Kernels measured from events whose offsets were drawn from known kernels.
#include <QTest>
#include <cmath>
#include <functional>
#include <random>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/point_sources.h"
#include "recon/kernel/measured_kernel.h"
#include "recon/kernel/point_response.h"
#include "recon/lab/view_projection.h"
#include "recon/simulate/monte_carlo.h"

namespace measured_kernel_test {

using namespace tof;

namespace {

/// Doubles of [0, 1) and Gaussian ones; the distributions of the standard library differ between libraries.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
    double gaussian() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * kPi * uniform()); }
    /// A direction within 10 degrees of the transverse plane.
    Vec3 direction() {
        const double phi = 2 * kPi * uniform();
        const double z = std::sin(10 * kRadPerDeg) * (2 * uniform() - 1);
        const double level = std::sqrt(1 - z * z);
        return {level * std::cos(phi), level * std::sin(phi), z};
    }

  private:
    std::mt19937_64 engine_;
};

const std::vector<Vec3> kSources{{5, 9, 1},     {-48, 30, 20},  {20, -95, -19},
                                 {100, 100, 0}, {-180, 40, 18}, {150, -170, -20}};

/// Radial offset towards the centre of an event at |s|.
using RadialDraw = std::function<double(Draw&, double s)>;

/// Events of each source with Gaussian offsets along u and a, `radial` ones along r.
void fill(PointOffsets& offsets, const std::vector<Vec3>& sources, int perSource, double sigmaTof,
          double sigmaAxial, const RadialDraw& radial, std::uint64_t seed) {
    Draw draw(seed);
    for (const Vec3& source : sources) {
        for (int i = 0; i < perSource; ++i) {
            const Vec3 u = draw.direction();
            const double level = std::hypot(u.x, u.y);
            const Vec3 r{-u.y / level, u.x / level, 0};
            const Vec3 a = cross(u, r);
            const double s = dot(source, r);
            const double q = radial(draw, std::abs(s)) * (s < 0 ? 1 : -1);
            offsets.add(
                source + (sigmaTof * draw.gaussian()) * u + q * r + (sigmaAxial * draw.gaussian()) * a, u);
        }
    }
}

double density(double q, double sigma, double centre = 0) {
    return std::exp(-0.5 * (q - centre) * (q - centre) / (sigma * sigma)) / (sigma * std::sqrt(2 * kPi));
}

constexpr double kSigmaTof = 25;
constexpr double kSigmaAxial = 2.4;
double sigmaRadial(double s) {
    return 2 + 0.005 * s;
}
double narrowGaussian(Draw& draw, double s) {
    return sigmaRadial(s) * draw.gaussian();
}
/// The asymmetric family of docs/model.md section 2, ratio 2 and shift 1.
double twoGaussians(Draw& draw, double s) {
    const double sigma = sigmaRadial(s);
    return draw.uniform() < 0.5 ? sigma * draw.gaussian() : sigma + 2 * sigma * draw.gaussian();
}

/// The statistical error of a Gaussian's FWHM from n events; five of them are met by all but one in 10^6.
double fwhmError(double sigma, double events) {
    return sigma * kFwhmPerSigma / std::sqrt(2 * events);
}

/// A profile between its knots, 0 beyond them.
double profileAt(const MeasuredProfile& profile, double q) {
    const auto above = std::upper_bound(profile.q_mm.begin(), profile.q_mm.end(), q);
    if (above == profile.q_mm.begin() || above == profile.q_mm.end()) {
        return 0;
    }
    const auto k = static_cast<std::size_t>(above - profile.q_mm.begin());
    const double upper = (q - profile.q_mm[k - 1]) / (profile.q_mm[k] - profile.q_mm[k - 1]);
    return (1 - upper) * profile.w[k - 1] + upper * profile.w[k];
}

template <typename Fault>
std::string sentenceOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Fault& fault) {
        return fault.what();
    }
    return {};
}

}  // namespace

class MeasuredKernelTest : public QObject {
    Q_OBJECT

  private slots:
    void aFitFindsThePeakThatTheCountsAreMadeOf() {
        Histogram histogram = Histogram::symmetric(20, 400);
        for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
            histogram.counts[i] = 3 + 1e5 * gaussianShare(histogram.edge(i), histogram.edge(i + 1), 0.7, 2.5);
        }

        const PeakFit peak = fitPeak(histogram);

        QVERIFY(peak.converged);
        // The top of the likelihood is found to a small part of its width.
        QVERIFY(std::abs(peak.fwhm.value - 2.5 * kFwhmPerSigma) < 0.02 * peak.fwhm.sd);
        QVERIFY(std::abs(peak.centre.value - 0.7) < 0.02 * peak.centre.sd);
        QVERIFY(std::abs(peak.background - 3 / 0.1) < 1e-2);
        // Without a background the errors are sigma/sqrt(N) and FWHM/sqrt(2 N); this one adds a little.
        const double ideal = 2.5 / std::sqrt(1e5);
        QVERIFY(peak.centre.sd > ideal && peak.centre.sd < 1.1 * ideal);
        QVERIFY(peak.fwhm.sd > fwhmError(2.5, 1e5) && peak.fwhm.sd < 1.2 * fwhmError(2.5, 1e5));
    }

    void errorsOfAFitAreTheScatterOfItsResults() {
        constexpr int kTrials = 60;
        double squares = 0;
        double stated = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
            Draw draw(static_cast<std::uint64_t>(trial) + 1);
            Histogram histogram = Histogram::symmetric(20, 400);
            for (int i = 0; i < 3000; ++i) {
                histogram.add(2.5 * draw.gaussian());
                if (i % 3 == 0) {
                    histogram.add(40 * draw.uniform() - 20);
                }
            }
            const PeakFit peak = fitPeak(histogram);
            const double off = peak.fwhm.value - 2.5 * kFwhmPerSigma;
            squares += off * off;
            stated += peak.fwhm.sd * peak.fwhm.sd;
        }

        // A sum of 60 squares scatters by sqrt(2/60) = 18 %; four times that.
        const double ratio = squares / stated;
        QVERIFY2(ratio > 0.27 && ratio < 1.73, qPrintable(QString::number(ratio)));
    }

    void widthsOfAKnownKernelComeBack_data() {
        QTest::addColumn<int>("fit");
        QTest::addColumn<double>("background");
        QTest::newRow("measured") << static_cast<int>(RadialFit::Measured) << 0.0;
        QTest::newRow("variant") << static_cast<int>(RadialFit::Variant) << 0.0;
        QTest::newRow("variant, a third of the events anywhere")
            << static_cast<int>(RadialFit::Variant) << 0.5;
    }

    void widthsOfAKnownKernelComeBack() {
        QFETCH(int, fit);
        QFETCH(double, background);
        PointMeasureSettings settings;
        settings.fit = static_cast<RadialFit>(fit);
        PointOffsets offsets(kSources, settings);
        constexpr int kPerSource = 120000;
        fill(offsets, kSources, kPerSource, kSigmaTof, kSigmaAxial, narrowGaussian, 11);
        Draw draw(12);
        for (int i = 0; i < static_cast<int>(background * kPerSource * 6); ++i) {
            const Vec3 near = kSources[static_cast<std::size_t>(i) % kSources.size()];
            const auto off = [&](double reach) { return reach * (2 * draw.uniform() - 1); };
            offsets.add(near + Vec3{off(200), off(200), off(60)}, draw.direction());
        }

        const KernelMeasurement result = measuredKernel(offsets);

        // Fits with a background know a width less well than the bare count says: 1.5 covers it.
        const auto close = [](double found, double sigma, double events) {
            const double allowed = 5 * 1.5 * fwhmError(sigma, events);
            return std::abs(found - sigma * kFwhmPerSigma) < allowed;
        };
        const double used = static_cast<double>(offsets.used()) / (1 + background);
        QVERIFY(close(result.kernel.tof_ps * kMmPerPs, kSigmaTof, used));
        QVERIFY(close(result.kernel.axial_mm, kSigmaAxial, used));
        QCOMPARE(result.bands.size(), std::size_t{10});  // the farthest source is 226.7 mm from the axis
        for (const RadiusBand& band : result.bands) {
            QVERIFY(band.used);
            QVERIFY(band.s_mm > band.from_mm && band.s_mm < band.to_mm);
            const double events = band.radial.events.value;
            QVERIFY2(close(band.radial.fwhm.value, sigmaRadial(band.s_mm), events),
                     qPrintable(QString("|s| %1: %2").arg(band.s_mm).arg(band.radial.fwhm.value)));
            QVERIFY(std::abs(band.mean.value) < 5 * band.mean.sd);
            QVERIFY(std::abs(band.skewness.value) < 5 * band.skewness.sd);
        }
        if (settings.fit == RadialFit::Measured) {
            QCOMPARE(result.kernel.measured.size(), result.bands.size());
        }
        const KernelSpec read = KernelSpec::fromJson(result.kernel.toJson(), "kernel.json");
        QCOMPARE(read.toJson(), result.kernel.toJson());
    }

    void aSourceOnTheAxisGivesOneWidth_data() {
        QTest::addColumn<int>("fit");
        QTest::newRow("measured") << static_cast<int>(RadialFit::Measured);
        QTest::newRow("variant") << static_cast<int>(RadialFit::Variant);
        QTest::newRow("asymmetric") << static_cast<int>(RadialFit::Asymmetric);
    }

    void aSourceOnTheAxisGivesOneWidth() {
        QFETCH(int, fit);
        PointMeasureSettings settings;
        settings.fit = static_cast<RadialFit>(fit);
        const std::vector<Vec3> source{{0, 1e-5, 0}};
        PointOffsets offsets(source, settings);
        fill(offsets, source, 20000, kSigmaTof, kSigmaAxial, twoGaussians, 91);

        const KernelSpec kernel = measuredKernel(offsets).kernel;

        QCOMPARE(kernel.radial.knots()->size(), std::size_t{1});
        QCOMPARE(kernel.measured.size(), std::size_t{settings.fit == RadialFit::Measured ? 1U : 0U});
        // Files and fields get no digits beyond what can be known.
        QCOMPARE(kernel.tof_ps, std::round(kernel.tof_ps * 100) / 100);
        QCOMPARE(kernel.axial_mm, std::round(kernel.axial_mm * 1e4) / 1e4);
    }

    void aMeasuredProfileIsTheDensityTheOffsetsWereDrawnFrom() {
        PointMeasureSettings settings;
        settings.window_mm = 30;
        const std::vector<Vec3> source{{0, 100, 0}};
        PointOffsets offsets(source, settings);
        constexpr int kEvents = 400000;
        fill(
            offsets, source, kEvents, kSigmaTof, kSigmaAxial,
            [](Draw& draw, double) { return twoGaussians(draw, 0); }, 21);  // it is so at every s

        const KernelMeasurement result = measuredKernel(offsets);

        for (std::size_t b = 0; b < result.bands.size(); ++b) {
            const MeasuredProfile& profile = result.kernel.measured[b];
            const double step = profile.q_mm[1] - profile.q_mm[0];
            double area = 0;
            for (std::size_t k = 0; k < profile.q_mm.size(); ++k) {
                const double truth = 0.5 * (density(profile.q_mm[k], 2) + density(profile.q_mm[k], 4, 2));
                // Counts of a knot's stretch scatter by their root, twice that where neighbours pull;
                // straight lines miss a curve by step^2/8 of its second derivative, at most peak/sigma^2.
                const double scatter = 2 * std::sqrt(density(0, 2) / (result.bands[b].events * step));
                const double bend = step * step / 8 * density(0, 2) / 4;
                QVERIFY2(std::abs(profile.w[k] - truth) < 5 * scatter + bend,
                         qPrintable(
                             QString("q %1: %2, not %3").arg(profile.q_mm[k]).arg(profile.w[k]).arg(truth)));
                area += profile.w[k] * step;
            }
            QVERIFY(std::abs(area - 1) < 0.01);
            // Towards the centre is positive: half the events are moved there by one sigma, 2 mm.
            QVERIFY(std::abs(result.bands[b].mean.value - 1) < 5 * result.bands[b].mean.sd + 0.05);
            QVERIFY(result.bands[b].skewness.value > 5 * result.bands[b].skewness.sd);
        }
    }

    void twoGaussiansComeBackWithTheirRatioAndShift_data() {
        QTest::addColumn<double>("shift");
        QTest::addColumn<bool>("recentred");
        for (const double shift : {-1.0, 0.0, 1.0}) {
            QTest::addRow("shift %g", shift) << shift << false;
            QTest::addRow("shift %g, mean at 0", shift) << shift << true;
        }
    }

    void twoGaussiansComeBackWithTheirRatioAndShift() {
        QFETCH(double, shift);
        QFETCH(bool, recentred);
        PointMeasureSettings settings;
        settings.fit = RadialFit::Asymmetric;
        PointOffsets offsets(kSources, settings);
        fill(
            offsets, kSources, 60000, kSigmaTof, kSigmaAxial,
            [&](Draw& draw, double s) {
                const double sigma = sigmaRadial(s);
                const double first = recentred ? -0.5 * shift * sigma : 0;
                return first + (draw.uniform() < 0.5 ? sigma * draw.gaussian()
                                                     : shift * sigma + 2 * sigma * draw.gaussian());
            },
            31);

        const KernelMeasurement result = measuredKernel(offsets);

        QVERIFY2(result.twoGaussians.has_value(), result.note.c_str());
        const TwoGaussians& two = *result.twoGaussians;
        const auto met = [](const Estimate& found, double truth) {
            return found.sd > 0 && std::abs(found.value - truth) < 3 * found.sd;
        };
        const auto say = [](const Estimate& e) { return QString("%1 +- %2").arg(e.value).arg(e.sd); };
        QVERIFY2(met(two.ratio.atCentre, 2), qPrintable(say(two.ratio.atCentre)));
        QVERIFY2(met(two.ratio.slope, 0), qPrintable(say(two.ratio.slope)));
        QVERIFY2(met(two.shift.atCentre, shift), qPrintable(say(two.shift.atCentre)));
        QVERIFY2(met(two.shift.slope, 0), qPrintable(say(two.shift.slope)));
        // sigma is 2 + 0.005 |s|, so the mean moves along a line, too.
        const double mean = recentred ? 0 : 0.5 * shift;
        QVERIFY2(met(two.centre.atCentre, mean * 2), qPrintable(say(two.centre.atCentre)));
        QVERIFY2(met(two.centre.slope, mean * 0.005), qPrintable(say(two.centre.slope)));
        // Errors that mean something: 300,000 events know a ratio to some hundredths.
        QVERIFY(two.ratio.atCentre.sd < 0.1 && two.shift.atCentre.sd < 0.1);
        const KernelSpec read = KernelSpec::fromJson(result.kernel.toJson(), "kernel.json");
        QCOMPARE(read.toJson(), result.kernel.toJson());
        QVERIFY(read.asymmetry == result.kernel.asymmetry);
    }

    void profilesOfOneGaussianAreNotSplitIntoTwo() {
        PointMeasureSettings settings;
        settings.fit = RadialFit::Asymmetric;
        PointOffsets offsets(kSources, settings);
        fill(offsets, kSources, 20000, kSigmaTof, kSigmaAxial, narrowGaussian, 33);

        const KernelMeasurement result = measuredKernel(offsets);

        // A ratio of 1 leaves the shift without meaning: the kernel says so instead of an error of thousands.
        QVERIFY(!result.twoGaussians.has_value());
        QVERIFY(!result.kernel.asymmetry.has_value());
        QVERIFY2(result.note.find("two Gaussians from one") != std::string::npos, result.note.c_str());
        for (const auto& [s, width] : *result.kernel.radial.knots()) {
            QVERIFY(std::abs(width / (sigmaRadial(s) * kFwhmPerSigma) - 1) < 0.06);
        }
    }

    void errorsOfKnotsAreTheScatterOfTheirValues() {
        PointMeasureSettings settings;
        const std::vector<Vec3> source{{0, 1e-5, 0}};
        constexpr int kTrials = 40;
        std::vector<double> sum;
        std::vector<double> squares;
        std::vector<double> stated;
        settings.knots = 9;
        for (int trial = 0; trial < kTrials; ++trial) {
            PointOffsets offsets(source, settings);
            fill(offsets, source, 4000, kSigmaTof, kSigmaAxial, narrowGaussian,
                 static_cast<std::uint64_t>(trial) + 500);
            const MeasuredProfile profile = measuredKernel(offsets).kernel.measured.front();
            sum.resize(profile.w.size());
            squares.resize(profile.w.size());
            stated.resize(profile.w.size());
            for (std::size_t k = 0; k < profile.w.size(); ++k) {
                sum[k] += profile.w[k];
                squares[k] += profile.w[k] * profile.w[k];
                stated[k] += profile.sd[k] * profile.sd[k];
            }
        }

        for (std::size_t k = 2; k + 2 < sum.size(); ++k) {  // beyond, what is below zero is cut off
            const double variance = (squares[k] - sum[k] * sum[k] / kTrials) / (kTrials - 1);
            // A variance of 40 scatters by sqrt(2/39) = 23 %; four times that. That the knots move with the
            // fitted width adds to it.
            const double ratio = variance / (stated[k] / kTrials);
            QVERIFY2(ratio > 0.3 && ratio < 2.2, qPrintable(QString("knot %1: %2").arg(k).arg(ratio)));
        }
    }

    void linesThatPassTwoSourcesAreLeftOut() {
        const std::vector<Vec3> sources{{-60, 0, 0}, {60, 0, 0}};
        PointMeasureSettings settings;
        PointOffsets offsets(sources, settings);
        const Vec3 along{1, 0, 0};
        const Vec3 across{0, 1, 0};

        offsets.add({-60, 0, 0}, along);
        offsets.add({-60, 0, 0}, across);
        offsets.add({0, 200, 0}, across);

        QCOMPARE(offsets.events(), std::uint64_t{3});
        QCOMPARE(offsets.ambiguous(), std::uint64_t{1});
        QCOMPARE(offsets.used(), std::uint64_t{1});
    }

    void linesMeetAtTheSource() {
        const std::vector<Vec3> truth{{40, -25, 7}};
        const std::vector<Vec3> guess{{42, -24, 5.5}};
        PointMeasureSettings settings;
        PointOffsets offsets(guess, settings);
        constexpr int kEvents = 20000;
        fill(
            offsets, truth, kEvents, kSigmaTof, kSigmaAxial,
            [](Draw& draw, double) { return 2 * draw.gaussian(); }, 51);

        const Vec3 off = offsets.meetingPoints().front() - truth.front();

        // Half of the lines say where it is along x or y, all of them along z.
        QVERIFY(std::abs(off.x) < 5 * 2 * std::sqrt(2.0 / kEvents));
        QVERIFY(std::abs(off.y) < 5 * 2 * std::sqrt(2.0 / kEvents));
        QVERIFY(std::abs(off.z) < 5 * kSigmaAxial * std::sqrt(1.1 / kEvents));
    }

    void aPointInTheLabr3ScannerHasTheWidthsOfItsCrystals() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        Phantom phantom = Phantom::find("points");
        phantom.shapes.resize(1);
        phantom.shapes.front().centre = {10.3, 6.2, 1.3};
        const ThreadPool pool(2);
        const EventList events =
            simulate(scanner, phantom, {.events = 60000, .seed = 3, .duration_s = 1}, pool, {});
        PointMeasureSettings settings;
        settings.window_mm = 10;

        const KernelMeasurement result = measuredKernel(collectOffsets(
            events, scanner, pointSources(phantom, "points"), settings, pool, {}, {EndPoints::Centre, 1}));

        // Depth of interaction of photons met head-on: an exponential cut at the crystal's depth.
        const double mu = scanner.attenuation_per_mm;
        const double depth = scanner.crystalSize_mm[2];
        const double left = std::exp(-mu * depth);
        const double depthVariance = 1 / (mu * mu) - depth * depth * left / ((1 - left) * (1 - left));
        // Along the line: half the difference of both depths besides the time resolution.
        const double timing = 400 * kMmPerPs / kFwhmPerSigma;
        const double tof = std::sqrt(timing * timing + depthVariance / 2) * kFwhmPerSigma;
        QVERIFY2(std::abs(result.tof.fwhm.value - tof) < 5 * result.tof.fwhm.sd,
                 qPrintable(QString("%1, not %2").arg(result.tof.fwhm.value).arg(tof)));
        // Across: the mean of two places in crystals 4 mm wide, and of two depths seen at the slope of flat
        // modules, at most 27 x 4.3/2 over 465 mm; along z at the tilt, at most tan 10 degrees.
        const auto across = [&](double steepest) {
            return std::sqrt(16.0 / 12 / 2 + depthVariance * steepest * steepest / 3 / 2) * kFwhmPerSigma;
        };
        const double radial = across(27 * 4.3 / 2 / 465);
        const double axial = across(std::tan(10 * kRadPerDeg));
        // The shape is nearly a triangle, whose FWHM is 2 mm where a Gaussian of its variance has 1.92; lines
        // near the axis come at few distances from it, which a tenth more allows for.
        QVERIFY2(std::abs(result.bands.front().radial.fwhm.value / radial - 1) < 0.15,
                 qPrintable(QString("%1, not %2").arg(result.bands.front().radial.fwhm.value).arg(radial)));
        QVERIFY2(std::abs(result.axial.fwhm.value / axial - 1) < 0.15,
                 qPrintable(QString("%1, not %2").arg(result.axial.fwhm.value).arg(axial)));
    }

    void halvesOfTheAzimuthsAgree() {
        // Thirteen azimuths of one radius, every second one in either half; a comb of few lines would differ
        // between them by far more than its errors say.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ThreadPool pool(2);
        KernelMeasurement halves[2];
        for (int half = 0; half < 2; ++half) {
            Phantom phantom = Phantom::find("points");
            for (std::size_t i = 0; i < phantom.shapes.size(); ++i) {
                phantom.shapes[i].activity = i / 13 == 1 && static_cast<int>(i % 2) == half ? 1 : 0;
            }
            const EventList events = simulate(
                scanner, phantom,
                {.events = 2000000, .seed = static_cast<std::uint64_t>(half) + 5, .duration_s = 1}, pool, {});
            PointMeasureSettings settings;
            settings.band_mm = 60;
            settings.knots = 13;
            halves[half] = measuredKernel(
                collectOffsets(events, scanner, pointSources(phantom, "points"), settings, pool, {}));
        }

        QCOMPARE(halves[0].kernel.measured.size(), halves[1].kernel.measured.size());
        for (std::size_t b = 0; b < halves[0].kernel.measured.size(); ++b) {
            const MeasuredProfile& one = halves[0].kernel.measured[b];
            const MeasuredProfile& other = halves[1].kernel.measured[b];
            const double peak = *std::max_element(one.w.begin(), one.w.end());
            for (std::size_t k = 0; k < one.w.size(); ++k) {
                // Knots lie where the fitted widths put them: the other half is read at the same place.
                const double at = profileAt(other, one.q_mm[k]);
                const double off = std::abs(one.w[k] - at);
                const double sd = std::hypot(one.sd[k], other.sd[std::min(k, other.sd.size() - 1)]);
                QVERIFY2(off <= 3 * sd && off < 0.05 * peak,
                         qPrintable(QString("band %1, knot %2: %3 of the peak, sd %4")
                                        .arg(b)
                                        .arg(k)
                                        .arg(off / peak)
                                        .arg(sd / peak)));
            }
            // The profile is as wide as the fit says: it was half as wide as that.
            const double fitted = halves[0].bands[b].radial.fwhm.value;
            QVERIFY2(std::abs(measuredFwhm(one).value / fitted - 1) < 0.05,
                     qPrintable(QString("%1, not %2").arg(measuredFwhm(one).value).arg(fitted)));
        }
    }

    void theProjectorWithAMeasuredKernelIsAdjoint() {
        PointMeasureSettings settings;
        settings.leastEvents = 500;
        PointOffsets offsets(kSources, settings);
        fill(offsets, kSources, 20000, kSigmaTof, kSigmaAxial, twoGaussians, 61);
        Projecting how;
        how.engine = "cpu";
        how.kernel = measuredKernel(offsets).kernel;
        const EngineRegistry engines = makeEngineRegistry();
        ViewProjections projections(engines, {});

        const auto error = projections.adjointError(how, Lattice::centred({37, 30, 9}, {8, 8, 6}),
                                                    View{0.7, 0.11}, 5, [] {});

        QVERIFY(std::holds_alternative<double>(error));
        QVERIFY(std::get<double>(error) < 1e-5);
    }

    void resultsDoNotDependOnThreads() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = Phantom::find("points");
        const ThreadPool two(2);
        const EventList events =
            simulate(scanner, phantom, {.events = 300000, .seed = 4, .duration_s = 1}, two, {});
        const auto kernelWith = [&](const ThreadPool& pool) {
            return measuredKernel(
                       collectOffsets(events, scanner, pointSources(phantom, "points"), {}, pool, {}))
                .kernel.toJson();
        };

        QCOMPARE(kernelWith(two), kernelWith(ThreadPool(1)));
    }

    void whatCannotBeMeasuredIsSaidInOneSentence() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const ThreadPool pool(1);
        EventList events;
        events.crystals = {{0, 19000}};
        const auto collect = [&] { (void)collectOffsets(events, scanner, kSources, {}, pool, {}); };
        QVERIFY(sentenceOf<BadInput>(collect).find("no times of flight") != std::string::npos);
        events.dt_ps = {0};
        events.crystals = {{0, 99999999}};
        QVERIFY(sentenceOf<BadInput>(collect).find("another scanner") != std::string::npos);
        QVERIFY(sentenceOf<BadInput>([&] {
                    requireInside({{0, 0, 0}, {300, 0, 0}}, scanner);
                }).find("point source 2 at (300, 0, 0) mm lies outside") != std::string::npos);
        QVERIFY(sentenceOf<BadInput>([&] {
                    requireInside({{0, 0, 140}}, scanner);
                }).find("outside") != std::string::npos);
        QVERIFY(sentenceOf<BadInput>([] {
                    (void)pointSources(Phantom::find("spheres"), "list.h5");
                }).find("no point sources") != std::string::npos);
        QVERIFY(sentenceOf<WrongUse>([] {
                    PointOffsets({{0, 0, 0}, {0, 30, 0}}, {});
                }).find("30 mm apart") != std::string::npos);
        PointOffsets few(kSources, {});
        fill(few, kSources, 50, kSigmaTof, kSigmaAxial, narrowGaussian, 71);
        QVERIFY(sentenceOf<BadInput>([&] { (void)measuredKernel(few); }).find("too few events") !=
                std::string::npos);
        PointMeasureSettings narrow;
        narrow.window_mm = 3;
        PointOffsets cut({{0, 50, 0}}, narrow);
        fill(cut, {{0, 50, 0}}, 20000, kSigmaTof, kSigmaAxial, narrowGaussian, 81);
        QVERIFY(sentenceOf<BadInput>([&] { (void)measuredKernel(cut); }).find("--window") !=
                std::string::npos);
    }
};

QTEST_APPLESS_MAIN(MeasuredKernelTest)

}  // namespace measured_kernel_test
#include "measured_kernel_test.moc"
