// SPDX-License-Identifier: Apache-2.0
// The model that plans ranks, against what ranks do, and against numbers worked out by hand.
#include "recon/work/rank_plan.h"

#include <QTest>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/small_data.h"
#include "tests/support/thread_ranks.h"

namespace rank_plan_test {

using namespace tof;
using namespace tof::test;

class RankPlanTest : public QObject {
    Q_OBJECT

    std::shared_ptr<HistoData> data_ = smallData(KernelSpec::preset("variant1"));

    /// Bytes that all ranks together send in `iterations`.
    double sent(const char* algorithm, int subsets, int ranks, int iterations) {
        EngineRegistry engines;
        engines.add("cpu", makeCpuEngine, 1);
        ReconstructRequest request;
        request.data = std::make_shared<HistoMeasurement>(data_);
        request.settings.set("engine", "cpu");
        request.settings.set("threads", "1");
        request.settings.set("algorithm", algorithm);
        request.settings.set("subsets", std::to_string(subsets));
        request.settings.set("iterations", std::to_string(iterations));
        std::size_t bytes = 0;
        static_cast<void>(onRanks(
            ranks,
            [&](const std::shared_ptr<Communicator>& all) {
                ReconstructRequest mine = request;
                mine.ranks = all;
                JobListener listener;
                static_cast<void>(reconstruct(mine, engines, listener));
            },
            &bytes));
        return static_cast<double>(bytes);
    }

  private slots:
    void trafficIsWhatRanksSend_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("ranks");
        QTest::newRow("views") << "osem" << 3 << 2;
        QTest::newRow("views, three") << "mlem" << 0 << 3;
        QTest::newRow("slabs") << "ramla" << 0 << 2;
    }
    void trafficIsWhatRanksSend() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        QFETCH(int, ranks);
        const std::string name = algorithm.toStdString();
        PlannedRun run = plannedRun(data_->lattice, data_->views, KernelSpec::preset("variant1"));
        run.blocks = name == "mlem" ? 1 : subsets > 0 ? static_cast<std::size_t>(subsets) : run.views;

        const RankPlan plan = planOf(run, PlanRates(), ranks);
        const double each =
            (sent(name.c_str(), subsets, ranks, 3) - sent(name.c_str(), subsets, ranks, 2)) / ranks;

        QCOMPARE(plan.division, std::string(name == "ramla" ? "slabs" : "views"));
        // Slabs: iterates go to the first rank, too, and a rank at the end of the image has one neighbour
        // where the plan counts two.
        const double image = static_cast<double>(data_->voxels() * sizeof(float));
        const double gathered = name == "ramla" ? image * (ranks - 1) / ranks / ranks : 0;
        const double neighbours = name == "ramla" ? 0.5 : 1;
        QVERIFY2(std::abs(neighbours * plan.sentBytes + gathered - each) < 0.001 * each,
                 qPrintable(QString("%1 planned, %2 sent").arg(plan.sentBytes).arg(each)));
    }

    void listsArePlannedByTheirEvents() {
        LineData data;
        data.lattice = Lattice::centred({100, 100, 100}, {2, 2, 2});
        auto events = std::make_shared<LineEvents>();
        events->points = {{-100, 0, 0}, {100, 0, 0}};
        events->pairs.assign(40960, {0U, 1U});
        events->eventsPerPart = 4096;
        data.events = events;
        PlannedRun run = plannedRun(LineMeasurement(std::move(data)));
        QVERIFY(run.of == PlannedLines::Events);
        QCOMPARE(run.views, std::size_t{10});
        QCOMPARE(run.lines, 40960.0);
        QCOMPARE(run.lineBytes, 20.0);

        run.blocks = 1;
        PlanRates rates;
        rates.event_per_s = 40960;      // a second for all
        rates.copy_bytes_per_s = 16e6;  // a second for an update: four passes of 4 MB
        rates.near_bytes_per_s = 4e6;
        rates.message_s = 0;
        const RankPlan one = planOf(run, rates, 1);
        QVERIFY(std::abs(one.compute_s - 2) < 1e-9 && one.network_s == 0);
        // Four ranks: a quarter of the events each, and 2 x 3/4 images of 4 MB sent.
        const RankPlan four = planOf(run, rates, 4);
        QCOMPARE(four.division, std::string("lines"));
        QVERIFY(std::abs(four.compute_s - 1.25) < 1e-9);
        QVERIFY(std::abs(four.network_s - 1.5) < 1e-9);
        QVERIFY(std::abs(four.memoryBytes - (0.25 * 40960 * 20 + 6 * 4e6)) < 1);
        // Three passes an iteration take three times as long; images of the algorithm are held as well.
        PlannedRun passes = run;
        passes.passes = 3;
        passes.images = 2;
        QVERIFY(std::abs(planOf(passes, rates, 4).iteration_s - 3 * four.iteration_s) < 1e-9);
        QVERIFY(std::abs(planOf(passes, rates, 4).memoryBytes - (four.memoryBytes + 2 * 4e6)) < 1);
        // Blocks of 3, 3, 2 and 2 parts: a part of each of the first two is shared, with a message both ways.
        run.blocks = 4;
        rates.message_s = 1e-3;
        QVERIFY(std::abs(planOf(run, rates, 2).compute_s - (0.5 + 4)) < 1e-9);
        QVERIFY(std::abs(planOf(run, rates, 2).network_s - (4 + 4 * 4e-3 + 2 * 2e-3)) < 1e-9);
        rates.message_s = 0;
        // With an update for each part nobody has whole parts.
        run.blocks = 10;
        QCOMPARE(planOf(run, rates, 4).division, std::string("lines of each part"));
        QVERIFY(std::abs(planOf(run, rates, 4).compute_s - 10.25) < 1e-9);
        // Parts of sinograms stay whole: of blocks of 3, 3, 2 and 2 one of two ranks has 2, 2, 1 and 1.
        run.of = PlannedLines::Bins;
        run.blocks = 4;
        rates.bin_per_s = 40960;
        QVERIFY(std::abs(planOf(run, rates, 2).compute_s - (0.6 + 4)) < 1e-9);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(plannedRun(HistoMeasurement(data_))), WrongUse);
    }

    void oneRankOnlyComputes() {
        PlannedRun run{Lattice::centred({100, 100, 100}, {2, 2, 2}), 120, 4, 1000, 5, 120, false};
        PlanRates rates;
        rates.mac_per_s = 1e12;
        rates.copy_bytes_per_s = 1e12;

        const RankPlan plan = planOf(run, rates, 1);

        QCOMPARE(plan.network_s, 0.0);
        QCOMPARE(plan.streamedBytes, 0.0);
        // 2 projections of 1000 taps x 1e6 voxels, 12 passes, and 4 of the update, 120 times.
        QVERIFY(std::abs(plan.compute_s / (120 * (2e-3 + 48e-6 + 16e-6)) - 1) < 1e-9);
        QVERIFY(std::abs(plan.memoryBytes / ((120 * 4 + 6) * 4e6) - 1) < 1e-9);
    }

    void theRankWithMostViewsOfEachBlockIsWaitedFor() {
        PlannedRun run{Lattice::centred({100, 100, 100}, {2, 2, 2}), 10, 4, 1000, 5, 4, false};
        PlanRates rates;
        rates.mac_per_s = 1e12;
        rates.copy_bytes_per_s = 1e30;
        const double view_s = 2e-3;
        QVERIFY(std::abs(planOf(run, rates, 1).compute_s / (10 * view_s) - 1) < 1e-9);
        // Blocks of 3, 3, 2 and 2 views leave 2, 2, 1 and 1 to a rank.
        QVERIFY(std::abs(planOf(run, rates, 2).compute_s / (6 * view_s) - 1) < 1e-9);
    }

    void whatDoesNotFitIsFed() {
        PlannedRun run{Lattice::centred({100, 100, 100}, {2, 2, 2}), 120, 4, 1, 5, 120, false};
        PlanRates rates;
        rates.memoryBytes = 1e9;
        rates.feed_bytes_per_s = 1e9;
        const RankPlan one = planOf(run, rates, 1);
        QVERIFY(std::abs(one.streamedBytes / (one.memoryBytes - 1e9) - 1) < 1e-9);
        QVERIFY(std::abs(one.iteration_s / one.feed_s - 1) < 1e-9);
        QCOMPARE(planOf(run, rates, 4).streamedBytes, 0.0);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(planOf(run, rates, 101)), WrongUse);
    }

    void ratesComeFromBench() {
        const std::string json =
            R"({"machine":{"copy_bytes_per_s":2e10},"results":[{"engine":"cpu","mac_per_s":1e11},)"
            R"({"engine":"fftw","mac_per_s":3e11},{"engine":"cpu","mac_per_s":2e11}]})";
        QCOMPARE(ratesFromBench(json, "b.json", "cpu", {}).mac_per_s, 2e11);
        QCOMPARE(ratesFromBench(json, "b.json", "", {}).mac_per_s, 3e11);
        QCOMPARE(ratesFromBench(json, "b.json", "", {}).copy_bytes_per_s, 2e10);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ratesFromBench(json, "b.json", "cuda", {})), BadInput);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ratesFromBench("{}", "b.json", "", {})), BadInput);
        const std::string ring =
            R"({"list":[{"engine":"cpu","events_per_s":2e6},{"engine":"cuda","events_per_s":2e9}]})";
        QCOMPARE(ratesFromBench(ring, "b.json", "", {}).event_per_s, 2e9);
        QCOMPARE(ratesFromBench(ring, "b.json", "cpu", {}).event_per_s, 2e6);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(ratesFromBench(ring, "b.json", "fftw", {})), BadInput);
    }
};

QTEST_GUILESS_MAIN(RankPlanTest)

}  // namespace rank_plan_test
#include "rank_plan_test.moc"
