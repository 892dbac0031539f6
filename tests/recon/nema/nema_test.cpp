// SPDX-License-Identifier: Apache-2.0
// The standard's evaluations on input whose answers mathematics says.
#include <QTest>
#include <cmath>
#include <random>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/nema/count_rates.h"
#include "recon/nema/published.h"
#include "recon/nema/resolution.h"
#include "recon/nema/sensitivity.h"
#include "recon/nema/small_animal.h"
#include "recon/simulate/monte_carlo.h"

namespace nema_test {

using namespace tof;

namespace {

Scanner ring(const std::string& published = {}) {
    return Scanner::fromJson(
        R"({"name": "ring", "modules": {"count": 36, "face_to_face_mm": 800, "crystals": [12, 8],
        "pitch_mm": [5, 6]}, "crystal_mm": [4.8, 5.8, 20], "attenuation_per_mm": 0.08, "acceptance_deg": 12,
        "fov_diameter_mm": 500)" +
            published + "}",
        "ring");
}

RatePoint pointAt(double kBqPerMl, double trues) {
    RatePoint point;
    point.activity_MBq = kBqPerMl * RateRules().volume_ml / 1000;
    point.trues = trues;
    point.total = trues;
    return point;
}

}  // namespace

class NemaTest : public QObject {
    Q_OBJECT

  private slots:
    /// A straight background under a line that turns about the axis: the strip's edges see it exactly.
    void aKnownScatterFractionComesBack_data() {
        QTest::addColumn<double>("perBin");
        QTest::addColumn<double>("bin_mm");
        QTest::newRow("none") << 0.0 << 2.0;
        QTest::newRow("little") << 3.0 << 2.0;
        QTest::newRow("half, bins that do not divide the strip") << 40.0 << 3.0;
    }
    void aKnownScatterFractionComesBack() {
        QFETCH(double, perBin);
        QFETCH(double, bin_mm);
        constexpr double kPeak = 2400;
        SliceSinograms sinograms(ring(), SinogramGrid::of(ring(), 90, bin_mm, RateRules().radius_mm));
        const SinogramGrid& grid = sinograms.grid();
        for (int slice = 0; slice < grid.slices; ++slice) {
            for (int angle = 0; angle < grid.angles; ++angle) {
                for (int bin = 0; bin < grid.bins; ++bin) {
                    sinograms.count(slice, angle, bin, perBin);
                }
                const double s = 45 * std::cos(M_PI * (angle + 0.5) / grid.angles);
                const int at = static_cast<int>(std::floor(s / bin_mm + 0.5 * grid.bins));
                for (int k = -1; k <= 1; ++k) {
                    sinograms.count(slice, angle, at + k, k == 0 ? kPeak / 2 : kPeak / 4);
                }
            }
        }

        const StripCounts strip = stripCounts(sinograms, findLine(sinograms));

        const double cells = grid.slices * grid.angles;
        const double background = perBin * cells * grid.bins;
        QCOMPARE(strip.total, sinograms.total());
        QVERIFY(std::abs(strip.background - background) < 1e-9 * strip.total);
        QVERIFY(std::abs(strip.scatterFraction() - perBin * grid.bins / (perBin * grid.bins + kPeak)) < 1e-9);
        // Half of the background is told to be random: what is left is scatter.
        const RatePoint rates = ratesOf(strip, background / 2, 2, 10);
        QVERIFY(std::abs(rates.scattered - background / 4) < 1e-9 * strip.total);
        QVERIFY(std::abs(rates.total - rates.trues - rates.scattered - rates.randoms) < 1e-9 * strip.total);
    }

    /// A mouse has a line 10 mm off the axis under an even background of 20 counts a bin.
    void aMouseHasItsScatterFraction() {
        const RateRules rules = rateRulesOf(kMouse);
        QCOMPARE(rules.radius_mm, 20.5);
        QVERIFY(std::abs(rules.volume_ml - 34.36) < 0.01);
        constexpr double kPerBin = 20;
        constexpr double kLine = 3000;
        const int bins = static_cast<int>(2 * rules.radius_mm / rules.bin_mm);
        SliceSinograms sinogram(ring(), {1, 120, bins, 650, rules.bin_mm});
        for (int angle = 0; angle < 120; ++angle) {
            for (int bin = 0; bin < bins; ++bin) {
                sinogram.count(0, angle, bin, kPerBin);
            }
            const double s = LinePlace{0, 10}.s_mm(M_PI * (angle + 0.5) / 120);
            sinogram.count(0, angle, static_cast<int>(s / rules.bin_mm + 0.5 * bins), kLine);
        }

        const LinePlace line = findLine(sinogram, rules);
        const StripCounts strip = stripCounts(sinogram, line, rules);

        QVERIFY(std::hypot(line.x_mm, line.y_mm - 10) < rules.bin_mm);
        const double background = kPerBin * bins / (kPerBin * bins + kLine);
        QVERIFY2(std::abs(strip.scatterFraction() - background) < 1e-9,
                 qPrintable(QString::number(strip.scatterFraction())));
        QVERIFY(std::abs(ratesOf(strip, 0, 1, 34.36, rules).kBqPerMl() - 1000) < 0.1);
        const Phantom phantom = lineInCylinder(kRat);
        QCOMPARE(phantom.shapes.back().centre.y, 17.5);
        QCOMPARE(phantom.shapes.back().size_mm.z, 140.0);
    }

    /// 200 scans of few events each: so few that the highest bin of an angle is mostly noise.
    void fewCountsAreNotBiased() {
        constexpr int kScans = 200;
        constexpr int kTrues = 240;
        constexpr int kOthers = 960;
        const LinePlace truth{-12, 43};
        const SinogramGrid grid{1, 120, 120, 650, 2};
        const Scanner scanner = ring();
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> angles(0, grid.angles);
        std::uniform_real_distribution<double> bins(0, grid.bins);
        std::normal_distribution<double> blur(0, 2);
        double sum = 0;
        for (int scan = 0; scan < kScans; ++scan) {
            SliceSinograms sinogram(scanner, grid);
            for (int event = 0; event < kTrues + kOthers; ++event) {
                const int angle = static_cast<int>(angles(random));
                const double s = truth.s_mm(M_PI * (angle + 0.5) / grid.angles) + blur(random);
                const double bin = event < kTrues ? s / grid.bin_mm + 0.5 * grid.bins : bins(random);
                sinogram.count(0, angle, static_cast<int>(bin), 1);
            }

            const LinePlace line = findLine(sinogram);
            const StripCounts strip = stripCounts(sinogram, line);

            // 240 counts of 2 mm say a coordinate to 0.2 mm, and what else is in the window adds a half.
            QVERIFY2(std::hypot(line.x_mm - truth.x_mm, line.y_mm - truth.y_mm) < 2,
                     qPrintable(QString("%1 %2").arg(line.x_mm).arg(line.y_mm)));
            sum += strip.trues();
        }
        // A bin has 8 others: those of 20 bins lie in the strip, and 20 times the mean of two is taken off.
        const double perBin = static_cast<double>(kOthers) / grid.bins;
        const double sd = std::sqrt((20 + 200) * perBin);
        QVERIFY2(std::abs(sum / kScans - kTrues) < 4 * sd / std::sqrt(kScans),
                 qPrintable(QString::number(sum / kScans)));
    }

    void thePeakOfAParalysableScannerIsFound() {
        constexpr double kTop_kBqPerMl = 17;  // of a exp(-a / 17)
        std::vector<RatePoint> points;
        for (double a = 10; a < 28; a += 1.5) {
            points.push_back(pointAt(a, a * std::exp(-a / kTop_kBqPerMl)));
        }

        const RatePeak peak = peakOf(points, &RatePoint::necr);

        // The third derivative over 1.5 kBq/ml moves a parabola's top by h^2 f''' / (6 f''), below 0.06.
        QVERIFY(peak.within);
        QVERIFY2(std::abs(peak.kBqPerMl - kTop_kBqPerMl) < 0.06, qPrintable(QString::number(peak.kBqPerMl)));
        QVERIFY(std::abs(peak.value / (kTop_kBqPerMl * std::exp(-1)) - 1) < 1e-3);
        points.resize(4);
        QVERIFY(!peakOf(points, &RatePoint::necr).within);
    }

    void sleevesAreTakenOff() {
        std::vector<double> walls;
        std::vector<double> rates;
        for (int sleeves = 1; sleeves <= 5; ++sleeves) {
            walls.push_back(sleeveWall_mm(sleeves));
            rates.push_back(8.8 * std::exp(-2 * 0.021 * walls.back()));
        }
        const SleeveFit fit = fitSleeves(walls, rates);

        for (std::size_t i = 0; i < walls.size(); ++i) {
            QVERIFY(std::abs(walls[i] - 1.25 * static_cast<double>(i + 1)) < 1e-12);
        }
        QVERIFY(std::abs(fit.rate - 8.8) < 1e-12);
        QVERIFY(std::abs(fit.attenuation_per_mm - 0.021) < 1e-12);
        const Phantom phantom = linesInSleeves(2, 100);
        QCOMPARE(phantom.shapes.size(), std::size_t{6});
        QCOMPARE(phantom.shapes.front().radius_mm, 4.75);
        QCOMPARE(phantom.shapes.back().centre.y, -100.0);
    }

    /// A disc of 1 per mm^2, whose line integrals are chords.
    void aDiscComesBackFromItsChords() {
        constexpr double kRadius_mm = 60;
        SinogramGrid grid{1, 120, 200, 4, 1};
        SliceSinograms sinograms(ring(), grid);
        for (int angle = 0; angle < grid.angles; ++angle) {
            for (int bin = 0; bin < grid.bins; ++bin) {
                const double left = kRadius_mm * kRadius_mm - grid.s_mm(bin) * grid.s_mm(bin);
                sinograms.count(0, angle, bin, left > 0 ? 2 * std::sqrt(left) * grid.bin_mm : 0);
            }
        }
        Lattice lattice{{9, 9, 3}, {10, 10, 4}, {-40, -40, -4}};

        const Volume image = filteredBackProjection(sinograms, lattice, ThreadPool(2));

        lattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 at = lattice.centre(x, y, z);
            const double radius = std::hypot(at.x, at.y);
            // Chords taken at middles of bins end a bin wide: the filter's error there falls with distance.
            const double expected = z == 1 ? 1 : 0;
            const double found = static_cast<double>(image.at(x, y, z));
            QVERIFY2(radius > 50 || std::abs(found - expected) < 0.01,
                     qPrintable(QString("%1 mm: %2").arg(radius).arg(found)));
        });
    }

    void aGaussianPointHasItsWidths_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::newRow("in the middle of a voxel") << 0.0 << 100.0;
        QTest::newRow("between voxels") << 0.4 << 99.7;
    }
    void aGaussianPointHasItsWidths() {
        QFETCH(double, x);
        QFETCH(double, y);
        constexpr double kAcross_mm = 5;
        constexpr double kAlong_mm = 6;
        SinogramGrid grid{31, 180, 300, 1, 1};
        SliceSinograms sinograms(ring(), grid);
        const double sigma = kAcross_mm / kFwhmPerSigma;
        for (int slice = 0; slice < grid.slices; ++slice) {
            const double z = grid.z_mm(slice) * kFwhmPerSigma / kAlong_mm;
            for (int angle = 0; angle < grid.angles; ++angle) {
                const double turn = M_PI * (angle + 0.5) / grid.angles;
                for (int bin = 0; bin < grid.bins; ++bin) {
                    const double s = (grid.s_mm(bin) - y * std::cos(turn) + x * std::sin(turn)) / sigma;
                    sinograms.count(slice, angle, bin, std::exp(-0.5 * (s * s + z * z)));
                }
            }
        }
        const Lattice around{{31, 31, 31}, {1, 1, 1}, {-15, 85, -15}};

        const PointWidths widths = widthsOf(filteredBackProjection(sinograms, around, ThreadPool(2)));

        // Straight lines between bins of 1 mm are a triangle of 0.96 mm FWHM, 1.8 % of 5 mm in quadrature;
        // those between voxels, h^2 f'' / (8 f') to a side, widen the half by 0.8 % at most and the tenth by
        // 2 %.
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double truth = axis == 2 ? kAlong_mm : kAcross_mm;
            QVERIFY2(std::abs(widths.fwhm_mm[axis] / truth - 1) < 0.028,
                     qPrintable(QString("%1: %2").arg(axis).arg(widths.fwhm_mm[axis])));
            QVERIFY2(
                std::abs(widths.fwtm_mm[axis] / truth / std::sqrt(std::log(10.0) / std::log(2.0)) - 1) < 0.04,
                qPrintable(QString("%1: %2").arg(axis).arg(widths.fwtm_mm[axis])));
        }
    }

    /// Events of a thin line parallel to the axis: every angle has it where geometry says.
    void anEventLiesWhereItsLineDoes() {
        const Scanner scanner = ring();
        Phantom line = linesInSleeves(0, -80);  // at y = 80
        line.shapes.back().size_mm.z = 60;
        for (PhantomShape& shape : line.shapes) {
            shape.mu_per_mm = 0;
        }
        SimulationSettings settings;
        settings.events = 20000;
        const EventList events = simulate(scanner, line, settings, ThreadPool(2), {});
        SliceSinograms sinograms(scanner, SinogramGrid::of(scanner, 30, 4, 200));

        sinograms.add(events);

        const SinogramGrid& grid = sinograms.grid();
        QCOMPARE(sinograms.total(), 20000.0);
        QCOMPARE(grid.slice_mm, 3.0);
        QCOMPARE(grid.slices, 15);
        for (int angle = 0; angle < grid.angles; ++angle) {
            double sum = 0;
            double moment = 0;
            for (int slice = 0; slice < grid.slices; ++slice) {
                for (int bin = 0; bin < grid.bins; ++bin) {
                    sum += sinograms.counts(slice, angle, bin);
                    moment += sinograms.counts(slice, angle, bin) * grid.s_mm(bin);
                }
            }
            const double turn = M_PI * (angle + 0.5) / grid.angles;
            // An angle is 6 degrees wide: 80 mm times 0.05 from its middle to its edge, seen unevenly past
            // gaps.
            QVERIFY2(std::abs(moment / sum - 80 * std::cos(turn)) < 2.5,
                     qPrintable(QString("%1: %2").arg(angle).arg(moment / sum)));
        }
    }

    void whatWasPublishedIsReadOrSaidToBeWrong() {
        const auto figures = publishedFigures(Scanner::find("ge-ste-blocks"));
        QVERIFY(figures.size() >= 5);
        QCOMPARE(figures.front().value, 8.8);
        QVERIFY(publishedFigures(ring()).empty());
        for (const BuiltIn& one : builtInScanners()) {
            for (const PublishedFigure& figure : publishedFigures(Scanner::fromJson(one.text, one.name))) {
                QVERIFY2(figure.value > 0 && figure.source.size() > 10, one.name.c_str());
            }
        }
        for (const char* const wrong :
             {R"(, "published": 3)", R"(, "published": [{"figure": "necr", "value": 1, "source": "x"}])",
              R"(, "published": [{"figure": "necr_peak", "value": 1}])"}) {
            QVERIFY_EXCEPTION_THROWN((void)publishedFigures(ring(wrong)), BadInput);
        }
    }
};

QTEST_APPLESS_MAIN(NemaTest)

}  // namespace nema_test
#include "nema_test.moc"
