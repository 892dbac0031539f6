// SPDX-License-Identifier: Apache-2.0
// The real program under mpirun: one reconstruction by several processes, and what becomes of it when one
// fails.
#include <signal.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <random>

#include "recon/binning/line_binning.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/cli/mpi_process.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/framed_data.h"
#include "tests/support/rings.h"
#include "tests/support/small_data.h"

namespace ranks_test {

using namespace tof;
using namespace tof::test;
using namespace tof::fixtures;

namespace {

SinogramData ringData() {
    EventList events;
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        events.crystals.push_back(
            {static_cast<std::uint32_t>(random() % 480), static_cast<std::uint32_t>(random() % 480)});
        events.dt_ps.push_back(static_cast<float>(random() % 801) - 400.0F);
    }
    const auto michelogram = std::make_shared<const Michelogram>(fiveRings(1, 5));
    return binEvents(events, nullptr, michelogram, kInFiveRings);
}

}  // namespace

class RanksTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (!mpiIsThere()) {
            QSKIP("Open MPI is not installed: libopenmpi-dev, openmpi-bin");
        }
        QVERIFY(folder_.isValid());
        writeData(path("histo.h5").toStdString(), *smallData(KernelSpec::preset("variant1")));
        writeSinogramData(path("sinogram.h5").toStdString(), ringData());
    }

    void severalProcessesMakeTheImageOfOne_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QStringList>("how");
        QTest::addColumn<bool>("sameBits");
        QTest::newRow("histo, slabs") << "histo.h5" << QStringList{"--algorithm", "ramla"} << true;
        QTest::newRow("histo, views")
            << "histo.h5" << QStringList{"--algorithm", "osem", "--subsets", "3"} << false;
        QTest::newRow("sinograms") << "sinogram.h5" << QStringList{"--algorithm", "ramla"} << false;
    }
    void severalProcessesMakeTheImageOfOne() {
        QFETCH(QString, data);
        QFETCH(QStringList, how);
        QFETCH(bool, sameBits);
        const auto command = [&](const QString& run) {
            return QStringList{"reconstruct", path(data),     "--out", run,     "--engine",
                               "cpu",         "--iterations", "3",     "--json"} +
                   how;
        };
        const Said one = cli(command(path("one.h5")));
        QVERIFY2(one.code == 0, one.all());
        const Volume expected = readVolume(path("one.h5").toStdString());
        for (const int ranks : {2, 4}) {
            const Said several = cliOnRanks(ranks, command(path("several.h5")));

            QVERIFY2(several.code == 0, several.all());
            QCOMPARE(several.json()["ranks"].toInt(), ranks);  // one answer, from one rank
            QCOMPARE(several.json()["iterations"].toInt(), 3);
            const Volume image = readVolume(path("several.h5").toStdString());
            QVERIFY(image.lattice == expected.lattice);
            QVERIFY(relativeToMaximum(image.data, expected.data) < 1e-6);
            if (sameBits) {
                QCOMPARE(image.data, expected.data);
            }
            QCOMPARE(readRunSummary(path("several.h5").toStdString()).savedImages.size(), std::size_t{3});
        }
    }

    /// One update of RAMLA has one view, which cannot be shared.
    void gatesBecomeOneImage() {
        const std::shared_ptr<HistoData> data = framedData({{0, 6}, {0, 6}}, {1, 2}, "");
        auto frames = std::make_shared<FramedCounts>(*data->frames);
        frames->gates = 2;
        for (std::size_t gate = 0; gate < 2; ++gate) {
            frames->frames[gate].gate = static_cast<int>(gate) + 1;
            frames->frames[gate].gated_s = 2.0 + 2.0 * static_cast<double>(gate);
        }
        data->frames = frames;
        writeData(path("gates.h5").toStdString(), *data);
        QFile table(path("fields.tsv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("gate\tfield\n1\tnone\n2\tnone\n");
        table.close();
        const auto command = [&](const QString& run, const char* algorithm) {
            return QStringList{"reconstruct", path("gates.h5"), "--fields", path("fields.tsv"), "--out",
                               path(run),     "--engine",       "cpu",      "--iterations",     "2",
                               "--algorithm", algorithm};
        };
        const Said one = cli(command("one-gates.h5", "mlem"));
        QVERIFY2(one.code == 0, one.all());
        const Said several = cliOnRanks(3, command("gates-run.h5", "mlem") << "--json");
        QVERIFY2(several.code == 0 && several.json()["ranks"].toInt() == 3, several.all());
        QVERIFY(relativeToMaximum(readVolume(path("gates-run.h5").toStdString()).data,
                                  readVolume(path("one-gates.h5").toStdString()).data) < 1e-6);
        const Said refused = cliOnRanks(2, command("no.h5", "ramla"));
        QVERIFY2(refused.code == 2 && sentences(refused).size() == 1, refused.all());
        QVERIFY2(refused.err.contains("--algorithm osem"), refused.all());
    }

    void failuresAreOneSentenceAndACleanEndOfAll_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::newRow("no such data") << 3 << QStringList{"reconstruct", "none.h5", "--out", "x.h5"} << 3;
        QTest::newRow("wrong option") << 2 << QStringList{"reconstruct", "--iterations", "-1"} << 2;
        QTest::newRow("a command for one process") << 2 << QStringList{"info", "x.h5"} << 2;
        QTest::newRow("no folder to write into")
            << 2 << QStringList{"reconstruct", path("histo.h5"), "--out", "/nowhere/x.h5"} << 5;
        QTest::newRow("more ranks than planes")
            << 7 << QStringList{"reconstruct", path("histo.h5"), "--out",    path("thin.h5"),
                                "--kernel",    "invariant",      "--engine", "cpu"}
            << 2;
    }
    void failuresAreOneSentenceAndACleanEndOfAll() {
        QFETCH(int, ranks);
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const Said said = cliOnRanks(ranks, words);
        QCOMPARE(said.code, code);
        QVERIFY2(sentences(said).size() == 1, said.all());
    }

    void aFullDiskOfTheFirstRankEndsAll() {
        const Said said = cliWithFullDisk(QString("reconstruct %1 --out %2 --engine cpu --iterations 200")
                                              .arg(path("histo.h5"), path("full.h5")));
        QCOMPARE(said.code, 5);
        QVERIFY2(sentences(said).size() == 1, said.all());
        QVERIFY(!QFile::exists(path("full.h5")));
    }

    void aRankThatCannotStartEndsAll() {
        QProcess process;
        startBeside(process, "/bin/false", {"reconstruct", path("histo.h5"), "--out", path("half.h5")});
        const Said said = finish(process);
        QVERIFY(said.code != 0);
        QVERIFY(!QFile::exists(path("half.h5")));
    }

    void aRankThatNeverJoinsIsNotWaitedForForEver() {
        QProcess process;
        startBeside(process, "/bin/sleep 300", {"reconstruct", path("histo.h5"), "--out", path("half.h5")});
        const Said said = finish(process);
        QVERIFY2(said.code != 0, said.all());
        QVERIFY2(sentences(said).size() == 1 && said.err.contains("have joined within 3 s"), said.all());
        QVERIFY(!QFile::exists(path("half.h5")));
    }

    void aKilledRankLeavesARunThatResumes() {
        const auto command = [&](const QString& run) {
            return QStringList{"reconstruct",  path("histo.h5"),
                               "--out",        run,
                               "--engine",     "cpu",
                               "--threads",    "1",
                               "--iterations", "80",
                               "--save-every", "80"};
        };
        // Its checkpoints, which wait for the disk, are most of such a run's time.
        const auto slow = [&](const QString& run) {
            return command(run) + QStringList{"--checkpoint-every", "0"};
        };
        const auto untilThere = [](const QString& file) {
            QElapsedTimer waited;
            waited.start();
            while (!QFile::exists(file) && waited.elapsed() < 20000) {
                QThread::msleep(2);
            }
        };
        const Said whole = cli(command(path("whole.h5")));
        QVERIFY2(whole.code == 0, whole.all());
        const Volume expected = readVolume(path("whole.h5").toStdString());
        // From the first checkpoint to the run's file, where nobody is killed.
        QElapsedTimer alone;
        QProcess calm;
        startRanks(calm, 2, QStringList{kProgram} + slow(path("calm.h5")));
        untilThere(path("calm.h5.ckpt"));
        alone.start();
        untilThere(path("calm.h5"));
        const auto length = static_cast<unsigned>(std::max<qint64>(alone.elapsed(), 20));
        QCOMPARE(finish(calm).code, 0);
        std::mt19937 random(20);
        int killed = 0;
        int resumed = 0;
        int stuck = 0;
        const int wanted = qEnvironmentVariableIsEmpty("TOFSCOPE_FULL") ? 6 : 20;
        for (int i = 0; i < 3 * wanted && killed < wanted; ++i) {  // some are done before their moment comes
            const QString run = path(QString("killed%1.h5").arg(i));
            QProcess process;
            const int ranks = i % 2 == 0 ? 2 : 3;
            startRanks(process, ranks, QStringList{"-x", "TOFSCOPE_JOIN_SECONDS=10", kProgram} + slow(run));
            // From before the first iteration to about the end.
            if (i % 5 != 0) {
                untilThere(run + ".ckpt");
            }
            process.waitForFinished(static_cast<int>(random() % length));
            const QList<int> ids = ranksOf(process);
            if (!ids.isEmpty()) {
                ::kill(ids[static_cast<int>(random() % static_cast<unsigned>(ids.size()))], SIGKILL);
            }
            // mpirun ends all in three seconds; of a rank that dies before it has joined the others, or after
            // it has left them, it may not hear: then these end by themselves in ten.
            if (process.state() != QProcess::NotRunning && !process.waitForFinished(30000)) {
                ++stuck;
                process.terminate();
            }
            const Said end = finish(process);
            if (!QFile::exists(run)) {  // else it was whole before the rank died
                QVERIFY2(end.code != 0, end.all());
                ++killed;
                QStringList again = command(run);
                if (QFile::exists(run + ".ckpt")) {
                    again.append("--resume");
                    ++resumed;
                }
                const Said said = i % 3 == 0 ? cli(again) : cliOnRanks(i % 3 + 1, again);
                QVERIFY2(said.code == 0, said.all());
            }
            QCOMPARE(readVolume(run.toStdString()).data, expected.data);  // slabs: the same bits
            QVERIFY(!QFile::exists(run + ".ckpt"));
        }
        qInfo("%d were killed, %d resumed from a checkpoint, mpirun was stuck after %d", killed, resumed,
              stuck);
        QCOMPARE(stuck, 0);
        // How many moments are in the middle of a run is a matter of the machine.
        QVERIFY(2 * killed >= wanted && 4 * resumed >= wanted);
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(RanksTest)

}  // namespace ranks_test
#include "ranks_test.moc"
