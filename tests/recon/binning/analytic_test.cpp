// SPDX-License-Identifier: Apache-2.0
// Expected data from chords: against integrals written out, and against Monte Carlo.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/analytic.h"
#include "recon/binning/binning.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/phantoms.h"

namespace analytic_test {

using namespace tof;

namespace {

constexpr double kMu = 0.0096;

/// A ball off centre in a larger, weaker cylinder.
Phantom ballInWater() {
    Phantom phantom;
    phantom.name = "ball";
    PhantomShape water;
    water.kind = PhantomShape::Kind::Cylinder;
    water.radius_mm = 60;
    water.size_mm.z = 60;
    water.activity = 1;
    water.mu_per_mm = kMu;
    PhantomShape ball;
    ball.kind = PhantomShape::Kind::Sphere;
    ball.centre = {20, -12, 4};
    ball.radius_mm = 14;
    ball.activity = 5;
    ball.mu_per_mm = kMu;
    phantom.shapes = {water, ball};
    return phantom;
}

/// The ball alone, in air.
Phantom ballInAir() {
    Phantom phantom = ballInWater();
    phantom.shapes.erase(phantom.shapes.begin());
    phantom.shapes[0].mu_per_mm = 0;
    return phantom;
}

AnalyticSettings asked(const Lattice& lattice, double counts) {
    AnalyticSettings settings;
    settings.azimuths = 20;
    settings.tilts = 1;
    settings.lattice = lattice;
    settings.counts = counts;
    settings.noiseFree = true;
    return settings;
}

/// Activity at a point and survival of a pair from there, by the shapes' own definitions.
double activityAt(Vec3 p) {
    const Vec3 q = p - Vec3{20, -12, 4};
    if (dot(q, q) <= 14.0 * 14.0) {
        return 5;
    }
    return std::hypot(p.x, p.y) <= 60 && std::abs(p.z) <= 30 ? 1 : 0;
}
double survivalAt(Vec3 p, Vec3 d) {
    // Untilted enough: the whole chord of the cylinder, cut at its ends.
    const double a = d.x * d.x + d.y * d.y;
    const double b = (p.x * d.x + p.y * d.y) / a;
    const double c = (p.x * p.x + p.y * p.y - 3600) / a;
    if (b * b - c <= 0) {
        return 1;
    }
    double t1 = -b - std::sqrt(b * b - c);
    double t2 = -b + std::sqrt(b * b - c);
    if (d.z != 0) {
        const double z1 = (-30 - p.z) / d.z;
        const double z2 = (30 - p.z) / d.z;
        t1 = std::max(t1, std::min(z1, z2));
        t2 = std::min(t2, std::max(z1, z2));
    }
    return std::exp(-kMu * std::max(0.0, t2 - t1));
}

}  // namespace

class AnalyticTest : public QObject {
    Q_OBJECT
  private slots:
    void countsAreTheIntegralWrittenOut() {
        // Activity, survival and Gaussians summed over points 2 mm apart around a voxel; four directions of
        // the cell as the rule of Gauss's points has them, written out. 2 mm against spheres, 1.5 mm against
        // chords and a Gaussian in place of a voxel's own shape: 2 % of the value.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = ballInWater();
        AnalyticSettings settings = asked(Lattice::centred({36, 36, 16}, {4, 4, 4}), 1e6);
        settings.response = KernelSpec::preset("invariant");
        const Volume mu = phantom.wholeAttenuation(settings.lattice, 2);

        const HistoData data = analyticData(scanner, phantom, settings, &mu, ThreadPool(2), {});

        const double perDecay = data.decays / totalActivity(phantom);
        const double su = settings.response->sigmaTof_mm();
        const double sa = settings.response->sigmaAxial_mm();
        const double sr = 5.8 / kFwhmPerSigma;
        const ViewGrid grid(20, 1, scanner.acceptance_rad);
        const double gauss = 0.5 / std::sqrt(3.0);
        int compared = 0;
        for (const VoxelIndex at : {VoxelIndex{17, 17, 7}, VoxelIndex{22, 15, 9}, VoxelIndex{29, 18, 9},
                                    VoxelIndex{6, 13, 10}, VoxelIndex{18, 8, 4}}) {
            for (const std::size_t view : {0, 3, 10, 17}) {
                double expected = 0;
                for (int direction = 0; direction < 24; ++direction) {
                    // Two parts of 4.5 degrees and three of 6.7, two points in each.
                    const int p4 = direction % 4;
                    const int t6 = direction / 4;
                    const double turn = (p4 / 2 + 0.5 + (p4 % 2 == 0 ? -gauss : gauss)) / 2 - 0.5;
                    const double lift = (t6 / 2 + 0.5 + (t6 % 2 == 0 ? -gauss : gauss)) / 3 - 0.5;
                    const double sine = 2 * std::sin(scanner.acceptance_rad) * lift;
                    const double phi = grid.view(view).phi + turn * kPi / 20;
                    const double cosine = std::sqrt(1 - sine * sine);
                    const Vec3 u{cosine * std::cos(phi), cosine * std::sin(phi), sine};
                    const Vec3 r{-std::sin(phi), std::cos(phi), 0};
                    const Vec3 a = cross(u, r);
                    const Vec3 centre = settings.lattice.centre(at);
                    for (double x = -61; x <= 61; x += 2) {
                        for (double y = -61; y <= 61; y += 2) {
                            for (double z = -29; z <= 29; z += 2) {
                                const Vec3 p{x, y, z};
                                const double activity = activityAt(p);
                                const Vec3 off = p - centre;
                                const double q = dot(off, r);
                                const double l = dot(off, a);
                                if (activity == 0 || std::abs(q) > 20 || std::abs(l) > 20) {
                                    continue;
                                }
                                // A voxel of 4 mm widens a Gaussian by its variance of 16/12 on each axis.
                                const auto density = [](double d, double sigma) {
                                    const double wide = std::sqrt(sigma * sigma + 16.0 / 12);
                                    return std::exp(-0.5 * d * d / (wide * wide)) /
                                           (std::sqrt(2 * kPi) * wide);
                                };
                                expected += 8.0 / 24 * activity * survivalAt(p, u) *
                                            density(dot(off, u), su) * density(q, sr) * density(l, sa);
                            }
                        }
                    }
                }
                const std::size_t i = view * data.voxels() + settings.lattice.index(at);
                expected *= perDecay * 64 * static_cast<double>(data.mult[i]);
                const auto found = static_cast<double>(data.counts[i]);
                QVERIFY2(std::abs(found / expected - 1) < 0.02,
                         qPrintable(QString("view %1: %2 of %3").arg(view).arg(found).arg(expected)));
                ++compared;
            }
        }
        QCOMPARE(compared, 20);
    }

    void totalsAndDecaysAreTheAskedOnes() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = ballInAir();
        const AnalyticSettings settings = asked(Lattice::centred({20, 20, 8}, {8, 8, 8}), 5e5);

        const HistoData data = analyticData(scanner, phantom, settings, nullptr, ThreadPool(2), {});

        const double sum = std::accumulate(data.counts.begin(), data.counts.end(), 0.0);
        QVERIFY(std::abs(sum / 5e5 - 1) < 1e-5);
        // pi 60^2 60 and four more of the ball, by 0.5 mm chords.
        const double activity = kPi * 3600 * 60 + 4 * 4.0 / 3 * kPi * 14 * 14 * 14;
        QVERIFY(std::abs(totalActivity(ballInWater()) / activity - 1) < 1e-3);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(analyticData(scanner, test::pointAt({2000, 0, 0}),
                                                                settings, nullptr, ThreadPool(1), {})),
                                 WrongUse);
    }

    void aPointIsFoundWhereItIs() {
        // The mean of its counts over all views; a lattice of 4 mm, points spread over 1.5 mm: 0.1 mm.
        const Scanner scanner = Scanner::find("labr3-ideal");
        AnalyticSettings settings = asked(Lattice::centred({60, 60, 12}, {4, 4, 4}), 1e5);
        const Vec3 place{11.3, -7.9, 3.1};

        const HistoData data =
            analyticData(scanner, test::pointAt(place), settings, nullptr, ThreadPool(2), {});

        Vec3 mean;
        double sum = 0;
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            const auto count = static_cast<double>(data.counts[i]);
            mean = mean + count * settings.lattice.centre(settings.lattice.voxel(i % data.voxels()));
            sum += count;
        }
        QVERIFY(norm((1 / sum) * mean - place) < 0.1);
    }

    void monteCarloHasTheSameMarginals() {
        // 300,000 events of the simulator without physics, which shares neither chords nor the response; by
        // slice of 8 mm along x, y, z in every view. The expected ones are scaled by decays, not by counts.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = ballInWater();
        BinningSettings binning;
        binning.azimuths = 20;
        binning.tilts = 1;
        binning.lattice = Lattice::centred({36, 36, 16}, {8, 8, 8});
        const EventList events = simulate(scanner, phantom, {.events = 300000, .seed = 4}, ThreadPool(2), {});
        const HistoData seen = depositEvents(events, scanner, binning, ThreadPool(2), {});
        const Volume mu = phantom.wholeAttenuation(binning.lattice, 2);

        HistoData expected =
            analyticData(scanner, phantom, asked(binning.lattice, 300000), &mu, ThreadPool(2), {});

        const double scale = events.decays / expected.decays;
        QVERIFY2(std::abs(scale - 1) < 0.015, qPrintable(QString::number(scale)));
        double chi2 = 0;
        int bins = 0;
        const Lattice& lattice = binning.lattice;
        for (std::size_t view = 0; view < 20; ++view) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::vector<double> observed(static_cast<std::size_t>(lattice.size[axis]), 0.0);
                std::vector<double> model(observed.size(), 0.0);
                for (std::size_t i = 0; i < lattice.voxels(); ++i) {
                    const auto slice = static_cast<std::size_t>(lattice.voxel(i)[axis]);
                    observed[slice] += static_cast<double>(seen.counts[view * lattice.voxels() + i]);
                    model[slice] += static_cast<double>(expected.counts[view * lattice.voxels() + i]);
                }
                for (std::size_t i = 0; i < model.size(); ++i) {
                    if (model[i] > 50) {
                        chi2 += (observed[i] - model[i]) * (observed[i] - model[i]) / model[i];
                        ++bins;
                    }
                }
            }
        }
        QVERIFY(bins > 40);
        // Marginals of one sample are not independent, and the response is a Gaussian where it is a sum of
        // even distributions: 1.3 where chance alone gives 1 +- 0.05.
        QVERIFY2(chi2 / bins < 1.3, qPrintable(QString("%1 over %2").arg(chi2).arg(bins)));
    }

    void crystalsBlurAsTheirEventsAre() {
        // 40,000 events of a point in labr3, all physics of the crystals, against expected counts with the
        // response found by following pairs: by slice across (of all views together) and along z. The
        // response is two Gaussians of common shape, its widths right to 2 %: 10 % of the largest slice.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom point = test::pointAt({1.3, 0.7, 0.9});
        SimulationSettings how{.events = 40000, .seed = 8};
        how.physics = Physics::fromText("no-randoms,no-scatter");
        const Lattice lattice = Lattice::centred({40, 40, 24}, {3, 3, 3});
        BinningSettings binning;
        binning.azimuths = 4;
        binning.tilts = 1;
        binning.lattice = lattice;
        const HistoData seen = depositEvents(simulate(scanner, point, how, ThreadPool(2), {}), scanner,
                                             binning, ThreadPool(2), {});
        AnalyticSettings settings = asked(lattice, 40000);
        settings.azimuths = 4;

        const HistoData expected = analyticData(scanner, point, settings, nullptr, ThreadPool(2), {});

        for (const std::size_t axis : {1, 2}) {  // the view at 0 has its lines along x
            std::vector<double> observed(static_cast<std::size_t>(lattice.size[axis]), 0.0);
            std::vector<double> model(observed.size(), 0.0);
            for (std::size_t i = 0; i < lattice.voxels(); ++i) {
                const auto slice = static_cast<std::size_t>(lattice.voxel(i)[axis]);
                observed[slice] += static_cast<double>(seen.counts[i]);
                model[slice] += static_cast<double>(expected.counts[i]);
            }
            const double all = std::accumulate(observed.begin(), observed.end(), 0.0);
            const double scale = all / std::accumulate(model.begin(), model.end(), 0.0);
            const double largest = *std::max_element(observed.begin(), observed.end());
            for (std::size_t i = 0; i < model.size(); ++i) {
                QVERIFY2(
                    std::abs(observed[i] - scale * model[i]) < 0.1 * largest + 3 * std::sqrt(observed[i] + 1),
                    qPrintable(QString("axis %1, slice %2: %3 of %4")
                                   .arg(axis)
                                   .arg(i)
                                   .arg(scale * model[i])
                                   .arg(observed[i])));
            }
            // Tails: what lies more than 12 mm off.
            double outside = 0;
            double modelled = 0;
            for (std::size_t i = 0; i < model.size(); ++i) {
                const VoxelIndex index{static_cast<int>(i), static_cast<int>(i), static_cast<int>(i)};
                if (std::abs(lattice.centre(index)[axis]) > 12) {
                    outside += observed[i];
                    modelled += scale * model[i];
                }
            }
            QVERIFY(outside > 100);
            QVERIFY2(std::abs(modelled / outside - 1) < 0.3,
                     qPrintable(QString("%1 of %2").arg(modelled).arg(outside)));
        }
    }

    void mirrorImagesAreWhatIsSeenOfThem() {
        // A phantom that is its own mirror image at z = 0 is computed for half of the views; a speck of
        // nothing above the plane makes it another that is computed for all. Sums in single precision:
        // 1e-5 of the largest count, thirty times what one holds.
        const Scanner scanner = Scanner::find("labr3-ideal");
        AnalyticSettings settings = asked(Lattice::centred({30, 30, 14}, {5, 5, 5}), 1e6);
        for (const int tilts : {3, 4}) {
            settings.tilts = tilts;
            Phantom mirrored = ballInWater();
            for (PhantomShape& shape : mirrored.shapes) {
                shape.centre.z = 0;
            }
            Phantom other = mirrored;
            PhantomShape nothing;
            nothing.centre = {0, 100, 20};
            nothing.radius_mm = 1;
            other.shapes.push_back(nothing);
            const Volume mu = mirrored.wholeAttenuation(settings.lattice, 2);

            const HistoData half = analyticData(scanner, mirrored, settings, &mu, ThreadPool(2), {});
            const HistoData all = analyticData(scanner, other, settings, &mu, ThreadPool(2), {});

            const float largest = *std::max_element(all.counts.begin(), all.counts.end());
            QVERIFY(largest > 1);
            QCOMPARE(half.counts.size(), all.counts.size());
            for (std::size_t i = 0; i < all.counts.size(); ++i) {
                QVERIFY2(std::abs(half.counts[i] - all.counts[i]) <= 1e-5F * largest,
                         qPrintable(QString("%1: %2, %3").arg(i).arg(half.counts[i]).arg(all.counts[i])));
            }
        }
    }

    void bodiesOfRevolutionAreSeenAlikeFromAllSides() {
        // The water is computed for one of eight views and turned, and the ball by itself; a box of nothing
        // around both leaves no room for that. Sums in single precision: 1e-5 of the largest count.
        const Scanner scanner = Scanner::find("labr3-ideal");
        AnalyticSettings settings = asked(Lattice::centred({30, 30, 14}, {5, 5, 5}), 1e6);
        settings.azimuths = 8;
        settings.tilts = 3;
        for (const double ballMu : {kMu, 2 * kMu}) {
            Phantom parts = ballInWater();
            parts.shapes[1].mu_per_mm = ballMu;
            Phantom whole = parts;
            PhantomShape nothing;
            nothing.kind = PhantomShape::Kind::Box;
            nothing.size_mm = {120, 120, 60};
            whole.shapes.insert(whole.shapes.begin(), nothing);
            const Volume mu = parts.wholeAttenuation(settings.lattice, 2);

            const HistoData turned = analyticData(scanner, parts, settings, &mu, ThreadPool(2), {});
            const HistoData all = analyticData(scanner, whole, settings, &mu, ThreadPool(2), {});

            const float largest = *std::max_element(all.counts.begin(), all.counts.end());
            QVERIFY(largest > 1);
            for (std::size_t i = 0; i < all.counts.size(); ++i) {
                QVERIFY2(std::abs(turned.counts[i] - all.counts[i]) <= 1e-5F * largest,
                         qPrintable(QString("%1: %2, %3").arg(i).arg(turned.counts[i]).arg(all.counts[i])));
                QVERIFY(turned.counts[i] >= 0);  // or no file of them could be read
            }
        }
    }

    void noiseIsThatOfItsSeed() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        AnalyticSettings settings = asked(Lattice::centred({20, 20, 8}, {8, 8, 8}), 2e5);
        const HistoData clean = analyticData(scanner, ballInAir(), settings, nullptr, ThreadPool(2), {});
        settings.noiseFree = false;
        settings.seed = 7;

        const HistoData one = analyticData(scanner, ballInAir(), settings, nullptr, ThreadPool(1), {});
        const HistoData two = analyticData(scanner, ballInAir(), settings, nullptr, ThreadPool(2), {});

        QCOMPARE(one.counts, two.counts);
        double chi2 = 0;
        int bins = 0;
        for (std::size_t i = 0; i < clean.counts.size(); ++i) {
            const auto mean = static_cast<double>(clean.counts[i]);
            if (mean > 5) {
                const double off = static_cast<double>(one.counts[i]) - mean;
                chi2 += off * off / mean;
                ++bins;
            }
        }
        QVERIFY(bins > 500);
        QVERIFY(std::abs(chi2 / bins - 1) < 5 * std::sqrt(2.2 / bins));
    }
};

QTEST_GUILESS_MAIN(AnalyticTest)

}  // namespace analytic_test
#include "analytic_test.moc"
