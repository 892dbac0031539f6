// SPDX-License-Identifier: Apache-2.0
// Scans simulated on the device against the host's: the same photons up to rounding, the same distributions
// with other seeds, and every pair accounted for.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "gpu/simulate/cuda_simulator.h"
#include "recon/base/error.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/thread_ranks.h"

namespace simulate_test {

using namespace tof;

namespace {

SimulationSettings asked(std::uint64_t events, const std::string& physics, std::uint64_t seed) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = seed;
    settings.activity_MBq = 100;
    settings.physics = Physics::fromText(physics);
    return settings;
}

EventList onDevice(const std::string& scanner, const Phantom& phantom, const SimulationSettings& settings,
                   SimulationReport* report = nullptr, EventList* delayed = nullptr) {
    SimulationHooks hooks;
    hooks.slices = cudaSlices();
    hooks.delayed = delayed;
    return simulateWith(Scanner::find(scanner), phantom, settings, ThreadPool(0), hooks, report);
}

EventList onHost(const std::string& scanner, const Phantom& phantom, const SimulationSettings& settings,
                 SimulationReport* report = nullptr) {
    return simulate(Scanner::find(scanner), phantom, settings, ThreadPool(0), {}, report);
}

/// Probability of a chi-squared this large, by Wilson and Hilferty's cube root (good to 10 % of it here).
double chanceOf(double chi2, double freedom) {
    const double z = (std::cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom));
    return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// The chance of two histograms of independent events, bins with less than 20 in all left out.
double chanceThatBothAreOne(const std::map<int, double>& a, const std::map<int, double>& b) {
    double sumA = 0;
    double sumB = 0;
    for (const auto& [bin, count] : a) {
        sumA += count;
    }
    for (const auto& [bin, count] : b) {
        sumB += count;
    }
    const double ra = std::sqrt(sumB / sumA);
    const double rb = std::sqrt(sumA / sumB);
    std::map<int, std::pair<double, double>> both;
    for (const auto& [bin, count] : a) {
        both[bin].first = count;
    }
    for (const auto& [bin, count] : b) {
        both[bin].second = count;
    }
    double chi2 = 0;
    int bins = 0;
    for (const auto& [bin, counts] : both) {
        const auto& [one, other] = counts;
        if (one + other >= 20) {
            chi2 += (ra * one - rb * other) * (ra * one - rb * other) / (one + other);
            ++bins;
        }
    }
    return bins > 1 ? chanceOf(chi2, bins - 1) : 1;
}

struct Marginal {
    const char* name;
    std::function<int(const EventList&, std::size_t)> bin;
};

/// Twenty numbers of an event, each in some tens of bins.
std::vector<Marginal> marginalsOf(const std::vector<Vec3>& points, int rows, int columns) {
    const auto at = [&points](const EventList& e, std::size_t i, std::size_t k) {
        return points[e.crystals[i][k]];
    };
    const auto line = [at](const EventList& e, std::size_t i) { return at(e, i, 1) - at(e, i, 0); };
    const auto distance = [at, line](const EventList& e, std::size_t i) {
        const Vec3 a = at(e, i, 0);
        const Vec3 d = line(e, i);
        return (a.x * d.y - a.y * d.x) / std::hypot(d.x, d.y);
    };
    const auto crystal = [](const EventList& e, std::size_t i, std::size_t k) {
        return static_cast<int>(e.crystals[i][k]);
    };
    const auto energy = [](const EventList& e, std::size_t i, std::size_t k) {
        return static_cast<double>(e.energy_keV[i][k]);
    };
    const auto cell = [](double value, double width) { return static_cast<int>(std::floor(value / width)); };
    return {
        {"row 1", [=](const auto& e, auto i) { return crystal(e, i, 0) / columns % rows; }},
        {"row 2", [=](const auto& e, auto i) { return crystal(e, i, 1) / columns % rows; }},
        {"column 1", [=](const auto& e, auto i) { return crystal(e, i, 0) % columns; }},
        {"column 2", [=](const auto& e, auto i) { return crystal(e, i, 1) % columns; }},
        {"module 1", [=](const auto& e, auto i) { return crystal(e, i, 0) / columns / rows; }},
        {"module 2", [=](const auto& e, auto i) { return crystal(e, i, 1) / columns / rows; }},
        {"dt", [=](const auto& e, auto i) { return cell(static_cast<double>(e.dt_ps[i]), 100); }},
        {"dt, scattered",
         [=](const auto& e, auto i) {
             return e.kind[i] == EventKind::Scattered ? cell(static_cast<double>(e.dt_ps[i]), 100) : 1000;
         }},
        {"dt, random",
         [=](const auto& e, auto i) {
             return e.kind[i] == EventKind::Random ? cell(static_cast<double>(e.dt_ps[i]), 200) : 1000;
         }},
        {"energy 1", [=](const auto& e, auto i) { return cell(energy(e, i, 0), 5); }},
        {"energy 2", [=](const auto& e, auto i) { return cell(energy(e, i, 1), 5); }},
        {"energy, scattered",
         [=](const auto& e, auto i) {
             return e.kind[i] == EventKind::Scattered ? cell(energy(e, i, 0), 5) : 0;
         }},
        {"kind", [](const auto& e, auto i) { return static_cast<int>(e.kind[i]); }},
        {"scatters", [](const auto& e, auto i) { return static_cast<int>(e.scatters[i]); }},
        {"azimuth",
         [=](const auto& e, auto i) {
             const Vec3 d = line(e, i);
             return cell(std::atan2(d.y, d.x), 0.1);
         }},
        {"tilt",
         [=](const auto& e, auto i) {
             const Vec3 d = line(e, i);
             return cell(d.z / norm(d), 0.01);
         }},
        {"distance", [=](const auto& e, auto i) { return cell(distance(e, i), 10); }},
        {"distance, scattered",
         [=](const auto& e, auto i) {
             return e.kind[i] == EventKind::Scattered ? cell(distance(e, i), 10) : 1000;
         }},
        {"distance, random",
         [=](const auto& e, auto i) {
             return e.kind[i] == EventKind::Random ? cell(distance(e, i), 20) : 1000;
         }},
        {"height", [=](const auto& e, auto i) { return cell(0.5 * (at(e, i, 0).z + at(e, i, 1).z), 8); }},
    };
}

/// A small body of voxels: water, a lung, a bone; hot in one half.
Phantom voxelBody() {
    Phantom phantom;
    phantom.name = "voxels";
    const Lattice lattice = Lattice::centred({30, 24, 20}, {8, 8, 8});
    Volume emission(lattice);
    Volume attenuation(lattice);
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 p = lattice.centre(x, y, z);
        if (p.x * p.x / (110.0 * 110.0) + p.y * p.y / (80.0 * 80.0) < 1) {
            emission.at(x, y, z) = p.x > 0 ? 3.0F : 1.0F;
            attenuation.at(x, y, z) = std::hypot(p.x - 50, p.y) < 30   ? 0.003F
                                      : std::hypot(p.x + 50, p.y) < 16 ? 0.016F
                                                                       : 0.0096F;
        }
    });
    phantom.emission = emission;
    phantom.attenuation = attenuation;
    return phantom;
}

}  // namespace

class SimulateTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        try {
            static_cast<void>(cudaSlices());
        } catch (const Unavailable& reason) {
            QSKIP(reason.what());
        }
    }

    void activitiesTooLowForItsClockAreRefused() {
        SimulationSettings settings = asked(1000, "all", 7);
        const Phantom phantom = Phantom::find("uniform-cylinder");
        settings.activity_MBq = 0.5;  // 16,384 decays in 2^32 steps of 7.6 ps
        QCOMPARE(onDevice("labr3", phantom, settings).size(), std::size_t{1000});

        settings.activity_MBq = 0.3;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(onDevice("labr3", phantom, settings)), WrongUse);
    }

    void ranksMakeTheListOfOne() {
        const SimulationSettings settings = asked(60000, "all", 7);
        const Phantom phantom = Phantom::find("uniform-cylinder");
        EventList lateOfOne;
        const EventList one = onDevice("labr3", phantom, settings, nullptr, &lateOfOne);
        EventList several;
        EventList late;

        const auto ends = test::onRanks(3, [&](const std::shared_ptr<Communicator>& ranks) {
            EventList mineLate;
            SimulationHooks hooks;
            hooks.slices = cudaSlices(ranks->rank());
            hooks.ranks = ranks;
            hooks.delayed = &mineLate;
            EventList mine = simulateWith(Scanner::find("labr3"), phantom, settings, ThreadPool(1), hooks);
            if (ranks->first()) {
                several = std::move(mine);
                late = std::move(mineLate);
            }
        });

        for (const test::RankEnd& end : ends) {
            QVERIFY2(end.said.empty(), end.said.c_str());
        }
        QCOMPARE(several.crystals, one.crystals);
        QCOMPARE(several.dt_ps, one.dt_ps);
        QCOMPARE(several.energy_keV, one.energy_keV);
        QCOMPARE(several.decays, one.decays);
        QCOMPARE(late.crystals, lateOfOne.crystals);
    }

    void photonsAreTheHostsUpToRounding_data() {
        QTest::addColumn<QString>("scanner");
        for (const char* scanner : {"labr3", "ge-ste-blocks", "long-axial", "clinical-214ps"}) {
            QTest::newRow(scanner) << scanner;
        }
    }
    void photonsAreTheHostsUpToRounding() {
        // Random numbers are the same: only where rounding turns a choice, or a photon's group of three
        // changes, do lists differ. A photon makes some ten choices, each turned once in 1e5 or so.
        QFETCH(QString, scanner);
        const Phantom phantom = Phantom::find("spheres");
        const SimulationSettings settings = asked(8000, "all", 3);
        SimulationReport host;
        SimulationReport device;
        const EventList a = onHost(scanner.toStdString(), phantom, settings, &host);
        const EventList b = onDevice(scanner.toStdString(), phantom, settings, &device);
        using Key = std::tuple<std::uint32_t, std::uint32_t, int, int>;
        const auto keys = [](const EventList& events) {
            std::vector<Key> all;
            for (std::size_t i = 0; i < events.size(); ++i) {
                all.emplace_back(events.crystals[i][0], events.crystals[i][1],
                                 static_cast<int>(events.kind[i]),
                                 static_cast<int>(std::lround(events.dt_ps[i] / 5.0F)));
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        const auto one = keys(a);
        const auto two = keys(b);
        std::vector<Key> common;
        std::set_intersection(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(common));
        const double share = static_cast<double>(common.size()) / static_cast<double>(a.size());
        qInfo("%s: %.4f of the events are the host's; started %llu and %llu", qPrintable(scanner), share,
              static_cast<unsigned long long>(host.started), static_cast<unsigned long long>(device.started));
        QVERIFY(share > 0.98);
        QVERIFY(std::abs(static_cast<double>(device.attenuated) / static_cast<double>(device.started) -
                         static_cast<double>(host.attenuated) / static_cast<double>(host.started)) < 2e-4);
    }

    void slicesAreResolvedAsByTheHost_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<int>("multiples");
        QTest::addColumn<double>("activity_MBq");
        const auto row = [](const char* scanner, Detection::Multiples multiples, double activity_MBq) {
            QTest::addRow("%s, multiples %d, %.0f MBq", scanner, static_cast<int>(multiples), activity_MBq)
                << scanner << static_cast<int>(multiples) << activity_MBq;
        };
        using Multiples = Detection::Multiples;
        row("labr3", Multiples::All, 400);          // a dead time that later photons do not prolong
        row("ge-ste-blocks", Multiples::All, 200);  // long dead times, centroids
        row("ge-ste-blocks", Multiples::Highest, 200);
        row("clinical-214ps", Multiples::None, 800);
        row("vereos", Multiples::Highest, 800);  // places of the largest light
        row("quadra", Multiples::None, 800);     // more photons than shared memory holds
    }
    void slicesAreResolvedAsByTheHost() {
        // Both resolve photons that the device followed: nothing differs but the last bit of energies.
        QFETCH(QString, scanner);
        QFETCH(int, multiples);
        QFETCH(double, activity_MBq);
        Scanner one = Scanner::find(scanner.toStdString());
        one.detection->multiples = static_cast<Detection::Multiples>(multiples);
        SimulationSettings settings = asked(60'000, "all", 9);
        settings.activity_MBq = activity_MBq;
        SimulationReport reports[2];
        EventList lists[2];
        EventList delayeds[2];
        CrystalSingles singles[2];
        for (const ResolvedBy by : {ResolvedBy::Device, ResolvedBy::Host}) {
            const auto k = static_cast<std::size_t>(by);
            SimulationHooks hooks;
            hooks.slices = cudaSlices(0, by);
            hooks.delayed = &delayeds[k];
            hooks.singles = &singles[k];
            lists[k] =
                simulateWith(one, Phantom::find("spheres"), settings, ThreadPool(0), hooks, &reports[k]);
        }
        qInfo("%s: %llu singles, %llu pairs dead, %llu piled up, %llu multiple", qPrintable(scanner),
              static_cast<unsigned long long>(reports[0].singles),
              static_cast<unsigned long long>(reports[0].dead),
              static_cast<unsigned long long>(reports[0].piledUp),
              static_cast<unsigned long long>(reports[0].multiple));
        for (const auto number :
             {&SimulationReport::started, &SimulationReport::attenuated, &SimulationReport::missed,
              &SimulationReport::outsideWindow, &SimulationReport::dead, &SimulationReport::piledUp,
              &SimulationReport::multiple, &SimulationReport::late, &SimulationReport::beyond,
              &SimulationReport::trues, &SimulationReport::scattered, &SimulationReport::randoms,
              &SimulationReport::delayeds, &SimulationReport::singles}) {
            QCOMPARE(reports[0].*number, reports[1].*number);
        }
        QVERIFY(reports[0].dead > 100);
        QVERIFY((reports[0].multiple > 100) == (multiples != 0));
        QVERIFY((reports[0].piledUp > 100) == (one.detection->integration_ns > 0));
        const auto same = [](const EventList& a, const EventList& b) {
            QCOMPARE(a.crystals, b.crystals);
            QCOMPARE(a.kind, b.kind);
            QCOMPARE(a.scatters, b.scatters);
            QCOMPARE(a.time_ms, b.time_ms);
            for (std::size_t i = 0; i < a.size(); ++i) {
                QVERIFY(std::abs(a.dt_ps[i] - b.dt_ps[i]) < 1e-2F);
                for (std::size_t side = 0; side < 2; ++side) {
                    QVERIFY(std::abs(a.energy_keV[i][side] - b.energy_keV[i][side]) < 1e-3F);
                }
            }
        };
        same(lists[0], lists[1]);
        same(delayeds[0], delayeds[1]);
        // Batches that are resolved by the host are smaller, so that few slices are made beyond the last
        // event.
        QVERIFY(singles[0].duration_s > 0);
        if (singles[0].duration_s == singles[1].duration_s) {
            QCOMPARE(singles[0].recorded, singles[1].recorded);
            QCOMPARE(singles[0].busy, singles[1].busy);
        }
        const auto rate = [&](std::size_t k) {
            const std::vector<double>& busy = singles[k].busy;
            return std::accumulate(busy.begin(), busy.end(), 0.0) / singles[k].duration_s;
        };
        const double counted = rate(0) * singles[0].duration_s;
        const double common = std::abs(1 - singles[1].duration_s / singles[0].duration_s);
        QVERIFY(common < 0.05);
        QVERIFY(std::abs(rate(0) / rate(1) - 1) <= 5 * std::sqrt(common / counted));
    }

    void marginalsAreTheHosts_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<bool>("voxels");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("labr3, spheres") << "labr3" << false << 60 << 27;
        QTest::newRow("labr3, voxels") << "labr3" << true << 60 << 27;
    }
    void marginalsAreTheHosts() {
        QFETCH(QString, scanner);
        QFETCH(bool, voxels);
        QFETCH(int, rows);
        QFETCH(int, columns);
        const Phantom phantom = voxels ? voxelBody() : Phantom::find("spheres");
        const EventList a = onHost(scanner.toStdString(), phantom, asked(100'000, "all", 11));
        const EventList b = onDevice(scanner.toStdString(), phantom, asked(1'000'000, "all", 12));
        const std::vector<Vec3> points = referencePoints(Scanner::find(scanner.toStdString()));
        const auto marginals = marginalsOf(points, rows, columns);
        QCOMPARE(marginals.size(), std::size_t{20});
        for (const Marginal& marginal : marginals) {
            const auto histogram = [&](const EventList& events) {
                std::map<int, double> counts;
                for (std::size_t i = 0; i < events.size(); ++i) {
                    counts[marginal.bin(events, i)] += 1;
                }
                return counts;
            };
            const double chance = chanceThatBothAreOne(histogram(a), histogram(b));
            qInfo("%s: p %.4f", marginal.name, chance);
            QVERIFY2(chance > 1e-3, marginal.name);
        }
    }

    void everyPairIsAccountedFor_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<QString>("physics");
        for (const char* scanner : {"labr3", "ge-ste-blocks", "clinical-214ps", "long-axial"}) {
            QTest::addRow("%s", scanner) << scanner << "all";
        }
        for (const char* physics : {"no-scatter", "no-crystals,no-position", "no-energy", "no-dead-time",
                                    "no-range,no-acollinearity"}) {
            QTest::addRow("labr3, %s", physics) << "labr3" << physics;
        }
    }
    void everyPairIsAccountedFor() {
        QFETCH(QString, scanner);
        QFETCH(QString, physics);
        SimulationReport report;
        EventList delayed;
        const EventList events = onDevice(scanner.toStdString(), Phantom::find("uniform-cylinder"),
                                          asked(20000, physics.toStdString(), 5), &report, &delayed);
        QCOMPARE(events.size(), std::size_t{20000});
        QCOMPARE(report.trues + report.scattered + report.randoms, std::uint64_t{20000});
        QCOMPARE(report.started, report.accounted());
        QCOMPARE(delayed.size(), std::size_t{report.delayeds});
        // Delayeds are as many as randoms.
        const auto randoms = static_cast<double>(report.randoms);
        const auto delayeds = static_cast<double>(report.delayeds);
        QVERIFY(randoms > 20);
        QVERIFY(std::abs(randoms - delayeds) < 4.5 * std::sqrt(randoms + delayeds));
    }

    void listsAreTheSameHoweverTheyAreCut() {
        const Phantom phantom = Phantom::find("spheres");
        const EventList a = onDevice("labr3", phantom, asked(30000, "all", 7));
        const EventList b = onDevice("labr3", phantom, asked(30000, "all", 7));
        const EventList c = onDevice("labr3", phantom, asked(1000, "all", 7));
        QVERIFY(a.crystals == b.crystals);
        QVERIFY(a.dt_ps == b.dt_ps);
        QVERIFY(a.energy_keV == b.energy_keV);
        QVERIFY(std::equal(c.crystals.begin(), c.crystals.end(), a.crystals.begin()));
        QVERIFY(std::equal(c.dt_ps.begin(), c.dt_ps.end(), a.dt_ps.begin()));
    }

    void othersScansAreRefused() {
        const Phantom phantom = Phantom::find("spheres");
        QVERIFY_EXCEPTION_THROWN(onDevice("labr3", phantom, asked(100, "no-randoms", 1)), WrongUse);
        SimulationSettings settings;
        settings.events = 100;
        QVERIFY_EXCEPTION_THROWN(onDevice("labr3-ideal", phantom, settings), WrongUse);
    }
};

QTEST_GUILESS_MAIN(SimulateTest)

}  // namespace simulate_test
#include "simulate_test.moc"
