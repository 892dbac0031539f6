// SPDX-License-Identifier: Apache-2.0
// Runs of a study by tofscope-cli: made, listed, renamed, duplicated, deleted, continued, killed and resumed.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "recon/base/constants.h"
#include "recon/data/histo_data.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/work/resume.h"
#include "tests/cli/cli_process.h"

namespace runs_test {

using namespace tof;
using tof::test::cli;
using tof::test::Said;

class RunsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        HistoData data;
        data.lattice = Lattice::centred({48, 48, 8}, {4, 4, 4});
        data.views = ViewGrid(8, 1, 10 * kRadPerDeg).views();
        data.counts.resize(data.voxels() * data.views.size());
        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            data.counts[i] = static_cast<float>((i * 2654435761U) % 7);
        }
        writeData(file("data.h5").toStdString(), data);
    }

    void init() {
        study_ = file(QString("s%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(study_.toStdString(), file("data.h5").toStdString()));
    }

    void aStudyGetsItsRunsByLetterAndOneLikeAnother() {
        QCOMPARE(reconstruct({"--iterations", "2", "--relaxation", "0.5"}).code, 0);
        const Said like = reconstruct({"--like", "A", "--iterations", "3"});
        QVERIFY2(like.code == 0, like.all());

        const Said listed = cli({"runs", study_, "--json"});

        const QJsonArray runs = listed.json()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].toObject()["run"].toString(), QString("A"));
        QCOMPARE(runs[0].toObject()["iterations"].toInt(), 2);
        QCOMPARE(runs[1].toObject()["iterations"].toInt(), 3);
        QVERIFY(runs[1].toObject()["engine"].toString().startsWith("cpu"));
        const Said settings = cli({"runs", study_, "--settings", "B"});
        QCOMPARE(settings.json()["relaxation"].toDouble(), 0.5);
        QCOMPARE(settings.json()["iterations"].toInt(), 3);
        QVERIFY(cli({"runs", study_}).out.contains("2 of 2"));
    }

    void renamingAndDeletingAreOfOneRunOnly() {
        QCOMPARE(reconstruct({"--iterations", "1"}).code, 0);
        QCOMPARE(reconstruct({"--iterations", "1"}).code, 0);

        QCOMPARE(cli({"runs", study_, "--rename", "A=my kernel"}).code, 0);
        QCOMPARE(cli({"runs", study_, "--delete", "B"}).code, 0);

        const QJsonArray runs = cli({"runs", study_, "--json"}).json()["runs"].toArray();
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0].toObject()["name"].toString(), QString("my kernel"));
        QCOMPARE(Study::open(study_.toStdString()).givenName("A"), std::string("my kernel"));
        QVERIFY(!QFile::exists(study_ + "/runs/B.h5"));
    }

    void runsThatAreNotThereAreNamed() {
        for (const QStringList& words :
             {QStringList{"--delete", "Q"}, QStringList{"--rename", "Q=x"}, QStringList{"--settings", "Q"}}) {
            const Said said = cli(QStringList{"runs", study_} + words);
            QCOMPARE(said.code, 3);
            QVERIFY2(said.err.contains("no run 'Q'"), said.all());
        }
        QCOMPARE(cli({"runs", study_, "--rename", "A"}).code, 2);
    }

    void aNameThatLeadsOutOfTheStudyDeletesNothing() {
        QVERIFY(QFile::copy(file("data.h5"), file("x.h5")) || QFile::exists(file("x.h5")));

        const Said said = cli({"runs", study_, "--delete", "../../x"});

        QCOMPARE(said.code, 3);
        QVERIFY2(said.err.contains("no run can be called '../../x'"), said.all());
        QVERIFY(QFile::exists(file("x.h5")));
    }

    void twoRunsThatBeginTogetherAreAAndB() {
        for (int round = 0; round < 4; ++round) {
            init();
            QProcess first;
            QProcess second;
            const QStringList words{"reconstruct", study_, "--engine",     "cpu",
                                    "--threads",   "1",    "--iterations", "2"};
            first.start(test::kProgram, words);
            second.start(test::kProgram, words);
            const Said one = test::finish(first);
            const Said other = test::finish(second);
            QVERIFY2(one.code == 0 && other.code == 0, (one.all() + other.all()));
            QCOMPARE(QDir(study_ + "/runs").entryList(QDir::Files | QDir::Hidden),
                     (QStringList{"A.h5", "B.h5"}));
        }
    }

    void anEndedRunIsContinuedToTheBitsOfALongerOne() {
        QCOMPARE(reconstruct({"--iterations", "5"}).code, 0);
        QCOMPARE(reconstruct({"--iterations", "2"}).code, 0);

        const Said more = reconstruct({"--out", "B", "--resume", "--iterations", "5"});

        QVERIFY2(more.code == 0, more.all());
        QVERIFY(image("B").data == image("A").data);
        QCOMPARE(readRunSummary((study_ + "/runs/B.h5").toStdString()).iterates.size(), std::size_t{5});
    }

    /// No signal that a program can handle: what is on disk at that moment is all there is.
    void aKilledRunIsResumedToTheSameBits() {
        QProcess process;
        process.start(test::kProgram, {"reconstruct", study_, "--engine", "cpu", "--threads", "1",
                                       "--iterations", "9000", "--save-every", "9000"});
        const std::string checkpoint = (study_ + "/runs/A.ckpt").toStdString();
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(QString::fromStdString(checkpoint)); }, 60000));
        process.kill();
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        const int reached = readCheckpoint(checkpoint).iteration;
        QVERIFY(reached >= 1);
        const QJsonArray runs = cli({"runs", study_, "--json"}).json()["runs"].toArray();
        QCOMPARE(runs[0].toObject()["state"].toString(), QString("interrupted"));
        const QString total = QString::number(reached + 3);

        const Said resumed = reconstruct({"--resume", "--iterations", total});

        QVERIFY2(resumed.code == 0, resumed.all());
        QCOMPARE(reconstruct({"--iterations", total, "--threads", "1", "--save-every", "9000"}).code, 0);
        QVERIFY(image("A").data == image("B").data);
        const RunSummary summary = readRunSummary((study_ + "/runs/A.h5").toStdString());
        QCOMPARE(static_cast<int>(summary.iterates.size()), reached + 3);
        QCOMPARE(QDir(study_ + "/runs").entryList(QDir::Files), (QStringList{"A.h5", "B.h5"}));
    }

    void theQueueIsListedRenamedDeletedAndMade() {
        QCOMPARE(reconstruct({"--iterations", "2"}).code, 0);
        queue({{"A", 5, true}, {"C", 2, false}, {"B", 3, false}, {"D", 1, false}});

        const QJsonArray runs = cli({"runs", study_, "--json"}).json()["runs"].toArray();
        QCOMPARE(runs.size(), 4);
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(runs[i].toObject()["state"].toString(), QString("queued"));
            QCOMPARE(runs[i].toObject()["place"].toInt(), (QList{1, 3, 2, 4})[i]);
        }
        QCOMPARE(runs[0].toObject()["iterations"].toInt(), 2);
        QCOMPARE(runs[0].toObject()["of"].toInt(), 5);
        QVERIFY(cli({"runs", study_}).out.contains("queued, number 3"));
        QCOMPARE(cli({"runs", study_, "--settings", "B"}).json()["iterations"].toInt(), 3);
        QCOMPARE(cli({"runs", study_, "--rename", "B=later"}).code, 0);
        QCOMPARE(cli({"runs", study_, "--delete", "D"}).code, 0);

        const Said made = reconstruct({"--queued", "--json"});

        QVERIFY2(made.code == 0, made.all());
        const QJsonArray forms = made.json()["runs"].toArray();
        QCOMPARE(forms.size(), 3);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(
                forms[i].toObject()["output"].toString().endsWith(QStringList{"A.h5", "C.h5", "B.h5"}[i]));
            QCOMPARE(forms[i].toObject()["iterations"].toInt(), (QList{5, 2, 3})[i]);
        }
        QCOMPARE(QDir(study_ + "/runs").entryList(QDir::Files), (QStringList{"A.h5", "B.h5", "C.h5"}));
        QCOMPARE(reconstruct({"--iterations", "5"}).code, 0);  // letter D is free again
        QVERIFY(image("A").data == image("D").data);
        QVERIFY(cli({"runs", study_}).out.contains("later"));
        QVERIFY(reconstruct({"--queued"}).out.contains("no run waits"));
    }

    void aRunOfTheQueueThatFailsStaysThere() {
        queue({{"A", 1, false}, {"B", 1, false}}, "fftw", "variant1");
        Study study = Study::open(study_.toStdString());
        study.queue[0].settings.set("spectrum", "analytic");  // there is none of a variant kernel
        study.queue[1].settings.set("engine", "cpu");
        study.save();

        const Said said = cli({"reconstruct", study_, "--queued"});

        QVERIFY2(said.code == 4 || said.code == 2, said.all());
        QVERIFY2(said.err.contains("run A: "), said.all());
        const QJsonArray runs = cli({"runs", study_, "--json"}).json()["runs"].toArray();
        QCOMPARE(runs[0].toObject()["state"].toString(), QString("queued"));
        QCOMPARE(runs[1].toObject()["state"].toString(), QString("done"));
        QCOMPARE(cli({"reconstruct", study_, "--queued", "--engine", "cpu"}).code, 0);
        QVERIFY(Study::open(study_.toStdString()).queue.empty());
    }

    void aKernelThatIsGoneIsToldBeforeTheDataAreRead() {
        queue({{"A", 1, false}}, "cpu", "gone.json");
        QVERIFY(QFile::remove(study_ + "/data.h5"));
        QFile garbage(study_ + "/data.h5");
        QVERIFY(garbage.open(QIODevice::WriteOnly) && garbage.write(QByteArray(5000, 'x')) == 5000);
        garbage.close();

        const Said said = cli({"reconstruct", study_, "--queued"});

        QCOMPARE(said.code, 2);
        QVERIFY2(said.err.contains("run A: no kernel preset or file 'gone.json'"), said.all());
    }

    void aNewRunLeavesTheLettersOfTheQueueAlone() {
        queue({{"A", 1, false}});

        QCOMPARE(reconstruct({"--iterations", "1"}).code, 0);

        QVERIFY(QFile::exists(study_ + "/runs/B.h5"));
        QVERIFY(!QFile::exists(study_ + "/runs/A.h5"));
        QCOMPARE(reconstruct({"--queued", "--out", "C"}).code, 2);
    }

    void aQueueThatPointsOutOfTheStudyIsRefused() {
        queue({{"A", 1, false}});
        QFile file(study_ + "/study.json");
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray text = file.readAll().replace("\"run\": \"A\"", "\"run\": \"../../A\"");
        file.resize(0);
        file.write(text);
        file.close();

        const Said said = cli({"runs", study_});

        QCOMPARE(said.code, 3);
        QVERIFY2(said.err.contains("queue"), said.all());
    }

    /// A killed continuation has gone beyond the run that it began with.
    void aCheckpointBeyondItsRunIsInterrupted() {
        QCOMPARE(reconstruct({"--iterations", "2"}).code, 0);
        const std::string run = (study_ + "/runs/A.h5").toStdString();
        RunFiles files;
        files.runFile = run;
        files.checkpointFile = (study_ + "/runs/A.ckpt").toStdString();
        prepareToResume(run, files);
        QCOMPARE(stateOf("A"), QString("done"));  // not a step further
        Checkpoint checkpoint = readCheckpoint(files.checkpointFile);
        checkpoint.iteration = 3;
        checkpoint.history.push_back({3, {}, 0.1});
        writeCheckpoint(files.checkpointFile, checkpoint);

        QCOMPARE(stateOf("A"), QString("interrupted"));
    }

    void twoProgramsDoNotWriteOneStudy() {
        QCOMPARE(reconstruct({"--iterations", "1"}).code, 0);
        const auto refused = [&](const QStringList& words) {
            const Said said = cli(words);
            QVERIFY2(said.code == 5, said.all());
            QVERIFY2(test::isOneSentence(said) && said.err.contains("is open in"), said.all());
        };
        {
            const StudyLock lock(study_.toStdString(), StudyLock::Use::Writes);
            refused({"runs", study_, "--rename", "A=x"});
            refused({"runs", study_, "--delete", "A"});
            refused({"reconstruct", study_, "--engine", "cpu", "--iterations", "1"});
            const Said named = cli({"runs", study_, "--rename", "A=x"});
            QVERIFY2(named.err.contains(QString::number(QCoreApplication::applicationPid())), named.all());
            QCOMPARE(cli({"runs", study_}).code, 0);  // to look is free
        }
        {
            const StudyLock lock(study_.toStdString(), StudyLock::Use::AddsRuns);
            QCOMPARE(reconstruct({"--iterations", "1"}).code, 0);
            refused({"runs", study_, "--rename", "A=x"});
        }
        QCOMPARE(cli({"runs", study_, "--rename", "A=x"}).code, 0);
        QCOMPARE(QDir(study_).entryList(QDir::Files | QDir::Hidden), (QStringList{"data.h5", "study.json"}));
    }

    void theLockOfAKilledProgramHoldsNobodyUp() {
        QProcess process;
        process.start(test::kProgram, {"reconstruct", study_, "--engine", "cpu", "--iterations", "9000"});
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(study_ + "/.lock"); }, 60000));
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY(QFile::exists(study_ + "/.lock"));

        const StudyLock lock(study_.toStdString(), StudyLock::Use::Writes);
    }

  private:
    struct Waiting {
        const char* run;
        int iterations;
        bool continues;
    };
    /// Puts runs into the queue of the study.
    void queue(const std::vector<Waiting>& runs, const char* engine = "cpu",
               const char* kernel = "variant1") {
        Study study = Study::open(study_.toStdString());
        for (const Waiting& each : runs) {
            RunSettings settings;
            settings.set("engine", engine);
            settings.set("kernel", kernel);
            settings.set("iterations", std::to_string(each.iterations));
            study.queue.push_back({each.run, settings, each.continues});
        }
        study.save();
    }
    [[nodiscard]] QString stateOf(const QString& run) const {
        for (const QJsonValue& row : cli({"runs", study_, "--json"}).json()["runs"].toArray()) {
            if (row.toObject()["run"] == run) {
                return row.toObject()["state"].toString();
            }
        }
        return {};
    }
    [[nodiscard]] QString file(const QString& name) const { return folder_.filePath(name); }
    Said reconstruct(const QStringList& options) {
        return cli(QStringList{"reconstruct", study_, "--engine", "cpu"} + options);
    }
    Volume image(const QString& run) { return readVolume((study_ + "/runs/" + run + ".h5").toStdString()); }

    QTemporaryDir folder_;
    QString study_;
    int studies_ = 0;
};

QTEST_GUILESS_MAIN(RunsTest)

}  // namespace runs_test
#include "runs_test.moc"
