// SPDX-License-Identifier: Apache-2.0
// The estimate of scatter against events whose kind the simulator knows.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/energy_acceptance.h"
#include "recon/corrections/interpolation_loops.h"
#include "recon/corrections/multiple_scatter.h"
#include "recon/corrections/scatter.h"
#include "recon/corrections/single_scatter.h"
#include "recon/physics/compton.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/block_ring.h"
#include "tests/support/event_lists.h"
#include "tests/support/full_run.h"
#include "tests/support/phantoms.h"

namespace scatter_estimate_test {

using namespace tof;

namespace {

/// A cylinder of water, active in its middle.
Phantom cylinder(double radius, double length, double activeLength) {
    Phantom phantom = test::waterCylinder(radius, length);
    PhantomShape active = phantom.shapes.front();
    active.size_mm.z = activeLength;
    phantom.shapes.front().activity = 0;
    phantom.shapes.push_back(active);
    return phantom;
}

/// Events of one kind.
EventList ofScatters(const EventList& events, int least, int most) {
    return test::eventsThat(
        events, [&](std::size_t i) { return events.scatters[i] >= least && events.scatters[i] <= most; });
}

/// Sums of data by |s| (0) or |u| (1) of voxels, 16 mm each.
std::vector<double> marginal(const HistoData& data, const std::vector<float>& values, int which) {
    std::vector<double> sums(24, 0.0);
    for (std::size_t view = 0; view < data.views.size(); ++view) {
        const ViewAxes axes = data.views[view].axes();
        for (std::size_t i = 0; i < data.voxels(); ++i) {
            const Vec3 p = data.lattice.centre(data.lattice.voxel(i));
            const double at = std::abs(dot(p, which == 0 ? axes.r : axes.u));
            sums[std::min<std::size_t>(static_cast<std::size_t>(at / 16), 23)] +=
                static_cast<double>(values[view * data.voxels() + i]);
        }
    }
    return sums;
}

/// Adds what a point brings to the places along the line (`count` of them from `first` mm on, from the
/// middle towards the second detector). Activity at l on the ray to the first detector is found at
/// (r1 - r2)/2 - l, that on the other ray at (r1 - r2)/2 + l.
void addScatter(const ScatterTables& t, const ScatterWeights& weights, const ScatterRay& one,
                const ScatterRay& two, const float* activityOne, const float* activityTwo, double first,
                std::int32_t count, float* out) {
    const double centre =
        (0.5 * (static_cast<double>(one.length) - static_cast<double>(two.length)) - first) / t.step_mm;
    // Samples stand for the middles of their steps.
    const double up = centre + 0.5;
    const double down = centre - 0.5;
    const auto upCell = static_cast<std::int32_t>(std::floor(up));
    const auto downCell = static_cast<std::int32_t>(std::floor(down));
    const auto upShare = static_cast<float>(up - upCell);
    const auto downShare = static_cast<float>(down - downCell);
    const auto w1 = static_cast<float>(weights.one);
    const auto w2 = static_cast<float>(weights.two);
    for (std::int32_t k = 0; k < t.samples; ++k) {
        const std::int32_t lower = downCell - k;
        if (lower >= 0 && lower + 1 < count) {
            const float value = w1 * activityOne[k];
            out[lower] += (1 - downShare) * value;
            out[lower + 1] += downShare * value;
        }
        const std::int32_t upper = upCell + k;
        if (upper >= 0 && upper + 1 < count) {
            const float value = w2 * activityTwo[k];
            out[upper] += (1 - upShare) * value;
            out[upper + 1] += upShare * value;
        }
    }
}

}  // namespace

class ScatterEstimateTest : public QObject {
    Q_OBJECT
  private slots:
    void shapesAreThoseOfKleinAndNishina() {
        // The share above an energy, from the shape alone, against the published shares.
        double all = 0;
        double above = 0;
        for (int i = 0; i < 20000; ++i) {
            const double cosine = -1 + 2 * (i + 0.5) / 20000;
            const double kept = 1 / (2 - cosine);
            all += comptonShape(cosine, kept);
            above += kept * kElectron_keV > 450 ? comptonShape(cosine, kept) : 0;
        }
        QVERIFY(std::abs(above / all - 0.1955) < 0.001);
    }

    void aPlaceGathersWhatARaySpreads() {
        // The device asks what a point brings to one place, the host gives to all places what it brings: the
        // same numbers up to the order of four floats, at the ends of lines, too.
        ScatterTables tables;
        tables.step_mm = 12;
        tables.samples = 17;
        std::vector<float> one(17);
        std::vector<float> two(17);
        for (std::size_t k = 0; k < 17; ++k) {
            one[k] = static_cast<float>(1 + (k * 7) % 5);
            two[k] = static_cast<float>(2 + (k * 3) % 11);
        }
        for (const float longer : {-310.0F, -60.0F, 0.0F, 7.5F, 130.0F, 333.0F}) {
            const ScatterRay first{{}, 400 + longer};
            const ScatterRay second{{}, 400};
            constexpr std::int32_t kPlaces = 31;
            std::vector<float> spread(kPlaces, 0.0F);
            addScatter(tables, {0.25, 0.5}, first, second, one.data(), two.data(), -180, kPlaces,
                       spread.data());
            const ScatterShift shift = scatterShift(tables, first, second, -180);
            for (std::int32_t place = 0; place < kPlaces; ++place) {
                const float gathered =
                    scatterAt(place, kPlaces, 17, shift, 0.25F, 0.5F, one.data(), two.data());
                QVERIFY2(std::abs(gathered - spread[static_cast<std::size_t>(place)]) < 1e-5F,
                         qPrintable(QString("%1 %2").arg(static_cast<double>(longer)).arg(place)));
            }
        }
    }

    void acceptanceFallsWithEnergy() {
        const Scanner scanner = Scanner::find("labr3");
        const EnergyAcceptance acceptance(scanner);
        QVERIFY(std::abs(acceptance.at(511) - 1) < 1e-9);
        QVERIFY(acceptance.at(500) > acceptance.at(480));
        QVERIFY(acceptance.at(480) > acceptance.at(460));
        // At the threshold half of the peak lies above it; 3 % of Monte Carlo and of interpolation.
        QVERIFY2(std::abs(acceptance.at(480) / 0.5 - 1) < 0.2,
                 qPrintable(QString::number(acceptance.at(480))));
        QCOMPARE(acceptance.at(300), 0.0);
        QVERIFY_EXCEPTION_THROWN(EnergyAcceptance(Scanner::find("labr3-ideal")), WrongUse);
    }

    void linesAreInterpolatedBetweenDetectors() {
        // A function that is linear in the place along the line and constant over lines comes back exactly;
        // turned lines see it turned.
        CoarseRing ring{400, 32, {3, -100, 100}};
        LineFunction function(ring, {41, -200, 10});
        for (std::size_t pair = 0; pair < function.pairs(); ++pair) {
            const auto [one, two] = function.pair(pair);
            const Vec3 d = ring.at(two) - ring.at(one);
            const double sense = d.x > 0 || (d.x == 0 && d.y > 0) ? 1 : -1;
            for (std::size_t k = 0; k < 41; ++k) {
                function.values(pair)[k] = static_cast<float>(1000 + sense * function.along().at(k));
            }
        }
        QVERIFY(std::abs(function.at({0, 30, 10}, {1, 0, 0}, 55) - 1055) < 0.5);
        QVERIFY(std::abs(function.at({0, 30, 10}, {-1, 0, 0}, 55) - 945) < 0.5);
        QCOMPARE(function.at({0, 500, 0}, {1, 0, 0}, 0), 0.0);
    }

    void manyPlacesOfALineAreThoseFoundOneByOne() {
        // Sums of 64 corners in single precision: 1e-5 of the largest value. Beyond the places it is 0.
        LineFunction function(CoarseRing{400, 32, {3, -100, 100}}, {41, -200, 10});
        for (std::size_t pair = 0; pair < function.pairs(); ++pair) {
            for (std::size_t k = 0; k < 41; ++k) {
                function.values(pair)[k] = static_cast<float>((pair * 41 + k) * 7919 % 1000);
            }
        }
        const Samples places{60, -295, 10.3};
        for (const Vec3 foot : {Vec3{0, 30, 10}, Vec3{3, -170, -60}, Vec3{0, 500, 0}}) {
            const LineFunction::OnLine line(function, foot, normalized({1, 0.02, 0.1}));
            std::vector<float> all(places.count, -1.0F);

            line.fill(places, all.data());

            for (std::size_t k = 0; k < places.count; ++k) {
                QVERIFY(std::abs(static_cast<double>(all[k]) - line.at(places.at(k))) < 0.01);
            }
            QCOMPARE(all.front(), 0.0F);
        }
    }

    void samplesAreTakenBetweenPlacesAsTheyAreByOnes() {
        const std::array<Samples, 3> axes = {Samples{5, 0, 1}, Samples{4, 0, 1}, Samples{7, 0, 1}};
        std::vector<float> values(5 * 4 * 7);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i * 31 % 17);
        }
        const std::array<double, 3> first = {-0.7, 3.6, 0.25};
        const std::array<double, 3> step = {0.31, -0.27, 0.53};
        std::vector<float> found(18, 1.0F);
        std::vector<float> factors(18, 2.0F);

        addBetweenPoints({values.data(), {5, 4, 7}}, first, step, factors.data(), found.data(), found.size());

        for (std::size_t k = 0; k < found.size(); ++k) {
            double expected = 0;
            std::array<Between, 3> at{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                at[axis] = axes[axis].locate(first[axis] + static_cast<double>(k) * step[axis]);
            }
            for (std::size_t corner = 0; corner < 8; ++corner) {
                double weight = 1;
                std::size_t index = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const std::size_t upper = corner >> axis & 1U;
                    const auto w = static_cast<double>(at[axis].weight);
                    weight *= upper == 1 ? w : 1 - w;
                    index = index * axes[axis].count + at[axis].index + upper;
                }
                expected += weight * static_cast<double>(values[index]);
            }
            QVERIFY(std::abs(static_cast<double>(found[k]) - (1 + 2 * expected)) < 1e-3);
        }
        std::vector<float> row(12, 0.0F);
        addBetweenRows(values.data(), values.data() + 7, 0.25F, 7, -1.5, 0.75, row.data(), row.size());
        for (std::size_t k = 0; k < row.size(); ++k) {
            const Between z = axes[2].locate(-1.5 + 0.75 * static_cast<double>(k));
            const auto between = [&](std::size_t i) {
                return (1 - z.weight) * values[i] + z.weight * values[i + 1];
            };
            QVERIFY(std::abs(row[k] - 0.75F * between(z.index) - 0.25F * between(7 + z.index)) < 1e-4F);
        }
    }

    void singleScatterIsTheSimulated_data() {
        QTest::addColumn<double>("length");
        QTest::addColumn<double>("active");
        QTest::newRow("within the field")
            << (test::fullRun() ? 140.0 : 80.0) << (test::fullRun() ? 140.0 : 80.0);
        QTest::newRow("activity beyond the field")
            << (test::fullRun() ? 500.0 : 240.0) << (test::fullRun() ? 500.0 : 240.0);
    }
    void singleScatterIsTheSimulated() {
        // Events scattered once, absolute by the decays. No lattice, no fit: 3 % and three deviations of
        // the counting in the total, 4 % of the largest and three of its deviations in each marginal.
        QFETCH(double, length);
        QFETCH(double, active);
        const bool full = test::fullRun();
        const Scanner scanner = full ? Scanner::find("labr3") : test::blockRing();
        const double radius_mm = full ? 100 : 90;
        const Phantom phantom = cylinder(radius_mm, length, active);
        SimulationSettings settings;
        settings.events = full ? 80000 : 50000;
        settings.seed = 3;
        settings.physics = Physics::fromText("scatter,energy,crystals");
        const EventList events = simulate(scanner, phantom, settings, ThreadPool(2), {});
        BinningSettings binning;
        binning.azimuths = 12;
        binning.tilts = 1;
        binning.lattice =
            full ? Lattice::centred({36, 36, 16}, {16, 16, 12}) : Lattice::centred({18, 18, 8}, {16, 16, 12});
        HistoData data = depositEvents(ofScatters(events, 1, 1), scanner, binning, ThreadPool(2), {});
        computeMult(data, scanner, nullptr, ThreadPool(2), {});
        const Lattice object = Lattice::centred({28, 28, full ? 70 : 32}, {8, 8, 8});
        Volume activity = phantom.emissionOn(object);
        const double emitted = kPi * radius_mm * radius_mm * active / 512;
        for (float& value : activity.data) {
            value *= static_cast<float>(events.decays / emitted);
        }

        const LineFunction scatter = singleScatter(scanner, activity, phantom.attenuationOn(object),
                                                   {.rowStep_mm = full ? 45.0 : 40.0}, ThreadPool(2), {});
        const std::vector<float> expected = scatterOfViews(scatter, data, ThreadPool(2));

        const double found = std::accumulate(data.counts.begin(), data.counts.end(), 0.0);
        const double total = std::accumulate(expected.begin(), expected.end(), 0.0);
        QVERIFY2(std::abs(total / found - 1) < 0.03 + 3 / std::sqrt(found),
                 qPrintable(QString::number(total / found)));
        for (const int which : {0, 1}) {
            const std::vector<double> seen = marginal(data, data.counts, which);
            const std::vector<double> model = marginal(data, expected, which);
            const double most = *std::max_element(seen.begin(), seen.end());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                QVERIFY2(std::abs(seen[i] - model[i]) < 0.04 * most + 3 * std::sqrt(most),
                         qPrintable(QString("%1 %2: %3 of %4").arg(which).arg(i).arg(model[i]).arg(seen[i])));
            }
        }
    }

    void whatIsPreparedServesAnyActivity() {
        const Scanner scanner = test::blockRing();
        const Lattice object = Lattice::centred({14, 14, 8}, {16, 16, 16});
        const Volume attenuation = cylinder(90, 80, 80).attenuationOn(object);
        const Volume one = cylinder(90, 80, 80).emissionOn(object);
        const Volume two = cylinder(50, 80, 40).emissionOn(object);
        const ScatterSettings settings{.rowStep_mm = 40, .pairs = 20000};
        const ThreadPool pool(2);
        ScatterEstimate estimate(scanner, attenuation, object, settings, pool);

        LineFunction first = estimate.of(one, {});
        LineFunction second = estimate.of(two, {});

        LineFunction alone = singleScatter(scanner, two, attenuation, settings, ThreadPool(1), {});
        QCOMPARE(second.pairs(), alone.pairs());
        bool differs = false;
        for (std::size_t pair = 0; pair < alone.pairs(); ++pair) {
            const std::span own(second.values(pair), second.along().count);
            QVERIFY(std::equal(own.begin(), own.end(), alone.values(pair)));
            differs = differs || !std::equal(own.begin(), own.end(), first.values(pair));
        }
        QVERIFY(differs);
        QVERIFY_EXCEPTION_THROWN((void)estimate.of(Volume(Lattice::centred({3, 3, 3}, {9, 9, 9})), {}),
                                 InternalError);
    }

    void multipleScatterLiesWhereItIsSimulated() {
        // What the polynomial says of the places of events that were scattered once, added up, is the number
        // of those that were scattered more often, from the middle of a large cylinder, where one factor for
        // all lines is a third too little, to its outer part: 3 sigma of counting and 3 % of the estimate's
        // own.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = cylinder(175, 180, 180);
        SimulationSettings settings;
        settings.events = test::fullRun() ? 160000 : 100000;
        settings.seed = 8;
        settings.physics = Physics::fromText("scatter,energy,crystals");
        const EventList events = simulate(scanner, phantom, settings, ThreadPool(2), {});
        const EnergyAcceptance acceptance(scanner);
        const Lattice object = Lattice::centred({48, 48, 24}, {8, 8, 8});
        const MultipleScatter multiple(scanner, acceptance, CoarseRing::of(scanner, 40, 65),
                                       phantom.emissionOn(object), phantom.attenuationOn(object),
                                       kScatteredPairs, ThreadPool(2));

        std::array<double, 3> found{};
        std::array<double, 3> expected{};
        std::array<double, 3> once{};
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.scatters[i] == 0) {
                continue;
            }
            const Vec3 one = scanner.reference(events.crystals[i][0]);
            const Vec3 line = scanner.reference(events.crystals[i][1]) - one;
            const double u = kMmPerPs * static_cast<double>(events.dt_ps[i]);
            const Vec3 place = one + (0.5 + u / norm(line)) * line;
            const double r = std::hypot(place.x, place.y);
            const std::size_t part = r < 60 ? 0 : r < 110 ? 1 : 2;
            if (events.scatters[i] > 1) {
                found[part] += 1;
            } else {
                const double s = std::abs(one.x * line.y - one.y * line.x) / std::hypot(line.x, line.y);
                expected[part] += multiple.over(place, s);
                once[part] += 1;
            }
        }
        for (std::size_t part = 0; part < 3; ++part) {
            qInfo("part %zu: %.0f once, %.0f more often, %.3f of that expected, one factor for all %.3f",
                  part, once[part], found[part], expected[part] / found[part],
                  multiple.mean() * once[part] / found[part]);
            QVERIFY2(std::abs(expected[part] / found[part] - 1) < 0.03 + 3 / std::sqrt(found[part]),
                     qPrintable(QString("%1: %2").arg(part).arg(expected[part] / found[part])));
        }
        QVERIFY(expected[0] / once[0] > 1.3 * expected[2] / once[2]);
        // Followed until it is as precise as is said.
        QVERIFY(multiple.mean() * std::sqrt(MultipleScatter::kTerms / multiple.events()) < 0.01);
    }

    void multipleScatterIsTheSameForAnyThreads() {
        const Scanner scanner = Scanner::find("labr3");
        const EnergyAcceptance acceptance(scanner);
        const CoarseRing ring = CoarseRing::of(scanner, 40, 65);
        const Phantom phantom = cylinder(100, 140, 140);
        const Lattice object = Lattice::centred({28, 28, 20}, {8, 8, 8});
        const Volume activity = phantom.emissionOn(object);
        const Volume mu = phantom.attenuationOn(object);
        const MultipleScatter one(scanner, acceptance, ring, activity, mu, 200000, ThreadPool(1));
        const MultipleScatter two(scanner, acceptance, ring, activity, mu, 200000, ThreadPool(3));

        QVERIFY(one.mean() > 0.02);
        QCOMPARE(one.mean(), two.mean());
        QCOMPARE(one.over({30, -20, 10}, 25), two.over({30, -20, 10}, 25));
        // Without activity, or with nothing that scatters, there is none.
        const Volume nothing(object);
        QCOMPARE(MultipleScatter(scanner, acceptance, ring, nothing, mu, 1000, ThreadPool(1)).mean(), 0.0);
        QCOMPARE(MultipleScatter(scanner, acceptance, ring, activity, nothing, 1000, ThreadPool(1)).mean(),
                 0.0);
    }
};

QTEST_GUILESS_MAIN(ScatterEstimateTest)

}  // namespace scatter_estimate_test
#include "scatter_estimate_test.moc"
