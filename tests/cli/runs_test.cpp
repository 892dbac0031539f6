// SPDX-License-Identifier: Apache-2.0
// Runs of a study by tofscope-cli: made, listed, renamed, duplicated, deleted, continued, killed and resumed.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "recon/core/constants.h"
#include "recon/data/histo_data.h"
#include "recon/io/data_io.h"
#include "recon/io/run_io.h"
#include "recon/io/volume_io.h"
#include "recon/run/study.h"
#include "tests/cli/cli_process.h"

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

  private:
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
#include "runs_test.moc"
