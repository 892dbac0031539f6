// SPDX-License-Identifier: Apache-2.0
// Randoms, efficiencies and scatter of histo-images whose events were moved back into one pose.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include "recon/base/constants.h"
#include "recon/binning/binning.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/motion/pose_shares.h"
#include "recon/simulate/moved_scan.h"
#include "tests/support/block_ring.h"
#include "tests/support/full_run.h"

namespace moved_corrections_test {

using namespace tof;

namespace {

/// A head that turns about the axis, nods and goes aside, in four steps of 2, 1, 1 and 2 s. `aside`: by how
/// much of 44 mm.
std::shared_ptr<const RigidMotion> headMotion(double aside = 1) {
    std::vector<TimedPose> poses;
    const std::array<double, 4> starts_ms{0, 2000, 3000, 4000};
    for (std::size_t i = 0; i < starts_ms.size(); ++i) {
        const double turn = 12 * static_cast<double>(i) * kRadPerDeg;
        const double nod = 2 * static_cast<double>(i) * kRadPerDeg;
        const double c = std::cos(turn);
        const double s = std::sin(turn);
        const double a = std::cos(nod);
        const double b = std::sin(nod);
        poses.push_back({starts_ms[i],
                         {{c, -s * a, s * b, s, c * a, -c * b, 0, b, a},
                          aside * Vec3{14.0 * static_cast<double>(i), -4, 6.0 * static_cast<double>(i)}}});
    }
    return std::make_shared<const RigidMotion>(poses, 6000, PoseBetween::Hold, "test");
}

BinningSettings views(std::shared_ptr<const RigidMotion> motion) {
    BinningSettings made;
    made.azimuths = 12;
    made.tilts = 1;
    made.lattice = Lattice::centred({30, 30, 14}, {12, 12, 12});
    made.motion = std::move(motion);
    return made;
}

double sumOf(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Sums by view, or by distance from the axis across the view in bins of 24 mm.
std::vector<double> sumsOf(const HistoData& data, const std::vector<float>& values, bool byView) {
    std::vector<double> sums(byView ? data.views.size() : 12, 0.0);
    for (std::size_t view = 0; view < data.views.size(); ++view) {
        const ViewAxes axes = data.views[view].axes();
        for (std::size_t i = 0; i < data.voxels(); ++i) {
            const double s = dot(data.lattice.centre(data.lattice.voxel(i)), axes.r);
            const std::size_t at =
                byView ? view : std::min<std::size_t>(static_cast<std::size_t>((s + 144) / 24), 11);
            sums[at] += static_cast<double>(values[view * data.voxels() + i]);
        }
    }
    return sums;
}

/// Chi-square over degrees of freedom of counts against what is expected, scaled to their total; `model` is
/// the relative error that an expectation may have beside chance.
double chiSquare(const std::vector<double>& seen, std::vector<double> expected, double model) {
    const double scale = std::accumulate(seen.begin(), seen.end(), 0.0) /
                         std::accumulate(expected.begin(), expected.end(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const double e = scale * expected[i];
        sum += (seen[i] - e) * (seen[i] - e) / (e + model * e * model * e);
    }
    return sum / static_cast<double>(seen.size() - 1);
}

}  // namespace

class MovedCorrectionsTest : public QObject {
    Q_OBJECT

  private slots:
    /// Pairs that are drawn by the rates of their crystals, at any time, land by their moved ends as often as
    /// is expected.
    void randomsAreMeansOverPoses() {
        const Scanner scanner = Scanner::find("labr3");
        std::vector<double> rates(scanner.crystals.size());
        for (std::uint32_t c = 0; c < rates.size(); ++c) {
            rates[c] = scanner.reference(c).x > 0 ? 30 : 10;  // so that views differ
        }
        std::mt19937 random(5);
        std::discrete_distribution<std::uint32_t> crystal(rates.begin(), rates.end());
        const double window_ps = 1e12 * coincidenceWindow(scanner);
        std::uniform_real_distribution<double> time(-window_ps, window_ps);
        EventList drawn;
        constexpr std::size_t kDrawn = 2000000;
        for (std::size_t i = 0; i < kDrawn; ++i) {
            drawn.crystals.push_back({crystal(random), crystal(random)});
            drawn.dt_ps.push_back(static_cast<float>(time(random)));
            drawn.time_ms.push_back(static_cast<std::uint32_t>(random() % 6000));
        }
        const auto motion = headMotion();
        HistoData data = depositEvents(drawn, scanner, views(motion), pool_, {});
        data.poses = motion->weighed(6, 0);

        const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
        const double duration_s = kDrawn / (coincidenceWindow(scanner) * all * all);
        const double total = randomsKept(rates, scanner, data.lattice, duration_s, pool_, data.poses);
        const std::vector<float> found = randomsOfViews(rates, scanner, data, total, pool_);

        const auto kept = static_cast<double>(data.kept);
        qInfo("%.0f of %.0f", total, kept);
        QVERIFY(kept > 20000);
        QVERIFY(std::abs(total - kept) < 3.5 * std::sqrt(kept));
        QVERIFY(std::abs(sumOf(found) - total) < 1e-3 * total);
        data.poses.clear();
        const std::vector<float> still = randomsOfViews(rates, scanner, data, total, pool_);
        for (const bool byView : {true, false}) {
            const std::vector<double> seen = sumsOf(data, data.counts, byView);
            const double moved = chiSquare(seen, sumsOf(data, found, byView), 0.01);
            const double unmoved = chiSquare(seen, sumsOf(data, still, byView), 0.01);
            qInfo("chi-square %.2f, by one pose %.2f", moved, unmoved);
            QVERIFY(moved < 2.2);  // p = 0.01 with 11 degrees of freedom
            QVERIFY(!byView || unmoved > 10 * moved);
        }
    }

    /// Events of a list that are kept as often as both crystals' efficiencies say.
    void efficienciesAreMeansOverPoses() {
        const Scanner scanner = Scanner::find("labr3-ideal");
        const auto motion = headMotion();
        const Phantom ball = Phantom::fromJson(
            R"({"name": "ball", "shapes": [{"kind": "sphere", "centre_mm": [0, 0, 0], "radius_mm": 70,
                "activity": 1}]})",
            "test");
        std::vector<double> made(scanner.crystals.size());
        for (std::uint32_t c = 0; c < made.size(); ++c) {
            const Vec3 p = scanner.reference(c);
            made[c] = p.x > 0 && p.y > 0 ? 0.4 : 1;  // a quarter of the ring is poor
        }
        EventList events = simulateMoved(scanner, ball, {.events = 400000, .seed = 4}, *motion, pool_, {});
        EventList left;
        left.duration_s = events.duration_s;
        std::mt19937 random(7);
        std::uniform_real_distribution<double> chance(0, 1);
        for (std::size_t i = 0; i < events.size(); ++i) {
            const auto [one, two] = events.crystals[i];
            if (chance(random) < made[one] * made[two]) {
                left.crystals.push_back(events.crystals[i]);
                left.dt_ps.push_back(events.dt_ps[i]);
                left.time_ms.push_back(events.time_ms[i]);
            }
        }
        const HistoData all = depositEvents(events, scanner, views(motion), pool_, {});
        QCOMPARE(eventsOnLattice(events, scanner, views(motion), pool_), all.kept);
        const HistoData data = [&] {
            HistoData some = depositEvents(left, scanner, views(motion), pool_, {});
            some.mult.assign(some.counts.size(), 1.0F);
            some.poses = motion->weighed(6, 0);
            return some;
        }();

        const std::vector<float> factors = efficienciesOfViews(data, scanner, made, pool_);

        HistoData at = data;
        at.poses.clear();
        const std::vector<float> still = efficienciesOfViews(at, scanner, made, pool_);
        const auto times = [&](const std::vector<float>& by) {
            std::vector<float> expected(all.counts.size());
            std::transform(all.counts.begin(), all.counts.end(), by.begin(), expected.begin(),
                           std::multiplies<>());
            return expected;
        };
        // Means of products over the cells of two crystals' directions, edges blurred by 2 mm.
        const std::vector<float> expected = times(factors);
        qInfo("total %.4f", sumOf(data.counts) / sumOf(expected));
        QVERIFY(std::abs(sumOf(data.counts) / sumOf(expected) - 1) < 0.01);
        const std::vector<double> seen = sumsOf(data, data.counts, true);
        const double moved = chiSquare(seen, sumsOf(data, expected, true), 0.01);
        const double unmoved = chiSquare(seen, sumsOf(data, times(still), true), 0.01);
        qInfo("chi-square %.2f, by one pose %.2f", moved, unmoved);
        QVERIFY(moved < 2.2);
        QVERIFY(unmoved > 5 * moved);
    }

    /// What the simulator says was scattered, in total and across the views.
    void scatterFollowsFromTheDataAlone() {
        const bool full = test::fullRun();
        const Scanner scanner = full ? Scanner::find("labr3") : test::blockRing();
        const auto motion = headMotion(full ? 1 : 0.5);
        Phantom ball;
        ball.name = "ball";
        PhantomShape shape;
        shape.radius_mm = full ? 90 : 45;
        shape.activity = 1;
        shape.mu_per_mm = 0.0096;
        ball.shapes = {shape};
        BinningSettings small = views(motion);
        SimulationSettings settings;
        settings.events = full ? 400000 : 100000;
        if (!full) {
            small.lattice = Lattice::centred({18, 18, 8}, {12, 12, 12});
        }
        settings.seed = 6;
        settings.physics = Physics::fromText("scatter,energy");
        const EventList events = simulateMoved(scanner, ball, settings, *motion, pool_, {});
        EventList scattered;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.kind[i] == EventKind::Scattered) {
                scattered.crystals.push_back(events.crystals[i]);
                scattered.dt_ps.push_back(events.dt_ps[i]);
                scattered.time_ms.push_back(events.time_ms[i]);
            }
        }
        const HistoData truth = depositEvents(scattered, scanner, small, pool_, {});
        HistoData data = depositEvents(events, scanner, small, pool_, {});
        data.poses = motion->weighed(6, 0);
        const Volume mu = ball.wholeAttenuation(data.lattice, 4);
        computeFactors(data, scanner, &mu, pool_, {}, {}, data.poses);
        data.expandFactors(pool_);
        ScatterCorrection how;
        how.simulation.pairs /= 4;
        if (!full) {
            how.simulation.rowStep_mm = 40;
            how.simulation.pairs /= 4;
        }

        const ScatterFound found = findScatter(data, scanner, mu, how, pool_, {});

        const double asked = sumOf(truth.counts);
        qInfo("%.0f of %.0f, scale %.3f, %zu poses", found.total, asked, found.scale, found.lines->size());
        QVERIFY(found.lines->size() > 1);
        // Four standard errors of the scattered, and 2 % for a shape of multiple scatter with few pairs. Sums
        // lie within 4 % of the largest and three of its standard errors.
        QVERIFY(std::abs(found.total / asked - 1) < 4 / std::sqrt(asked) + 0.02);
        for (const bool byView : {true, false}) {
            const std::vector<double> seen = sumsOf(truth, truth.counts, byView);
            const std::vector<double> made = sumsOf(data, found.scatter, byView);
            const double most = *std::max_element(seen.begin(), seen.end());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                QVERIFY2(std::abs(made[i] - seen[i]) < 0.04 * most + 3 * std::sqrt(most),
                         qPrintable(QString("%1: %2 of %3").arg(i).arg(made[i]).arg(seen[i])));
            }
        }
    }

  private:
    ThreadPool pool_{2};
};

QTEST_GUILESS_MAIN(MovedCorrectionsTest)

}  // namespace moved_corrections_test
#include "moved_corrections_test.moc"
