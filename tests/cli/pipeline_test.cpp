// SPDX-License-Identifier: Apache-2.0
// From simulated events to figures of merit, through the real program; reproducible, and resumable to the
// bit.
#include <signal.h>

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/cli/cli_process.h"
#include "tests/support/small_data.h"

namespace pipeline_test {

using namespace tof;
using namespace tof::test;

class PipelineTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        writeData(path("small.h5").toStdString(), *smallData(KernelSpec::preset("variant1")));
    }

    void fromEventsToFiguresOfMerit() {
        constexpr int kEvents = 30000;
        const QString list = path("list.h5");
        const QString data = path("data.h5");
        const QString run = path("run.h5");

        const Said simulated = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres",
                                    "--events", QString::number(kEvents), "--seed", "5", list, "--json"});
        QVERIFY2(simulated.code == 0, simulated.all());
        QCOMPARE(simulated.json()["events"].toInt(), kEvents);

        const Said binned =
            cli({"bin", list, data, "--views", "8x1", "--grid", "48x48x16", "--voxel", "8", "--json"});
        QVERIFY2(binned.code == 0, binned.all());
        const int kept = binned.json()["kept"].toInt();
        QCOMPARE(kept + binned.json()["outside"].toInt() + binned.json()["rejected"].toInt(), kEvents);
        const HistoData histo = readData(data.toStdString());
        QCOMPARE(histo.views.size(), std::size_t{8});
        QCOMPARE(std::accumulate(histo.counts.begin(), histo.counts.end(), 0.0), static_cast<double>(kept));

        const Said reconstructed = cli({"reconstruct", data, "--out", run, "--algorithm", "osem", "--engine",
                                        "cpu", "--kernel", "invariant", "--iterations", "3", "--json"});
        QVERIFY2(reconstructed.code == 0, reconstructed.all());
        QCOMPARE(reconstructed.json()["iterations"].toInt(), 3);
        QVERIFY(!QFile::exists(run + ".ckpt"));
        // What the simulation knows in absolute units travels along; so does where the events were put.
        const double decays = simulated.json()["decays"].toDouble();
        QVERIFY(decays > kEvents);
        for (const QString& file : {list, data, run}) {
            const QJsonObject info = cli({"info", file, "--json"}).json();
            QCOMPARE(info["decays"].toDouble(), decays);
            QCOMPARE(info["singles"].toDouble(), simulated.json()["singles"].toDouble());
            QVERIFY(std::abs(info["duration_s"].toDouble() * 100e6 / decays - 1) < 1e-9);  // at 100 MBq
            QVERIFY(std::abs(info["activity_MBq"].toDouble() - 100) < 1e-6);
        }
        QCOMPARE(cli({"info", data, "--json"}).json()["deposit"].toString(), QString("face"));
        QCOMPARE(cli({"info", data, "--json"}).json()["deposit_seed"].toInt(), 1);
        const QString combed = path("centre.h5");
        const Said centred = cli({"bin", list, combed, "--deposit", "centre", "--views", "8x1", "--grid",
                                  "48x48x16", "--voxel", "8", "--json"});
        QVERIFY2(centred.code == 0, centred.all());
        QCOMPARE(cli({"info", combed, "--json"}).json()["deposit"].toString(), QString("centre"));
        QVERIFY(readData(combed.toStdString()).counts != histo.counts);
        QCOMPARE(cli({"bin", list, combed, "--deposit", "edge"}).code, 2);

        const Said analyzed = cli({"analyze", run, "--rois", "auto", "--json"});
        QVERIFY2(analyzed.code == 0, analyzed.all());
        const QJsonArray iterations = analyzed.json()["iterations"].toArray();
        QCOMPARE(static_cast<int>(iterations.size()), 3);
        for (int i = 0; i < 3; ++i) {
            const QJsonObject row = iterations[i].toObject();
            QCOMPARE(row["iteration"].toInt(), i + 1);
            for (const char* key : {"crc", "crc_sd", "noise", "nsr", "true_crc", "overshoot"}) {
                QVERIFY2(row[key].isDouble(), key);
            }
            QVERIFY(row["noise"].toDouble() > 0);
            QVERIFY(row["rois"].toArray().size() >= 13);  // six spheres, their backgrounds, the centre
        }
        // What reconstruct said while it ran is what analyze finds in the file.
        QCOMPARE(reconstructed.json()["figures"].toArray(), iterations);

        const Said csv = cli({"analyze", run, "--rois", "auto", "--csv"});
        QVERIFY(csv.code == 0 && csv.out.contains("crc") && csv.out.contains(",true_crc,overshoot"));
        QVERIFY2(cli({"analyze", run, "--rois", "auto"}).out.contains("true CRC"), "the table for people");

        const double half = 50 * iterations[2].toObject()["noise"].toDouble();
        const Said matched =
            cli({"analyze", run, "--rois", "auto", "--match-noise", QString::number(half), "--json"});
        QVERIFY2(matched.code == 0 && matched.json()["filter_mm"].toDouble() > 0, matched.all());
        const double left = 100 * matched.json()["iterations"].toArray()[2].toObject()["noise"].toDouble();
        QVERIFY2(left <= half && left > 0.97 * half, matched.all());
        QCOMPARE(cli({"analyze", run, "--rois", "auto", "--match-noise", "5", "--filter-mm", "4"}).code, 2);

        const Said converted = cli({"convert", run, path("run.nii")});
        QVERIFY2(converted.code == 0, converted.all());
        QVERIFY(readVolume(path("run.nii").toStdString()).data == readIterate(run.toStdString(), 3).data);

        // A volume names no phantom: no truth, with the reason; told which, it has one.
        QFile rois(path("one.json"));
        QVERIFY(rois.open(QIODevice::WriteOnly));
        rois.write(R"({"true_ratio": 6, "rois": [{"name": "a", "shape": "circle", "role": "sphere",
                       "centre_mm": [75, 0, 2], "radius_mm": 5}]})");
        rois.close();
        const QJsonObject unknown =
            cli({"analyze", path("run.nii"), "--rois", path("one.json"), "--json"}).json();
        QVERIFY(unknown["no_truth"].toString().contains("--phantom"));
        QVERIFY(!unknown["iterations"].toArray()[0].toObject().contains("true_crc"));
        const QJsonObject told =
            cli({"analyze", path("run.nii"), "--rois", "auto", "--phantom", "spheres", "--json"}).json();
        QVERIFY(!told.contains("no_truth") &&
                told["iterations"].toArray()[0].toObject()["true_crc"].toDouble() > 0);

        for (const auto& [file, kind] : {std::pair{list, "list"}, {data, "data"}, {run, "run"}}) {
            const Said info = cli({"info", file, "--json"});
            QVERIFY2(info.code == 0, info.all());
            QCOMPARE(info.json()["kind"].toString(), QString(kind));
        }
    }

    void theSameSeedGivesTheSameEventsWhateverTheThreads() {
        const auto events = [&](const char* seed, const char* threads) {
            const QString file = path(QStringLiteral("events-%1-%2.h5").arg(seed, threads));
            const Said said = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                                   "3000", "--seed", seed, "--threads", threads, file});
            return said.code == 0 ? readEvents(file.toStdString()).events : EventList();
        };

        const EventList one = events("7", "1");
        const EventList two = events("7", "2");
        const EventList other = events("8", "2");

        QCOMPARE(one.size(), std::size_t{3000});
        QVERIFY(one.crystals == two.crystals && one.dt_ps == two.dt_ps);
        QVERIFY(one.crystals != other.crystals);
    }

    void theSameRunGivesTheSameBits() {
        const Volume first = reconstructed("first.h5", {"--iterations", "4", "--threads", "2"});
        const Volume second = reconstructed("second.h5", {"--iterations", "4", "--threads", "2"});
        const Volume otherOrder =
            reconstructed("order.h5", {"--iterations", "4", "--threads", "2", "--seed", "99"});

        QVERIFY(!first.data.empty());
        QVERIFY(first.data == second.data);
        QVERIFY(first.data != otherOrder.data);
    }

    void aStartImageContinuesARun() {
        // With gamma = 0 every pass is the same map, so one pass from iterate 2 is iterate 3.
        const Volume three = reconstructed("three.h5", {"--iterations", "3"});
        writeVolume(path("two.h5").toStdString(), readIterate(path("three.h5").toStdString(), 2));

        const Volume continued =
            reconstructed("continued.h5", {"--iterations", "1", "--start", path("two.h5")});

        QVERIFY(!three.data.empty());
        QVERIFY(continued.data == three.data);
    }

    void saveEveryKeepsEveryNthIterateAndTheLast() {
        reconstructed("every.h5", {"--iterations", "7", "--save-every", "3"});

        const RunSummary summary = readRunSummary(path("every.h5").toStdString());

        QCOMPARE(summary.savedImages, (std::vector<int>{3, 6, 7}));
        QCOMPARE(summary.iterates.size(), std::size_t{7});
    }

    void anInterruptedRunResumesToTheSameBits_data() {
        QTest::addColumn<int>("signalNumber");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }

    void anInterruptedRunResumesToTheSameBits() {
        QFETCH(int, signalNumber);
        const QString run = path(QStringLiteral("interrupted-%1.h5").arg(signalNumber));
        const QStringList words{"reconstruct",  path("small.h5"),
                                "--out",        run,
                                "--engine",     "cpu",
                                "--threads",    "2",
                                "--gamma",      "0.01",
                                "--iterations", kLongRun,
                                "--save-every", "100"};
        if (uninterrupted_.data.empty()) {
            uninterrupted_ = reconstructed("whole.h5", {"--threads", "2", "--gamma", "0.01", "--iterations",
                                                        kLongRun, "--save-every", "100"});
        }

        QProcess process;
        process.start(kProgram, words);
        QVERIFY(waitForText(process, "iteration   1"));
        ::kill(static_cast<pid_t>(process.processId()), signalNumber);
        const Said stopped = finish(process);

        QVERIFY2(stopped.code == 130, stopped.all());
        QVERIFY2(stopped.err.contains("--resume"), stopped.all());
        QVERIFY(QFile::exists(run + ".ckpt"));
        QVERIFY(!QFile::exists(run));
        const int reached = readCheckpoint((run + ".ckpt").toStdString()).iteration;
        QVERIFY(reached >= 1 && reached < kLongRun.toInt());

        const Said resumed = cli(words + QStringList{"--resume"});

        QVERIFY2(resumed.code == 0, resumed.all());
        QVERIFY(!QFile::exists(run + ".ckpt"));
        QVERIFY(readVolume(run.toStdString()).data == uninterrupted_.data);
        const RunSummary summary = readRunSummary(run.toStdString());
        QCOMPARE(static_cast<int>(summary.iterates.size()), kLongRun.toInt());
        QCOMPARE(summary.savedImages, readRunSummary(path("whole.h5").toStdString()).savedImages);
    }

    void resumingWithOtherSettingsIsRefused() {
        const QString run = path("other.h5");
        QProcess process;
        process.start(kProgram, {"reconstruct", path("small.h5"), "--out", run, "--engine", "cpu",
                                 "--iterations", kLongRun});
        QVERIFY(waitForText(process, "iteration   1"));
        process.terminate();
        QCOMPARE(finish(process).code, 130);

        const Said said = cli({"reconstruct", path("small.h5"), "--out", run, "--engine", "cpu",
                               "--iterations", kLongRun, "--relaxation", "0.5", "--resume"});

        QVERIFY2(said.code == 3, said.all());
        QVERIFY2(said.err.contains("relaxation"), said.all());
    }

    void aSimulationStopsAtASignal() {
        QProcess process;
        process.start(kProgram, {"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                                 "8000000", path("endless.h5"), "--verbose"});
        QVERIFY(waitForText(process, "simulate"));  // the event count would take minutes
        process.terminate();
        const Said said = finish(process);

        QVERIFY2(said.code == 130, said.all());
        QVERIFY(!QFile::exists(path("endless.h5")));
    }

  private:
    /// The last image of a run on the small data; empty when the command failed.
    Volume reconstructed(const QString& name, const QStringList& options) {
        const Said said = cli(
            QStringList{"reconstruct", path("small.h5"), "--out", path(name), "--engine", "cpu"} + options);
        if (said.code != 0) {
            qWarning("%s", said.all().constData());
            return {};
        }
        return readVolume(path(name).toStdString());
    }

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    const QString kLongRun = QStringLiteral("300");  // iterations; about a second
    QTemporaryDir folder_;
    Volume uninterrupted_;
};

QTEST_GUILESS_MAIN(PipelineTest)

}  // namespace pipeline_test
#include "pipeline_test.moc"
