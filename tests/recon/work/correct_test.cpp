// SPDX-License-Identifier: Apache-2.0
// Randoms and scatter that data are corrected by, against what the simulator says its events are.
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/crystal_groups.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/block_ring.h"
#include "tests/support/correct_as.h"
#include "tests/support/event_lists.h"
#include "tests/support/full_run.h"
#include "tests/support/silent_progress.h"

namespace correct_test {

using namespace tof;
using namespace tof::test;

namespace {

const char* const kCylinder =
    R"({"name": "cylinder", "shapes": [{"kind": "cylinder", "name": "water", "centre_mm": [0, 0, 0],
        "radius_mm": 100, "length_mm": 160, "activity": 1, "mu_per_mm": 0.0096}]})";

/// What fits into blockRing().
const char* const kSmallCylinder =
    R"({"name": "small", "shapes": [{"kind": "cylinder", "name": "water", "centre_mm": [0, 0, 0],
        "radius_mm": 90, "length_mm": 80, "activity": 1, "mu_per_mm": 0.0096}]})";

BinningSettings binning() {
    BinningSettings made;
    made.azimuths = 12;
    made.tilts = 1;
    made.lattice = Lattice::centred({36, 36, 16}, {16, 16, 12});
    return made;
}

BinningSettings smallBinning() {
    BinningSettings made = binning();
    made.lattice = Lattice::centred({18, 18, 8}, {16, 16, 12});
    return made;
}

double sum(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Means of every view from values [view][voxel].
std::vector<double> perView(const HistoData& data, const std::vector<float>& values) {
    std::vector<double> sums;
    for (std::size_t view = 0; view < data.views.size(); ++view) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(view * data.voxels());
        sums.push_back(std::accumulate(first, first + static_cast<std::ptrdiff_t>(data.voxels()), 0.0));
    }
    return sums;
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

}  // namespace

class CorrectTest : public QObject {
    Q_OBJECT
  private slots:
    void randomsFollowFromDelayeds() {
        // Photons without energies make many singles fast. Delayeds of singles that are drawn evenly, by the
        // same law as randoms: totals within counting statistics, views by chi squared, and by |s|.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = Phantom::fromJson(kCylinder, "test");
        SimulationSettings settings;
        settings.events = fullRun() ? 300000 : 80000;
        settings.seed = 3;
        settings.activity_MBq = 300;
        settings.physics = Physics::fromText("randoms,energy");
        EventList delayeds;
        const EventList events = simulate(scanner, phantom, settings, ThreadPool(2), {}, nullptr, &delayeds);
        const HistoData truth =
            depositEvents(test::ofKind(events, EventKind::Random), scanner, binning(), ThreadPool(2), {});

        const std::vector<double> rates =
            ratesOfDelayeds(delayeds, scanner, delayeds.duration_s, ThreadPool(2));
        const double kept = eventsKept(delayeds, scanner, truth.lattice, ThreadPool(2));
        const std::vector<float> add = randomsOfViews(rates, scanner, truth, kept, ThreadPool(2));

        const auto found = static_cast<double>(truth.kept);
        QVERIFY2(found > 5000, qPrintable(QString::number(found)));
        const double error = std::sqrt(1 / found + 1 / kept);
        QVERIFY2(std::abs(sum(add) / found - 1) < 0.01 + 3 * error,
                 qPrintable(QString::number(sum(add) / found)));
        // Rates alone say so, too, without the number of delayeds on the lattice: the fit of groups.
        const double byRates = randomsKept(rates, scanner, truth.lattice, delayeds.duration_s, ThreadPool(2));
        QVERIFY2(std::abs(byRates / kept - 1) < 0.02 + 3 / std::sqrt(kept),
                 qPrintable(QString::number(byRates / kept)));
        const std::vector<double> seen = perView(truth, truth.counts);
        const std::vector<double> expected = perView(truth, add);
        double chi2 = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const double scaled = expected[i] * found / sum(add);
            chi2 += (seen[i] - scaled) * (seen[i] - scaled) / scaled;
        }
        QVERIFY2(chi2 < 31.3, qPrintable(QString::number(chi2)));  // 11 degrees of freedom, p = 1e-3
    }

    void randomsAndDeadTimeFollowFromSingles() {
        // Counters of the same scan, with dead time: 2 tau s_i s_j of what was recorded is the number of
        // randoms within 1 % and counting statistics, and of their marginals over |s| no sum of 16 mm is off
        // by more than 5 % of the largest beyond its own 4 sigma. The share of pairs that dead blocks lost is
        // the product of both ends' live time, within 1 % and counting.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = Phantom::fromJson(kCylinder, "test");
        SimulationSettings settings;
        settings.events = fullRun() ? 300000 : 80000;
        settings.seed = 6;
        settings.activity_MBq = 300;
        settings.physics = Physics::fromText("randoms,energy,dead-time");
        CrystalSingles singles;
        SimulationHooks hooks;
        hooks.singles = &singles;
        SimulationReport report;
        const EventList events = simulateWith(scanner, phantom, settings, ThreadPool(2), hooks, &report);
        const HistoData truth =
            depositEvents(test::ofKind(events, EventKind::Random), scanner, binning(), ThreadPool(2), {});

        const std::vector<double> rates = ratesOfSingles(singles, scanner);
        const double busy = busyPerRecorded(singles);
        const auto pairs = static_cast<double>(report.trues + report.scattered);
        const double before = randomsKept(rates, scanner, truth.lattice, events.duration_s, ThreadPool(2));
        const std::vector<float> add =
            randomsLeftOfViews(rates, scanner, depositEvents(events, scanner, binning(), ThreadPool(2), {}),
                               before, {pairs / events.duration_s, busy}, ThreadPool(2));
        const double total = sum(add);
        const double left = total / before;

        const auto found = static_cast<double>(truth.kept);
        QVERIFY2(found > 5000, qPrintable(QString::number(found)));
        qInfo("randoms from singles over %.0f simulated: %.4f +- %.4f, partners leave %.4f", found,
              total / found, 1 / std::sqrt(found), left);
        QVERIFY(left < 1 && left > 0.9);
        QVERIFY2(std::abs(total / found - 1) < 0.01 + 3 / std::sqrt(found),
                 qPrintable(QString::number(total / found)));
        const std::vector<double> seen = marginal(truth, truth.counts, 0);
        const std::vector<double> model = marginal(truth, add, 0);
        const double most = *std::max_element(seen.begin(), seen.end());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            QVERIFY2(std::abs(seen[i] - model[i]) < 0.05 * most + 4 * std::sqrt(model[i] + 1),
                     qPrintable(QString("%1: %2 of %3").arg(i).arg(model[i]).arg(seen[i])));
        }
        const std::vector<double> alive = aliveShares(singles, scanner);
        const double share =
            std::accumulate(alive.begin(), alive.end(), 0.0) / static_cast<double>(alive.size());
        // Pairs that neither end lost over those that could have been recorded.
        const double could = static_cast<double>(report.dead + report.beyond + report.late + report.surplus +
                                                 report.trues + report.scattered);
        const double kept = 1 - static_cast<double>(report.dead) / could;
        qInfo("alive: %.4f, squared %.4f; of pairs %.4f", share, share * share, kept);
        QVERIFY(share < 0.97);
        const double error = std::sqrt((1 - kept) / (kept * could));  // of a share of `could` pairs
        QVERIFY2(std::abs(share * share / kept - 1) < 0.01 + 3 * error,
                 qPrintable(QString::number(share * share / kept)));

        CrystalSingles others = singles;
        others.recorded.pop_back();
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ratesOfSingles(others, scanner)), WrongUse);
    }

    void randomsLieWherePairsOfCrystalsDo() {
        // Even singles, pairs of crystals drawn by chance and binned: gaps between modules make ripples over
        // |s|, and sums of 16 mm agree within 1 % and counting.
        const Scanner scanner = Scanner::find("labr3");
        std::mt19937 random(9);
        std::uniform_int_distribution<std::uint32_t> crystal(
            0, static_cast<std::uint32_t>(scanner.crystals.size() - 1));
        std::uniform_real_distribution<float> dt(-2500, 2500);  // beyond the lattice
        EventList drawn;
        for (int i = 0; i < 1500000; ++i) {
            const std::array<std::uint32_t, 2> pair{crystal(random), crystal(random)};
            if (accepts(scanner, scanner.reference(pair[0]), scanner.reference(pair[1]))) {
                drawn.crystals.push_back(pair);
                drawn.dt_ps.push_back(dt(random));
            }
        }
        const HistoData truth = depositEvents(drawn, scanner, binning(), ThreadPool(2), {});
        const std::vector<double> even(scanner.crystals.size(), 1.0);

        const std::vector<float> add =
            randomsOfViews(even, scanner, truth, static_cast<double>(truth.kept), ThreadPool(2));

        const std::vector<double> seen = marginal(truth, truth.counts, 0);
        const std::vector<double> model = marginal(truth, add, 0);
        for (std::size_t i = 0; i < 16; ++i) {
            QVERIFY2(std::abs(model[i] / seen[i] - 1) < 0.01 + 3 / std::sqrt(seen[i]),
                     qPrintable(QString("%1: %2 of %3").arg(i).arg(model[i]).arg(seen[i])));
        }
    }

    void partnersTakeRandomsWhereCoincidencesLie() {
        // A thin source in air: most partners reach the opposite module, whose dead time takes a sixth of the
        // randoms near the axis and none beyond the lines of modules that the source lies between. Delayeds
        // see nothing of it. 1 % and counting are allowed, in three parts by |s|; within a pair of modules
        // the loss is taken to be even, so that parts are as wide as modules.
        const Scanner scanner = Scanner::find("labr3");
        const Phantom phantom = Phantom::fromJson(
            R"({"name": "thin", "shapes": [{"kind": "cylinder", "name": "air", "centre_mm": [0, 0, 0],
                "radius_mm": 40, "length_mm": 160, "activity": 1, "mu_per_mm": 0}]})",
            "test");
        SimulationSettings settings;
        settings.events = 200000;
        settings.seed = 7;
        settings.activity_MBq = 200;
        settings.physics = Physics::fromText("randoms,energy,dead-time");
        EventList delayeds;
        CrystalSingles singles;
        SimulationHooks hooks;
        hooks.delayed = &delayeds;
        hooks.singles = &singles;
        SimulationReport report;
        const EventList events = simulateWith(scanner, phantom, settings, ThreadPool(2), hooks, &report);
        const HistoData data = depositEvents(events, scanner, binning(), ThreadPool(2), {});
        const HistoData truth =
            depositEvents(test::ofKind(events, EventKind::Random), scanner, binning(), ThreadPool(2), {});
        const std::vector<double> rates =
            ratesOfDelayeds(delayeds, scanner, delayeds.duration_s, ThreadPool(2));
        const double kept = eventsKept(delayeds, scanner, data.lattice, ThreadPool(2));
        const auto coincidences = static_cast<double>(report.trues + report.scattered);
        const DecayPairs pairs{coincidences / delayeds.duration_s, busyPerRecorded(singles)};

        const std::vector<float> add = randomsLeftOfViews(rates, scanner, data, kept, pairs, ThreadPool(2));

        const std::vector<float> before = randomsOfViews(rates, scanner, data, kept, ThreadPool(2));
        const auto parts = [&](const std::vector<float>& values) {
            const std::vector<double> s = marginal(data, values, 0);
            return std::array{std::accumulate(s.begin(), s.begin() + 6, 0.0),
                              std::accumulate(s.begin() + 6, s.begin() + 12, 0.0),
                              std::accumulate(s.begin() + 12, s.end(), 0.0)};
        };
        const std::array<double, 3> seen = parts(truth.counts);
        const std::array<double, 3> model = parts(add);
        const std::array<double, 3> all = parts(before);
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const double error = std::sqrt(2 / seen[i]);
            qInfo("randoms over %.0f simulated: %.4f +- %.4f, delayeds %.4f", seen[i], model[i] / seen[i],
                  error, all[i] / seen[i]);
            QVERIFY(std::abs(model[i] / seen[i] - 1) < 0.01 + 3 * error);
        }
        QVERIFY(all[0] > 1.05 * seen[0]);
        QVERIFY(model[2] > 0.995 * all[2]);
    }

    void partsAreSwitchedAndKept() {
        // Factors of every kind are found once; switches change no other part, and what is switched off and
        // on again is what it was, to the bit. What has other inputs is found anew.
        const QTemporaryDir folder;
        const Scanner scanner = blockRing(300);
        const Phantom phantom = Phantom::fromJson(kSmallCylinder, "test");
        SimulationSettings settings;
        settings.events = 20000;
        settings.seed = 5;
        settings.activity_MBq = 60;
        settings.physics = Physics::fromText("randoms,energy,dead-time");
        CrystalSingles singles;
        EventList late;
        SimulationHooks hooks;
        hooks.singles = &singles;
        hooks.delayed = &late;
        const EventList events = simulateWith(scanner, phantom, settings, ThreadPool(2), hooks);
        HistoData measured = depositEvents(events, scanner, smallBinning(), ThreadPool(2), {});
        const Volume mu = phantom.attenuationOn(Lattice::centred({40, 40, 40}, {6, 6, 6}));
        computeMult(measured, scanner, &mu, ThreadPool(2), {});
        measured.phantom = kSmallCylinder;
        const auto file = [&](const char* name) { return folder.filePath(name).toStdString(); };
        writeSingles(file("singles.h5"), singles);
        writeEvents(file("late.h5"), late);
        CorrectRequest all;
        all.delayeds = file("late.h5");
        all.singles = file("singles.h5");
        all.switches.scatter = true;
        all.scatterSettings.simulation.detectorStep_mm = 120;
        all.scatterSettings.simulation.pairs = 1U << 18U;
        all.scatterSettings.rounds = 1;
        CorrectionParts parts;
        HistoData data = measured;
        KeptParts first;
        const CorrectResult result = correct(data, "test", all, ThreadPool(2), first, &parts);
        QCOMPARE(first.kept, 0);
        QVERIFY(result.scatter > 0);
        QVERIFY(parts.find(PartName::Singles)->on);
        QVERIFY(!parts.find(PartName::Delayeds)->on);
        QVERIFY(sum(data.mult) < 0.99 * sum(measured.mult));  // dead time
        writeMeasured(file("all.h5"), data, parts);

        // Read back: every part off, then on.
        CorrectionParts stored = partsOfFile(file("all.h5"));
        QCOMPARE(stored.list.size(), parts.list.size());
        HistoData again = readData(file("all.h5"));
        CorrectRequest off;
        off.scatterSettings = all.scatterSettings;
        off.switches = {false, std::nullopt, false, RandomsBy::Off, false};
        KeptParts none;
        static_cast<void>(correct(again, "test", off, ThreadPool(2), none, &stored));
        QVERIFY(again.att.empty());
        QCOMPARE(again.mult, measured.mult);
        QCOMPARE(sum(again.add), 0.0);
        CorrectRequest on;
        on.scatterSettings = all.scatterSettings;
        on.switches = {true, std::nullopt, true, RandomsBy::Singles, true};
        KeptParts taken;
        static_cast<void>(correct(again, "test", on, ThreadPool(2), taken, &stored));
        QCOMPARE(taken.kept, 1);  // the scatter, which is asked for by content
        QCOMPARE(again.att, data.att);
        QCOMPARE(again.mult, data.mult);
        QCOMPARE(again.add, data.add);
        CorrectRequest less = on;
        less.switches.scatter = false;
        HistoData withoutScatter = again;
        static_cast<void>(correct(withoutScatter, "test", less, ThreadPool(2), taken, &stored));
        QVERIFY(std::abs(sum(data.add) - sum(withoutScatter.add) - result.scatter) < 1e-3 * sum(data.add));
        QCOMPARE(withoutScatter.mult, data.mult);

        // From the measured data anew, beside the output of before: nothing is found twice.
        HistoData anew = measured;
        const CorrectionParts found = partsOfFile(file("all.h5"));
        CorrectionParts own;
        KeptParts cached;
        static_cast<void>(correct(anew, "test", all, ThreadPool(2), cached, &own, &found));
        QCOMPARE(cached.kept, 4);  // delayeds, dead time, singles, scatter
        QCOMPARE(anew.add, data.add);
        // One count more makes another scatter, and other randoms: they are fewer where coincidences lie.
        HistoData other = measured;
        other.counts[other.counts.size() / 2] += 1;
        CorrectionParts fresh;
        KeptParts three;
        static_cast<void>(correct(other, "test", all, ThreadPool(2), three, &fresh, &found));
        QCOMPARE(three.kept, 1);  // the dead time
        QVERIFY(fresh.find(PartName::Scatter)->key != found.find(PartName::Scatter)->key);
        // What is not there cannot be switched on.
        CorrectRequest asked;
        asked.switches.efficiencies = true;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(correct(other, "test", asked, ThreadPool(2), three)),
                                 WrongUse);
    }

    void scatterIsFoundFromTheDataAlone() {
        // Prompts without randoms: image, single scatter and image again against the events that were
        // scattered any number of times: 5 % of all, and marginals within 10 % of their largest value. The
        // tails of so few events are not scaled to. Counting is 1 % of the total.
        const Scanner scanner = fullRun() ? Scanner::find("labr3") : blockRing();
        const char* const cylinder = fullRun() ? kCylinder : kSmallCylinder;
        const BinningSettings views = fullRun() ? binning() : smallBinning();
        const Phantom phantom = Phantom::fromJson(cylinder, "test");
        SimulationSettings settings;
        settings.events = fullRun() ? 80000 : 60000;
        settings.seed = 4;
        settings.physics = Physics::fromText("scatter,energy,crystals");
        const EventList events = simulate(scanner, phantom, settings, ThreadPool(2), {});
        const HistoData truth =
            depositEvents(test::ofKind(events, EventKind::Scattered), scanner, views, ThreadPool(2), {});
        HistoData data = depositEvents(events, scanner, views, ThreadPool(2), {});
        const Volume mu = phantom.attenuationOn(Lattice::centred({40, 40, 40}, {6, 6, 6}));
        computeMult(data, scanner, &mu, ThreadPool(2), {});
        data.phantom = cylinder;
        CorrectRequest request;
        request.scatter = true;
        if (!fullRun()) {
            request.scatterSettings.simulation.rowStep_mm = 40;
            request.scatterSettings.simulation.pairs = 1U << 20U;
        }
        SilentProgress quiet;

        const CorrectResult result = correct(data, "test", request, ThreadPool(2), quiet);

        const auto found = static_cast<double>(truth.kept);
        QVERIFY2(std::abs(result.scatter / found - 1) < 0.05,
                 qPrintable(QString::number(result.scatter / found)));
        QVERIFY(std::abs(sum(data.add) / result.scatter - 1) < 1e-4);
        QCOMPARE(result.scale, 1.0);
        for (const int which : {0, 1}) {
            const std::vector<double> seen = marginal(truth, truth.counts, which);
            const std::vector<double> model = marginal(truth, data.add, which);
            const double most = *std::max_element(seen.begin(), seen.end());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                QVERIFY2(std::abs(seen[i] - model[i]) < 0.1 * most,
                         qPrintable(QString("%1 %2: %3 of %4").arg(which).arg(i).arg(model[i]).arg(seen[i])));
            }
        }
    }

    void endsOfABodyKeepItsSurvival() {
        // Two voxels of four hold matter, and lines survive 20 times as often beyond it.
        HistoData data;
        data.lattice = Lattice::centred({2, 1, 4}, {6, 6, 6});
        data.views = ViewGrid(1, 1, 0.1).views();
        data.counts.assign(data.voxels(), 1.0F);
        data.att = {0.05F, 0.05F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F, 1.0F};
        Volume matter(data.lattice);
        matter.data = {0.0096F, 0.0096F, 0, 0, 0, 0, 0, 0};

        const HistoData coarse = coarsened(data, {2, 1, 2}, ThreadPool(2), &matter);

        QCOMPARE(coarse.att, (std::vector<float>{0.05F, 1.0F}));
        QCOMPARE(coarsened(data, {2, 1, 2}, ThreadPool(2)).att[0], 0.525F);
    }

    void coarserDataHoldTheSameCounts() {
        HistoData data;
        data.lattice = Lattice::centred({5, 4, 3}, {4, 4, 4});
        data.views = ViewGrid(2, 1, 0.1).views();
        for (std::size_t i = 0; i < 2 * data.voxels(); ++i) {
            data.counts.push_back(static_cast<float>(i % 7));
            data.mult.push_back(0.5F);
        }

        const HistoData coarse = coarsened(data, {2, 2, 3}, ThreadPool(2));

        QCOMPARE(coarse.lattice.size, (std::array<int, 3>{3, 2, 1}));
        QCOMPARE(sum(coarse.counts), sum(data.counts));
        QCOMPARE(coarse.mult[0], 0.5F);
        QCOMPARE(coarse.mult[2], 0.25F);  // half of that voxel lies beyond the data
        QCOMPARE(coarse.lattice.centre(0, 0, 0).x,
                 0.5 * (data.lattice.centre(0, 0, 0).x + data.lattice.centre(1, 0, 0).x));
    }

    void whatIsMissingIsSaid() {
        HistoData data = depositEvents({}, Scanner::find("labr3-ideal"), binning(), ThreadPool(1), {});
        data.counts[0] = 1;
        data.phantom = kCylinder;
        CorrectRequest request;
        request.scatter = true;
        SilentProgress quiet;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(correct(data, "test", request, ThreadPool(1), quiet)),
                                 Error);  // no energy window
        data.phantom.clear();
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(correct(data, "test", request, ThreadPool(1), quiet)),
                                 WrongUse);
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(ratesOfDelayeds({}, Scanner::find("labr3"), 1, ThreadPool(1))), WrongUse);
    }
};

QTEST_GUILESS_MAIN(CorrectTest)

}  // namespace correct_test
#include "correct_test.moc"
