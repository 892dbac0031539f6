// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <QTest>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <array>
#include <cstring>
#include <ctime>

#include <filesystem>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/reconstruct.h"
#include "recon/work/resume.h"
#include "recon/work/run_files.h"
#include "tests/support/small_data.h"

namespace reconstruct_test {

using namespace tof;
using namespace tof::test;

namespace {

class Listener : public JobListener {
  public:
    std::vector<Iterate> iterates;
    std::vector<Figures> merits;
    int cancelAfterBlocks = -1;
    int finishAfterBlocks = -1;
    int blocks = 0;

    void figures(const Figures& figures) override { merits.push_back(figures); }
    void checkpoint() override {
        if (cancelAfterBlocks >= 0 && blocks >= cancelAfterBlocks) {
            throw Cancelled();
        }
    }
    bool finishRequested() override { return finishAfterBlocks >= 0 && blocks >= finishAfterBlocks; }
    void progress(const RunProgress&) override { ++blocks; }
    void iterateDone(Iterate iterate) override { iterates.push_back(std::move(iterate)); }
};

/// Copies checkpoint and journal away, as a program leaves them that is killed after an iterate.
class KillAfter : public Listener {
  public:
    KillAfter(int iteration, std::string checkpoint, std::string left)
        : iteration_(iteration), checkpoint_(std::move(checkpoint)), left_(std::move(left)) {}
    void iterateDone(Iterate iterate) override {
        if (iterate.iteration == iteration_) {
            std::filesystem::copy_file(checkpoint_, left_);
            std::filesystem::copy_file(journalOf(checkpoint_), journalOf(left_));
        }
        Listener::iterateDone(std::move(iterate));
    }

  private:
    int iteration_;
    std::string checkpoint_;
    std::string left_;
};

/// The bytes of the first record of a journal.
QByteArray firstRecord(const QByteArray& journal) {
    std::array<std::uint64_t, 4> head{};  // mark, bytes of text, bytes of values, hash
    std::memcpy(head.data(), journal.constData(), sizeof(head));
    return journal.left(static_cast<qsizetype>(sizeof(head) + head[1] + head[2]));
}

RunSettings settingsFor(const std::string& engine, int iterations) {
    RunSettings settings;
    settings.set("engine", engine);
    settings.set("kernel", "invariant");
    settings.set("relaxation", "0.5");
    settings.set("iterations", std::to_string(iterations));
    return settings;
}

/// The cpu engine; counts its spaces, and can refuse the next projector as a full device would.
class CountingEngine : public Engine {
  public:
    explicit CountingEngine(std::shared_ptr<const Engine> cpu) : cpu_(std::move(cpu)) {}
    mutable int spaces = 0;
    mutable bool refuseNext = false;

    [[nodiscard]] std::string name() const override { return "counting"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return cpu_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        ++spaces;
        return cpu_->makeSpace(options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        if (std::exchange(refuseNext, false)) {
            throw Unavailable("the tables do not fit");
        }
        return cpu_->makeProjector(model, std::move(space), options);
    }

  private:
    std::shared_ptr<const Engine> cpu_;
};

/// The cpu engine under another name, with another estimate.
class EstimatingEngine : public CountingEngine {
  public:
    EstimatingEngine(std::string name, double ms)
        : CountingEngine(makeCpuEngine()), name_(std::move(name)), ms_(ms) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] double projectionEstimate_ms(const SystemModel&, const EngineOptions&) const override {
        return ms_;
    }

  private:
    std::string name_;
    double ms_;
};

RoiSet rois() {
    Roi uniform;
    uniform.name = "uniform";
    uniform.role = Roi::Role::Uniform;
    uniform.radius_mm = 16;
    return {{uniform}, 0};
}

}  // namespace

class ReconstructTest : public QObject {
    Q_OBJECT

    EngineRegistry engines_ = makeEngineRegistry();
    std::shared_ptr<HistoData> data_ = smallData(KernelSpec::preset("invariant"));
    std::shared_ptr<const Measurement> measured_ = std::make_shared<HistoMeasurement>(data_);

    ReconstructResult run(const RunSettings& settings, ReconstructRequest request, Listener& listener) {
        request.data = measured_;
        request.settings = settings;
        request.rois = rois();
        return reconstruct(request, engines_, listener);
    }

  private slots:
    /// What is told and kept of an iterate must not grow with those before it.
    void thousandsOfIteratesAreLinearInTime() {
        constexpr int kIterations = 3000;
        constexpr int kPart = 300;
        class Stopwatch : public Listener {
          public:
            std::vector<std::clock_t> at;  ///< processor time of this program, however busy the machine is
            void iterateDone(Iterate) override { at.push_back(std::clock()); }
        };
        auto tiny = std::make_shared<HistoData>();
        tiny->lattice = Lattice::centred({6, 6, 2}, {4, 4, 4});
        tiny->views = {View{0, 0}};
        tiny->counts.assign(tiny->voxels(), 1.0F);
        RoiSet many = rois();
        for (int i = 1; i < 24; ++i) {
            many.rois.push_back(many.rois.front());
        }
        QTemporaryDir folder;
        RunSettings settings = settingsFor("cpu", kIterations);
        settings.set("threads", "1");
        RunFiles files{folder.filePath("run.h5").toStdString()};
        files.saveEvery = kIterations;
        Stopwatch watch;

        static_cast<void>(
            reconstruct({std::make_shared<HistoMeasurement>(tiny), settings, files, many}, engines_, watch));

        QCOMPARE(static_cast<int>(watch.at.size()), kIterations);
        const auto first = static_cast<double>(watch.at[kPart] - watch.at[0]);
        const auto last = static_cast<double>(watch.at[kIterations - 1] - watch.at[kIterations - 1 - kPart]);
        QVERIFY2(last < 3 * first, qPrintable(QString("%1 at first, %2 at last").arg(first).arg(last)));
        QVERIFY(readRunSummary(files.runFile).metricsJson.find("\"iteration\":3000") != std::string::npos);
    }

    void autoTakesTheEngineThatIsFasterForTheKernel() {
        EngineRegistry registry;
        registry.add(
            "cpu", [] { return std::make_shared<EstimatingEngine>("cpu", 300); }, 1);
        registry.add(
            "fftw", [] { return std::make_shared<EstimatingEngine>("fftw", 30); }, 1);
        Listener listener;
        const auto engineOf = [&](const char* name) {
            return reconstruct({measured_, settingsFor(name, 1)}, registry, listener).engine;
        };

        QVERIFY(engineOf("auto").starts_with("fftw"));
        QVERIFY(engineOf("cpu").starts_with("cpu"));
    }

    void reconstructionApproachesTheImageItWasMadeFrom_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("iterations");
        QTest::newRow("ramla") << "ramla" << 40;
        QTest::newRow("osem") << "osem" << 60;
        QTest::newRow("mlem") << "mlem" << 400;
    }
    void reconstructionApproachesTheImageItWasMadeFrom() {
        QFETCH(QString, algorithm);
        QFETCH(int, iterations);
        RunSettings settings = settingsFor("cpu", iterations);
        settings.set("algorithm", algorithm.toStdString());
        Listener listener;

        const auto result = run(settings, {}, listener);

        // Noise-free, consistent data: the expected counts converge to the data, the image to the truth where
        // the 5.8 mm kernel is narrower than the 8 mm voxels. A uniform image is off by 60 - 13 at the blobs.
        const Volume truth = smallImage();
        double worst = 0;
        for (std::size_t i = 0; i < truth.data.size(); ++i) {
            worst = std::max(worst, std::abs(static_cast<double>(result.image->data[i] - truth.data[i])));
        }
        QVERIFY2(worst < 3, qPrintable(QString::number(worst)));
        QCOMPARE(result.lastIteration, iterations);
    }

    void dataStayPlacedBetweenRuns() {
        const auto engine = std::make_shared<CountingEngine>(engines_.require("cpu"));
        EngineRegistry engines;
        engines.add("cpu", [engine] { return engine; });
        const auto hold = std::make_shared<DataHold>();
        const auto imageOf = [&](const std::shared_ptr<const Measurement>& data, const std::string& kernel,
                                 const std::shared_ptr<DataHold>& placed) {
            RunSettings settings = settingsFor("cpu", 2);
            settings.set("kernel", kernel);
            ReconstructRequest request{data, settings, {}, rois()};
            request.placedData = placed;
            Listener listener;
            return reconstruct(request, engines, listener).image->data;
        };
        static_cast<void>(imageOf(measured_, "invariant", hold));

        // Another kernel finds the data where they are.
        const auto kept = imageOf(measured_, "variant1", hold);
        QCOMPARE(engine->spaces, 1);
        QVERIFY(kept == imageOf(measured_, "variant1", nullptr));
        QCOMPARE(engine->spaces, 2);

        // A cancelled job leaves them there, too.
        Listener cancelled;
        cancelled.cancelAfterBlocks = 3;
        ReconstructRequest request{measured_, settingsFor("cpu", 2), {}, rois()};
        request.placedData = hold;
        QVERIFY_THROWS_EXCEPTION(Cancelled, static_cast<void>(reconstruct(request, engines, cancelled)));
        QVERIFY(kept == imageOf(measured_, "variant1", hold));
        QCOMPARE(engine->spaces, 2);

        // Tables that do not fit beside them push them out.
        engine->refuseNext = true;
        QVERIFY(kept == imageOf(measured_, "variant1", hold));
        QCOMPARE(engine->spaces, 3);

        // Other data, and data after clear(), are placed anew.
        QVERIFY(kept == imageOf(std::make_shared<HistoMeasurement>(*data_), "variant1", hold));
        QCOMPARE(engine->spaces, 4);
        hold->clear();
        QVERIFY(kept == imageOf(measured_, "variant1", hold));
        QCOMPARE(engine->spaces, 5);
    }

    void clearedDataOnLoanAreNotKept() {
        DataHold hold;
        const auto space = engines_.require("cpu")->makeSpace({});
        DataHold::Loan loan = hold.borrow("key");
        loan.data.space = space;

        hold.clear();
        hold.giveBack("key", loan);

        QVERIFY(hold.borrow("key").data.space == nullptr);
        hold.giveBack("key", {{space, 0, nullptr}, 1});
        QVERIFY(hold.borrow("another").data.space == nullptr);
        QVERIFY(hold.borrow("key").data.space == nullptr);
    }

    void enginesAgree() {
        const auto fftw = engines_.find("fftw");
        if (const auto* why = std::get_if<Unsupported>(&fftw)) {
            QSKIP(why->why.c_str());
        }
        Listener a;
        Listener b;
        const auto cpu = run(settingsFor("cpu", 3), {}, a);
        const auto fourier = run(settingsFor("fftw", 3), {}, b);

        double worst = 0;
        float largest = 0;
        for (std::size_t i = 0; i < cpu.image->data.size(); ++i) {
            worst =
                std::max(worst, std::abs(static_cast<double>(cpu.image->data[i] - fourier.image->data[i])));
            largest = std::max(largest, cpu.image->data[i]);
        }
        QVERIFY(worst < 1e-4 * static_cast<double>(largest));
    }

    void runFileHoldsIteratesMetricsAndTiming() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files.runFile = folder.filePath("run.h5").toStdString();
        request.files.saveEvery = 2;
        Listener listener;

        const auto result = run(settingsFor("cpu", 5), request, listener);

        const RunSummary summary = readRunSummary(request.files.runFile);
        QCOMPARE(summary.savedImages, (std::vector<int>{2, 4, 5}));
        QCOMPARE(summary.iterates.size(), std::size_t{5});
        QVERIFY(summary.metricsJson.find("\"noise\"") != std::string::npos);
        QCOMPARE(readIterate(request.files.runFile, 4).data, listener.iterates[3].image->data);
        QCOMPARE(readVolume(request.files.runFile).data, result.image->data);
        QCOMPARE(listener.merits.size(), std::size_t{5});
        QVERIFY(summary.settingsJson.find("\"relaxation\":0.5") != std::string::npos);
    }

    void resumedRunEqualsAnUninterruptedOne() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files.runFile = folder.filePath("run.h5").toStdString();
        request.files.checkpointFile = folder.filePath("run.ckpt").toStdString();
        Listener whole;
        const auto expected = run(settingsFor("cpu", 4), {}, whole);
        Listener interrupted;
        interrupted.cancelAfterBlocks = 18 * 2 + 5;  // in the third iteration

        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 4), request, interrupted), Cancelled);
        QVERIFY(!std::filesystem::exists(request.files.runFile));
        QVERIFY(std::filesystem::exists(request.files.checkpointFile));
        request.from = request.files.checkpointFile;
        Listener resumed;
        const auto result = run(settingsFor("cpu", 4), request, resumed);

        QCOMPARE(resumed.iterates.front().iteration, 3);
        QCOMPARE(result.image->data, expected.image->data);  // every bit
        const RunSummary summary = readRunSummary(request.files.runFile);
        QCOMPARE(summary.savedImages, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(summary.iterates.size(), std::size_t{4});
        QCOMPARE(QString::fromStdString(summary.metricsJson).count("\"iteration\""), 4);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path().toStdString()), {}),
                 std::ptrdiff_t{1});  // no checkpoint or part left
    }

    /// A program that is killed leaves what is on the disk at that moment, here after every iterate; what it
    /// was writing then is damaged at its end.
    void aKilledRunKeepsWhatWasKept_data() {
        QTest::addColumn<int>("after");
        QTest::addColumn<QByteArray>("behind");
        for (const int after : {1, 3, 4, 5}) {
            QTest::addRow("after %d", after) << after << QByteArray();
        }
        QTest::newRow("within a record") << 3 << QByteArray("cut");
        QTest::newRow("with a record that is damaged") << 3 << QByteArray("flipped");
        QTest::newRow("with bytes of something else") << 3 << QByteArray(4096, 'x');
    }
    void aKilledRunKeepsWhatWasKept() {
        QFETCH(const int, after);
        QFETCH(const QByteArray, behind);
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        ReconstructRequest request;
        request.files = {path("run.h5"), path("run.ckpt"), std::chrono::milliseconds(0), 2};
        KillAfter killed(after, request.files.checkpointFile, path("left"));
        static_cast<void>(run(settingsFor("cpu", 6), request, killed));
        const RunSummary whole = readRunSummary(path("run.h5"));
        request.files.runFile = path("resumed.h5");
        request.files.checkpointFile = path("left");
        QFile journal(folder.filePath("left.kept"));
        QVERIFY(journal.open(QFile::ReadOnly));
        QByteArray first = firstRecord(journal.readAll());
        journal.close();
        first[first.size() - 1] = static_cast<char>(first[first.size() - 1] ^ 1);
        const QByteArray bytes = behind == "cut" ? first.chopped(5) : behind == "flipped" ? first : behind;
        QVERIFY(journal.open(QFile::Append) && journal.write(bytes) == bytes.size());
        journal.close();
        request.from = request.files.checkpointFile;
        Listener resumed;

        static_cast<void>(run(settingsFor("cpu", 6), request, resumed));

        QCOMPARE(resumed.iterates.front().iteration, after + 1);
        const RunSummary summary = readRunSummary(path("resumed.h5"));
        QCOMPARE(summary.savedImages, whole.savedImages);
        for (const int iteration : whole.savedImages) {
            QCOMPARE(readIterate(path("resumed.h5"), iteration).data,
                     readIterate(path("run.h5"), iteration).data);
        }
        QCOMPARE(summary.metricsJson, whole.metricsJson);
        QCOMPARE(summary.iterates.size(), whole.iterates.size());
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path().toStdString()), {}),
                 std::ptrdiff_t{2});
    }

    /// What the last checkpoint has already is not written again where the run ends.
    void anInterruptWritesNoCheckpointTwice() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        const auto inode = [&] {
            struct stat about = {};
            return ::stat(path("run.ckpt").c_str(), &about) == 0 ? about.st_ino : 0;
        };
        class Stopper : public Listener {
          public:
            explicit Stopper(std::function<ino_t()> inode) : inode_(std::move(inode)) {}
            ino_t saved = 0;
            void iterateDone(Iterate iterate) override {
                saved = inode_();
                cancelAfterBlocks = iterate.iteration == 2 ? 0 : -1;
                Listener::iterateDone(std::move(iterate));
            }

          private:
            std::function<ino_t()> inode_;
        };
        for (const bool atOnce : {true, false}) {
            ReconstructRequest request;
            const auto every = atOnce ? std::chrono::milliseconds(0) : std::chrono::hours(1);
            request.files = {path("run.h5"), path("run.ckpt"), every, 1};
            Stopper stopper(inode);
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(run(settingsFor("cpu", 6), request, stopper)),
                                     Cancelled);
            QVERIFY(inode() != 0);
            QCOMPARE(inode() == stopper.saved, atOnce);
            QCOMPARE(readCheckpoint(path("run.ckpt")).iteration, 2);
            QVERIFY(QFile::remove(folder.filePath("run.ckpt")));
        }
    }

    /// A run of two iterations goes on to six, is killed after the fourth, and goes on again.
    void aContinuedRunThatIsKilledKeepsAll() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        ReconstructRequest request;
        request.files = {path("run.h5"), path("run.ckpt"), std::chrono::milliseconds(0), 1};
        Listener listener;
        static_cast<void>(run(settingsFor("cpu", 6), request, listener));
        const RunSummary whole = readRunSummary(path("run.h5"));
        static_cast<void>(run(settingsFor("cpu", 2), request, listener));
        request.from = path("run.h5");
        request.files = {path("longer.h5"), path("longer.ckpt"), std::chrono::milliseconds(0), 1};
        prepareToResume(*request.from, request.files);
        std::filesystem::copy_file(path("longer.h5.suspended"), path("left.h5.suspended"));
        KillAfter killed(4, request.files.checkpointFile, path("left.ckpt"));
        static_cast<void>(run(settingsFor("cpu", 6), request, killed));
        request.files = {path("left.h5"), path("left.ckpt"), std::chrono::milliseconds(0), 1};
        request.from = path("left.ckpt");
        Listener resumed;

        static_cast<void>(run(settingsFor("cpu", 6), request, resumed));

        QCOMPARE(resumed.iterates.front().iteration, 5);
        const RunSummary summary = readRunSummary(path("left.h5"));
        QCOMPARE(summary.savedImages, whole.savedImages);
        QCOMPARE(summary.metricsJson, whole.metricsJson);
        QCOMPARE(summary.iterates.size(), whole.iterates.size());
    }

    /// Where a continued run has no room for its first checkpoint, nothing of its beginning stays.
    void whatCannotBeResumedLeavesNothing() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        ReconstructRequest request;
        request.files = {path("run.h5"), path("run.ckpt"), std::chrono::milliseconds(0), 1};
        Listener listener;
        static_cast<void>(run(settingsFor("cpu", 2), request, listener));
        const RunFiles nowhere{path("longer.h5"), path("missing/longer.ckpt")};

        QVERIFY_THROWS_EXCEPTION(CannotWrite, prepareToResume(path("run.h5"), nowhere));

        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"run.h5"});
    }

    /// The figures of the last iterate are a text, whose digits differ; another iterate would take more.
    void aCheckpointDoesNotGrow() {
        constexpr std::uintmax_t kIterate = (kStages + 1) * sizeof(double) + sizeof(std::int32_t);
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files = {folder.filePath("run.h5").toStdString(), folder.filePath("run.ckpt").toStdString(),
                         std::chrono::milliseconds(0), 100};
        std::vector<std::uintmax_t> sizes;
        for (const int after : {1, 20}) {
            const std::string left = folder.filePath(QString("left%1").arg(after)).toStdString();
            KillAfter killed(after, request.files.checkpointFile, left);
            static_cast<void>(run(settingsFor("cpu", 20), request, killed));
            sizes.push_back(std::filesystem::file_size(left));
        }
        QVERIFY(std::max(sizes[0], sizes[1]) - std::min(sizes[0], sizes[1]) < kIterate);
    }

    void cancelInAResumedRunKeepsTheCheckpoint() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files.runFile = folder.filePath("run.h5").toStdString();
        request.files.checkpointFile = folder.filePath("run.ckpt").toStdString();
        Listener first;
        first.cancelAfterBlocks = 20;
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 4), request, first), Cancelled);
        request.from = request.files.checkpointFile;
        Listener second;
        second.cancelAfterBlocks = 3;
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 4), request, second), Cancelled);

        QCOMPARE(readCheckpoint(request.files.checkpointFile).iteration, 1);
    }

    void resumeRefusesOtherDataAndSettings() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files.checkpointFile = folder.filePath("run.ckpt").toStdString();
        request.from = request.files.checkpointFile;
        Listener listener;
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 2), request, listener),
                                 BadInput);  // nothing to resume
        request.from.reset();
        listener.cancelAfterBlocks = 20;
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 2), request, listener), Cancelled);
        request.from = request.files.checkpointFile;
        RunSettings other = settingsFor("cpu", 2);
        other.set("relaxation", "0.4");

        QVERIFY_EXCEPTION_THROWN(run(other, request, listener), BadInput);
        data_->hash = "other";
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 2), request, listener), BadInput);
        data_->hash = "small";
    }

    void finishNowKeepsAWholeRun() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.files.runFile = folder.filePath("run.h5").toStdString();
        Listener listener;
        listener.finishAfterBlocks = 18 * 2 + 3;

        const auto result = run(settingsFor("cpu", 9), request, listener);

        QVERIFY(result.finishedEarly);
        QCOMPARE(result.lastIteration, 2);
        QCOMPARE(readVolume(request.files.runFile).data, listener.iterates[1].image->data);
    }

    void startImageIsTaken() {
        QTemporaryDir folder;
        ReconstructRequest request;
        request.startFile = folder.filePath("start.h5").toStdString();
        Volume start(data_->lattice, 3.0F);
        writeVolume(request.startFile, start);
        Listener listener;
        const auto started = run(settingsFor("cpu", 1), request, listener);
        const auto uniform = run(settingsFor("cpu", 1), {}, listener);
        QVERIFY(started.image->data != uniform.image->data);
        writeVolume(request.startFile, Volume(Lattice::centred({4, 4, 4}, {1, 1, 1}), 1.0F));
        QVERIFY_EXCEPTION_THROWN(run(settingsFor("cpu", 1), request, listener), BadInput);
    }

    void memoryLimitIsRefusedWithTheNumbers() {
        RunSettings settings = settingsFor("cpu", 1);
        settings.set("memory-limit", "0.00001");
        Listener listener;
        QVERIFY_EXCEPTION_THROWN(run(settings, {}, listener), Unavailable);
    }
};

QTEST_GUILESS_MAIN(ReconstructTest)

}  // namespace reconstruct_test
#include "reconstruct_test.moc"
