// SPDX-License-Identifier: Apache-2.0
// Scans with randoms of what moves or has a course in time.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "recon/base/error.h"
#include "recon/motion/rigid_motion.h"
#include "recon/phantom/phantom_course.h"
#include "recon/physics/positron.h"
#include "recon/simulate/course_scan.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/simulate/moved_scan.h"
#include "tests/support/thread_ranks.h"

namespace stretches_test {

using namespace tof;

namespace {

/// A ball whose activity halves in the 20 ms from 0.1 s on; a scan of 0.22 s.
const char* const kHalving = R"({"name":"halving",
    "time":{"duration_s":0.22,"nuclide":"F-18",
            "curves":{"step":{"table":[[0,2],[0.1,2],[0.12,1],[0.22,1]]}}},
    "shapes":[{"kind":"sphere","centre_mm":[0,0,0],"radius_mm":40,"curve":"step"}]})";

std::map<EventKind, double> kindsOf(const EventList& list, double from_ms, double to_ms) {
    std::map<EventKind, double> kinds;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto time = static_cast<double>(list.time_ms[i]);
        if (time >= from_ms && time < to_ms) {
            kinds[list.kind[i]] += 1;
        }
    }
    return kinds;
}

/// A device in whose slices the same pair of crystals sees one event, at half of the time.
class OnePair : public SliceSource {
  public:
    static std::array<std::uint32_t, 2> crystals() { return {3, 1000}; }
    void next(std::uint64_t wanted, SliceBatch& batch) override {
        batch = SliceBatch();
        const auto slices = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, mostAtOnce()));
        batch.prompts.events.crystals.assign(slices, crystals());
        batch.prompts.events.dt_ps.assign(slices, 0.0F);
        batch.prompts.events.kind.assign(slices, EventKind::True);
        batch.prompts.share.assign(slices, 0.5F);
        batch.prompts.perSlice.assign(slices, 1);
        batch.delayeds.perSlice.assign(slices, 0);
        batch.reports.resize(slices);
    }
    [[nodiscard]] std::uint64_t mostAtOnce() const override { return 64; }
    void takeTurns(const SliceTurns& /*turns*/) override {}
};

}  // namespace

class StretchesTest : public QObject {
    Q_OBJECT

  private slots:
    /// What a shorter scan has is what a longer one begins with, and its decays are those of its time.
    void aScanEndsWithItsTime() {
        SimulationSettings settings{.events = 30000, .seed = 3, .activity_MBq = 50};
        const EventList whole = simulate(scanner_, ball(), settings, pool_, {});
        settings.longest_s = whole.duration_s / 3;

        const EventList third = simulate(scanner_, ball(), settings, pool_, {});

        QVERIFY(third.size() > 9000 && third.size() < 11000);
        QVERIFY(std::equal(third.crystals.begin(), third.crystals.end(), whole.crystals.begin()));
        QVERIFY(std::abs(third.decays / whole.decays - 1.0 / 3) < 1e-9);
        QVERIFY(std::abs(third.duration_s / whole.duration_s - 1.0 / 3) < 1e-9);
    }

    /// A phantom that stays where it is has, in two stretches, what an ordinary scan of that activity has.
    void stretchesAreAnOrdinaryScan() {
        const double duration_s = 0.4;
        const RigidMotion motion = posesOf({{0, Pose()}, {150, Pose()}}, 400);
        EventList delayeds;
        CrystalSingles singles;
        SimulationHooks hooks;
        hooks.delayed = &delayeds;
        hooks.singles = &singles;
        SimulationReport report;

        const EventList list =
            simulateMoved(scanner_, ball(), {.events = 60000, .seed = 5}, motion, pool_, hooks, &report);

        QCOMPARE(list.duration_s, duration_s);
        QVERIFY2(std::abs(static_cast<double>(list.size()) - 60000) < 0.03 * 60000,
                 qPrintable(QString::number(list.size())));
        QVERIFY(std::is_sorted(list.time_ms.begin(), list.time_ms.end()));
        QVERIFY(list.time_ms.back() < 400 && delayeds.time_ms.back() < 400);
        QCOMPARE(report.trues + report.scattered + report.randoms, list.size());
        QCOMPARE(report.delayeds, delayeds.size());
        QCOMPARE(singles.duration_s, duration_s);
        const Physics physics = Physics::of(scanner_);
        const double activity_MBq = 1e-6 * list.decays / duration_s / isotopeNamed(physics.isotope).branching;
        SimulationSettings ordinary{.events = list.size(), .seed = 6, .activity_MBq = activity_MBq};
        SimulationReport expected;
        EventList late;
        CrystalSingles single;
        SimulationHooks also;
        also.delayed = &late;
        also.singles = &single;
        const EventList rest = simulateWith(scanner_, ball(), ordinary, pool_, also, &expected);
        // Both are counts: they differ by their noise.
        const auto alike = [](double a, double b, double sigmas) {
            return std::abs(a - b) < sigmas * std::sqrt(a + b);
        };
        const double time = duration_s / rest.duration_s;
        QVERIFY(std::abs(time - 1) < 4 * std::sqrt(2.0 / 60000));
        QVERIFY2(report.randoms > 300, qPrintable(QString::number(report.randoms)));
        QVERIFY(alike(static_cast<double>(report.randoms), time * static_cast<double>(expected.randoms), 4));
        QVERIFY(
            alike(static_cast<double>(report.delayeds), time * static_cast<double>(expected.delayeds), 4));
        QVERIFY(alike(static_cast<double>(report.delayeds), static_cast<double>(report.randoms), 4));
        const auto sum = [](const std::vector<double>& values) {
            double all = 0;
            for (const double value : values) {
                all += value;
            }
            return all;
        };
        const double rate = sum(singles.recorded) / singles.duration_s;
        const double restRate = sum(single.recorded) / single.duration_s;
        QVERIFY2(std::abs(rate / restRate - 1) < 0.01, qPrintable(QString::number(rate / restRate)));
        QVERIFY2(std::abs(list.singles / rest.singles / time - 1) < 0.02,
                 qPrintable(QString::number(list.singles / rest.singles)));
    }

    /// Trues go with the activity and randoms with its square, where no electronics lose any.
    void randomsGoWithTheSquareOfActivity() {
        const Phantom halving = Phantom::fromJson(kHalving, "halving");
        const PhantomCourse course = *PhantomCourse::of(halving);

        SimulationSettings settings{.events = 100000, .seed = 8};
        Physics& physics = settings.physics.emplace(Physics::of(scanner_));
        physics.deadTime = physics.pileUp = physics.multiples = physics.bandwidth = false;

        const EventList list = simulateCourse(scanner_, halving, course, settings, pool_, {});

        auto strong = kindsOf(list, 0, 100);
        auto weak = kindsOf(list, 120, 220);
        const double trues = strong[EventKind::True] / weak[EventKind::True];
        const double randoms = strong[EventKind::Random] / weak[EventKind::Random];
        const auto noise = [&](EventKind kind) { return std::sqrt(1 / strong[kind] + 1 / weak[kind]); };
        const QString said = QString("trues %1, randoms %2").arg(trues).arg(randoms);
        QVERIFY2(std::abs(trues / 2 - 1) < 4 * noise(EventKind::True), qPrintable(said));
        QVERIFY2(std::abs(randoms / 4 - 1) < 4 * noise(EventKind::Random), qPrintable(said));
        QVERIFY(weak[EventKind::Random] > 300);
    }

    /// What moves and what has a course, with randoms and without: the list is that of one process.
    void ranksMakeOneList_data() {
        QTest::addColumn<bool>("moves");
        QTest::addColumn<bool>("randoms");
        for (const bool moves : {false, true}) {
            for (const bool randoms : {false, true}) {
                QTest::addRow("%s %s randoms", moves ? "poses" : "course", randoms ? "with" : "without")
                    << moves << randoms;
            }
        }
    }
    void ranksMakeOneList() {
        QFETCH(bool, moves);
        QFETCH(bool, randoms);
        SimulationSettings settings{.events = 9000, .seed = 11};
        settings.physics.emplace(Physics::of(scanner_)).randoms = randoms;
        const auto scanBy = [&](const SimulationHooks& hooks) {
            if (!moves) {
                const Phantom halving = Phantom::fromJson(kHalving, "halving");
                return simulateCourse(scanner_, halving, *PhantomCourse::of(halving), settings, pool_, hooks);
            }
            const RigidMotion motion = posesOf({{0, Pose()}, {60, aside()}}, 200);
            return simulateMoved(scanner_, ball(), settings, motion, pool_, hooks);
        };
        EventList delayeds;
        CrystalSingles singles;
        SimulationHooks own;
        own.delayed = randoms ? &delayeds : nullptr;
        own.singles = randoms ? &singles : nullptr;
        const EventList alone = scanBy(own);
        std::vector<EventList> lists(3);
        std::vector<EventList> late(3);
        std::vector<CrystalSingles> counted(3);

        const auto ends = test::onRanks(3, [&](const std::shared_ptr<Communicator>& all) {
            const auto rank = static_cast<std::size_t>(all->rank());
            SimulationHooks hooks;
            hooks.ranks = all;
            hooks.delayed = randoms ? &late[rank] : nullptr;
            hooks.singles = randoms ? &counted[rank] : nullptr;
            lists[rank] = scanBy(hooks);
        });

        for (const test::RankEnd& end : ends) {
            QVERIFY2(end.said.empty(), end.said.c_str());
        }
        QVERIFY(alone.size() > 8000);
        QVERIFY(lists[0].crystals == alone.crystals && lists[0].time_ms == alone.time_ms);
        QVERIFY(lists[0].dt_ps == alone.dt_ps && lists[0].kind == alone.kind);
        QCOMPARE(lists[0].decays, alone.decays);
        QCOMPARE(lists[0].singles, alone.singles);
        QCOMPARE(lists[1].size() + lists[2].size(), std::size_t{0});
        QVERIFY(late[0].crystals == delayeds.crystals && late[0].time_ms == delayeds.time_ms);
        QVERIFY(counted[0].recorded == singles.recorded);
    }

    /// A device is asked for the slices of each stretch, and of nothing else: its own events are in the list.
    void devicesMakeEveryStretch() {
        const RigidMotion motion = posesOf({{0, Pose()}, {60, aside()}}, 200);
        int devices = 0;
        double length_ps = 0;
        SimulationHooks hooks;
        hooks.slices = [&](const TimedModel& model) {
            ++devices;
            length_ps = model.length_ps;
            return std::make_unique<OnePair>();
        };

        const EventList list =
            simulateMoved(scanner_, ball(), {.events = 60000, .seed = 5}, motion, pool_, hooks);

        QCOMPARE(devices, 2);
        QVERIFY(std::all_of(list.crystals.begin(), list.crystals.end(),
                            [](const auto& pair) { return pair == OnePair::crystals(); }));
        // One event a slice, as long in both: those that begin in 60 and in 140 ms, but for the last of each.
        const auto inFirst =
            std::count_if(list.time_ms.begin(), list.time_ms.end(), [](auto ms) { return ms < 60; });
        const QString said =
            QString("%1 of %2 in slices of %3 ms").arg(inFirst).arg(list.size()).arg(1e-9 * length_ps);
        QVERIFY2(std::abs(static_cast<double>(inFirst) - 60 / (1e-9 * length_ps)) <= 1.5, qPrintable(said));
        QVERIFY2(std::abs(static_cast<double>(list.size()) - 200 / (1e-9 * length_ps)) <= 3,
                 qPrintable(said));
    }

    void tooManyEventsAreRefused() {
        const RigidMotion motion = posesOf({{0, Pose()}}, 1);
        try {
            static_cast<void>(
                simulateMoved(scanner_, ball(), {.events = 500'000'000, .seed = 5}, motion, pool_, {}));
            QFAIL("accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains("fewer events") ||
                         QString(fault.what()).contains("are too many for scanner"),
                     fault.what());
        }
    }

  private:
    static Phantom ball() {
        return Phantom::fromJson(
            R"({"name":"ball","shapes":[{"kind":"sphere","centre_mm":[20,0,0],"radius_mm":40,"activity":1}]})",
            "ball");
    }
    static Pose aside() {
        Pose pose;
        pose.shift = {0, 20, 0};
        return pose;
    }
    static RigidMotion posesOf(std::vector<TimedPose> poses, double end_ms) {
        return RigidMotion(std::move(poses), end_ms, PoseBetween::Hold, "test");
    }

    Scanner scanner_ = Scanner::find("labr3");
    ThreadPool pool_{2};
};

QTEST_GUILESS_MAIN(StretchesTest)

}  // namespace stretches_test
#include "stretches_test.moc"
