// SPDX-License-Identifier: Apache-2.0
// Photons in time: coincidences, randoms, dead time, and that every pair is accounted for.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/physics/positron.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/slice_resolver.h"
#include "tests/support/phantoms.h"

namespace coincidences_test {

using namespace tof;
using tof::test::pointAt;

namespace {

SimulationSettings asked(std::uint64_t events, const std::string& physics, double activity = 100,
                         std::uint64_t seed = 1) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = seed;
    settings.activity_MBq = activity;
    settings.physics = Physics::fromText(physics);
    return settings;
}

/// Singles of independent decays, evenly in time and over the groups.
std::vector<TimedPhoton> independent(std::size_t count, double length_ps, std::uint32_t groups,
                                     std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> place(0, length_ps);
    std::vector<TimedPhoton> photons(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        photons[i].time_ps = place(engine);
        photons[i].group = static_cast<std::uint32_t>(engine() % groups);
        photons[i].decay = i;
        photons[i].inWindow = true;
    }
    std::sort(photons.begin(), photons.end(),
              [](const TimedPhoton& a, const TimedPhoton& b) { return a.time_ps < b.time_ps; });
    return photons;
}

/// Blocks whose electronics are those of a test: nothing but a dead time of 300 ns.
Scanner plainBlocks() {
    Scanner scanner = Scanner::find("ge-ste-blocks");
    Detection& detection = *scanner.detection;
    detection.deadTime_ns = 300;
    detection.deadTimeKind = Detection::DeadTime::NonParalysable;
    detection.trigger_keV = detection.integration_ns = detection.bandwidth_Mcps = 0;
    detection.multiples = Detection::Multiples::All;
    return scanner;
}

/// The electronics of a scanner, and what they refer to.
struct Electronics {
    Electronics(const Scanner& described, double length_ps)
        : scanner(described),
          model(scanner, phantom, Physics(), ThreadPool()),
          resolver(model, *scanner.detection, Physics(), length_ps) {}

    Scanner scanner;
    Phantom phantom = pointAt({0, 0, 0});
    PairModel model;
    SliceResolver resolver;
};

/// A single of a decay of its own, in the block of its crystal of `ge-ste-blocks`.
TimedPhoton photonAt(std::uint32_t crystal, double time_ps, float energy_keV) {
    TimedPhoton photon;
    photon.time_ps = time_ps;
    photon.crystal = crystal;
    photon.group = crystal / 48;
    photon.decay = static_cast<std::uint32_t>(time_ps);
    photon.energy_keV = energy_keV;
    photon.inWindow = true;
    return photon;
}

}  // namespace

class CoincidencesTest : public QObject {
    Q_OBJECT
  private slots:
    void coincidencesAreAllPairsOnTheCircle_data() {
        QTest::addColumn<double>("delay");
        QTest::newRow("prompt") << 0.0;
        QTest::newRow("delayed") << 500.0;
    }
    void coincidencesAreAllPairsOnTheCircle() {
        // Against every pair tried.
        QFETCH(double, delay);
        constexpr double kLength = 10000;
        constexpr double kWindow = 30;
        const std::vector<TimedPhoton> photons = independent(400, kLength, 10, 3);
        std::vector<PhotonCoincidence> found;

        findCoincidences(photons, kLength, kWindow, delay, found);

        std::size_t expected = 0;
        for (std::size_t i = 0; i < photons.size(); ++i) {
            for (std::size_t j = 0; j < photons.size(); ++j) {
                const double apart = std::remainder(photons[j].time_ps - delay - photons[i].time_ps, kLength);
                expected += i != j && apart >= 0 && apart < kWindow ? 1 : 0;
            }
        }
        QCOMPARE(found.size(), expected);
        QVERIFY(expected > 100);  // 400 x 399 x 30/10000 = 479
        for (const PhotonCoincidence& pair : found) {
            const double apart = std::remainder(
                photons[pair.first].time_ps - (photons[pair.second].time_ps - delay) - pair.dt_ps, kLength);
            QVERIFY(std::abs(apart) < 1e-6);
        }
    }

    void chanceMakesTwiceTheWindowTimesBothRates() {
        // 2 tau s_i s_j, summed over pairs of different photons: tau n (n - 1)/T within counting statistics;
        // 1 % where 40,000 are found.
        constexpr double kLength = 1e8;
        constexpr double kWindow = 3000;
        constexpr std::size_t kSingles = 20000;
        double prompts = 0;
        double delayeds = 0;
        constexpr int kSlices = 4;
        std::vector<double> times(10, 0.0);
        for (std::uint64_t slice = 0; slice < kSlices; ++slice) {
            const auto photons = independent(kSingles, kLength, 100, 10 + slice);
            std::vector<PhotonCoincidence> found;
            findCoincidences(photons, kLength, kWindow, 0, found);
            prompts += static_cast<double>(found.size());
            findCoincidences(photons, kLength, kWindow, 500e3, found);
            delayeds += static_cast<double>(found.size());
            for (const PhotonCoincidence& pair : found) {
                const auto bin = static_cast<std::size_t>(-pair.dt_ps / kWindow * 10);
                times[std::min<std::size_t>(bin, 9)] += 1;
            }
        }
        const double n = kSingles;
        const double prompt = kSlices * kWindow * n * (n - 1) / kLength;
        QVERIFY(std::abs(prompts / prompt - 1) < 0.01);
        QVERIFY(std::abs(delayeds / prompt - 1) < 0.01);
        double chi2 = 0;
        for (const double count : times) {
            chi2 += (count - delayeds / 10) * (count - delayeds / 10) / (delayeds / 10);
        }
        QVERIFY2(chi2 < 27.9, qPrintable(QString::number(chi2)));  // 9 degrees of freedom, p = 1e-3
    }

    void deadBlocksLoseWhatTheFormulaSays() {
        // Non-paralysable: recorded = rate/(1 + rate x dead time).
        constexpr double kLength = 1e9;
        constexpr std::size_t kSingles = 200000;
        constexpr double kDead = 50000;
        auto photons = independent(kSingles, kLength, 10, 5);
        std::vector<double> last(10);
        markDead(photons, kDead, last);
        const auto live = static_cast<double>(
            std::count_if(photons.begin(), photons.end(), [](const TimedPhoton& p) { return !p.dead; }));
        const double perBlock = kSingles / 10.0 / kLength;
        const double expected = kSingles / (1 + perBlock * kDead);
        // Losses vary less than by Poisson's law.
        QVERIFY(std::abs(live / expected - 1) < 4.5 / std::sqrt(kSingles - expected));
    }

    void blocksThatPhotonsMakeDeadAnewLoseWhatTheFormulaSays() {
        // Paralysable: recorded = rate exp(-rate x dead time) [Knoll, 4.VII]; within 4.5 deviations of the
        // counts, which bound those of what is lost.
        constexpr double kLength = 1e9;
        constexpr std::size_t kSingles = 200000;
        Scanner scanner = plainBlocks();
        scanner.detection->deadTimeKind = Detection::DeadTime::Paralysable;
        scanner.detection->deadTime_ns = 700;
        const Electronics electronics(scanner, kLength);
        Slice slice{independent(kSingles, kLength, 280, 5), {}, {}, {}};

        electronics.resolver.resolve(slice);

        const double expected = kSingles * std::exp(-static_cast<double>(kSingles) / 280 / kLength * 700e3);
        QCOMPARE(scanner.detection->aliveShare(kSingles / 280.0 / (1e-12 * kLength)), expected / kSingles);
        const auto live = static_cast<double>(slice.report.singles);
        QVERIFY2(std::abs(live - expected) < 4.5 * std::sqrt(kSingles - expected),
                 qPrintable(QString("%1 %2").arg(live).arg(expected)));
    }

    void photonsPileUpAsALoopOverAllPairsSays() {
        constexpr double kLength = 1e7;
        constexpr double kDead = 300e3;
        constexpr double kIntegration = 200e3;
        Scanner scanner = plainBlocks();
        scanner.detection->deadTimeKind = Detection::DeadTime::Paralysable;
        scanner.detection->deadTime_ns = 1e-3 * kDead;
        scanner.detection->integration_ns = 1e-3 * kIntegration;
        const Electronics electronics(scanner, kLength);
        Slice slice{independent(3000, kLength, 280, 7), {}, {}, {}};
        for (std::size_t i = 0; i < slice.photons.size(); ++i) {
            slice.photons[i].energy_keV = 50 + static_cast<float>(i * 37 % 500);
            slice.photons[i].inWindow = slice.photons[i].energy_keV >= 425;
        }
        const std::vector<TimedPhoton> before = slice.photons;

        electronics.resolver.resolve(slice);

        std::size_t lost = 0;
        std::size_t won = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            bool dead = false;
            double energy = before[i].energy_keV;
            for (std::size_t j = 0; j < before.size(); ++j) {
                const double since = before[i].time_ps - before[j].time_ps;
                const bool mates = j != i && before[i].group == before[j].group;
                dead = dead || (mates && (since > 0 ? since : since + kLength) < kDead);
                if (mates && since < 0 && -since < kIntegration) {
                    // The share of its light, of 300 ns in BGO, that comes before the integration ends.
                    energy += before[j].energy_keV * (1 - std::exp(-(kIntegration + since) / 300e3)) /
                              (1 - std::exp(-kIntegration / 300e3));
                }
            }
            QCOMPARE(slice.photons[i].dead, dead);
            if (!dead) {
                const bool single = energy >= 425 && energy <= 650;
                QCOMPARE(slice.photons[i].inWindow, single);
                lost += before[i].inWindow && !single ? 1 : 0;
                won += single && !before[i].inWindow ? 1 : 0;
            }
        }
        QVERIFY(lost > 20 && won > 20);
    }

    void placesOfPhotonsThatPileUpMoveByTheirEnergies() {
        // 300 keV in column 0 and 150 in column 6 of a block of 8 x 6: two thirds and a third, column 2. They
        // come 1 ps apart, so that no light is missing.
        Scanner scanner = plainBlocks();
        scanner.detection->integration_ns = 100;
        const Electronics electronics(scanner, 1e7);
        Slice slice;
        slice.photons = {photonAt(0, 1000, 300), photonAt(6, 1001, 150)};
        slice.photons[0].inWindow = slice.photons[1].inWindow = false;

        electronics.resolver.resolve(slice);

        QVERIFY(slice.photons[0].inWindow && slice.photons[1].dead);
        QCOMPARE(slice.photons[0].crystal, 2U);
        QVERIFY(std::abs(slice.photons[0].energy_keV - 450.0F) < 0.1F);
    }

    void multiplesFollowThePolicy_data() {
        QTest::addColumn<int>("policy");
        QTest::addColumn<std::size_t>("pairs");
        QTest::addColumn<std::size_t>("alone");
        QTest::newRow("all") << static_cast<int>(Detection::Multiples::All) << std::size_t{3}
                             << std::size_t{1};
        QTest::newRow("none") << static_cast<int>(Detection::Multiples::None) << std::size_t{0}
                              << std::size_t{1};
        QTest::newRow("highest") << static_cast<int>(Detection::Multiples::Highest) << std::size_t{1}
                                 << std::size_t{1};
    }
    void multiplesFollowThePolicy() {
        QFETCH(int, policy);
        QFETCH(std::size_t, pairs);
        QFETCH(std::size_t, alone);
        Scanner scanner = plainBlocks();
        scanner.detection->multiples = static_cast<Detection::Multiples>(policy);
        const Electronics electronics(scanner, 1e7);
        // Three modules far from each other, 24 x 8 crystals each.
        const std::uint32_t module = 192;
        Slice three;
        three.photons = {photonAt(0, 1000, 500), photonAt(35 * module, 2000, 430),
                         photonAt(18 * module, 3000, 600)};
        Slice two;
        two.photons = {three.photons[0], three.photons[1]};

        electronics.resolver.resolve(three);
        electronics.resolver.resolve(two);

        QCOMPARE(three.prompts.size(), pairs);
        QCOMPARE(two.prompts.size(), alone);
        if (pairs == 1) {  // 500 and 600 keV
            QCOMPARE(three.prompts[0].first, 0U);
            QCOMPARE(three.prompts[0].second, 2U);
        }
    }

    void delayedsCountWhatRandomsAPolicyLeaves_data() {
        QTest::addColumn<int>("policy");
        QTest::newRow("none") << static_cast<int>(Detection::Multiples::None);
        QTest::newRow("highest") << static_cast<int>(Detection::Multiples::Highest);
    }
    void delayedsCountWhatRandomsAPolicyLeaves() {
        // Singles of decays of their own, 20 in 100 windows: a fifth of the pairs share their window.
        QFETCH(int, policy);
        constexpr double kLength = 1e9;
        constexpr std::size_t kSingles = 40000;
        Scanner scanner = plainBlocks();
        scanner.detection->multiples = static_cast<Detection::Multiples>(policy);
        scanner.detection->deadTime_ns = 0;
        const Electronics electronics(scanner, kLength);
        Slice slice{independent(kSingles, kLength, 280, 3), {}, {}, {}};
        std::mt19937_64 engine(4);
        for (TimedPhoton& photon : slice.photons) {
            photon.crystal = static_cast<std::uint32_t>(engine() % scanner.crystals.size());
            photon.energy_keV = 430 + static_cast<float>(engine() % 200);
        }

        electronics.resolver.resolve(slice);

        const auto prompts = static_cast<double>(slice.prompts.size());
        const auto delayeds = static_cast<double>(slice.delayeds.size());
        QVERIFY(prompts > 1000);
        QVERIFY2(std::abs(delayeds / prompts - 1) < 0.03 + 3 * std::sqrt(2 / prompts),
                 qPrintable(QString("%1 %2").arg(prompts).arg(delayeds)));
    }

    void theSystemTakesNoMoreThanItsBandwidth() {
        // A dead time tau after each coincidence that is taken: rate/(1 + rate tau), tau the inverse of the
        // bandwidth. 20,000 pairs in 10 ms of a system that takes 1.5 million a second.
        constexpr double kLength = 1e10;
        constexpr std::size_t kPairs = 20000;
        Scanner scanner = plainBlocks();
        scanner.detection->bandwidth_Mcps = 1.5;
        scanner.detection->deadTime_ns = 0;
        scanner.detection->coincidence_ns = 0.01;  // next to no randoms
        const Electronics electronics(scanner, kLength);
        Slice slice{independent(kPairs, kLength, 1, 9), {}, {}, {}};
        slice.report.started = kPairs;
        for (std::size_t i = 0; i < kPairs; ++i) {
            slice.photons[i].crystal = 0;
            slice.photons.push_back(slice.photons[i]);
            slice.photons.back().crystal = 35 * 192;
            slice.photons.back().photon = 1;
        }

        electronics.resolver.resolve(slice);

        const auto offered = static_cast<double>(slice.prompts.size() + slice.report.throttled);
        const auto taken = static_cast<double>(slice.prompts.size() + slice.delayeds.size());
        const double tau = 1e6 / 1.5 / kLength;
        QVERIFY2(std::abs(taken * (1 + offered * tau) / offered - 1) < 0.02,
                 qPrintable(QString("%1 of %2").arg(taken).arg(offered)));
        QVERIFY(slice.report.accounted() <= kPairs && slice.report.throttled > 5000);
    }

    void everyPairOfCrowdedElectronicsIsAccountedFor() {
        Scanner scanner = Scanner::find("ge-ste-blocks");
        Detection& detection = *scanner.detection;
        detection.deadTimeKind = Detection::DeadTime::Paralysable;
        detection.deadTime_ns = 800;
        detection.trigger_keV = 60;
        detection.integration_ns = 600;
        detection.multiples = Detection::Multiples::None;
        detection.bandwidth_Mcps = 2;
        SimulationReport report;

        const EventList events = simulate(scanner, Phantom::find("uniform-cylinder"), asked(1500, "all", 300),
                                          ThreadPool(2), {}, &report);

        QCOMPARE(report.started, report.accounted());
        QCOMPARE(report.trues + report.scattered + report.randoms, std::uint64_t{1500});
        for (const auto loss : {report.dead, report.piledUp, report.multiple, report.throttled}) {
            QVERIFY(loss > 0);
        }
        for (const std::array<float, 2>& energies : events.energy_keV) {
            QVERIFY(std::min(energies[0], energies[1]) >= 425 && std::max(energies[0], energies[1]) <= 650);
        }
        // Photons below the window make blocks busy: without them fewer pairs are lost to dead blocks.
        SimulationReport without;
        detection.trigger_keV = 400;
        static_cast<void>(simulate(scanner, Phantom::find("uniform-cylinder"), asked(1500, "all", 300),
                                   ThreadPool(2), {}, &without));
        const auto deadShare = [](const SimulationReport& r) {
            return static_cast<double>(r.dead) / static_cast<double>(r.started);
        };
        QVERIFY(deadShare(without) < 0.7 * deadShare(report));
    }

    void liveTimeOfParalysableBlocksFollowsFromTheirCounters() {
        // Singles per decay with dead blocks over those without: the mean of exp(-busy x dead time) by what
        // the blocks' counters say, within 2 % for counters that weigh blocks by all photons instead of
        // singles.
        Scanner scanner = Scanner::find("ge-ste-blocks");
        const Phantom phantom = Phantom::find("uniform-cylinder");
        CrystalSingles counters;
        SimulationHooks hooks;
        hooks.singles = &counters;
        SimulationReport dead;
        SimulationReport alive;

        static_cast<void>(simulateWith(scanner, phantom, asked(3000, "randoms,energy,dead-time", 400),
                                       ThreadPool(2), hooks, &dead));
        static_cast<void>(
            simulate(scanner, phantom, asked(3000, "randoms,energy", 400), ThreadPool(2), {}, &alive));

        double all = 0;
        double kept = 0;
        for (const double busy : counters.busy) {
            all += busy;
            kept += busy * scanner.detection->aliveShare(busy / counters.duration_s);
        }
        const auto perDecay = [](const SimulationReport& report) {
            return static_cast<double>(report.singles) / static_cast<double>(report.started);
        };
        const double found = perDecay(dead) / perDecay(alive);
        QVERIFY2(found < 0.9, qPrintable(QString::number(found)));
        QVERIFY2(std::abs(found / (kept / all) - 1) < 0.02,
                 qPrintable(QString::number(found / (kept / all))));
    }

    void everyPairIsAccountedFor_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<QString>("physics");
        for (const char* scanner : {"labr3", "ge-ste-blocks", "clinical-214ps", "long-axial"}) {
            QTest::addRow("%s, pairs", scanner) << scanner << "no-randoms";
            QTest::addRow("%s, in time", scanner) << scanner << "all";
        }
        for (const char* physics :
             {"none", "scatter", "energy", "position", "crystals,energy", "no-scatter,no-range"}) {
            QTest::addRow("labr3, %s", physics) << "labr3" << physics;
        }
    }
    void everyPairIsAccountedFor() {
        QFETCH(QString, scanner);
        QFETCH(QString, physics);
        SimulationReport report;
        const EventList events =
            simulate(Scanner::find(scanner.toStdString()), Phantom::find("uniform-cylinder"),
                     asked(1500, physics.toStdString()), ThreadPool(2), {}, &report);

        QCOMPARE(report.started, report.accounted());
        QCOMPARE(report.trues + report.scattered + report.randoms, std::uint64_t{1500});
        QCOMPARE(events.size(), std::size_t{1500});
        const auto kinds = [&](EventKind kind) {
            return static_cast<std::uint64_t>(std::count(events.kind.begin(), events.kind.end(), kind));
        };
        QCOMPARE(kinds(EventKind::True), report.trues);
        QCOMPARE(kinds(EventKind::Scattered), report.scattered);
        QCOMPARE(kinds(EventKind::Random), report.randoms);
        const Scanner used = Scanner::find(scanner.toStdString());
        const Physics with = Physics::fromText(physics.toStdString());
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events.kind[i] != EventKind::Random) {
                QCOMPARE(events.scatters[i] > 0, events.kind[i] == EventKind::Scattered);
            }
            for (const float energy : events.energy_keV[i]) {
                QVERIFY(!with.energy || (energy >= static_cast<float>(used.detection->window_keV[0]) &&
                                         energy <= static_cast<float>(used.detection->window_keV[1])));
            }
            QVERIFY(events.crystals[i][0] < used.crystals.size() &&
                    events.crystals[i][1] < used.crystals.size());
        }
        QVERIFY(with.scatter || report.scattered == 0);
        QVERIFY(with.randoms || report.randoms == 0);
    }

    void listsAreTheSameForAnyNumberOfThreads_data() {
        QTest::addColumn<QString>("physics");
        QTest::newRow("pairs") << "no-randoms";
        QTest::newRow("in time") << "all";
    }
    void listsAreTheSameForAnyNumberOfThreads() {
        QFETCH(QString, physics);
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = pointAt({30, 20, 10});
        const SimulationSettings settings = asked(4000, physics.toStdString(), 100, 7);
        EventList delayed1;
        EventList delayed3;
        const EventList one = simulate(scanner, phantom, settings, ThreadPool(1), {}, nullptr, &delayed1);
        const EventList three = simulate(scanner, phantom, settings, ThreadPool(3), {}, nullptr, &delayed3);

        QVERIFY(one.crystals == three.crystals);
        QVERIFY(one.dt_ps == three.dt_ps);
        QVERIFY(one.kind == three.kind);
        QVERIFY(one.scatters == three.scatters);
        QVERIFY(one.energy_keV == three.energy_keV);
        QCOMPARE(one.decays, three.decays);
        QVERIFY(delayed1.crystals == delayed3.crystals);
        SimulationSettings other = settings;
        other.seed = 8;
        QVERIFY(simulate(scanner, phantom, other, ThreadPool(2), {}).crystals != one.crystals);
    }

    void randomsGoWithTheSquareOfTheActivityAndDelayedsCountThem() {
        // A point in the middle of the STE: many singles. Randoms of all prompts beside the delayeds, and
        // beside 2 tau s^2/2 for the share of pairs of crystals that are accepted lines.
        const Scanner scanner = Scanner::find("ge-ste-blocks");
        std::array<double, 2> rates{};
        for (std::size_t i = 0; i < 2; ++i) {
            SimulationReport report;
            const double activity = i == 0 ? 60 : 120;
            const EventList events =
                simulate(scanner, pointAt({0, 0, 0}), asked(30000, "no-dead-time,no-pile-up", activity),
                         ThreadPool(2), {}, &report);
            const auto randoms = static_cast<double>(report.randoms);
            const auto delayeds = static_cast<double>(report.delayeds);
            QVERIFY2(randoms > 800, qPrintable(QString::number(randoms)));
            QVERIFY2(std::abs(delayeds / randoms - 1) < 4 * std::sqrt(1 / randoms + 1 / delayeds),
                     qPrintable(QString("%1 %2").arg(randoms).arg(delayeds)));
            rates[i] = randoms / events.duration_s;
        }
        QVERIFY2(std::abs(rates[1] / rates[0] / 4 - 1) < 0.1,
                 qPrintable(QString::number(rates[1] / rates[0])));
    }

    void everyEventOfAScanInTimeHasItsTime() {
        constexpr double kActivity_MBq = 0.05;
        SimulationHooks hooks;
        EventList delayeds;
        hooks.delayed = &delayeds;
        const EventList events =
            simulateWith(Scanner::find("labr3"), Phantom::find("uniform-cylinder"),
                         asked(4000, "all", kActivity_MBq, 5), ThreadPool(2), hooks, nullptr);

        QCOMPARE(events.time_ms.size(), events.size());
        QCOMPARE(delayeds.time_ms.size(), delayeds.size());
        QVERIFY(std::is_sorted(events.time_ms.begin(), events.time_ms.end()));
        // The positrons were counted up to the last event, in whole ms.
        const double positrons_MBq = kActivity_MBq * isotopeNamed("F-18").branching;
        const double last_ms = 1e3 * events.decays / (1e6 * positrons_MBq);
        QVERIFY(std::abs(events.time_ms.back() - last_ms) <= 1);
        // Decays are even in time: the median's SD is 1 / (2 sqrt(n)) of the scan.
        const double middle = events.time_ms[events.size() / 2] / last_ms;
        QVERIFY2(std::abs(middle - 0.5) < 5 / (2 * std::sqrt(4000.0)), qPrintable(QString::number(middle)));
    }

    void truesAreTheSameWithAndWithoutScatter() {
        // Without scatter directions are bounded and losses known early; the trues must not notice.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = Phantom::find("uniform-cylinder");
        SimulationReport with;
        SimulationReport without;
        const EventList slow =
            simulate(scanner, phantom, asked(12000, "no-randoms", 100, 3), ThreadPool(2), {}, &with);
        const EventList quick = simulate(scanner, phantom, asked(40000, "no-randoms,no-scatter", 100, 4),
                                         ThreadPool(2), {}, &without);
        QVERIFY(without.sphereShare < 0.4);
        const double perDecay1 = static_cast<double>(with.trues) / with.decays();
        const double perDecay2 = static_cast<double>(without.trues) / without.decays();
        const double error =
            std::sqrt(1 / static_cast<double>(with.trues) + 1 / static_cast<double>(without.trues));
        QVERIFY2(std::abs(perDecay1 / perDecay2 - 1) < 4 * error,
                 qPrintable(QString("%1 %2 +- %3").arg(perDecay1).arg(perDecay2).arg(error)));
        // Rows, columns and times of both crystals: chi squared of two samples, p > 1e-3.
        const auto histogram = [](const EventList& events, int which) {
            std::vector<double> bins(20, 0.0);
            for (std::size_t i = 0; i < events.size(); ++i) {
                if (events.kind[i] != EventKind::True) {
                    continue;
                }
                const double crystal = events.crystals[i][0] % 1620;
                const double value = which == 0   ? std::floor(crystal / 27) / 60
                                     : which == 1 ? std::fmod(crystal, 27.0) / 27
                                                  : (static_cast<double>(events.dt_ps[i]) + 1200) / 2400;
                bins[static_cast<std::size_t>(std::clamp(value * 20, 0.0, 19.0))] += 1;
            }
            return bins;
        };
        for (int which = 0; which < 3; ++which) {
            const auto a = histogram(slow, which);
            const auto b = histogram(quick, which);
            const double n1 = static_cast<double>(with.trues);
            const double n2 = static_cast<double>(without.trues);
            double chi2 = 0;
            for (std::size_t k = 0; k < a.size(); ++k) {
                if (a[k] + b[k] > 0) {
                    const double d = std::sqrt(n2 / n1) * a[k] - std::sqrt(n1 / n2) * b[k];
                    chi2 += d * d / (a[k] + b[k]);
                }
            }
            QVERIFY2(chi2 < 43.8,
                     qPrintable(QString("%1: %2").arg(which).arg(chi2)));  // 19 degrees, p = 1e-3
        }
    }

    void timingFollowsTheRate() {
        Detection detection = *Scanner::find("labr3").detection;
        QCOMPARE(detection.timing_ps(1e7, 400), 400.0);
        detection.timingByRate = {{1e6, 375}, {2e7, 430}};
        QCOMPARE(detection.timing_ps(1e5, 400), 375.0);
        QCOMPARE(detection.timing_ps(1e8, 400), 430.0);
        QVERIFY(std::abs(detection.timing_ps(1.05e7, 400) - 402.5) < 1e-9);

        // And reaches the list: a point in air, trues alone, at two activities.
        Scanner scanner = Scanner::find("labr3");
        scanner.detection->timingByRate = {{1e6, 300}, {8e6, 600}};
        std::array<double, 2> widths{};
        for (std::size_t i = 0; i < 2; ++i) {
            const EventList events = simulate(scanner, pointAt({0, 0, 0}),
                                              asked(8000, "randoms", i == 0 ? 3 : 120), ThreadPool(2), {});
            double squares = 0;
            double n = 0;
            for (std::size_t e = 0; e < events.size(); ++e) {
                if (events.kind[e] == EventKind::True) {
                    squares += static_cast<double>(events.dt_ps[e]) * static_cast<double>(events.dt_ps[e]);
                    n += 1;
                }
            }
            widths[i] = kFwhmPerSigma * std::sqrt(squares / n);
        }
        // Depths of interaction add some 80 ps in quadrature.
        QVERIFY2(widths[0] > 290 && widths[0] < 340, qPrintable(QString::number(widths[0])));
        QVERIFY2(widths[1] > 580 && widths[1] < 640, qPrintable(QString::number(widths[1])));
    }

    void physicsIsAskedForByName() {
        QCOMPARE(Physics::fromText("all"), Physics());
        QVERIFY(!Physics::fromText("all").lutetium);
        QVERIFY(Physics::fromText("all,lutetium").lutetium);
        QVERIFY(Physics::fromText("all,lutetium").range);
        QCOMPARE(Physics::fromText("all,lutetium").toText(), std::string("all,lutetium"));
        QCOMPARE(Physics::fromText("none").toText(), std::string("none"));
        QCOMPARE(Physics::fromText("range,energy").toText(), std::string("range,energy"));
        QVERIFY(!Physics::fromText("no-randoms").randoms && Physics::fromText("no-randoms").scatter);
        for (const char* wrong : {"scater", "range,no-energy", ""}) {
            QVERIFY_EXCEPTION_THROWN((void)Physics::fromText(wrong), WrongUse);
        }
        QVERIFY_EXCEPTION_THROWN((void)simulate(Scanner::find("labr3-ideal"), pointAt({0, 0, 0}),
                                                asked(10, "all"), ThreadPool(1), {}),
                                 WrongUse);
    }
};

QTEST_GUILESS_MAIN(CoincidencesTest)

}  // namespace coincidences_test
#include "coincidences_test.moc"
