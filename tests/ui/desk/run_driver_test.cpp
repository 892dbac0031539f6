// SPDX-License-Identifier: Apache-2.0
// The driver and the queue without a desk: what a row is told, in which order runs begin, and what may go on.
#include <QSignalSpy>

#include "recon/base/error.h"
#include "recon/systems/histo/histo_measurement.h"
#include "tests/ui/failing_engine.h"
#include "tests/ui/fixture.h"
#include "ui/desk/run_queue.h"

namespace run_driver_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kEndless = 100000;

RunSettings settingsOf(int iterations) {
    RunSettings settings;
    settings.set("engine", "cpu");
    settings.set("kernel", "invariant");
    settings.iterations = iterations;
    return settings;
}

/// A driver with its list, and how its runs ended.
struct Driven {
    explicit Driven(const EngineRegistry& engines, std::shared_ptr<const Measurement> what, int rest_ms = 5)
        : data(std::move(what)), driver(engines, runs, Threading::Threaded, rest_ms) {
        QObject::connect(&driver, &RunDriver::ended, [this](int id, const std::exception_ptr& fault) {
            ends.push_back({id, fault});
        });
    }
    ~Driven() {
        driver.cancel();
        driver.join();
    }

    RunItem& start(const RunSettings& settings, const std::string& from = {}) {
        RunItem& item = runs.add(RunKind::Reconstruction, "run");
        item.plan(settings);
        item.begin(data->hash(), data->lattice(), kRevision);
        ReconstructRequest request{data, settings};
        request.rois = autoRois(data->phantom());
        request.rois->truth = truth;
        if (!from.empty()) {
            request.from = from;
        }
        driver.start(item, request, kRevision);
        return item;
    }

    static constexpr std::uint64_t kRevision = 7;
    std::shared_ptr<const Measurement> data;
    std::shared_ptr<const Phantom> truth;
    RunList runs;
    RunDriver driver;
    std::vector<std::pair<int, std::exception_ptr>> ends;
};

/// A queue with all that it is told of.
struct Queued {
    explicit Queued(const EngineRegistry& engines, const std::shared_ptr<const Measurement>& data = nullptr)
        : rois(view), queue({engines, study, settings, runs, rois, messages}, Threading::Threaded) {
        if (data != nullptr) {
            study.setMeasurement(data);
        }
        QObject::connect(&queue.driver(), &RunDriver::ended,
                         [this](int id) { ended += runs.find(id)->label(); });
    }
    ~Queued() { queue.stop(); }

    RunItem& start(int iterations) { return *runs.find(queue.start(settingsOf(iterations))); }
    [[nodiscard]] QString waiting() const {
        QString all;
        for (const RunItem* item : queue.waiting()) {
            all += item->label() + QString::number(item->turn());
        }
        return all;
    }

    OpenStudy study;
    SettingsModel settings;
    RunList runs;
    ViewModel view;
    RoiModel rois;
    Messages messages;
    RunQueue queue;
    QString ended;  ///< letters, in order
};

}  // namespace

class RunDriverTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { data_ = std::make_shared<const HistoMeasurement>(test::smallData()); }

    // ---- the driver ----

    void theRowOfARunThatEndsHasAllThatItMade() {
        Driven driven(engines_, data_);
        QSignalSpy begins(&driven.driver, &RunDriver::resultsBegin);

        const RunItem& item = driven.start(settingsOf(2));
        QCOMPARE(driven.driver.item(), &item);
        QVERIFY(until([&] { return !driven.driver.busy(); }));

        QCOMPARE(item.state(), RunState::Done);
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2}));
        QCOMPARE(item.figures().size(), std::size_t{2});
        QCOMPARE(item.roiRevision(), Driven::kRevision);
        QVERIFY(item.engine().startsWith("cpu, "));
        QCOMPARE(begins.count(), 1);
        QCOMPARE(driven.ends.size(), std::size_t{1});
        QVERIFY(driven.ends[0].first == item.id() && driven.ends[0].second == nullptr);
        QVERIFY(driven.driver.item() == nullptr);
    }

    void aRunStandsStillWhilePausedAndStepsWhenTold() {
        Driven driven(engines_, data_);
        RunItem& item = driven.start(settingsOf(2));
        driven.driver.togglePause();
        QVERIFY(until([&] { return item.state() == RunState::Paused; }));
        QVERIFY(item.iterates().empty());

        driven.driver.stepIteration();
        QVERIFY(until([&] { return item.lastIterate() == 1 && item.state() == RunState::Paused; }));
        const std::size_t block = item.progress().block;
        driven.driver.stepBlock();
        QVERIFY(until([&] { return item.progress().block != block && item.state() == RunState::Paused; }));
        QCOMPARE(item.lastIterate(), 1);

        driven.driver.togglePause();
        QVERIFY(until([&] { return !driven.driver.busy(); }));
        QCOMPARE(item.state(), RunState::Done);
    }

    void iteratesDoNotWait() {
        constexpr int kNever = 1000000;
        Driven driven(engines_, data_, kNever);
        RunItem& item = driven.start(settingsOf(kEndless));
        QVERIFY(until([&] { return item.lastIterate() >= 2; }));
        QVERIFY(driven.driver.busy());
    }

    /// Sampling it again for every run would take longer than a live iteration.
    void theActivityOfTheTruthIsTakenWhereItIsKnown() {
        Driven driven(engines_, data_);
        const auto facts = std::make_shared<ImageFacts>();
        driven.driver.setFacts(facts);
        driven.truth = std::make_shared<const Phantom>(Phantom::fromNameOrText(data_->phantom(), "test"));
        const auto activity = facts->activity(driven.truth, data_->lattice(), Wish());
        const long before = activity.use_count();

        driven.start(settingsOf(kEndless));
        QVERIFY(until([&] { return driven.driver.item()->lastIterate() >= 1; }));
        QVERIFY(activity.use_count() > before);  // by the evaluator of the run
    }

    void aRunThatIsFinishedKeepsItsLastWholeIterate() {
        Driven driven(engines_, data_);
        RunItem& item = driven.start(settingsOf(kEndless));
        QVERIFY(until([&] { return item.lastIterate() >= 1; }));

        driven.driver.finish();
        QVERIFY(until([&] { return !driven.driver.busy(); }));

        QCOMPARE(item.state(), RunState::Finished);
        QCOMPARE(item.shownIterate(), item.lastIterate());
        QVERIFY(!item.showsWork());
    }

    /// Cancelled or failed: what becomes of the row is for whoever started it.
    void aFaultIsTheOwners_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("cancelled") << "cancel"
                                   << "";
        QTest::newRow("checkpoint") << "checkpoint"
                                    << "missing.ckpt";
        QTest::newRow("engine") << "engine"
                                << "the device has gone";
        QTest::newRow("kernel") << "kernel"
                                << "no kernel preset or file 'gone.json'";
    }

    void aFaultIsTheOwners() {
        QFETCH(QString, what);
        QFETCH(QString, said);
        const auto fuse = std::make_shared<test::Fuse>();
        fuse->left = what == "engine" ? 8 + 3 : -1;  // eight views: within the second iteration
        const EngineRegistry failing = test::failingEngines(engines_, fuse);
        Driven driven(failing, data_);
        RunSettings settings = settingsOf(what == "cancel" ? kEndless : 3);
        settings.set("kernel", what == "kernel" ? "gone.json" : "invariant");

        const RunItem& item = driven.start(settings, what == "checkpoint" ? "missing.ckpt" : "");
        if (what == "cancel") {
            driven.driver.cancel();
        }
        QVERIFY(until([&] { return !driven.driver.busy(); }));

        QVERIFY(isActive(item.state()));
        QCOMPARE(item.lastIterate(), what == "engine" ? 1 : 0);
        QCOMPARE(driven.ends.size(), std::size_t{1});
        QCOMPARE(isCancelled(driven.ends[0].second), what == "cancel");
        QVERIFY2(sentence(driven.ends[0].second).contains(said), qPrintable(sentence(driven.ends[0].second)));
    }

    void aSecondRunIsRefusedAndTheFirstGoesOn() {
        Driven driven(engines_, data_);
        RunItem& first = driven.start(settingsOf(2));

        QVERIFY_EXCEPTION_THROWN(driven.start(settingsOf(1)), InternalError);

        QCOMPARE(driven.driver.item(), &first);
        QVERIFY(until([&] { return !driven.driver.busy(); }));
        QCOMPARE(first.state(), RunState::Done);
        QCOMPARE(first.lastIterate(), 2);
    }

    void ordersWithoutARunAreWithoutEffect() {
        Driven driven(engines_, data_);

        driven.driver.togglePause();
        driven.driver.stepBlock();
        driven.driver.stepIteration();
        driven.driver.finish();
        driven.driver.cancel();
        driven.driver.drain();
        driven.driver.join();

        QVERIFY(!driven.driver.busy() && driven.ends.empty());
    }

    void joinTellsTheEndBeforeItReturns() {
        Driven driven(engines_, data_);
        driven.start(settingsOf(kEndless));
        driven.driver.cancel();

        driven.driver.join();

        QCOMPARE(driven.ends.size(), std::size_t{1});
        QVERIFY(!driven.driver.busy());
    }

    // ---- the queue ----

    void nothingBeginsWithoutData() {
        Queued queued(engines_);

        QVERIFY(queued.queue.whyNoRun().contains("Open a study"));
        QCOMPARE(queued.queue.start(), 0);
        QVERIFY(queued.runs.items().empty());
    }

    void runsAreMadeInTheOrderOfTheQueue() {
        Queued queued(engines_, data_);
        queued.start(1);
        queued.queue.driver().togglePause();
        queued.start(1);
        const int last = queued.start(1).id();
        QCOMPARE(queued.waiting(), QString("B1C2"));

        queued.queue.move(last, 0);
        QCOMPARE(queued.waiting(), QString("C1B2"));
        queued.queue.driver().togglePause();
        QVERIFY(until([&] { return !queued.queue.busy(); }));

        QCOMPARE(queued.ended, QString("ACB"));
        QVERIFY(queued.waiting().isEmpty());
    }

    void aRunThatFailsLetsTheNextOneBegin() {
        Queued queued(engines_, data_);
        RunSettings gone = settingsOf(1);
        gone.set("kernel", "gone.json");

        const RunItem& failed = *queued.runs.find(queued.queue.start(gone));
        const RunItem& next = queued.start(1);
        QVERIFY(until([&] { return !queued.queue.busy(); }));

        QCOMPARE(failed.state(), RunState::Failed);
        QVERIFY(failed.error().contains("gone.json"));
        QVERIFY(queued.messages.all().back().text.contains("Run A: "));
        QCOMPARE(next.state(), RunState::Done);
    }

    void whatEarlierSessionsLeftWaitsUntilItIsReleased() {
        Queued queued(engines_, data_);
        QVERIFY(!queued.queue.whyNotRelease().isEmpty());

        queued.queue.adopt({{"D", settingsOf(1), false}});
        QCOMPARE(queued.waiting(), QString("D1"));
        QVERIFY(!queued.queue.busy());
        const int id = queued.runs.find(QString("D"))->id();

        queued.queue.release();
        QVERIFY(until([&] { return !queued.queue.busy(); }));
        QCOMPARE(queued.runs.find(id)->state(), RunState::Done);
    }

    void theRunInWorkIsKeptBeforeThoseThatWait() {
        Queued queued(engines_, data_);
        QSignalSpy changed(&queued.queue, &RunQueue::changed);
        queued.start(kEndless);
        queued.start(2);

        const std::vector<QueuedRun> kept = queued.queue.toKeep();

        QCOMPARE(kept.size(), std::size_t{2});
        QVERIFY((kept[0] == QueuedRun{"A", settingsOf(kEndless), false}));
        QVERIFY((kept[1] == QueuedRun{"B", settingsOf(2), false}));
        QVERIFY(changed.count() >= 2);
        queued.queue.clear();
        QCOMPARE(queued.queue.toKeep().size(), std::size_t{1});
    }

    void aRunThatHasEndedGoesOnInMemory() {
        Queued queued(engines_, data_);
        RunItem& whole = queued.start(3);
        RunItem& parted = queued.start(1);
        QVERIFY(until([&] { return !queued.queue.busy(); }));

        queued.queue.continueRun(parted.id(), 2);
        QVERIFY(until([&] { return !queued.queue.busy(); }));

        QCOMPARE(parted.lastIterate(), 3);
        QVERIFY(parted.volume()->data == whole.volume()->data);
        QVERIFY_EXCEPTION_THROWN(queued.queue.continueRun(parted.id(), 0), WrongUse);  // has all of them
    }

    void whatCannotGoOnSaysWhy() {
        Queued queued(engines_, data_);
        const int volume = queued.runs.addVolume("image", std::make_shared<const Volume>(data_->lattice()));
        const RunItem& working = queued.start(kEndless);

        QVERIFY(queued.queue.whyNotContinue(*queued.runs.find(volume)).contains("no iterations"));
        QVERIFY(queued.queue.whyNotContinue(working).contains("not ended"));
        QVERIFY_EXCEPTION_THROWN(queued.queue.continueRun(volume, 1), WrongUse);
        QVERIFY_EXCEPTION_THROWN(queued.queue.continueRun(999, 1), WrongUse);
    }

  private:
    const EngineRegistry engines_ = makeEngineRegistry();
    std::shared_ptr<const Measurement> data_;
};

QTEST_MAIN(RunDriverTest)

}  // namespace run_driver_test
#include "run_driver_test.moc"
