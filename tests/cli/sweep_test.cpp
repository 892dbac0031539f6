// SPDX-License-Identifier: Apache-2.0
// Many runs of one file of settings, through the real program: made once, resumed, compared.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <filesystem>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/study/run_claim.h"
#include "recon/study/study.h"
#include "tests/cli/mpi_process.h"
#include "tests/support/small_data.h"

namespace sweep_test {

using namespace tof;
using namespace tof::test;

class SweepTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        writeData(path("data.h5").toStdString(), *smallData(KernelSpec::preset("variant1")));
    }

    void everyCombinationIsARunOfOneStudy() {
        write("two.json",
              R"({"data":"data.h5","settings":{"engine":"cpu","algorithm":"ramla"},)"
              R"("vary":{"kernel":["variant1","invariant"],"relaxation":[0.1,0.3],"iterations":[2,4]},)"
              R"("replicates":1})");

        const Said said = cli({"sweep", path("two.json"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["runs"].toInt(), 8);
        const QJsonArray rows = said.json()["rows"].toArray();
        QCOMPARE(static_cast<int>(rows.size()), 16);  // each at two iterations
        QCOMPARE(rows[0].toObject()["kernel"].toString(), QString("variant1"));
        QCOMPARE(rows[0].toObject()["iteration"].toInt(), 2);
        QCOMPARE(rows[15].toObject()["relaxation"].toString(), QString("0.3"));
        QCOMPARE(rows[15].toObject()["replicate"].toInt(), 1);
        // What the window opens: a study with those runs.
        const Study study = Study::open(path("two.tofstudy").toStdString());
        QCOMPARE(study.runs(), (std::vector<std::string>{"S001", "S001-r1", "S002", "S002-r1", "S003",
                                                         "S003-r1", "S004", "S004-r1"}));
        QCOMPARE(study.givenName("S002"), std::string("kernel variant1, relaxation 0.3"));
        // A run is that of `reconstruct`; a replicate is another one.
        QVERIFY(cli({"reconstruct", path("data.h5"), "--out", path("alone.h5"), "--engine", "cpu", "--kernel",
                     "variant1", "--relaxation", "0.3", "--iterations", "4"})
                    .code == 0);
        const Volume alone = readVolume(path("alone.h5").toStdString());
        QCOMPARE(readVolume(study.runFile("S002")).data, alone.data);
        QVERIFY(readVolume(study.runFile("S002-r1")).data != alone.data);
    }

    void thePageNeedsNoOtherFile() {
        QFile page(path("two.tofstudy/sweep.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        QCOMPARE(html.count("<img "), 8);
        QCOMPARE(html.count("src=\"data:image/png;base64,"), 8);
        QVERIFY(!html.contains("http"));
        QVERIFY(html.contains("Over replicates"));
        QFile table(path("two.tofstudy/sweep.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = table.readAll().trimmed().split('\n');
        QCOMPARE(static_cast<int>(lines.size()), 17);
        QCOMPARE(lines[0], QByteArray("run,kernel,relaxation,replicate,iteration,crc,noise,nsr,seconds"));
    }

    void whatIsThereIsNotMadeAgain() {
        const QString first = path("two.tofstudy/runs/S001.h5");
        const QDateTime made = QFileInfo(first).lastModified();
        QVERIFY(QFile::remove(path("two.tofstudy/runs/S003.h5")));

        const Said said = cli({"sweep", path("two.json")});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(static_cast<int>(said.err.count("iterations by")), 1);
        QCOMPARE(QFileInfo(first).lastModified(), made);
        QVERIFY(QFile::exists(path("two.tofstudy/runs/S003.h5")));
    }

    void otherSettingsOfTheSameRunAreRefused() {
        write("other.json",
              R"({"data":"data.h5","study":"two.tofstudy","settings":{"engine":"cpu","iterations":4},)"
              R"("vary":{"relaxation":[0.7]}})");
        const Said said = cli({"sweep", path("other.json")});
        QCOMPARE(said.code, 3);
        QVERIFY2(isOneSentence(said), said.all());
    }

    void aListOfSettingsIsASweepToo() {
        write("list.json", R"({"data":"data.h5","settings":{"engine":"cpu","iterations":1},)"
                           R"("runs":[{"algorithm":"mlem"},{"algorithm":"osem","subsets":3}]})");
        const Said said = cli({"sweep", path("list.json"), "--json", "--only", "2"});
        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(Study::open(path("list.tofstudy").toStdString()).runs(), std::vector<std::string>{"S002"});
        const Said table = cli({"sweep", path("list.json"), "--json", "--table"});
        QCOMPARE(static_cast<int>(table.json()["rows"].toArray().size()), 1);
    }

    void ranksDivideTheRuns() {
        if (!mpiIsThere()) {
            QSKIP("Open MPI is not installed: libopenmpi-dev, openmpi-bin");
        }
        write("ranks.json", R"({"data":"data.h5","settings":{"engine":"cpu","iterations":2},)"
                            R"("vary":{"relaxation":[0.1,0.3,0.5]}})");
        const Said said = cliOnRanks(2, {"sweep", path("ranks.json"), "--json"});
        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(static_cast<int>(said.json()["rows"].toArray().size()), 3);
        const Said alone = cli({"sweep", path("ranks.json"), "--json", "--table"});
        QCOMPARE(alone.json()["rows"], said.json()["rows"]);
    }

    void aJobArrayMakesTheSameRuns() {
        const Said said = cli({"sweep", path("list.json"), "--print-slurm"});
        QVERIFY2(said.code == 0, said.all());
        QVERIFY(said.out.startsWith("#!/bin/bash\n"));
        QVERIFY(said.out.contains("#SBATCH --array=1-2\n"));
        // The script itself, as a task of Slurm would run it.
        write("job.sh", said.out.toUtf8().replace("exec tofscope-cli", "exec " + kProgram.toUtf8()));
        QProcess task;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_ARRAY_TASK_ID", "1");
        task.setProcessEnvironment(environment);
        task.start("bash", {path("job.sh")});
        QVERIFY2(finish(task).code == 0, said.all());
        QCOMPARE(Study::open(path("list.tofstudy").toStdString()).runs(),
                 (std::vector<std::string>{"S001", "S002"}));
    }

    void runsOfOtherDataAreNotTaken() {
        const QByteArray rest = R"(,"study":"other.tofstudy","settings":{"engine":"cpu","iterations":1},)"
                                R"("vary":{"relaxation":[0.1]}})";
        write("other.json", R"({"data":"data.h5")" + rest);
        QCOMPARE(cli({"sweep", path("other.json")}).code, 0);
        QVERIFY(QFile::copy(path("data.h5"), path("same.h5")));
        write("other.json", R"({"data":"same.h5")" + rest);
        QCOMPARE(cli({"sweep", path("other.json")}).code, 0);
        auto changed = *smallData(KernelSpec::preset("variant1"));
        changed.counts[0] += 1;
        writeData(path("changed.h5").toStdString(), changed);
        write("other.json", R"({"data":"changed.h5")" + rest);

        const Said said = cli({"sweep", path("other.json")});

        QCOMPARE(said.code, 3);
        QVERIFY2(said.err.contains("other data"), said.all());
    }

    void noNameIsACommandOfTheJobArray() {
        QVERIFY(QDir().mkpath(path("a'$(touch pwned)'")));
        const QByteArray spec =
            R"({"data":"../data.h5","settings":{"engine":"cpu","iterations":1},"vary":{"relaxation":[0.1]}})";
        write("a'$(touch pwned)'/b.json", spec);
        const Said said = cli({"sweep", path("a'$(touch pwned)'/b.json"), "--print-slurm"});
        QVERIFY2(said.code == 0, said.all());
        write("job.sh", said.out.toUtf8().replace("exec tofscope-cli", "exec " + kProgram.toUtf8()));
        QProcess task;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_ARRAY_TASK_ID", "1");
        task.setProcessEnvironment(environment);
        task.setWorkingDirectory(folder_.path());
        task.start("bash", {path("job.sh")});
        QVERIFY2(finish(task).code == 0, said.all());
        QVERIFY(!QFile::exists(path("pwned")));
        QVERIFY(QDir().mkpath(path("c\ntouch pwned\n")));
        write("c\ntouch pwned\n/b.json", spec);
        QCOMPARE(cli({"sweep", path("c\ntouch pwned\n/b.json"), "--print-slurm"}).code, 2);
    }

    void dataMayBeThoseOfAStudy() {
        static_cast<void>(Study::create(path("mine.tofstudy").toStdString(), path("data.h5").toStdString()));
        write("of-a-study.json",
              R"({"data":"mine.tofstudy","settings":{"engine":"cpu","iterations":1},"runs":[{}]})");

        const Said said = cli({"sweep", path("of-a-study.json")});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(Study::open(path("of-a-study.tofstudy").toStdString()).runs(),
                 std::vector<std::string>{"S001"});
        QVERIFY(Study::open(path("mine.tofstudy").toStdString()).runs().empty());
    }

    /// The folder of a sweep is made aside: neither a failure nor, a minute later, a killed program leaves
    /// that.
    void nothingStaysBesideTheStudy() {
        write("beside.json",
              R"({"data":"nowhere.h5","settings":{"engine":"cpu","iterations":1},"runs":[{}]})");
        QVERIFY(cli({"sweep", path("beside.json")}).code != 0);
        const QStringList aside{"beside.tofstudy.*"};
        QCOMPARE(QDir(folder_.path()).entryList(aside), QStringList());
        for (const char* name :
             {"beside.tofstudy.7.part", "beside.tofstudy.8.part", "beside.tofstudy.x.part"}) {
            QVERIFY(QDir(folder_.path()).mkdir(name));
        }
        std::filesystem::last_write_time(
            path("beside.tofstudy.7.part").toStdString(),
            std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2));
        write("beside.json", R"({"data":"data.h5","settings":{"engine":"cpu","iterations":1},"runs":[{}]})");

        const Said said = cli({"sweep", path("beside.json")});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(QDir(folder_.path()).entryList(aside),
                 (QStringList{"beside.tofstudy.8.part", "beside.tofstudy.x.part"}));
    }

    /// Killed between the run file and the end of its checkpoint.
    void whatAWholeRunHasLeftGoes() {
        write("left.json", R"({"data":"data.h5","settings":{"engine":"cpu","iterations":1},"runs":[{}]})");
        QCOMPARE(cli({"sweep", path("left.json")}).code, 0);
        const std::string runs = path("left.tofstudy/runs/").toStdString();
        const RunSummary whole = readRunSummary(runs + "S001.h5");
        const auto image = std::make_shared<Volume>(readIterate(runs + "S001.h5", 1));
        writeCheckpoint(runs + "S001.ckpt", {whole.settingsJson, "", 1, image, {}});
        constexpr int kNoProcess = 999999999;  // more than any system gives
        write(QString("left.tofstudy/runs/S001.h5.%1-0a1b2c3d.part").arg(kNoProcess), "half");

        QCOMPARE(cli({"sweep", path("left.json")}).code, 0);

        QCOMPARE(QDir(path("left.tofstudy/runs")).entryList(QDir::Files), QStringList{"S001.h5"});
    }

    /// One whose settings are others is another run's, which may go on.
    void whatAnotherRunHasLeftStays() {
        write("stays.json", R"({"data":"data.h5","settings":{"engine":"cpu","iterations":1},"runs":[{}]})");
        QCOMPARE(cli({"sweep", path("stays.json")}).code, 0);
        const std::string runs = path("stays.tofstudy/runs/").toStdString();
        const auto image = std::make_shared<Volume>(readIterate(runs + "S001.h5", 1));
        const std::string other =
            R"({"data_note":"others",)" + readRunSummary(runs + "S001.h5").settingsJson.substr(1);
        writeCheckpoint(runs + "S001.ckpt", {other, "", 1, image, {}});

        QCOMPARE(cli({"sweep", path("stays.json")}).code, 0);

        QVERIFY(std::filesystem::exists(runs + "S001.ckpt"));
    }

    void twoSweepsDoNotMakeOneRun() {
        write("pair.json",
              R"({"data":"data.h5","settings":{"engine":"cpu","iterations":1},"vary":{"seed":[1,2]}})");
        QCOMPARE(cli({"sweep", path("pair.json"), "--only", "2"}).code, 0);
        Study study = Study::open(path("pair.tofstudy").toStdString());
        study.remove("S002");
        {
            const RunClaim other(study, "S001");

            const Said said = cli({"sweep", path("pair.json")});

            QCOMPARE(said.code, 5);
            QVERIFY2(said.err.contains("S001 is being made by another program"), said.all());
        }
        QCOMPARE(study.runs(), std::vector<std::string>{"S002"});
        QCOMPARE(cli({"sweep", path("pair.json")}).code, 0);
        QCOMPARE(study.runs(), (std::vector<std::string>{"S001", "S002"}));
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QString>("said");
        QTest::newRow("no data") << QByteArray(R"({"vary":{"relaxation":[1]}})") << "data";
        QTest::newRow("unknown field") << QByteArray(R"({"data":"data.h5","varies":{}})") << "varies";
        QTest::newRow("unknown setting")
            << QByteArray(R"({"data":"data.h5","vary":{"kernal":["variant1"]}})") << "kernal";
        QTest::newRow("no list") << QByteArray(R"({"data":"data.h5","vary":{"relaxation":1}})")
                                 << "relaxation";
        QTest::newRow("both") << QByteArray(R"({"data":"data.h5","vary":{"relaxation":[1]},"runs":[{}]})")
                              << "either";
        QTest::newRow("neither") << QByteArray(R"({"data":"data.h5"})") << "either";
    }
    void mistakesAreNamed() {
        QFETCH(QByteArray, spec);
        QFETCH(QString, said);
        write("wrong.json", spec);
        const Said refused = cli({"sweep", path("wrong.json")});
        QCOMPARE(refused.code, 3);
        QVERIFY2(isOneSentence(refused) && refused.err.contains(said), refused.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    void write(const QString& name, const QByteArray& text) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(SweepTest)

}  // namespace sweep_test
#include "sweep_test.moc"
