// SPDX-License-Identifier: Apache-2.0
// What a study keeps in study.json, what of it is refused, and its runs by name.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <filesystem>
#include <latch>
#include <thread>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "tests/support/refusal.h"

namespace study_file_test {

using namespace tof;
using tof::test::refusal;
using tof::test::saidBy;

namespace fs = std::filesystem;

namespace {

std::shared_ptr<const Volume> image() {
    return std::make_shared<const Volume>(Lattice::centred({2, 2, 2}, {4, 4, 4}), 1.0F);
}

void writeRun(const std::string& path, int iteration) {
    RunWriter run(path, image()->lattice, "{}", "", "");
    run.addIterate({iteration, {}, 1}, image(), KeepImage::Yes);
    run.finish();
}

void writeCheckpointAt(const std::string& path, int iteration) {
    Checkpoint checkpoint;
    checkpoint.settingsJson = "{}";
    checkpoint.iteration = iteration;
    checkpoint.image = image();
    checkpoint.history = {{iteration, {}, 1}};
    writeCheckpoint(path, checkpoint);
}

}  // namespace

class StudyFileTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        writeTextAside(path("data.h5"), "data");
        static_cast<void>(Study::create(path("s.tofstudy"), path("data.h5")));
    }

    void allOfAStudyComesBack() {
        Study study = Study::open(path("s.tofstudy"));
        study.settings.iterations = 7;
        study.rois.trueRatio = 4.5;
        study.viewJson = R"({"runs":{"selected":"B"}})";
        study.queue = {{"C", study.settings, false}};
        study.save();

        const Study back = Study::open(path("s.tofstudy"));

        QCOMPARE(back.name(), std::string("s"));
        QCOMPARE(Study::open(path("s.tofstudy/")).name(), std::string("s"));
        QCOMPARE(back.settings.iterations, 7);
        QCOMPARE(back.rois.trueRatio, 4.5);
        QVERIFY(back.queue == study.queue);
        QCOMPARE(back.placeInQueue("C"), 0);
        QCOMPARE(back.placeInQueue("A"), -1);
        QCOMPARE(back.shownRun(), std::string("B"));
        QCOMPARE(back.nextRunName(), std::string("A"));
        QCOMPARE(back.nextRunName({"A", "B"}), std::string("D"));  // C waits
    }

    /// What has begun since it was written down does not wait any more, and what cannot go on does not.
    void theQueueIsOfRunsThatCanBegin() {
        Study study = Study::open(path("s.tofstudy"));
        study.queue = {{"A", {}, false}, {"B", {}, true}, {"C", {}, false}, {"D", {}, true}};
        study.save();
        writeRun(study.runFile("A"), 1);
        writeRun(study.runFile("B"), 1);

        const Study back = Study::open(path("s.tofstudy"));

        QCOMPARE(back.queue.size(), std::size_t{2});
        QCOMPARE(back.placeInQueue("B"), 0);
        QCOMPARE(back.placeInQueue("C"), 1);
        QCOMPARE(back.allRuns(), (std::vector<std::string>{"A", "B", "C"}));
    }

    void interruptedRunsGoBeyondTheirFiles() {
        const Study study = Study::open(path("s.tofstudy"));
        writeRun(study.runFile("A"), 5);
        writeCheckpointAt(study.checkpointFile("A"), 5);
        writeRun(study.runFile("B"), 5);
        writeCheckpointAt(study.checkpointFile("B"), 6);
        writeCheckpointAt(study.checkpointFile("C"), 1);
        writeTextAside(study.runFile("D"), "no run");
        writeCheckpointAt(study.checkpointFile("D"), 1);

        QCOMPARE(study.runs(), (std::vector<std::string>{"A", "B", "D"}));
        QCOMPARE(study.interruptedRuns(), (std::vector<std::string>{"B", "C"}));
        const QString said = refusal([&] { study.requireRun("E"); });
        QVERIFY2(said.contains("s.tofstudy: no run 'E'; there are A, B, C, D"), qPrintable(said));
    }

    void runsAreRenamedAndRemoved() {
        Study study = Study::open(path("s.tofstudy"));
        writeRun(study.runFile("A"), 1);
        study.queue = {{"B", {}, false}};
        QCOMPARE(study.givenName("A"), std::string());

        study.rename("A", "the first");
        study.rename("B", "the next");
        study.save();
        Study back = Study::open(path("s.tofstudy"));
        back.remove("B");
        back.remove("A");

        QCOMPARE(back.givenName("A"), std::string("the first"));
        QVERIFY(back.queue.empty() && back.runs().empty());
        QVERIFY(refusal([&] { back.rename("A", "x"); }).contains("no run 'A'; there are none"));
        QVERIFY(refusal([&] { back.remove("B"); }).contains("no run 'B'; there are none"));
    }

    void aRunIsRenamedWhateverTheWindowLeft_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"", "[]", "no JSON", R"({"runs":5})", R"({"runs":[]})",
                                 R"({"runs":{"each":"x"}})", R"({"runs":{"each":{"A":[1]}}})"}) {
            QTest::newRow(view) << view;
        }
    }
    void aRunIsRenamedWhateverTheWindowLeft() {
        QFETCH(QString, view);
        Study study = Study::open(path("s.tofstudy"));
        writeRun(study.runFile("A"), 1);
        study.viewJson = view.toStdString();
        QCOMPARE(study.givenName("A"), std::string());
        QCOMPARE(study.shownRun(), std::string());

        study.rename("A", "name");

        QCOMPARE(study.givenName("A"), std::string("name"));
    }

    void damagedStudiesAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no JSON") << "{"
                                 << "study.json: not valid JSON";
        QTest::newRow("newer") << R"({"version": 2})"
                               << "study.json: written by a newer version of Tofscope";
        QTest::newRow("no version") << "{}"
                                    << "study.json: field 'version' is missing";
        QTest::newRow("unknown") << R"({"version": 1, "veiw": {}})"
                                 << "field 'veiw', did you mean 'view'?";
        QTest::newRow("a ratio below 0") << R"({"version": 1, "true_ratio": -1})"
                                         << "'true_ratio' is -1";
        QTest::newRow("a queue of one") << R"({"version": 1, "queue": {}})"
                                        << "'queue' must be a list of runs";
        QTest::newRow("a queue elsewhere") << R"({"version": 1, "queue": [{"run": "../A", "settings": {}}]})"
                                           << "'queue' names a run '../A'; letters are needed";
        QTest::newRow("a queue of nothing") << R"({"version": 1, "queue": [{"run": "", "settings": {}}]})"
                                            << "'queue' names a run ''; letters are needed";
        QTest::newRow("a queue without settings") << R"({"version": 1, "queue": [{"run": "A"}]})"
                                                  << "queue: field 'settings' is missing";
    }
    void damagedStudiesAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        writeTextAside(path("s.tofstudy/study.json"), text.toStdString());

        const QString refused = refusal([&] { static_cast<void>(Study::open(path("s.tofstudy"))); });

        QVERIFY2(refused.contains(said), qPrintable(refused));
    }

    void aStudyIsMadeOnceAndNeedsItsData() {
        const QString again =
            refusal([&] { static_cast<void>(Study::create(path("s.tofstudy"), path("data.h5"))); });
        QVERIFY2(again.contains("s.tofstudy: exists already; choose another name"), qPrintable(again));
        const QString within = saidBy([&] { static_cast<void>(Study::begin(path("data.h5/s.tofstudy"))); });
        QVERIFY2(within.contains("data.h5/s.tofstudy: cannot be created ("), qPrintable(within));
        fs::remove(path("s.tofstudy/data.h5"));
        const QString bare = refusal([&] { static_cast<void>(Study::open(path("s.tofstudy"))); });
        QVERIFY2(bare.contains("s.tofstudy: the study has no data.h5; copy its data file back"),
                 qPrintable(bare));
        QCOMPARE(Study::open(path("s.tofstudy"), Study::Data::ComeLater).name(), std::string("s"));
    }

    void dataBesideAStudyAreMovedIntoIt() {
        fs::copy_file(path("data.h5"), path("passing.h5"));
        const Study study = Study::take(path("taken.tofstudy"), path("passing.h5"));

        QVERIFY(fs::exists(study.dataFile()) && !fs::exists(path("passing.h5")));
        QCOMPARE(Study::open(path("taken.tofstudy")).name(), std::string("taken"));
        const QString again =
            saidBy([&] { static_cast<void>(Study::take(path("taken.tofstudy"), path("data.h5"))); });
        QVERIFY2(again.contains("exists already"), qPrintable(again));
        QVERIFY(fs::exists(path("data.h5")));
        const QString none =
            saidBy([&] { static_cast<void>(Study::take(path("none.tofstudy"), path("nowhere.h5"))); });
        QVERIFY2(none.contains("nowhere.h5: cannot be moved to"), qPrintable(none));
        QVERIFY(!fs::exists(path("none.tofstudy")));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(Study::create(path("none.tofstudy"), path("data.h5"),
                                                                 [] { throw Cancelled(); })),
                                 Cancelled);
        QVERIFY(!fs::exists(path("none.tofstudy")));
    }

    /// Several that make a study of one name at once: one has it, and the others take nothing of it away.
    void oneOfSeveralMakesAStudy() {
        constexpr int kMakers = 4;
        for (int round = 0; round < 50; ++round) {
            const std::string folder = path("raced.tofstudy");
            std::atomic<int> made = 0;
            std::atomic<int> refused = 0;
            std::latch together(kMakers);
            {
                std::vector<std::jthread> makers;
                for (int i = 0; i < kMakers; ++i) {
                    makers.emplace_back([&] {
                        together.arrive_and_wait();
                        try {
                            static_cast<void>(Study::create(folder, path("data.h5")));
                            ++made;
                        } catch (const BadInput&) {
                            ++refused;
                        }
                    });
                }
            }
            QCOMPARE(made.load(), 1);
            QCOMPARE(refused.load(), kMakers - 1);
            QCOMPARE(Study::open(folder).name(), std::string("raced"));
            fs::remove_all(folder);
        }
    }

    void filesTellTheirRun() {
        for (const char* file : {"A.h5", "A.ckpt", "A.ckpt.kept", "A.h5.suspended", "A.h5.part"}) {
            QCOMPARE(Study::runOfFile(file), std::string("A"));
        }
        for (const char* file : {"A.txt", ".h5", "..h5", "a/b.h5", "", "h5"}) {
            QCOMPARE(Study::runOfFile(file), std::string());
        }
    }

    void oneProgramWritesAndSeveralAddRuns() {
        const std::string folder = path("s.tofstudy");
        {
            const StudyLock one(folder, StudyLock::Use::AddsRuns);
            const StudyLock two(folder, StudyLock::Use::AddsRuns);
            const QString said = saidBy([&] { const StudyLock third(folder, StudyLock::Use::Writes); });
            QVERIFY2(said.contains(
                         QString("s.tofstudy: the study is open in tests_recon_stu (process %1); close it")
                             .arg(QCoreApplication::applicationPid())),
                     qPrintable(said));
        }
        QVERIFY(!QFile::exists(QString::fromStdString(folder + "/.lock")));
        const StudyLock alone(folder, StudyLock::Use::Writes);
        QVERIFY(
            saidBy([&] { const StudyLock more(folder, StudyLock::Use::AddsRuns); }).contains("is open in"));
        const QString nowhere =
            saidBy([&] { const StudyLock none(path("nowhere"), StudyLock::Use::Writes); });
        QVERIFY2(nowhere.contains("nowhere: the study's folder cannot be written ("), qPrintable(nowhere));
    }

  private:
    [[nodiscard]] std::string path(const std::string& name) const {
        return folder_->filePath(QString::fromStdString(name)).toStdString();
    }
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(StudyFileTest)

}  // namespace study_file_test
#include "study_file_test.moc"
