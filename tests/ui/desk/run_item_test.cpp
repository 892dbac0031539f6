// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_item.h"

#include <QTest>

#include "ui/desk/run_news.h"

namespace run_item_test {

using namespace tof;
using namespace tof::ui;

namespace {

const Lattice kLattice = Lattice::centred({2, 2, 2}, {1, 1, 1});

std::shared_ptr<const Volume> image(float value) {
    return std::make_shared<const Volume>(kLattice, value);
}

Figures figuresOf(int iteration) {
    Figures figures;
    figures.iteration = iteration;
    return figures;
}

RunSettings iterations(int count) {
    RunSettings settings;
    settings.set("iterations", std::to_string(count));
    return settings;
}

/// A run of `count` iterates that was measured with the ROIs of revision 1.
RunItem made(int count, RunKind kind = RunKind::Reconstruction) {
    RunItem item(1, kind, "A", "run");
    item.plan(iterations(count));
    item.begin("data", kLattice, 1);
    for (int i = 1; i <= count; ++i) {
        item.measured(figuresOf(i), 1);
        item.addIterate({i, image(static_cast<float>(i)), {}, 2});
    }
    return item;
}

}  // namespace

class RunItemTest : public QObject {
    Q_OBJECT

  private slots:
    void aRunGoesThroughItsStates() {
        RunItem item(1, RunKind::Reconstruction, "A", "run");
        item.plan(iterations(5));
        QCOMPARE(item.state(), RunState::Queued);
        QCOMPARE(item.units(), QString("emissions/voxel"));

        item.begin("data", kLattice, 7);
        QCOMPARE(item.state(), RunState::Preparing);
        RunNews news;
        news.progress = RunProgress{1, 5, 1, 8};
        QVERIFY(item.report(news));
        QCOMPARE(item.state(), RunState::Running);
        item.end(RunState::Done);

        QCOMPARE(item.state(), RunState::Done);
        QCOMPARE(item.roiRevision(), std::uint64_t{7});
    }

    void theShareOfWhatIsPreparedIsTold() {
        RunItem item(1, RunKind::Reconstruction, "A", "run");
        item.plan(iterations(5));
        item.begin("data", kLattice, 7);
        RunNews news;
        news.preparing = "system matrix";
        news.preparedShare = 0.25;

        QVERIFY(item.report(news));
        QCOMPARE(item.state(), RunState::Preparing);
        QCOMPARE(item.preparing(), QString("system matrix"));
        QCOMPARE(item.preparedShare(), std::optional(0.25));
        QVERIFY(!item.report(news));
        news.preparing = "kernel tables";
        news.preparedShare.reset();
        QVERIFY(item.report(news));
        QVERIFY(!item.preparedShare().has_value());
    }

    void anOrderIsToldUntilItIsReached() {
        RunItem item = made(1);
        QVERIFY(item.give(RunOrder::Pause));
        RunNews news;
        news.progress = RunProgress{2, 5, 1, 8};
        item.report(news);
        QCOMPARE(item.order(), RunOrder::Pause);

        news.paused = true;
        QVERIFY(item.report(news));

        QCOMPARE(item.order(), RunOrder::None);
        QCOMPARE(item.state(), RunState::Paused);
    }

    void liveTuningSaysNoOrdersAndKeepsItsPicture() {
        RunItem item(1, RunKind::Live, "A", "live");
        item.begin("data", kLattice, 1);
        item.showWork(std::vector<float>(8, 3.0F));

        QVERIFY(!item.give(RunOrder::Cancel));
        QCOMPARE(item.order(), RunOrder::None);
        item.cancel();
        // Part of a first iteration is no picture to go on with.
        QVERIFY(item.volume() == nullptr && item.awaitsFirstImage());
        item.rewrite(iterations(2), "live, other", 2);
        QCOMPARE(item.roiRevision(), std::uint64_t{2});

        item.begin("data", kLattice, 2);
        item.measured(figuresOf(1), 2);
        item.addIterate({1, image(5), {}, 2});
        item.showWork(std::vector<float>(8, 4.0F));
        item.cancel();
        QCOMPARE(item.volume()->data[0], 4.0F);
        item.rewrite(iterations(1), "live, another", 2);
        QVERIFY(item.volume() == nullptr);
    }

    void cancellingAContinuationKeepsWhatWasThereBefore_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<RunState>("state");
        QTest::addColumn<int>("last");
        QTest::newRow("from an iterate: what came since goes") << 2 << RunState::Finished << 2;
        QTest::newRow("from a checkpoint: it is still there") << 0 << RunState::Interrupted << 3;
    }

    void cancellingAContinuationKeepsWhatWasThereBefore() {
        QFETCH(int, before);
        RunItem item = made(2);
        item.end(RunState::Done);
        item.planMore(iterations(6), before);
        QVERIFY(item.resumes());
        item.begin("data", kLattice, 1);
        item.measured(figuresOf(3), 1);
        item.addIterate({3, image(3), {}, 2});

        item.cancel();

        QTEST(item.state(), "state");
        QTEST(item.lastIterate(), "last");
        QVERIFY(!item.resumes());
        QCOMPARE(item.figures().size(), item.images().size());
        QCOMPARE(item.timing().size(), item.images().size());
        QCOMPARE(item.settings().iterations, before == 0 ? 6 : 2);
    }

    void aRunThatWasPutBackIsHeldAndNew() {
        RunItem item(1, RunKind::Reconstruction, "A", "run");
        item.plan(iterations(5));
        item.begin("data", kLattice, 1);

        item.putBack();

        QCOMPARE(item.state(), RunState::Queued);
        QVERIFY(item.held());
        QCOMPARE(item.progress().iteration, 0);
    }

    void figuresOfSeveralRevisionsBelongToNone() {
        RunItem item = made(2);
        QCOMPARE(item.roiRevision(), std::uint64_t{1});

        item.measured(figuresOf(1), 4);

        QCOMPARE(item.figures().size(), std::size_t{2});  // measured again, not twice
        QCOMPARE(item.roiRevision(), std::uint64_t{0});
    }

    void timeOfAContinuedRunIsAddedUp() {
        RunItem item = made(2);
        QCOMPARE(item.seconds(), 4.0);
        item.end(RunState::Done);
        item.planMore(iterations(3), 2);
        item.begin("data", kLattice, 1);
        RunNews news;
        news.workSeconds = 1.5;
        item.report(news);

        QCOMPARE(item.seconds(), 5.5);
    }

    void memorySideImagesAreDroppedFromTheOldest() {
        RunItem item = made(4);
        item.show(2);
        const std::size_t bytes = 8 * sizeof(float);

        QCOMPARE(item.dropImages(bytes), std::size_t{0});
        QVERIFY(!item.images().contains(1));
        QCOMPARE(item.dropImages(10 * bytes), 9 * bytes);

        QVERIFY(item.images().contains(2) && item.images().contains(4) && item.images().size() == 2);
    }
};

QTEST_GUILESS_MAIN(RunItemTest)

}  // namespace run_item_test
#include "run_item_test.moc"
