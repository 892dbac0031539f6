// SPDX-License-Identifier: Apache-2.0
// simulate and bin under mpirun: the files of one process, and what becomes of them when a rank fails.
#include <signal.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <limits>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/scanner/scanner.h"
#include "tests/cli/mpi_process.h"
#include "tests/support/rings.h"

namespace ranked_lists_test {

using namespace tof;
using namespace tof::test;

class RankedListsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (!mpiIsThere()) {
            QSKIP("Open MPI is not installed: libopenmpi-dev, openmpi-bin");
        }
        QVERIFY(folder_.isValid());
        const auto makes = [&](const char* file, const char* scanner, const QString& phantom) {
            const Said said = cli(
                {"simulate", "--scanner", scanner, "--phantom", phantom, "--events", "12000", path(file)});
            QVERIFY2(said.code == 0, said.all());
        };
        makes("list.h5", "labr3-ideal", "spheres");
        write("ball.json", R"({"name": "ball", "shapes": [{"kind": "sphere", "centre_mm": [0, 0, 0],
                               "radius_mm": 8, "activity": 1, "mu_per_mm": 0.009}]})");
        makes("panel.h5", "small-panel", path("ball.json"));
        EventList timed = readEvents(path("list.h5").toStdString()).events;
        for (std::uint32_t event = 0; event < timed.size(); ++event) {
            timed.time_ms.push_back(event / 4);
        }
        timed.duration_s = 3;
        writeEvents(path("timed.h5").toStdString(), timed);
        EventList rings = readEvents(path("list.h5").toStdString()).events;
        for (auto& [one, two] : rings.crystals) {
            one %= 480;
            two %= 480;
        }
        rings.scannerJson.clear();
        rings.phantom.clear();
        writeEvents(path("rings-list.h5").toStdString(), rings);
        write("rings.json", QByteArray::fromStdString(fiveRings(1, 5).toJson()));
    }

    void simulatedFilesAreThoseOfOneProcess_data() {
        QTest::addColumn<QStringList>("how");
        QTest::addColumn<QStringList>("files");
        const QStringList inTime{"--scanner", "labr3", "--phantom", "uniform-cylinder", "--events", "3000"};
        QTest::newRow("pairs of an ideal scanner")
            << QStringList{"--scanner", "labr3-ideal", "--phantom", "spheres", "--events", "5001"}
            << QStringList{};
        QTest::newRow("pairs with scatter")
            << inTime + QStringList{"--physics", "no-randoms"} << QStringList{};
        QTest::newRow("in time, with delayeds and singles")
            << inTime + QStringList{"--delayeds", "OUT-delayeds", "--singles", "OUT-singles"}
            << QStringList{"-delayeds", "-singles"};
        QTest::newRow("a course in time") << QStringList{"--scanner", "labr3", "--phantom", "dynamic-brain",
                                                         "--events",  "3000",  "--physics", "no-randoms"}
                                          << QStringList{};
        QTest::newRow("binned as they come")
            << inTime + QStringList{"--bin", "3x1", "--grid", "24x24x8", "--voxel", "14"} << QStringList{};
        QTest::newRow("sinograms") << QStringList{"--scanner", path("rings.json"),
                                                  "--phantom", "uniform-cylinder",
                                                  "--events",  "100000",
                                                  "--grid",    "20x20x5",
                                                  "--voxel",   "10"}
                                   << QStringList{};
    }
    void simulatedFilesAreThoseOfOneProcess() {
        QFETCH(QStringList, how);
        QFETCH(QStringList, files);
        const auto command = [&](const QString& out) {
            QStringList words{"simulate", out, "--json"};
            for (const QString& word : how) {
                words.append(word.startsWith("OUT") ? out + word.mid(3) : word);
            }
            return words;
        };
        const Said one = cli(command(path("one.h5")));
        QVERIFY2(one.code == 0, one.all());
        for (const int ranks : files.isEmpty() && !how.contains("--bin") ? QList{2, 3} : QList{3}) {
            const Said several = cliOnRanks(ranks, command(path("several.h5")));

            QVERIFY2(several.code == 0, several.all());
            for (const QString& more : files + QStringList{""}) {
                QCOMPARE(bytes("several.h5" + more), bytes("one.h5" + more));
            }
            QJsonObject expected = one.json();
            QJsonObject said = several.json();
            for (QJsonObject* const object : {&expected, &said}) {
                object->remove("output");
                object->remove("seconds");
            }
            QCOMPARE(said, expected);
        }
    }

    void binnedFilesAreThoseOfOneProcess_data() {
        QTest::addColumn<QStringList>("how");
        const QStringList grid{"--grid", "24x24x8", "--voxel", "14"};
        QTest::newRow("histo-images") << QStringList{"list.h5", "--views", "3x2"} + grid;
        QTest::newRow("histo-images of frames")
            << QStringList{"timed.h5", "--views", "3x1", "--frames", "2x500ms,1500ms"} + grid;
        QTest::newRow("fewer views than ranks, spread over voxels, times reversed, centres")
            << QStringList{"list.h5",   "--views", "2x1",  "--reverse-tof", "--trilinear",
                           "--deposit", "centre",  "--mu", "none"} +
                   grid;
        QTest::newRow("sinograms") << QStringList{"rings-list.h5",    "--to", "sinogram", "--scanner",
                                                  path("rings.json"), "--mu", "none"};
        QTest::newRow("panel") << QStringList{"panel.h5", "--to", "panel"};
        QTest::newRow("lines, by the first rank alone")
            << QStringList{"rings-list.h5", "--to", "lors", "--scanner", path("rings.json"), "--mu", "none"};
    }
    void binnedFilesAreThoseOfOneProcess() {
        QFETCH(QStringList, how);
        const auto command = [&](const QString& out) {
            return QStringList{"bin", path(how.front()), out, "--json"} + how.mid(1);
        };
        const Said one = cli(command(path("one.h5")));
        QVERIFY2(one.code == 0, one.all());
        const Said several = cliOnRanks(3, command(path("several.h5")));

        QVERIFY2(several.code == 0, several.all());
        QCOMPARE(several.json()["kept"].toInt(), one.json()["kept"].toInt());
        QCOMPARE(several.json()["rejected"].toInt(), one.json()["rejected"].toInt());
        QCOMPARE(bytes("several.h5"), bytes("one.h5"));
    }

    void failuresAreOneSentenceAndACleanEndOfAll_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        EventList bad = readEvents(path("list.h5").toStdString()).events;
        bad.crystals[11990] = {7, 4000000000U};
        writeEvents(path("bad.h5").toStdString(), bad);
        bad.crystals[11990] = {7, 8};
        bad.dt_ps[11995] = std::numeric_limits<float>::quiet_NaN();
        writeEvents(path("nan.h5").toStdString(), bad);
        const QStringList grid{"--grid", "24x24x8", "--voxel", "14"};
        QTest::newRow("no list") << QStringList{"bin", path("none.h5"), path("x.h5")} << 3 << "none.h5";
        QTest::newRow("no folder to write into")
            << QStringList{"bin", path("list.h5"), "/nowhere/x.h5"} << 5 << "/nowhere";
        QTest::newRow("an event of the last rank, histo-images")
            << QStringList{"bin", path("bad.h5"), path("x.h5"), "--views", "2x1"} + grid << 3
            << "event 11990 names crystal 4000000000";
        QTest::newRow("an event of the last rank, sinograms")
            << QStringList{"bin", path("nan.h5"), path("x.h5"), "--to", "sinogram", "--scanner", "ge-ste"}
            << 3 << "of event 11995 is not a finite number";
        QTest::newRow("nothing is detected")
            << QStringList{"simulate",       "--scanner", "labr3-ideal", "--phantom",
                           path("far.json"), "--events",  "1000",        path("x.h5")}
            << 2 << "far";
        write("far.json", R"({"name": "far", "shapes": [{"kind": "sphere", "centre_mm": [0, 0, 9000],
                              "radius_mm": 1, "activity": 1, "mu_per_mm": 0}]})");
    }
    void failuresAreOneSentenceAndACleanEndOfAll() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        const Said said = cliOnRanks(3, words);
        QVERIFY2(said.code == code, said.all());
        QVERIFY2(sentences(said).size() == 1 && sentences(said).front().contains(says), said.all());
        QVERIFY(!QFile::exists(path("x.h5")));
    }

    void aFullDiskEndsAll_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("simulate") << "simulate --scanner labr3-ideal --phantom spheres --events 20000";
        QTest::newRow("bin") << "bin " + path("rings-list.h5") + " --to lors --mu none --scanner " +
                                    path("rings.json");
    }
    void aFullDiskEndsAll() {
        QFETCH(QString, command);
        const Said said = cliWithFullDisk(command + " " + path("full.h5"));
        QCOMPARE(said.code, 5);
        QVERIFY2(sentences(said).size() == 1, said.all());
        QVERIFY(!QFile::exists(path("full.h5")));
    }

    void aKilledRankEndsAll_data() {
        QTest::addColumn<int>("victim");
        QTest::newRow("the first") << 0;
        QTest::newRow("another") << 1;
    }
    void aKilledRankEndsAll() {
        QFETCH(int, victim);
        QProcess process;
        startRanks(process, 2,
                   {kProgram, "simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                    "8000000", path("endless.h5"), "--verbose"});
        QVERIFY(waitForText(process, "simulate"));
        QThread::msleep(300);
        const QList<int> ids = ranksOf(process);
        QCOMPARE(ids.size(), 2);
        ::kill(ids[victim], SIGKILL);
        QElapsedTimer time;
        time.start();
        const Said said = finish(process);
        QVERIFY2(said.code > 0, said.all());
        QVERIFY(time.elapsed() < 20000);
        QVERIFY(!QFile::exists(path("endless.h5")));
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QByteArray bytes(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(RankedListsTest)

}  // namespace ranked_lists_test
#include "ranked_lists_test.moc"
