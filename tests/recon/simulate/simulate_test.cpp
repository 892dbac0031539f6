// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/scanner/detector.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/poisson.h"
#include "recon/simulate/random_stream.h"
#include "recon/simulate/singles.h"
#include "tests/support/phantoms.h"

namespace simulate_test {

using namespace tof;
using tof::test::pointAt;

namespace {

PhantomShape sphere(Vec3 centre, double radius, double activity, double mu) {
    PhantomShape shape;
    shape.centre = centre;
    shape.radius_mm = radius;
    shape.activity = activity;
    shape.mu_per_mm = mu;
    return shape;
}

EventList run(const Scanner& scanner, const Phantom& phantom, std::uint64_t events, std::uint64_t seed = 1,
              int threads = 2, SimulationReport* report = nullptr) {
    return simulate(scanner, phantom, {.events = events, .seed = seed, .duration_s = 60}, ThreadPool(threads),
                    {}, report);
}

}  // namespace

class SimulateTest : public QObject {
    Q_OBJECT

  private slots:
    void randomWordsAreThoseOfThePublishedVectors() {
        // Random123's known answers for Philox4x32-10, counter and key all zero.
        WordBatch batch;
        philoxBatch(0, 0, 0, batch);

        QCOMPARE(batch.words[0][0], 0x6627e8d5U);
        QCOMPARE(batch.words[1][0], 0xe169c58dU);
        QCOMPARE(batch.words[2][0], 0xbc57ac4cU);
        QCOMPARE(batch.words[3][0], 0x9b00dbd8U);
    }

    void batchedWordsAreThoseOfTheStream() {
        constexpr std::uint64_t kSeed = 0x123456789abcdefULL;
        constexpr std::uint64_t kEvent = (std::uint64_t{1} << 33U) + 17;
        WordBatch batch;
        philoxBatch(kSeed, kEvent, 32, batch);

        for (std::uint32_t lane = 0; lane < WordBatch::kAttempts; ++lane) {
            RandomStream alone(kSeed, RandomUse::Events, kEvent);
            RandomStream batched(kSeed, RandomUse::Events, kEvent);
            alone.startAttempt(32 + lane);
            batched.startAttempt(32 + lane, batch, lane);
            for (int i = 0; i < 11; ++i) {
                QCOMPARE(batched.uniform(), alone.uniform());
            }
        }
    }

    void usesOfOneSeedAreIndependent() {
        // Event i and bin i: equal words would be the same numbers, correlated ones nearly so.
        constexpr std::array kUses{RandomUse::Events, RandomUse::Counts, RandomUse::Deposit,
                                   RandomUse::Singles};
        constexpr int kEvents = 4000;
        for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 0x123456789abcdefULL}) {
            std::array<std::vector<double>, kUses.size()> numbers;
            for (std::size_t use = 0; use < kUses.size(); ++use) {
                for (std::uint64_t event = 0; event < kEvents; ++event) {
                    RandomStream random(seed, kUses[use], event);
                    numbers[use].push_back(random.uniform() - 0.5);
                }
            }
            for (std::size_t a = 0; a < kUses.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    const double r =
                        12.0 / kEvents *
                        std::inner_product(numbers[a].begin(), numbers[a].end(), numbers[b].begin(), 0.0);
                    // The largest of 60 pairs of independent numbers exceeds 4.5 standard errors once in
                    // 2000.
                    QVERIFY2(std::abs(r) < 4.5 / std::sqrt(kEvents),
                             qPrintable(QString("uses %1 and %2: %3").arg(a).arg(b).arg(r)));
                }
            }
            for (const RandomUse use : kUses) {  // and no use of a neighbouring seed is another of this one
                QVERIFY(use == RandomUse::Events ||
                        streamKey(seed, use) != streamKey(seed + 1, RandomUse::Events));
            }
        }
        // Poisson counts of bins do not start with the words of events.
        const std::vector<float> expected(64, 5.0F);
        const std::vector<float> counts = poissonCounts(expected, 1.0, 9, ThreadPool(1));
        std::size_t alike = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            RandomStream events(9, RandomUse::Events, i);
            float count = 0;
            for (double product = events.uniform(); product > std::exp(-5.0); product *= events.uniform()) {
                ++count;
            }
            alike += count == counts[i] ? 1 : 0;
        }
        QVERIFY(alike < 30);  // equal by chance: 0.13 of them, 8 +- 3; all of them with one stream
    }

    void listsSayWhatTheyStandFor() {
        SimulationReport report;
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = Phantom::find("spheres");
        SimulationSettings settings;
        settings.events = 5000;
        settings.seed = 3;
        settings.activity_MBq = 20;
        const EventList events = simulate(scanner, phantom, settings, ThreadPool(2), {}, &report);

        QCOMPARE(events.decays, static_cast<double>(report.started) / report.sphereShare);
        QCOMPARE(events.sphereShare, report.sphereShare);
        QVERIFY(std::abs(events.duration_s * 20e6 / events.decays - 1) < 1e-12);
        settings.activity_MBq = 0;
        QVERIFY_EXCEPTION_THROWN((void)simulate(scanner, phantom, settings, ThreadPool(1), {}), WrongUse);
    }

    void singlesAreThoseOfFollowedPhotons_data() {
        QTest::addColumn<double>("mu");
        QTest::newRow("in air") << 0.0;
        QTest::newRow("in water") << 0.0096;
    }
    void singlesAreThoseOfFollowedPhotons() {
        // Another way to count: every photon's fate drawn, by other random numbers, in a phantom whose two
        // photons have paths of different length.
        QFETCH(double, mu);
        const Scanner scanner = Scanner::find("labr3-ideal");
        Phantom phantom;
        phantom.name = "ball";
        PhantomShape ball;
        ball.radius_mm = 80;
        ball.activity = 0;
        ball.mu_per_mm = mu;
        PhantomShape point;
        point.kind = PhantomShape::Kind::Point;
        point.centre = {40, -20, 10};
        point.activity = 1;
        phantom.shapes = {ball, point};
        const Detector detector(scanner);
        std::mt19937_64 generator(5);
        const auto uniform = [&] { return (static_cast<double>(generator() >> 11U) + 0.5) * 0x1p-53; };
        constexpr int kDecays = 300000;
        int singles = 0;

        for (int i = 0; i < kDecays; ++i) {
            const double sine = 2 * uniform() - 1;
            const double azimuth = 2 * kPi * uniform();
            const double cosine = std::sqrt(1 - sine * sine);
            int detected = 0;
            for (const double sense : {1.0, -1.0}) {
                const Vec3 d = sense * Vec3{cosine * std::cos(azimuth), cosine * std::sin(azimuth), sine};
                // Out of the ball: |p + t d| = 80.
                const double along = dot(point.centre, d);
                const double path =
                    -along + std::sqrt(along * along + 80 * 80 - dot(point.centre, point.centre));
                const bool leaves = uniform() < std::exp(-mu * path);
                const double depth = -std::log(uniform()) / scanner.attenuation_per_mm;
                detected += leaves && detector.follow(point.centre, d, depth) ? 1 : 0;
            }
            singles += detected == 1 ? 1 : 0;
        }
        const double expected = static_cast<double>(singles) / kDecays;

        // Standard errors: 0.5 % of the drawn ones, 0.6 % of the 65536 decays; four of both.
        const double found = singlesPerDecay(scanner, phantom, 1, ThreadPool(2));
        QVERIFY2(std::abs(found / expected - 1) < 0.03,
                 qPrintable(QString("%1 beside %2").arg(found).arg(expected)));
        QCOMPARE(singlesPerDecay(scanner, phantom, 1, ThreadPool(1)), found);
    }

    void eventsDoNotDependOnTheNumberOfThreads() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = Phantom::find("spheres");

        const EventList one = run(scanner, phantom, 20000, 7, 1);
        const EventList three = run(scanner, phantom, 20000, 7, 3);

        QVERIFY(one.crystals == three.crystals);
        QVERIFY(one.dt_ps == three.dt_ps);
    }

    void anEventDependsOnSeedAndIndexAlone() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom phantom = Phantom::find("spheres");

        const EventList few = run(scanner, phantom, 3000, 7);
        const EventList many = run(scanner, phantom, 9000, 7);
        const EventList other = run(scanner, phantom, 3000, 8);

        QVERIFY(std::equal(few.crystals.begin(), few.crystals.end(), many.crystals.begin()));
        QVERIFY(std::equal(few.dt_ps.begin(), few.dt_ps.end(), many.dt_ps.begin()));
        std::size_t alike = 0;
        for (std::size_t i = 0; i < few.size(); ++i) {
            alike += few.crystals[i] == other.crystals[i] ? 1 : 0;
        }
        QVERIFY(alike < 5);  // a pair of 10^8 possible ones
    }

    void settingsAndTruthAreKept() {
        SimulationReport report;
        const EventList events =
            run(Scanner::find("labr3-ideal"), Phantom::find("spheres"), 2000, 11, 2, &report);

        QCOMPARE(events.size(), std::size_t{2000});
        QCOMPARE(events.seed, std::uint64_t{11});
        QCOMPARE(events.duration_s, 60.0);
        QCOMPARE(events.kind, std::vector<EventKind>(2000, EventKind::True));
        QCOMPARE(Scanner::fromJson(events.scannerJson, "kept").crystals.size(), std::size_t{38880});
        QCOMPARE(Phantom::fromJson(events.phantom, "kept").shapes.size(), std::size_t{7});
        QCOMPARE(report.started, report.attenuated + report.missed + 2000);
    }

    void timesAreBlurredByOneGaussianOfTheScannersWidth() {
        // The seed is the same with and without blur: all else is equal, the difference is the blur.
        Scanner scanner = Scanner::find("labr3-ideal");
        constexpr std::uint64_t kEvents = 60000;
        const EventList blurred = run(scanner, pointAt({30, 20, 10}), kEvents, 3);
        scanner.timing_fwhm_ps = 0;
        const EventList sharp = run(scanner, pointAt({30, 20, 10}), kEvents, 3);

        double sum = 0;
        double squares = 0;
        std::size_t within = 0;
        for (std::size_t i = 0; i < kEvents; ++i) {
            QCOMPARE(blurred.crystals[i], sharp.crystals[i]);
            const double d = static_cast<double>(blurred.dt_ps[i]) - static_cast<double>(sharp.dt_ps[i]);
            sum += d;
            squares += d * d;
            within += std::abs(d) <= 200 ? 1 : 0;  // half the FWHM
        }
        const double n = kEvents;
        const double sigma = 400 / 2.354820045;
        QVERIFY(std::abs(sum / n) < 4 * sigma / std::sqrt(n));
        QVERIFY(std::abs(std::sqrt(squares / n) / sigma - 1) < 4 / std::sqrt(2 * n));
        // Share of a Gaussian within its half width at half maximum: erf(sqrt(ln 2)).
        const double share = std::erf(std::sqrt(std::log(2.0)));
        QVERIFY(std::abs(static_cast<double>(within) / n - share) < 4 * std::sqrt(share * (1 - share) / n));
    }

    void attenuationFollowsTheExponentialOfTheChord_data() {
        QTest::addColumn<double>("radius");
        QTest::newRow("50 mm") << 50.0;
        QTest::newRow("100 mm") << 100.0;
        QTest::newRow("150 mm") << 150.0;
    }
    void attenuationFollowsTheExponentialOfTheChord() {
        // A point at the centre of a sphere: every pair crosses the whole diameter.
        QFETCH(double, radius);
        Phantom phantom = pointAt({0, 0, 0});
        phantom.shapes.push_back(sphere({0, 0, 0}, radius, 0, 0.0096));
        SimulationReport report;

        (void)run(Scanner::find("labr3-ideal"), phantom, 20000, 5, 2, &report);

        const double expected = 1 - std::exp(-0.0096 * 2 * radius);
        const auto started = static_cast<double>(report.started);
        const double error = std::sqrt(expected * (1 - expected) / started);
        QVERIFY(std::abs(static_cast<double>(report.attenuated) / started - expected) < 4 * error);
    }

    void shapesAndTheirVoxelsAttenuateAlike() {
        Phantom shapes = pointAt({20, -10, 5});
        shapes.shapes.push_back(sphere({0, 0, 0}, 90, 0, 0.01));
        Phantom voxels = shapes;
        voxels.attenuation = shapes.attenuationOn(Lattice::centred({100, 100, 100}, {2, 2, 2}), 4);
        SimulationReport exact;
        SimulationReport sampled;

        (void)run(Scanner::find("labr3-ideal"), shapes, 20000, 5, 2, &exact);
        (void)run(Scanner::find("labr3-ideal"), voxels, 20000, 6, 2, &sampled);

        const double a = static_cast<double>(exact.attenuated) / static_cast<double>(exact.started);
        const double b = static_cast<double>(sampled.attenuated) / static_cast<double>(sampled.started);
        QVERIFY(std::abs(a - b) < 4 * std::sqrt(2 * a * (1 - a) / static_cast<double>(exact.started)) + 1e-3);
    }

    void knowingLossesEarlyChangesNothing() {
        // A body that attenuates far outside the scanner turns the shortcut off.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Phantom quick = Phantom::find("spheres");
        Phantom slow = quick;
        slow.shapes.push_back(sphere({0, 0, 5000}, 1, 0, 0.001));
        SimulationReport quickReport;
        SimulationReport slowReport;

        const EventList a = run(scanner, quick, 15000, 9, 2, &quickReport);
        const EventList b = run(scanner, slow, 15000, 9, 2, &slowReport);

        QVERIFY(a.crystals == b.crystals);
        QVERIFY(a.dt_ps == b.dt_ps);
        QCOMPARE(quickReport.started, slowReport.started);
        QCOMPARE(quickReport.attenuated, slowReport.attenuated);
    }

    void emissionsFillShapesEvenlyAndByTheirActivity() {
        // Without attenuation, and seen equally well: counts of three places by where the emission must have
        // been.
        Phantom phantom;
        phantom.name = "three";
        phantom.shapes = {sphere({-60, 0, 0}, 20, 1, 0), sphere({60, 0, 0}, 20, 3, 0),
                          sphere({60, 0, 0}, 10, 0, 0)};
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        const EventList events = run(scanner, phantom, 40000, 4);

        std::size_t right = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Vec3 a = scanner.reference(events.crystals[i][0]);
            const Vec3 b = scanner.reference(events.crystals[i][1]);
            const Vec3 at =
                0.5 * (a + b) + (kMmPerPs * static_cast<double>(events.dt_ps[i])) * normalized(b - a);
            right += at.x > 0 ? 1 : 0;
        }
        // Shell of 3/1 activity and (20^3 - 10^3)/20^3 of the volume: 2.625 : 1. Mirror images are seen
        // alike.
        const double expected = 2.625 / 3.625;
        const double n = static_cast<double>(events.size());
        QVERIFY(std::abs(static_cast<double>(right) / n - expected) <
                4 * std::sqrt(expected * (1 - expected) / n));
    }

    void shapesOfDifferentKindsKeepTheirShares() {
        // A sphere fills pi/6 of its box and a cylinder pi/4 of its own; equal volumes must emit alike.
        Phantom phantom;
        phantom.name = "two kinds";
        PhantomShape cylinder = sphere({60, 0, 0}, 20, 1, 0);
        cylinder.kind = PhantomShape::Kind::Cylinder;
        cylinder.size_mm = {40, 40, 80.0 / 3};
        phantom.shapes = {sphere({-60, 0, 0}, 20, 1, 0), cylinder};
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        const EventList events = run(scanner, phantom, 40000, 5);

        std::size_t right = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Vec3 a = scanner.reference(events.crystals[i][0]);
            const Vec3 b = scanner.reference(events.crystals[i][1]);
            const Vec3 at =
                0.5 * (a + b) + (kMmPerPs * static_cast<double>(events.dt_ps[i])) * normalized(b - a);
            right += at.x > 0 ? 1 : 0;
        }
        // Four standard errors of a half, and 0.5 % for their slightly different axial extents.
        const double n = static_cast<double>(events.size());
        QVERIFY(std::abs(static_cast<double>(right) / n - 0.5) < 4 * 0.5 / std::sqrt(n) + 0.005);
    }

    void voxelsEmitByTheirValue() {
        Phantom phantom;
        phantom.name = "voxels";
        Volume emission(Lattice::centred({20, 3, 3}, {10, 4, 4}), 0.0F);
        emission.at(2, 1, 1) = 1;
        emission.at(17, 1, 1) = 3;
        phantom.emission = emission;
        Scanner scanner = Scanner::find("labr3-ideal");
        scanner.timing_fwhm_ps = 0;
        const EventList events = run(scanner, phantom, 30000, 4);

        double right = 0;
        double sum = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Vec3 a = scanner.reference(events.crystals[i][0]);
            const Vec3 b = scanner.reference(events.crystals[i][1]);
            const Vec3 at =
                0.5 * (a + b) + (kMmPerPs * static_cast<double>(events.dt_ps[i])) * normalized(b - a);
            right += at.x > 0 ? 1 : 0;
            sum += at.x > 0 ? at.x : 0;
        }
        const double n = static_cast<double>(events.size());
        QVERIFY(std::abs(right / n - 0.75) < 4 * std::sqrt(0.75 * 0.25 / n));
        QVERIFY(std::abs(sum / right - 75) < 0.5);  // centre of voxel 17: (17 - 9.5) * 10 mm
    }

    void depthOfInteractionIsExponential() {
        // Head-on into the middle crystal of a module, over evenly spaced probabilities.
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Detector detector(scanner);
        const double mu = scanner.attenuation_per_mm;
        const double interacts = 1 - std::exp(-mu * 30);
        constexpr int kSteps = 20000;
        double sum = 0;
        for (int i = 0; i < kSteps; ++i) {
            const double path = -std::log(1 - (i + 0.5) / kSteps * interacts) / mu;
            const auto hit = detector.follow({0, 0, 2.15}, {1, 0, 0}, path);
            QVERIFY(hit.has_value());
            QVERIFY(norm(scanner.crystals[hit->crystal].front - Vec3{465, 0, 2.15}) < 1e-9);
            sum += hit->distance - 465;
        }

        QVERIFY(std::abs(sum / kSteps - scanner.meanDepth_mm) < 1e-3);
        QVERIFY(!detector.follow({0, 0, 2.15}, {1, 0, 0}, 30.001).has_value());
    }

    void photonsInteractInsideTheCrystalTheyAreGivenTo() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const Detector detector(scanner);
        RandomStream random(1, RandomUse::Events, 1);
        random.startAttempt(0);
        std::set<std::uint32_t> seen;
        int hits = 0;
        for (int i = 0; i < 20000; ++i) {
            const double azimuth = 2 * kPi * random.uniform();
            const double tilt = 0.17 * (2 * random.uniform() - 1);
            const Vec3 p{400 * random.uniform() - 200, 400 * random.uniform() - 200,
                         80 * random.uniform() - 40};
            const Vec3 d{std::cos(tilt) * std::cos(azimuth), std::cos(tilt) * std::sin(azimuth),
                         std::sin(tilt)};
            const auto hit = detector.follow(p, d, 30 * random.uniform());
            if (!hit) {
                continue;
            }
            ++hits;
            seen.insert(hit->crystal);
            const Crystal& crystal = scanner.crystals[hit->crystal];
            const Vec3 offset = p + hit->distance * d - crystal.front;
            const double depth = dot(offset, crystal.outward);
            const double across = dot(offset, Vec3{-crystal.outward.y, crystal.outward.x, 0});
            QVERIFY(depth > -1e-9 && depth < 30 + 1e-9);
            QVERIFY(std::abs(across) < 2 + 1e-9);
            QVERIFY(std::abs(offset.z) < 2 + 1e-9);
        }
        QVERIFY(hits > 10000);
        QVERIFY(seen.size() > 7000);
    }

    void gapsBetweenModulesLetPhotonsThrough() {
        const Detector detector(Scanner::find("labr3-ideal"));
        const double gap = kPi / 24;  // modules at multiples of 15 degrees

        QCOMPARE(detector.material({0, 0, 2.15}, {std::cos(gap), std::sin(gap), 0}), 0.0);
        QVERIFY(std::abs(detector.material({0, 0, 2.15}, {1, 0, 0}) - 30) < 1e-9);
        QCOMPARE(detector.material({0, 0, 130}, {1, 0, 0}), 0.0);  // beyond the axial end
        // An inch off the middle of the gap the photon enters through a module's side.
        QVERIFY(detector.material({25.4 * std::sin(gap), -25.4 * std::cos(gap), 2.15},
                                  {std::cos(gap), std::sin(gap), 0}) > 1);
    }

    void impossibleRequestsAreRefused() {
        Scanner scanner = Scanner::find("labr3-ideal");

        QVERIFY_EXCEPTION_THROWN((void)run(scanner, pointAt({0, 0, 0}), 0), WrongUse);
        Phantom silent = pointAt({0, 0, 0});
        silent.shapes[0].activity = 0;
        QVERIFY_EXCEPTION_THROWN((void)run(scanner, silent, 1), WrongUse);
        QVERIFY_EXCEPTION_THROWN((void)run(scanner, pointAt({0, 0, 2000}), 1), WrongUse);
        scanner.attenuation_per_mm = 0;
        QVERIFY_EXCEPTION_THROWN((void)run(scanner, pointAt({0, 0, 0}), 1), WrongUse);
    }

    void progressReachesTheEndAndCanCancel() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const SimulationSettings settings{.events = 50000, .seed = 1, .duration_s = 1};
        std::uint64_t last = 0;
        (void)simulate(scanner, pointAt({0, 0, 0}), settings, ThreadPool(2),
                       [&](std::uint64_t made) { last = made; });
        QCOMPARE(last, std::uint64_t{50000});

        QVERIFY_EXCEPTION_THROWN((void)simulate(scanner, pointAt({0, 0, 0}), settings, ThreadPool(2),
                                                [](std::uint64_t) { throw Cancelled(); }),
                                 Cancelled);
    }
};

QTEST_GUILESS_MAIN(SimulateTest)

}  // namespace simulate_test
#include "simulate_test.moc"
