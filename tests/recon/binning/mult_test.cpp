// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/simulate/monte_carlo.h"

namespace mult_test {

using namespace tof;

namespace {

constexpr double kMu = 0.0096;

/// A box that emits evenly, its faces on faces of 4 mm voxels, in a longer water cylinder when `mu` is
/// positive.
Phantom boxPhantom(Vec3 centre, double mu) {
    Phantom phantom;
    phantom.name = "box";
    PhantomShape water;
    water.kind = PhantomShape::Kind::Cylinder;
    water.radius_mm = 110;
    water.size_mm.z = 150;
    water.mu_per_mm = mu;
    PhantomShape box;
    box.kind = PhantomShape::Kind::Box;
    box.centre = centre;
    box.size_mm = {96, 80, 64};
    box.activity = 1;
    box.mu_per_mm = mu;
    phantom.shapes = {water, box};
    return phantom;
}

HistoData emptyData(const Scanner& scanner, const Lattice& lattice, int azimuths, int tilts) {
    BinningSettings settings;
    settings.azimuths = azimuths;
    settings.tilts = tilts;
    settings.lattice = lattice;
    return depositEvents({}, scanner, settings, ThreadPool(1), {});
}

/// What survives of pairs emitted at `p` in a cell `width` wide about `phi`, in a long cylinder of water.
double meanSurvival(Vec3 p, double phi, double width, double radius, double acceptance) {
    constexpr int kDirections = 8;
    double sum = 0;
    for (int i = 0; i < kDirections; ++i) {
        const double azimuth = phi + ((i + 0.5) / kDirections - 0.5) * width;
        const double s = -p.x * std::sin(azimuth) + p.y * std::cos(azimuth);
        const double tilt = std::asin((i + 0.5) / kDirections * std::sin(acceptance));
        sum += std::exp(-kMu * 2 * std::sqrt(radius * radius - s * s) / std::cos(tilt));
    }
    return sum / kDirections;
}

/// Probability that a pair emitted in a voxel flies in the view's cell, survives and is recorded.
double recorded(const HistoData& data, std::size_t view, std::size_t voxel) {
    const std::size_t i = view * data.voxels() + voxel;
    return static_cast<double>(data.mult[i]) * (data.att.empty() ? 1.0 : static_cast<double>(data.att[i]));
}

}  // namespace

class MultTest : public QObject {
    Q_OBJECT

  private slots:
    void expectedCountsAreTheSimulatedOnes_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("mu");
        QTest::newRow("in air") << 0.0 << 0.0;
        QTest::newRow("in water") << 0.0 << kMu;
        QTest::newRow("in water, off centre") << 40.0 << kMu;
    }
    void expectedCountsAreTheSimulatedOnes() {
        // Emissions of the whole run times mult, summed over the box, against what every view received.
        QFETCH(double, x);
        QFETCH(double, mu);
        // No blur of times: it would carry events out of the lattice, which mult says nothing of.
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        const Phantom phantom = boxPhantom({x, 0, 0}, mu);
        BinningSettings settings;
        settings.azimuths = 20;
        settings.lattice = Lattice::centred({56, 56, 32}, {4, 4, 4});
        SimulationReport report;
        const EventList events = simulate(scanner, phantom, {.events = 400000, .seed = 12, .duration_s = 1},
                                          ThreadPool(2), {}, &report);
        HistoData data = depositEvents(events, scanner, settings, ThreadPool(2), {});
        const Volume attenuation = phantom.attenuationOn(Lattice::centred({112, 112, 76}, {2, 2, 2}), 2);
        const Volume emission = phantom.emissionOn(settings.lattice, 1);

        QCOMPARE(data.kept, std::uint64_t{400000});
        computeMult(data, scanner, mu > 0 ? &attenuation : nullptr, ThreadPool(2), {});

        const double perVoxel =
            report.decays() / std::accumulate(emission.data.begin(), emission.data.end(), 0.0);
        double chiSquared = 0;
        double expectedTotal = 0;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            double observed = 0;
            double expected = 0;
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                observed += static_cast<double>(data.counts[view * data.voxels() + i]);
                expected += perVoxel * static_cast<double>(emission.data[i]) * recorded(data, view, i);
            }
            const double z = (observed - expected) / std::sqrt(expected);
            QVERIFY2(std::abs(z) < 4.5,
                     qPrintable(QString("view %1: %2 of %3").arg(view).arg(observed).arg(expected)));
            chiSquared += z * z;
            expectedTotal += expected;
        }
        // 60 views of about 6700 counts; 1e-4 of chance alone exceeds 60 + 3.7 sqrt(120). A bias of one per
        // cent in every view would add 40.
        QVERIFY2(chiSquared < 101, qPrintable(QString::number(chiSquared)));
        const double ratio = static_cast<double>(data.kept) / expectedTotal;
        QVERIFY2(std::abs(ratio - 1) < 0.006, qPrintable(QString::number(ratio)));
    }

    void attenuationIsTheExponentialOfTheChord() {
        // A long water cylinder: at its axis every line of the cell crosses the diameter over the cosine of
        // its tilt.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Lattice lattice = Lattice::centred({17, 17, 5}, {4, 4, 8});
        Phantom phantom = boxPhantom({0, 0, 0}, kMu);
        phantom.shapes.resize(1);
        phantom.shapes[0].radius_mm = 100;
        const Volume attenuation = phantom.attenuationOn(Lattice::centred({130, 130, 40}, {2, 2, 4}), 4);
        HistoData water = emptyData(scanner, lattice, 8, 3);
        HistoData air = water;

        computeMult(water, scanner, &attenuation, ThreadPool(2), {});
        computeMult(air, scanner, nullptr, ThreadPool(2), {});

        // Efficiency does not know what the photons came through.
        QCOMPARE(water.mult, air.mult);
        for (std::size_t view = 0; view < water.views.size(); ++view) {
            const std::size_t at = view * lattice.voxels() + lattice.index(8, 8, 2);
            const double expected = std::exp(-kMu * 200 / std::cos(water.views[view].theta));
            QVERIFY2(std::abs(static_cast<double>(water.att[at]) / expected - 1) < 0.01,
                     qPrintable(QString("%1 %2").arg(static_cast<double>(water.att[at])).arg(expected)));
        }
    }

    void attAtASurfaceIsTheMeanOverWhatIsFilled() {
        // What survives from where the activity of a partly filled voxel is, against the exponential of exact
        // chords, averaged over the part of the voxel within a water cylinder.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Lattice lattice = Lattice::centred({60, 60, 1}, {4, 4, 4});
        Phantom phantom = boxPhantom({0, 0, 0}, kMu);
        phantom.shapes.resize(1);
        const double radius = 110;
        phantom.shapes[0].radius_mm = radius;
        const Volume attenuation = phantom.wholeAttenuation(lattice, kAttenuationSpacing_mm);
        HistoData data = emptyData(scanner, lattice, 24, 1);

        computeMult(data, scanner, &attenuation, ThreadPool(2), {});

        for (std::size_t view = 0; view < data.views.size(); ++view) {
            const double phi = data.views[view].phi;
            double found = 0;
            double expected = 0;
            lattice.forEachVoxel([&](int x, int y, int) {
                constexpr int kParts = 16;
                double survived = 0;
                int filled = 0;
                for (int part = 0; part < kParts * kParts; ++part) {
                    const Vec3 p = lattice.centre(x + (part % kParts + 0.5) / kParts - 0.5,
                                                  y + (part / kParts + 0.5) / kParts - 0.5, 0);
                    if (std::hypot(p.x, p.y) < radius) {
                        ++filled;
                        survived += meanSurvival(p, phi, kPi / 24, radius, scanner.acceptance_rad);
                    }
                }
                if (filled > 0 && filled < kParts * kParts) {
                    expected += survived;
                    found += filled *
                             static_cast<double>(data.att[view * lattice.voxels() + lattice.index(x, y, 0)]);
                }
            });
            // A chord of 30 sqrt(d) mm at a depth of d mm: seen through 2 mm of attenuation and tables 1 mm
            // apart what survives comes out 2.5 % too high 1 mm below the surface.
            QVERIFY2(std::abs(found / expected - 1) < 0.04,
                     qPrintable(QString("view %1: %2").arg(view).arg(found / expected)));
        }
    }

    void nothingAttenuatesInAir() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        HistoData data = emptyData(scanner, Lattice::centred({8, 8, 5}, {16, 16, 16}), 6, 2);
        HistoData none = data;
        const Volume air(Lattice::centred({20, 20, 20}, {8, 8, 8}), 0.0F);

        computeMult(data, scanner, &air, ThreadPool(2), {});
        computeMult(none, scanner, nullptr, ThreadPool(2), {});

        QVERIFY(data.att.empty());
        QCOMPARE(data.mult, none.mult);
    }

    void multIsBoundedByTheSolidAngle() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Lattice lattice = Lattice::centred({7, 7, 15}, {32, 32, 20});
        HistoData data = emptyData(scanner, lattice, 10, 3);
        const ViewGrid grid(10, 3, scanner.acceptance_rad);

        computeMult(data, scanner, nullptr, ThreadPool(2), {});

        double centre = 0;
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            // Crystal rows move a cell's edges by half a row of 4.3 mm in 953 mm at most, on both sides.
            const double share =
                grid.solidAngleFraction(view) * (1 + 4.3 / 953 / (20 * kRadPerDeg / 3) + 0.03);
            for (std::size_t i = 0; i < data.voxels(); ++i) {
                const double mult = static_cast<double>(data.mult[view * data.voxels() + i]);
                QVERIFY(mult >= 0 && mult <= share);
            }
            centre += static_cast<double>(data.mult[view * data.voxels() + lattice.index(3, 3, 7)]);
        }
        // Both photons must interact: at most (1 - exp(-30.5 mu))^2 of the pairs, and gaps take less than
        // half of those.
        const double most = std::pow(1 - std::exp(-0.0431 * 30.5), 2) * std::sin(scanner.acceptance_rad);
        QVERIFY(centre < most && centre > 0.5 * most);
        // Slice 0 lies at z = -140 mm, outside the crystals: untilted lines there are never recorded.
        QCOMPARE(data.mult[10 * data.voxels() + lattice.index(3, 3, 0)], 0.0F);
    }

    void multDoesNotDependOnTheNumberOfThreads() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        HistoData one = emptyData(scanner, Lattice::centred({8, 8, 5}, {16, 16, 16}), 6, 2);
        HistoData three = one;

        computeMult(one, scanner, nullptr, ThreadPool(1), {});
        computeMult(three, scanner, nullptr, ThreadPool(3), {});

        QVERIFY(one.mult == three.mult);
        QVERIFY(one.att.empty());
    }

    void aForeignRingOfSingleCrystalsHasSensitivity() {
        // 240 crystals around a ring, 6 rows, no attenuation known: a photon that meets one is recorded.
        Scanner scanner;
        scanner.name = "ring";
        scanner.crystalSize_mm = {4, 4, 20};
        scanner.acceptance_rad = 5 * kRadPerDeg;
        for (int row = 0; row < 6; ++row) {
            for (int i = 0; i < 240; ++i) {
                const double azimuth = 2 * kPi * i / 240;
                const Vec3 outward{std::cos(azimuth), std::sin(azimuth), 0};
                scanner.crystals.push_back({{155 * outward.x, 155 * outward.y, (row - 2.5) * 4.0}, outward});
            }
        }
        HistoData data = emptyData(scanner, Lattice::centred({9, 9, 3}, {8, 8, 4}), 6, 1);
        const ViewGrid grid(6, 1, scanner.acceptance_rad);

        computeMult(data, scanner, nullptr, ThreadPool(2), {});

        // Around the middle most lines within 5 degrees of tilt hit (12 mm half length, 155 mm away: 4.4
        // degrees) and the crystals' faces cover 4 of 2 pi 155/240 = 4.06 mm.
        for (std::size_t view = 0; view < data.views.size(); ++view) {
            const double share = static_cast<double>(data.mult[view * 243 + data.lattice.index(4, 4, 1)]) /
                                 grid.solidAngleFraction(view);
            QVERIFY2(share > 0.7 && share < 1.05, qPrintable(QString::number(share)));
        }
    }

    void otherViewsAreRefused() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        HistoData data = emptyData(scanner, Lattice::centred({3, 3, 3}, {8, 8, 8}), 6, 3);
        data.views[4].theta += 0.01;

        QVERIFY_EXCEPTION_THROWN(computeMult(data, scanner, nullptr, ThreadPool(1), {}), WrongUse);
    }

    void cancellingStops() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        HistoData data = emptyData(scanner, Lattice::centred({3, 3, 3}, {8, 8, 8}), 6, 3);

        QVERIFY_EXCEPTION_THROWN(
            computeMult(data, scanner, nullptr, ThreadPool(2), [](double) { throw Cancelled(); }), Cancelled);
    }
};

QTEST_GUILESS_MAIN(MultTest)

}  // namespace mult_test
#include "mult_test.moc"
