// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/run_channel.h"

#include <QTest>
#include <atomic>
#include <thread>

#include "recon/base/error.h"

namespace run_channel_test {

using namespace tof;
using namespace tof::ui;

namespace {

struct ReadySnapshot : Snapshot {
    explicit ReadySnapshot(float value) : value_(value) {}
    bool ready() override { return true; }
    void takeInto(std::vector<float>& image) override { image = {value_}; }
    float value_;
};

std::shared_ptr<const Volume> filled(float value) {
    return std::make_shared<const Volume>(Lattice::centred({1, 1, 1}, {1, 1, 1}), value);
}

bool waitFor(const std::function<bool()>& done) {
    return QTest::qWaitFor(done, 10000);
}

}  // namespace

class RunChannelTest : public QObject {
    Q_OBJECT

  private slots:
    void aPausedRunStandsStillUntilItIsResumed() {
        RunChannel channel;
        channel.pause();
        std::atomic<bool> passed{false};
        std::thread run([&] {
            channel.checkpoint();
            passed = true;
        });

        QVERIFY(waitFor([&] { return channel.take().paused; }));
        QVERIFY(!passed);
        channel.resume();
        run.join();

        QVERIFY(passed);
    }

    void theShareOfAStageGoesWithIt() {
        RunChannel channel;
        channel.shareReady("system matrix", 0.5);
        QCOMPARE(channel.take().preparedShare, std::optional(0.5));
        const RunNews same = channel.take();  // nothing new: the stage goes on
        QCOMPARE(same.preparing, std::string("system matrix"));
        QCOMPARE(same.preparedShare, std::optional(0.5));

        channel.preparing("data");
        QVERIFY(!channel.take().preparedShare.has_value());
        channel.shareReady("system matrix", 0.5);
        channel.progress({1, 1, 1, 10});
        QVERIFY(!channel.take().preparedShare.has_value() && channel.take().preparing.empty());
    }

    void aStepDoesOneBlockAndPausesAgain() {
        RunChannel channel;
        channel.pause();
        std::atomic<int> blocks{0};
        std::thread run([&] {
            try {
                for (std::size_t b = 1;; ++b) {
                    channel.checkpoint();
                    ++blocks;
                    channel.progress({1, 1, b, 1000});
                }
            } catch (const Cancelled&) {
            }
        });
        QVERIFY(waitFor([&] { return channel.take().paused; }));
        QCOMPARE(blocks.load(), 0);

        channel.stepBlock();
        QVERIFY(waitFor([&] { return blocks == 1 && channel.take().paused; }));
        channel.stepBlock();
        QVERIFY(waitFor([&] { return blocks == 2 && channel.take().paused; }));
        channel.cancel();
        run.join();

        QCOMPARE(blocks.load(), 2);
    }

    void aStepOfAnIterationEndsWithTheIterate() {
        RunChannel channel;
        channel.pause();
        std::atomic<int> blocks{0};
        std::thread run([&] {
            try {
                for (int iteration = 1;; ++iteration) {
                    for (std::size_t b = 1; b <= 5; ++b) {
                        channel.checkpoint();
                        ++blocks;
                        channel.progress({iteration, 9, b, 5});
                    }
                    channel.iterateDone({iteration, filled(1), {}, 0});
                }
            } catch (const Cancelled&) {
            }
        });
        QVERIFY(waitFor([&] { return channel.take().paused; }));

        channel.stepIteration();

        QVERIFY(waitFor([&] { return blocks == 5 && channel.take().paused; }));
        channel.cancel();
        run.join();
        QCOMPARE(blocks.load(), 5);
    }

    void cancelEndsAPause() {
        RunChannel channel;
        channel.pause();
        channel.cancel();

        QVERIFY_EXCEPTION_THROWN(channel.checkpoint(), Cancelled);
    }

    void finishEndsAPauseWithoutAnError() {
        RunChannel channel;
        channel.pause();
        channel.finish();

        channel.checkpoint();

        QVERIFY(channel.finishRequested());
    }

    void theNewestSnapshotWinsAndTheRateIsLimited() {
        double now = 100;
        RunChannel channel([&] { return now; }, 10);
        QVERIFY(channel.wantsSnapshot());
        channel.offer({1, 1, 1, 10}, std::make_unique<ReadySnapshot>(1.0F));
        QVERIFY(!channel.wantsSnapshot());
        now += 0.05;
        QVERIFY(!channel.wantsSnapshot());
        now += 0.06;
        QVERIFY(channel.wantsSnapshot());
        channel.offer({1, 1, 2, 10}, std::make_unique<ReadySnapshot>(2.0F));

        const RunNews news = channel.take();

        QCOMPARE(news.snapshot->take()[0], 2.0F);
        QCOMPARE(news.snapshotProgress.block, std::size_t{2});
        QVERIFY(channel.take().snapshot == nullptr);
    }

    void timeLeftLeavesPausesOut() {
        double now = 0;
        RunChannel channel([&] { return now; });
        for (std::size_t b = 1; b <= 10; ++b) {
            now += 2;
            channel.progress({1, 1, b, 20});
        }

        // Ten blocks are left at 2 s each.
        QCOMPARE(channel.take().remainingSeconds.value(), 20.0);
    }

    void newsAreToldWhenTheyCanBeTaken() {
        using NewsOf = RunChannel::NewsOf;
        RunChannel channel;
        std::vector<NewsOf> told;
        std::vector<std::size_t> iterates;
        channel.setTold([&](NewsOf what) {
            told.push_back(what);
            iterates.push_back(channel.take().iterates.size());
        });
        channel.preparing("data");
        channel.iterateDone({1, filled(1), {}, 0});
        channel.progress({2, 2, 1, 10});
        channel.iterateDone({2, filled(2), {}, 0});
        QVERIFY((told == std::vector{NewsOf::Other, NewsOf::Iterate, NewsOf::Other, NewsOf::Iterate}));
        QCOMPARE(iterates, (std::vector<std::size_t>{0, 1, 0, 1}));
    }

    void pausesAreToldAtBothEnds() {
        RunChannel channel;
        std::vector<bool> paused;
        channel.setTold([&](RunChannel::NewsOf) {
            paused.push_back(channel.take().paused);
            if (paused.size() == 1) {
                channel.resume();
            }
        });
        channel.pause();
        channel.checkpoint();
        QCOMPARE(paused, (std::vector<bool>{true, false}));
    }

    void aRunThatIsSteppedEndsWithItsIterate() {
        RunChannel channel;
        QVERIFY(!channel.wantsIteratesAtOnce());
        channel.pause();
        QVERIFY(channel.wantsIteratesAtOnce());
        channel.stepIteration();
        QVERIFY(channel.wantsIteratesAtOnce());
        channel.resume();
        QVERIFY(!channel.wantsIteratesAtOnce());
    }

    void figuresComeWithTheirIterate() {
        RunChannel channel;
        Figures figures;
        figures.iteration = 1;
        channel.figures(figures);
        QVERIFY(channel.take().figures.empty());

        channel.iterateDone({1, filled(1), {}, 0});

        const RunNews news = channel.take();
        QCOMPARE(news.iterates.size(), std::size_t{1});
        QCOMPARE(news.figures.size(), std::size_t{1});
        QVERIFY(channel.take().figures.empty());
    }

    void noIterateIsLost() {
        RunChannel channel;
        for (int i = 1; i <= 5; ++i) {
            Figures figures;
            figures.iteration = i;
            figures.crc = 0.1 * i;
            channel.figures(figures);
            channel.iterateDone({i, filled(static_cast<float>(i)), {}, 0});
        }

        const RunNews news = channel.take();

        QCOMPARE(news.iterates.size(), std::size_t{5});
        QCOMPARE(news.figures.size(), std::size_t{5});
        QCOMPARE(news.iterates.back().image->data[0], 5.0F);
    }
};

QTEST_GUILESS_MAIN(RunChannelTest)

}  // namespace run_channel_test
#include "run_channel_test.moc"
