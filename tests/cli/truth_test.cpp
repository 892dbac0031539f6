// SPDX-License-Identifier: Apache-2.0
// A phantom with a course in time: from its file to images of frames beside the truth, through the real
// program.
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>

#include "recon/io/format_table.h"
#include "tests/cli/cli_process.h"

namespace truth_test {

using namespace tof;
using namespace tof::test;

namespace {

/// A ball that holds nothing for 20 s, and then a bolus.
const char* const kBall = R"({"name": "ball", "time": {"duration_s": 100, "nuclide": "Rb-82",
    "input": {"amounts": [851.1, 21.88, 20.81], "rates_per_min": [4.134, 0.1191, 0.01043], "delay_s": 20},
    "curves": {"tissue": {"K1": 0.6, "k2": 0.2, "Vb": 0.1}}},
    "shapes": [{"kind": "sphere", "name": "ball", "centre_mm": [0, 0, 0], "radius_mm": 60, "curve": "tissue"}]})";

}  // namespace

class TruthCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        write("ball.json", kBall);
        const Said made = cli({"simulate", path("list.h5"), "--events", "200000", "--phantom",
                               path("ball.json"), "--scanner", "labr3-ideal", "--json"});
        QVERIFY2(made.code == 0, made.all());
        QCOMPARE(made.json()["duration_s"].toDouble(), 100.0);
        binned_ = cli(bin({"--frames", "1x20s,2x10s,2x30s", "--nuclide", "Rb-82"}));
        QVERIFY2(binned_.code == 0, binned_.all());
    }

    void aFrameWithoutEventsIsTold() {
        QVERIFY2(binned_.err.contains("frame 1 (0 to 20 s) holds no events; its image will be zero"),
                 binned_.all());
    }

    /// The mean over half of the ball's radius, an eighth of its counts, is within 3 SD of the truth, where
    /// the SD of that mean is not less than that of its counts; 1 % is left to what voxels of 8 mm blur.
    void framesHoldTheTruth_data() {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("one by one") << QStringList();
        QTest::newRow("together") << QStringList{"--temporal-prior", "quadratic", "--temporal-beta", "0.001"};
    }
    void framesHoldTheTruth() {
        QFETCH(QStringList, more);
        const Said told = cli({"truth", path("data.h5"), "--out", path("truth.nii.gz"), "--curves",
                               path("truth.tsv"), "--json"});
        QVERIFY2(told.code == 0, told.all());
        QCOMPARE(told.json()["frames"].toInt(), 5);
        QCOMPARE(told.json()["units"].toString(), QString("Bq/ml"));
        const Said run = cli(QStringList{"reconstruct", path("data.h5"), "--out", path("run.h5"),
                                         "--algorithm", "osem", "--subsets", "2", "--iterations", "5",
                                         "--dynamic", path("images.nii.gz"), "--json"} +
                             more);
        QVERIFY2(run.code == 0, run.all());
        const DynamicImage truth = recognise(path("truth.nii.gz").toStdString()).readDynamicImage().image;
        const DynamicImage images = recognise(path("images.nii.gz").toStdString()).readDynamicImage().image;
        QCOMPARE(images.frames, truth.frames);
        QCOMPARE(images.units, truth.units);
        QFile table(path("truth.tsv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QStringList lines = QString(table.readAll()).split('\n');
        QVERIFY2(lines[0].startsWith("frame_start\tframe_end\tball"), qPrintable(lines[0]));
        const QJsonArray frames =
            cli({"info", path("data.h5"), "--json"}).json()["frames"].toObject()["table"].toArray();
        for (qsizetype m = 0; m < frames.size(); ++m) {
            const double curve = lines[m + 1].split('\t')[2].toDouble();
            const double asked = meanIn(truth, static_cast<std::size_t>(m));
            const double found = meanIn(images, static_cast<std::size_t>(m));
            QVERIFY(std::abs(asked - curve) <= 1e-5 * curve);
            if (m == 0) {
                QVERIFY(found >= 0 && found < 1e-6);  // a penalty keeps what has no counts a little above 0
                QCOMPARE(asked, 0.0);
                continue;
            }
            const double sd = 1 / std::sqrt(frames[m].toObject()["kept"].toDouble() / 8);
            qInfo("frame %d: %.4f of the truth, SD %.4f", static_cast<int>(m) + 1, found / asked, sd);
            QVERIFY(std::abs(found / asked - 1) < 3 * sd + 0.01);
        }
    }

    /// The truth is a curve of one tissue with a tenth of blood; blood between samples of 1 s errs by 0.04 %
    /// at its peak.
    void kineticsFindTheRates() {
        const Said cut = cli(bin({"--frames", "1x20s,16x5s", "--nuclide", "Rb-82"}));
        QVERIFY2(cut.code == 0, cut.all());
        const Said told =
            cli({"truth", path("data.h5"), "--out", path("fine.nii.gz"), "--blood", path("blood.tsv")});
        QVERIFY2(told.code == 0, told.all());
        const Said fitted = cli({"kinetics", path("fine.nii.gz"), "--model", "one-tissue", "--input",
                                 path("blood.tsv"), "--out", path("fit")});
        QVERIFY2(fitted.code == 0, fitted.all());
        const auto at = [&](const QString& name) {
            const Volume image = recognise(path("fit/" + name + ".nii.gz").toStdString()).readVolume({});
            return static_cast<double>(image.at(12, 12, 10));
        };
        qInfo("K1 %.4f, k2 %.4f, Vb %.4f", at("K1"), at("k2"), at("Vb"));
        QVERIFY(std::abs(at("Vb") / 0.1 - 1) < 0.01);
        QVERIFY(std::abs(at("k2") / 0.2 - 1) < 0.01);
        QVERIFY(std::abs(at("K1") / 0.6 - 1) < 0.01);
    }

    /// A ball that is moved by 40 mm while the second half of each cycle of 10 s lasts: either gate has it in
    /// its place alone, and both as much of it.
    void gatesHoldTheTruthOfTheirTimes() {
        QString steps;
        QString triggers = "trigger\n";
        for (int t = 0; t <= 60; t += 10) {
            steps += QString("%1[%2, 0, 0, 0], [%3, 0, 0, 40]").arg(t > 0 ? ", " : "").arg(t).arg(t + 5);
            triggers += QString("%1\n").arg(t);
        }
        write("jumps.json", QString(R"({"name": "jumps", "time": {"duration_s": 60, "nuclide": "F-18",
            "motion": {"steps": [%1]}}, "shapes": [{"kind": "sphere", "centre_mm": [0, 0, -20], "radius_mm": 20,
            "activity": 1, "moves": 1}]})")
                                .arg(steps)
                                .toUtf8()
                                .constData());
        write("triggers.tsv", triggers.toUtf8().constData());
        const Said made = cli({"simulate", path("list.h5"), "--events", "20000", "--phantom",
                               path("jumps.json"), "--scanner", "labr3-ideal"});
        QVERIFY2(made.code == 0, made.all());
        const QStringList gates{"--gates", path("triggers.tsv"), "--gate-count", "2"};
        const Said cut = cli(bin(QStringList{"--frames", "1x60s", "--nuclide", "F-18"} + gates));
        QVERIFY2(cut.code == 0, cut.all());
        std::array<double, 2> most{};
        for (const int gate : {1, 2}) {
            const Said told = cli(QStringList{"truth", path("data.h5"), "--out", path("gate.nii.gz"),
                                              "--gate", QString::number(gate)} +
                                  gates);
            QVERIFY2(told.code == 0, told.all());
            const DynamicImage image = recognise(path("gate.nii.gz").toStdString()).readDynamicImage().image;
            const auto at = [&](double z) {
                return static_cast<double>(
                    image.values[0][image.lattice.index(image.lattice.voxelAt({4, 4, z}))]);
            };
            most.at(static_cast<std::size_t>(gate - 1)) = at(gate == 1 ? -20 : 20);
            QCOMPARE(at(gate == 1 ? 20 : -20), 0.0);
        }
        QVERIFY(most[0] > 0 && std::abs(most[1] / most[0] - 1) < 1e-3);
        const Said without = cli({"truth", path("data.h5"), "--out", path("gate.nii.gz")});
        QVERIFY2(without.code == 3 && without.err.contains("--gate which"), without.all());
        write("triggers.tsv", "trigger\n0\n7\n30\n");
        const Said others =
            cli(QStringList{"truth", path("data.h5"), "--out", path("gate.nii.gz"), "--gate", "1"} + gates);
        QVERIFY2(others.code == 3 && others.err.contains("give those that the list was cut by"),
                 others.all());
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        const auto reconstruct = [this](const QStringList& more) {
            return QStringList{"reconstruct", path("data.h5"), "--out", path("no.h5")} + more;
        };
        QTest::newRow("no output") << QStringList{"truth", path("data.h5")} << 2 << "--curves";
        QTest::newRow("a list") << QStringList{"truth", path("list.h5"), "--curves", path("t.tsv")} << 3
                                << "list.h5";
        QTest::newRow("onto the data")
            << QStringList{"truth", path("data.h5"), "--out", path("data.h5")} << 2 << "data.h5";
        QTest::newRow("one sidecar for two")
            << QStringList{"truth", path("data.h5"), "--out", path("one.nii.gz"), "--blood", path("one.tsv")}
            << 2 << "one.json";
        QTest::newRow("one name for two")
            << QStringList{"truth", path("data.h5"), "--curves", path("one.tsv"), "--blood", path("one.tsv")}
            << 2 << "written twice";
        QTest::newRow("blood of another ending")
            << QStringList{"truth", path("data.h5"), "--blood", path("blood.txt")} << 2 << "end in .tsv";
        QTest::newRow("another algorithm")
            << reconstruct({"--temporal-prior", "quadratic", "--algorithm", "bsrem"}) << 2 << "osem or mlem";
        QTest::newRow("a prior without objective")
            << reconstruct({"--temporal-prior", "median-root"}) << 2 << "--temporal-prior";
        QTest::newRow("longer") << QStringList{"simulate",  path("no.h5"), "--events",
                                               "10",        "--phantom",   path("ball.json"),
                                               "--scanner", "labr3-ideal", "--duration",
                                               "9"}
                                << 2 << "--duration";
    }
    void whatDoesNotFitIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, said);
        const Said refused = cli(words);
        QVERIFY2(refused.code == code && isOneSentence(refused), refused.all());
        QVERIFY2(refused.err.contains(said), refused.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    void write(const char* name, const char* text) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    }
    [[nodiscard]] QStringList bin(const QStringList& more) const {
        return QStringList{"bin",    path("list.h5"), path("data.h5"), "--views", "12x3",
                           "--grid", "24x24x20",      "--voxel",       "8"} +
               more;
    }
    static double meanIn(const DynamicImage& image, std::size_t frame) {
        double sum = 0;
        double voxels = 0;
        image.lattice.forEachVoxel([&](int x, int y, int z) {
            if (norm(image.lattice.centre(x, y, z)) < 30) {
                sum += static_cast<double>(image.values[frame][image.lattice.index({x, y, z})]);
                voxels += 1;
            }
        });
        return sum / voxels;
    }

    QTemporaryDir folder_;
    Said binned_;
};

QTEST_GUILESS_MAIN(TruthCliTest)

}  // namespace truth_test
#include "truth_test.moc"
