// SPDX-License-Identifier: Apache-2.0
// Lists that several ranks simulate, and histo-images that they bin, are those of one process.
#include <QTest>
#include <algorithm>
#include <mutex>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/ranks/on_first.h"
#include "recon/simulate/made_events.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/flat_modules.h"
#include "tests/support/thread_ranks.h"

namespace ranked_lists_test {

using namespace tof;
using namespace tof::test;

namespace {

struct Scan {
    EventList events;
    EventList delayed;
    CrystalSingles singles;
    SimulationReport report;
    std::size_t taken = 0;  ///< events that came one part after the other
};

Scan simulated(const SimulationSettings& settings, const Scanner& scanner,
               const std::shared_ptr<Communicator>& ranks) {
    Scan scan;
    SimulationHooks hooks;
    hooks.ranks = ranks;
    if (scanner.detection && settings.physics->randoms) {
        hooks.delayed = &scan.delayed;
        hooks.singles = &scan.singles;
    }
    EventList all;
    hooks.take = [&](EventList& part) {
        scan.taken += part.size();
        all.crystals.insert(all.crystals.end(), part.crystals.begin(), part.crystals.end());
        all.dt_ps.insert(all.dt_ps.end(), part.dt_ps.begin(), part.dt_ps.end());
        all.kind.insert(all.kind.end(), part.kind.begin(), part.kind.end());
        part.crystals.clear();
        part.dt_ps.clear();
        part.kind.clear();
        part.scatters.clear();
        part.energy_keV.clear();
        part.time_ms.clear();
    };
    scan.events = simulateWith(scanner, Phantom::find("uniform-cylinder"), settings, ThreadPool(1), hooks,
                               &scan.report);
    scan.events.crystals = all.crystals;
    scan.events.dt_ps = all.dt_ps;
    scan.events.kind = all.kind;
    return scan;
}

EventList someEvents(const Scanner& scanner, std::size_t n) {
    EventList events;
    std::uint64_t state = 1;
    const auto draw = [&] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return state >> 33U;
    };
    for (std::size_t i = 0; i < n; ++i) {
        events.crystals.push_back({static_cast<std::uint32_t>(draw() % scanner.crystals.size()),
                                   static_cast<std::uint32_t>(draw() % scanner.crystals.size())});
        events.dt_ps.push_back(static_cast<float>(draw() % 1000) - 500);
    }
    return events;
}

EventList partOf(const EventList& events, std::size_t begin, std::size_t end) {
    EventList part;
    begin = std::min(begin, events.size());
    end = std::min(end, events.size());
    part.crystals.assign(events.crystals.begin() + static_cast<std::ptrdiff_t>(begin),
                         events.crystals.begin() + static_cast<std::ptrdiff_t>(end));
    part.dt_ps.assign(events.dt_ps.begin() + static_cast<std::ptrdiff_t>(begin),
                      events.dt_ps.begin() + static_cast<std::ptrdiff_t>(end));
    return part;
}

bool allEndWell(const std::vector<RankEnd>& ends) {
    return std::all_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.said.empty(); });
}

/// Slices of a device: each has as many events as its number says, and their crystals are of that number.
class NumberedSlices : public SliceSource {
  public:
    explicit NumberedSlices(std::uint64_t most) : most_(most) {}
    [[nodiscard]] std::uint64_t mostAtOnce() const override { return most_; }
    void takeTurns(const SliceTurns& turns) override {
        turns_ = turns;
        next_ = turns.first;
    }
    void next(std::uint64_t /*wanted*/, SliceBatch& batch) override {
        batch = SliceBatch();
        for (std::uint64_t k = next_; k < next_ + turns_.slices; ++k) {
            const auto events = static_cast<std::uint32_t>(k % 5);
            for (std::uint32_t i = 0; i < events; ++i) {
                batch.prompts.events.crystals.push_back({static_cast<std::uint32_t>(k), i});
                batch.prompts.events.dt_ps.push_back(static_cast<float>(k));
                batch.prompts.events.kind.push_back(EventKind::True);
                batch.prompts.events.scatters.push_back(0);
                batch.prompts.events.energy_keV.push_back({511, 511});
                batch.prompts.share.push_back(static_cast<float>(i) / 5);
            }
            batch.prompts.perSlice.push_back(events);
            batch.delayeds.share.assign(batch.delayeds.share.size() + 1, 0.0F);
            batch.delayeds.perSlice.push_back(1);
            batch.reports.emplace_back().started = kDecaysPerSlice;
        }
        next_ += turns_.step;
    }

  private:
    std::uint64_t most_;
    SliceTurns turns_{0, 7, 7};
    std::uint64_t next_ = 0;
};

}  // namespace

class RankedListsTest : public QObject {
    Q_OBJECT

  private slots:
    void theFirstRankGetsAllInTheirOrder() {
        std::vector<int> all;
        std::vector<double> sum;

        const auto ends = onRanks(4, [&](const std::shared_ptr<Communicator>& ranks) {
            const int rank = ranks->rank();
            std::vector<int> mine(static_cast<std::size_t>(rank == 2 ? 0 : rank + 1), rank);
            gatherOnFirst(*ranks, mine);
            std::vector<double> numbers{1.0 * rank, 10.0 * rank};
            sumOnFirst(*ranks, numbers);
            if (ranks->first()) {
                all = mine;
                sum = numbers;
            } else if (!mine.empty() || numbers[1] != 10.0 * rank) {
                throw InternalError("a rank but the first has more than its own");
            }
        });

        QVERIFY(allEndWell(ends));
        QCOMPARE(all, (std::vector{0, 1, 1, 3, 3, 3, 3}));
        QCOMPARE(sum, (std::vector{6.0, 60.0}));
    }

    void devicesOfRanksMakeTheSlicesOfOne() {
        SimulationSettings settings;
        settings.events = 4321;
        settings.physics = Physics::fromText("all");
        const Scanner scanner = Scanner::find("labr3");
        const auto made = [&](const std::shared_ptr<Communicator>& ranks) {
            SimulationHooks hooks;
            hooks.ranks = ranks;
            hooks.slices = [&](const TimedModel&) -> std::unique_ptr<SliceSource> {
                return std::make_unique<NumberedSlices>(ranks->first() ? 11 : 3);
            };
            return simulateWith(scanner, Phantom::find("uniform-cylinder"), settings, ThreadPool(1), hooks);
        };
        const EventList one = made(communicatorOfOne());
        QCOMPARE(one.size(), std::size_t{4321});

        for (const int size : {2, 5}) {
            EventList several;
            const auto ends = onRanks(size, [&](const std::shared_ptr<Communicator>& ranks) {
                EventList mine = made(ranks);
                if (ranks->first()) {
                    several = std::move(mine);
                } else if (mine.size() > 0) {
                    throw InternalError("a rank but the first has events");
                }
            });

            QVERIFY(allEndWell(ends));
            QCOMPARE(several.crystals, one.crystals);
            QCOMPARE(several.dt_ps, one.dt_ps);
            QCOMPARE(several.decays, one.decays);
        }
    }

    void listsAreTheSameForAnyNumberOfRanks_data() {
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<QString>("physics");
        QTest::addColumn<int>("events");
        QTest::newRow("ideal") << "labr3-ideal"
                               << "none" << 3001;
        QTest::newRow("several rounds") << "labr3-ideal"
                                        << "none" << static_cast<int>(2 * kEventsPerRound + 7);
        QTest::newRow("fewer events than ranks") << "labr3-ideal"
                                                 << "none" << 3;
        QTest::newRow("pairs with physics") << "labr3"
                                            << "no-randoms,no-scatter" << 1000;
        QTest::newRow("in time") << "labr3"
                                 << "all" << 3000;
    }
    void listsAreTheSameForAnyNumberOfRanks() {
        QFETCH(QString, scanner);
        QFETCH(QString, physics);
        QFETCH(int, events);
        SimulationSettings settings;
        settings.events = static_cast<std::uint64_t>(events);
        settings.seed = 5;
        settings.physics = Physics::fromText(physics.toStdString());
        const Scanner used = Scanner::find(scanner.toStdString());
        const Scan one = simulated(settings, used, communicatorOfOne());
        QCOMPARE(one.taken, static_cast<std::size_t>(events));

        for (const int size : {2, 9}) {  // a first batch in time has eight slices
            Scan first;
            std::size_t elsewhere = 0;
            std::mutex mutex;
            const auto ends = onRanks(size, [&](const std::shared_ptr<Communicator>& ranks) {
                Scan scan = simulated(settings, used, ranks);
                const std::lock_guard lock(mutex);
                if (ranks->first()) {
                    first = std::move(scan);
                } else {
                    elsewhere += scan.taken + scan.events.size();
                }
            });

            QVERIFY(allEndWell(ends));
            QCOMPARE(elsewhere, std::size_t{0});
            QVERIFY(first.events.crystals == one.events.crystals);
            QVERIFY(first.events.dt_ps == one.events.dt_ps);
            QVERIFY(first.events.kind == one.events.kind);
            QCOMPARE(first.events.decays, one.events.decays);
            QCOMPARE(first.events.singles, one.events.singles);
            QCOMPARE(first.events.duration_s, one.events.duration_s);
            QVERIFY(first.delayed.crystals == one.delayed.crystals);
            QVERIFY(first.delayed.dt_ps == one.delayed.dt_ps);
            QVERIFY(first.singles.recorded == one.singles.recorded);
            QVERIFY(first.singles.busy == one.singles.busy);
            QCOMPARE(first.singles.duration_s, one.singles.duration_s);
            QCOMPARE(first.report.started, one.report.started);
            QCOMPARE(first.report.accounted(), one.report.accounted());
            QCOMPARE(first.report.missed, one.report.missed);
            QCOMPARE(first.report.trues, one.report.trues);
            QCOMPARE(first.report.sphereShare, one.report.sphereShare);
        }
    }

    void aRankThatFailsEndsTheSimulationOfAll() {
        SimulationSettings settings;
        settings.events = 200000;
        settings.physics = Physics::fromText("none");
        const auto ends = onRanks(3, [&](const std::shared_ptr<Communicator>& ranks) {
            SimulationHooks hooks;
            hooks.ranks = ranks;
            hooks.progress = [&](std::uint64_t made) {
                if (ranks->rank() == 1 && made > 10000) {
                    throw BadInput("rank 1 has had enough");
                }
            };
            (void)simulateWith(Scanner::find("labr3-ideal"), Phantom::find("uniform-cylinder"), settings,
                               ThreadPool(1), hooks);
        });

        QVERIFY(std::all_of(ends.begin(), ends.end(), [](const RankEnd& end) { return !end.said.empty(); }));
        QCOMPARE(std::count_if(ends.begin(), ends.end(), [](const RankEnd& end) { return end.spoke; }), 1);
        QVERIFY(ends[1].spoke);
    }

    void countsAreTheSameForAnyNumberOfRanks_data() {
        QTest::addColumn<bool>("trilinear");
        QTest::newRow("nearest voxel") << false;
        QTest::newRow("spread over voxels, whose sums depend on their order") << true;
    }
    void countsAreTheSameForAnyNumberOfRanks() {
        QFETCH(bool, trilinear);
        const Scanner scanner = Scanner::find("labr3-ideal");
        const EventList events = someEvents(scanner, 5003);
        BinningSettings settings{5, 2, Lattice::centred({20, 20, 8}, {30, 30, 25}), trilinear};
        const ThreadPool pool(1);
        const HistoData one = depositEvents(events, scanner, settings, pool, {});
        QVERIFY(one.kept > 1000);

        for (const int size : {1, 2, 5, 12}) {  // there are ten views
            HistoData first;
            const auto ends = onRanks(size, [&](const std::shared_ptr<Communicator>& ranks) {
                constexpr std::size_t kAtATime = 600;
                const ThreadPool alone(1);
                EventDeposit deposit(scanner, settings, alone, ranks);
                const auto processes = static_cast<std::size_t>(size);
                const auto rank = static_cast<std::size_t>(ranks->rank());
                for (std::size_t round = 0; round * processes * kAtATime < events.size(); ++round) {
                    const std::size_t begin = (round * processes + rank) * kAtATime;
                    deposit.addAt(begin, partOf(events, begin, begin + kAtATime));
                }
                HistoData data = deposit.take(events);
                if (ranks->first()) {
                    first = std::move(data);
                } else if (!data.counts.empty()) {
                    throw InternalError("a rank but the first keeps counts");
                }
            });

            QVERIFY(allEndWell(ends));
            QVERIFY(first.counts == one.counts);
            QCOMPARE(first.kept, one.kept);
            QCOMPARE(first.outside, one.outside);
            QCOMPARE(first.rejected, one.rejected);
        }
    }

    void factorsAreTheSameForAnyNumberOfRanks() {
        const Scanner scanner = Scanner::fromJson(test::kFlatModules, "test");
        const BinningSettings settings{4, 1, Lattice::centred({12, 12, 4}, {14, 14, 14})};
        const ThreadPool pool(1);
        const Volume mu(settings.lattice, 0.002F);
        HistoData one = emptyViews(scanner, settings);
        computeFactors(one, scanner, &mu, pool, {});

        HistoData first;
        const auto ends = onRanks(3, [&](const std::shared_ptr<Communicator>& ranks) {
            HistoData data = emptyViews(scanner, settings);
            computeFactors(data, scanner, &mu, ThreadPool(1), {}, {ranks->rank(), ranks->size()});
            joinFactors(*ranks, data);
            if (ranks->first()) {
                first = std::move(data);
            }
        });

        QVERIFY(allEndWell(ends));
        QVERIFY(first.multGrid->values == one.multGrid->values);
        QVERIFY(first.attGrid->values == one.attGrid->values);
        QVERIFY(first.attGrid->inVoxels == one.attGrid->inVoxels);
    }
};

QTEST_GUILESS_MAIN(RankedListsTest)

}  // namespace ranked_lists_test
#include "ranked_lists_test.moc"
