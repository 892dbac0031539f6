// SPDX-License-Identifier: Apache-2.0
// Work on the host asks while it lasts, on the thread that gives it; what is ended so spoils nothing after
// it.
#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <thread>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/systems/histo/histo_model.h"
#include "tests/recon/projector_fixtures.h"

namespace heeding_test {

using namespace tof;
using fixtures::HostHarness;
using fixtures::uniformData;

namespace {

constexpr int kAlways = 1 << 30;

EngineOptions withThreads(int threads) {
    EngineOptions options;
    options.threads = threads;
    options.measurePlans = false;
    return options;
}

/// For as long as it lives every chunk of a space's loops asks; the work is wanted for so many questions.
class Asked {
  public:
    Asked(Space& space, int wantedFor) : space_(space) {
        const auto ask = [this, wantedFor] {
            threads.insert(std::this_thread::get_id());
            if (questions++ >= wantedFor) {
                throw Cancelled();
            }
        };
        space_.exchangeHeed({ask, std::chrono::milliseconds(0)});
    }
    ~Asked() { space_.exchangeHeed({}); }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;

    int questions = 0;
    std::set<std::thread::id> threads;

  private:
    Space& space_;
};

}  // namespace

class HeedingTest : public QObject {
    Q_OBJECT

    QTemporaryDir cache_;
    EngineRegistry engines_ = makeEngineRegistry();
    const Lattice lattice_ = Lattice::centred({40, 36, 20}, {4, 4, 4});

    [[nodiscard]] DirectModel model(const QString& kernel) const {
        return {lattice_, fixtures::obliqueViews(), KernelSpec::preset(kernel.toStdString())};
    }

    void enginesAndKernels() {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("kernel");
        for (const char* engine : {"cpu", "fftw"}) {
            for (const char* kernel : {"invariant", "variant1"}) {
                QTest::addRow("%s, %s", engine, kernel) << engine << kernel;
            }
        }
    }

  private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", cache_.path().toUtf8()); }

    void projectionsEndWhereTheyAreNotWanted_data() { enginesAndKernels(); }
    void projectionsEndWhereTheyAreNotWanted() {
        QFETCH(const QString, engine);
        QFETCH(const QString, kernel);
        // One thread makes all chunks, so that the number of questions is the same every time.
        HostHarness harness(*engines_.require(engine.toStdString()), model(kernel), withThreads(1));
        const auto x = uniformData(lattice_.voxels(), 1, 0, 1);
        const auto forward = harness.forward(0, x);
        const auto back = harness.back(0, x);
        int questions = 0;
        {
            Asked asked(harness.space(), kAlways);
            QVERIFY(harness.forward(0, x) == forward);
            QVERIFY(harness.back(0, x) == back);
            questions = asked.questions / 2;
        }
        QVERIFY2(questions > 3, qPrintable(QString::number(questions)));
        for (const int last : {0, questions / 3, questions / 2, questions - 1}) {
            {
                Asked asked(harness.space(), last);
                QVERIFY_EXCEPTION_THROWN(harness.forward(0, x), Cancelled);
            }
            {
                Asked asked(harness.space(), last);
                QVERIFY_EXCEPTION_THROWN(harness.back(0, x), Cancelled);
            }
            QVERIFY(harness.forward(0, x) == forward);
            QVERIFY(harness.back(0, x) == back);
        }
    }

    void onlyTheThreadThatGivesTheWorkAsks_data() { enginesAndKernels(); }
    void onlyTheThreadThatGivesTheWorkAsks() {
        QFETCH(const QString, engine);
        QFETCH(const QString, kernel);
        HostHarness harness(*engines_.require(engine.toStdString()), model(kernel), withThreads(3));
        const auto x = uniformData(lattice_.voxels(), 1, 0, 1);
        const auto forward = harness.forward(0, x);
        {
            Asked asked(harness.space(), kAlways);
            QVERIFY(harness.forward(0, x) == forward);
            QCOMPARE(asked.threads, std::set{std::this_thread::get_id()});
        }
        {
            Asked asked(harness.space(), 1);
            QVERIFY_EXCEPTION_THROWN(harness.forward(0, x), Cancelled);
        }
        QVERIFY(harness.forward(0, x) == forward);
    }

    void aProjectorIsNotMadeWhereItIsNotWanted_data() { enginesAndKernels(); }
    void aProjectorIsNotMadeWhereItIsNotWanted() {
        QFETCH(const QString, engine);
        QFETCH(const QString, kernel);
        const std::shared_ptr<const Engine> made = engines_.require(engine.toStdString());
        EngineOptions options = withThreads(2);
        const std::shared_ptr<Space> space = made->makeSpace(options);
        options.heed = [] { throw Cancelled(); };
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(requireProjector(*made, model(kernel), space, options)),
                                 Cancelled);
        options.heed = [] {};
        QVERIFY(requireProjector(*made, model(kernel), space, options) != nullptr);
    }

    void heedingEndsWithItsScope() {
        const std::shared_ptr<Space> space = engines_.require("cpu")->makeSpace(withThreads(1));
        Array values = space->allocate(1000);
        int outer = 0;
        int inner = 0;
        {
            const Heeding around(*space, [&] { ++outer; });
            {
                const Heeding within(*space, [&] { ++inner; });
                space->fill(values.view(), 1);  // the first question of a space comes at once
            }
            QCOMPARE(inner, 1);
            QCOMPARE(outer, 0);
            QTRY_VERIFY((space->fill(values.view(), 1), outer == 1));  // the next after 20 ms
            QCOMPARE(inner, 1);
        }
        const Heed left = space->exchangeHeed({});
        QVERIFY(!left.ask);
    }

    /// A pause is no work: seconds of stages leave it out.
    void whatAQuestionTakesCountsForNoStage() {
        constexpr auto kPause = std::chrono::milliseconds(60);
        using Clock = std::chrono::steady_clock;
        HostHarness harness(*engines_.require("cpu"), model("invariant"), withThreads(1));
        const auto x = uniformData(lattice_.voxels(), 1, 0, 1);
        static_cast<void>(harness.space().takeStageSeconds());
        int pauses = 0;
        const auto pause = [&] {
            if (pauses++ == 0) {
                std::this_thread::sleep_for(kPause);
            }
        };
        const Clock::time_point start = Clock::now();
        harness.space().stage(Stage::Forward);
        harness.space().exchangeHeed({pause, std::chrono::milliseconds(0)});
        static_cast<void>(harness.forward(0, x));
        harness.space().exchangeHeed({});
        harness.space().stageEnd();
        const std::chrono::duration<double> all = Clock::now() - start;

        QVERIFY(pauses > 0);
        const double told = harness.space().takeStageSeconds()[static_cast<std::size_t>(Stage::Forward)];
        QVERIFY2(told > 0 && told <= all.count() - std::chrono::duration<double>(kPause).count(),
                 qPrintable(QString("%1 of %2 s").arg(told).arg(all.count())));
    }
};

QTEST_GUILESS_MAIN(HeedingTest)

}  // namespace heeding_test
#include "heeding_test.moc"
