// SPDX-License-Identifier: Apache-2.0
// A list becomes frames, and frames a dynamic image, through the real program.
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/data/time_frame.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/cli/cli_process.h"

namespace frames_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Poses of a tracker that stopped after half of the list's 60 s.
constexpr const char* kShortPoses =
    "# frame: scanner\n# units: mm\n# reference: first\n# end_ms: 30000\n"
    "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n0 1 0 0 0 0 1 0 0 0 0 1 0\n";

}  // namespace

class FramesCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const Said made = cli({"simulate", path("list.h5"), "--events", "6000", "--phantom", "spheres",
                               "--scanner", "labr3-ideal", "--duration", "60"});
        QVERIFY2(made.code == 0, made.all());
        EventList events = recognise(path("list.h5").toStdString()).readEvents({}).events;
        for (std::size_t i = 0; i < events.size(); ++i) {
            events.time_ms.push_back(static_cast<std::uint32_t>(10 * i));
        }
        writeEvents(path("timed.h5").toStdString(), events);
        events.time_ms[3000] = 7;
        writeEvents(path("back.h5").toStdString(), events);
    }

    void aListBecomesADynamicImage() {
        const Said binned = cli(bin("timed.h5", {"--frames", "2x10s,1x30s", "--nuclide", "C-11", "--json"}));
        QVERIFY2(binned.code == 0, binned.all());
        const QJsonObject told = cli({"info", path("data.h5"), "--json"}).json()["frames"].toObject();
        QCOMPARE(told, binned.json()["frames"].toObject());
        double events = told["between"].toDouble();
        for (const auto& row : told["table"].toArray()) {
            for (const char* key : {"kept", "outside", "rejected"}) {
                events += row.toObject()[key].toDouble();
            }
        }
        QCOMPARE(events, 6000.0);
        QCOMPARE(told["between"].toDouble(), 1000.0);  // the last 10 s

        const Said run = cli({"reconstruct", path("data.h5"), "--out", path("run.h5"), "--iterations", "2",
                              "--only", "2-3", "--dynamic", path("images.nii.gz"), "--json"});
        QVERIFY2(run.code == 0, run.all());
        QCOMPARE(run.json()["frames"].toInt(), 2);
        const DynamicImage image = recognise(path("images.nii.gz").toStdString()).readDynamicImage().image;
        QCOMPARE(image.frames, (std::vector<TimeFrame>{{10, 10}, {20, 30}}));
        QVERIFY(image.units == "Bq/ml" && image.decay == DecayCorrection::Applied);
        // Emissions of the frame over 10 s, voxels of 4.096 ml and 0.998 positrons a decay, at time 0.
        const double x = std::log(2.0) * 10 / 1222;
        const double factor = std::exp2(10.0 / 1222) * x / (1 - std::exp(-x)) / (10 * 4.096 * 0.998);
        const QJsonArray rows = cli({"info", path("run.h5"), "--json"}).json()["frames"].toArray();
        QVERIFY(std::abs(rows[0].toObject()["per_emission"].toDouble() / factor - 1) < 1e-9);
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("overlap") << bin("timed.h5", {"--frames", table("0 10\n5 10\n", "overlap.tsv")}) << 3
                                 << "frame 2";
        QTest::newRow("outside the list")
            << bin("timed.h5", {"--frames", "7x10s"}) << 2 << "frame 7 (60 to 70 s)";
        QTest::newRow("before the list")
            << bin("timed.h5", {"--frames", table("-5 10\n", "before.tsv")}) << 3 << "frame 1 (-5 to 5 s)";
        QTest::newRow("no time at all")
            << bin("timed.h5", {"--frames", table("5 0\n", "zero.tsv")}) << 3 << "takes 0 s";
        QTest::newRow("a clock that goes back")
            << bin("back.h5", {"--frames", "2x10s"}) << 3 << "at event 3000, from 29990 to 7 ms";
        QTest::newRow("a tracker that ends early")
            << bin("timed.h5", {"--motion", table(kShortPoses, "short.tsv")}) << 3
            << "short.tsv: its poses end at 30000 ms, and";
        QTest::newRow("no times") << bin("list.h5", {"--frames", "2x10s"}) << 3 << "time_ms";
        QTest::newRow("one gate alone")
            << bin("timed.h5", {"--gates", table("1\n2\n"), "--gate-count", "1"}) << 2 << "--gate-count";
        QTest::newRow("triggers that go back")
            << bin("timed.h5", {"--gates", table("2\n1\n", "back.tsv")}) << 3 << "line 2";
        QTest::newRow("spread events")
            << bin("timed.h5", {"--frames", "2x10s", "--trilinear"}) << 2 << "--trilinear";
        QTest::newRow("a nuclide alone") << bin("timed.h5", {"--nuclide", "F-18"}) << 2 << "--frames";
        QTest::newRow("no such frame") << reconstruct({"--only", "4"}) << 2 << "1 to 3";
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, said);
        const Said refused = cli(words);
        QVERIFY2(refused.code == code && isOneSentence(refused), refused.all());
        QVERIFY2(refused.err.contains(said), refused.all());
    }

    /// Gaps and frames without events are no faults, and are told.
    void whatFramesLeaveOutIsTold() {
        const QString frames = table("0 10\n20 10\n", "gap.tsv");
        const Said said = cli(bin("timed.h5", {"--frames", frames}));
        QVERIFY2(said.code == 0, said.all());
        QVERIFY2(said.all().contains("the frames leave out time before frame 2 (20 to 30 s); 4000 events"),
                 said.all());
        QVERIFY2(!said.all().contains("holds no events"), said.all());

        const Said empty = cli(bin("timed.h5", {"--frames", table("0 10\n10.001 0.008\n", "empty.tsv")}));
        QVERIFY2(empty.code == 0, empty.all());
        QVERIFY2(empty.all().contains("frame 2 (10.001 to 10.009 s) holds no events"), empty.all());
    }

    void gatesBecomeAnImageEach() {
        const QString triggers = table("trigger\n0\n20\n40\n60\n", "triggers.tsv");
        const Said binned =
            cli(bin("timed.h5", {"--frames", "2x30s", "--gates", triggers, "--gate-count", "2", "--json"}));
        QVERIFY2(binned.code == 0, binned.all());
        const QJsonObject told = binned.json()["frames"].toObject();
        QCOMPARE(told["gates"].toInt(), 2);
        QCOMPARE(told["table"].toArray()[1].toObject()["gated_s"].toDouble(), 10.0);
        const Said run = cli({"reconstruct", path("data.h5"), "--out", path("run.h5"), "--iterations", "1",
                              "--dynamic", path("gated.nii.gz"), "--json"});
        QVERIFY2(run.code == 0, run.all());
        for (const char* name : {"gated_gate-1.nii.gz", "gated_gate-2.nii.gz"}) {
            const DynamicImage image = recognise(path(name).toStdString()).readDynamicImage().image;
            QCOMPARE(image.frames, (std::vector<TimeFrame>{{0, 30}, {30, 30}}));
        }
    }

    void gatesAndBedsBecomeOneImage() {
        const QString triggers = table("trigger\n0\n20\n40\n60\n", "triggers.tsv");
        const Said binned = cli(bin("timed.h5", {"--gates", triggers, "--gate-count", "2"}));
        QVERIFY2(binned.code == 0, binned.all());
        const QString fields = table("gate\tfield\n1\tnone\n2\tnone\n", "fields.tsv");
        const Said joined = cli(reconstruct({"--fields", fields, "--json"}));
        QVERIFY2(joined.code == 0, joined.all());
        QCOMPARE(joined.json()["frames"].toInt(), 0);
        const Said refused = cli(reconstruct({"--fields", fields, "--dynamic", path("images.nii.gz")}));
        QVERIFY2(refused.code == 2 && refused.err.contains("make one image"), refused.all());
        const Said penalised = cli(reconstruct({"--fields", fields, "--temporal-prior", "quadratic"}));
        QVERIFY2(penalised.code == 2 && penalised.err.contains("leave --only, --dynamic, --frames-from"),
                 penalised.all());

        const QString beds = table("file\tz_mm\ndata.h5\t0\ndata.h5\t64\n", "beds.tsv");
        const Said together =
            cli({"reconstruct", "--beds", beds, "--out", path("beds-run.h5"), "--iterations", "1"});
        QVERIFY2(together.code == 0, together.all());
        QCOMPARE(recognise(path("beds-run.h5").toStdString()).readVolume().lattice.size[2], 12 + 4);
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QStringList bin(const QString& list, const QStringList& more) const {
        return QStringList{"bin",     path(list), path("data.h5"), "--views", "4x1", "--grid", "36x36x12",
                           "--voxel", "16",       "--mu",          "none"} +
               more;
    }
    [[nodiscard]] QStringList reconstruct(const QStringList& more) const {
        return QStringList{"reconstruct", path("data.h5"), "--out", path("run.h5"), "--iterations", "1"} +
               more;
    }
    [[nodiscard]] QString table(const char* text, const char* name = "frames.tsv") const {
        QFile file(path(name));
        const bool written = file.open(QIODevice::WriteOnly) && file.write(text) > 0;
        return written ? path(name) : QString();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(FramesCliTest)

}  // namespace frames_test
#include "frames_test.moc"
