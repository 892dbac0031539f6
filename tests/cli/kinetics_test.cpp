// SPDX-License-Identifier: Apache-2.0
// Dynamic images, curves of regions and kinetic models through the real program.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/io/format_table.h"
#include "recon/metrics/gaussian_filter.h"
#include "tests/cli/cli_process.h"
#include "tests/recon/kinetics/exponentials.h"

namespace kinetics_test {

using namespace tof;
using namespace tof::test;

class KineticsCliTest : public QObject {
    Q_OBJECT
  private:
    static constexpr double kHalfLife_s = 1222;  // carbon-11
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    void save(const QString& name, const QByteArray& text) const {
        QFile out(path(name));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    }
    Said kinetics(const QString& model, const QStringList& words, const QString& image = "pet.nii.gz") const {
        return cli(QStringList{"kinetics", path(image), "--model", model, "--out", path("out")} + words);
    }
    float voxel(const QString& name, int x) const {
        return readVolume(path("out/" + name).toStdString()).at(x, 0, 0);
    }

  private slots:
    /// Two voxels of a reference region, two of tissue, in kBq/ml and not decay-corrected; blood in Bq/ml.
    void initTestCase() {
        const Exponentials plasma = plasmaLike();
        const Exponentials reference = plasma.convolved(0.09 / 60).times(0.1 / 60);
        const Exponentials tissue =
            reference.times(1.1).plus(reference.convolved(0.04 / 60).times((0.12 - 1.1 * 0.04) / 60));
        DynamicImage image;
        image.lattice = Lattice::centred({4, 2, 2}, {4, 4, 4});
        image.frames = usualFrames();
        image.units = "kBq/ml";
        image.decay = DecayCorrection::None;
        image.halfLife_s = kHalfLife_s;
        Volume labels(image.lattice, 1);
        labels.units = "label";
        for (const TimeFrame& frame : image.frames) {
            const double decayed = 1 / decayFactor(frame, kHalfLife_s);
            std::vector<float>& values = image.values.emplace_back(image.lattice.voxels());
            for (std::size_t i = 0; i < values.size(); ++i) {
                const bool right = i % 4 >= 2;
                values[i] = static_cast<float>(decayed * (right ? tissue : reference).mean(frame));
                labels.data[i] = right ? 2 : 1;
            }
        }
        writeDynamicImage(path("pet.nii.gz").toStdString(), image);
        image.decay = DecayCorrection::Unknown;
        writeDynamicImage(path("unsaid.h5").toStdString(), image);
        writeVolume(path("labels.nii").toStdString(), labels);
        save("labels.tsv", "index\tname\n1\treference\n2\ttissue\n");
        QByteArray blood = "time\tplasma_radioactivity\tmetabolite_parent_fraction\n";
        for (int t = 0; t <= 5400; ++t) {
            blood +=
                QByteArray::number(t) + '\t' + QByteArray::number(1000 * plasma.at(t), 'g', 12) + "\t1\n";
        }
        save("blood.tsv", blood);
        save("blood.json", R"({"plasma_radioactivity": {"Units": "Bq/mL"}})");
    }

    void srtmMakesImagesWithUnitsAndSaysHow() {
        const Said said =
            kinetics("srtm", {"--rois", path("labels.nii"), "--reference", "reference", "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["fitted"].toInt(), 16);
        QVERIFY2(std::abs(voxel("BP.nii.gz", 3) - 2) < 0.01F,
                 qPrintable(QString::number(voxel("BP.nii.gz", 3))));
        QVERIFY(std::abs(voxel("R1.nii.gz", 3) - 1.1F) < 0.01F);
        QVERIFY(std::abs(voxel("BP.nii.gz", 0)) < 0.01F);
        QCOMPARE(readVolume(path("out/k2.nii.gz").toStdString()).units, std::string("1/min"));
        QFile about(path("out/kinetics.json"));
        QVERIFY(about.open(QIODevice::ReadOnly));
        const QJsonObject form = QJsonDocument::fromJson(about.readAll()).object();
        QCOMPARE(form["model"].toString(), QString("srtm"));
        QCOMPARE(form["frames"].toArray().size(), 34);
        // Carbon-11: the decays of a frame, and the longest and earliest of the frames of 300 s has most.
        QVERIFY(form["frames"].toArray()[0].toObject()["weight"].toDouble() < 0.1);
    }

    void loganAgainstBloodFindsTheVolume() {
        const Said said =
            kinetics("logan", {"--input", path("blood.tsv"), "--start", "30min", "--format", "h5"});

        QVERIFY2(said.code == 0, said.all());
        QVERIFY(std::abs(voxel("VT.h5", 0) / (0.1F / 0.09F) - 1) < 5e-3F);
        QVERIFY(std::abs(voxel("VT.h5", 3) / (3 * 0.1F / 0.09F) - 1) < 5e-3F);
    }

    /// Replicates that are 1 and 3 times the image: VT of 1 and 3 times, whose SD is VT x sqrt(2).
    void sdIsThatOverReplicates() {
        DynamicImage image = recognise(path("pet.nii.gz").toStdString()).readDynamicImage().image;
        writeDynamicImage(path("a.h5").toStdString(), image);
        for (std::vector<float>& values : image.values) {
            for (float& value : values) {
                value *= 3;
            }
        }
        writeDynamicImage(path("b.h5").toStdString(), image);

        const Said said = kinetics("logan", {"--input", path("blood.tsv"), "--start", "30min", "--replicates",
                                             path("a.h5") + "," + path("b.h5")});

        QVERIFY2(said.code == 0, said.all());
        const float ratio = voxel("VT_sd.nii.gz", 3) / voxel("VT.nii.gz", 3);
        QVERIFY2(std::abs(ratio / std::sqrt(2.0F) - 1) < 1e-4F, qPrintable(QString::number(ratio)));
    }

    /// A curve against itself has the slope 1, and decay that is said is as good as decay that is stated.
    void decayIsSaidAndAnRoiTakenForPlasma() {
        const QStringList words{"--input-roi", "reference", "--rois", path("labels.nii"), "--start", "30min"};
        const Said stated = kinetics("logan", words);
        const float expected = voxel("VT.nii.gz", 3);
        const QStringList decay{"--decay-corrected", "no", "--half-life",
                                QString::number(kHalfLife_s / 60, 'g', 12)};

        const Said said = kinetics("logan", words + decay, "unsaid.h5");

        QVERIFY2(stated.code == 0 && said.code == 0, said.all());
        QVERIFY(std::abs(voxel("VT.nii.gz", 0) - 1) < 1e-4F);
        QVERIFY(expected > 2 && std::abs(voxel("VT.nii.gz", 3) / expected - 1) < 1e-6F);
    }

    /// An image that is seen through 8 mm, whose regions come back by the width, and by images of them.
    void curvesComeBackFromPartialVolumes() {
        DynamicImage image = recognise(path("pet.nii.gz").toStdString()).readDynamicImage().image;
        DynamicImage regions = image;
        regions.frames = {{0, 1}, {1, 1}};
        regions.values.assign(2, std::vector<float>(image.lattice.voxels(), 0.0F));
        for (std::size_t i = 0; i < image.lattice.voxels(); ++i) {
            regions.values[i % 4 >= 2 ? 1 : 0][i] = 1;
        }
        for (DynamicImage* const one : {&image, &regions}) {
            for (std::vector<float>& values : one->values) {
                Volume volume(one->lattice);
                volume.data = values;
                values = gaussianFiltered(volume, 8).data;
            }
        }
        writeDynamicImage(path("blurred.h5").toStdString(), image);
        writeDynamicImage(path("regions.h5").toStdString(), regions);
        const auto curve = [&](const QString& of, const QStringList& words) {
            return cli(QStringList{"tac", path(of), "--rois", path("labels.nii"), "--json"} + words)
                .json()["regions"]
                .toArray()[1]
                .toObject()["mean"]
                .toArray()[33]
                .toDouble();
        };
        const double truth = curve("pet.nii.gz", {});

        const double byWidth = curve("blurred.h5", {"--partial-volume", "gtm", "--width", "8"});
        const double byImages =
            curve("blurred.h5", {"--partial-volume", "gtm", "--spread", path("regions.h5")});

        QVERIFY(truth > 0 && std::abs(curve("blurred.h5", {}) / truth - 1) > 0.05);
        QVERIFY(std::abs(byWidth / truth - 1) < 1e-4);
        QVERIFY(std::abs(byImages / truth - 1) < 1e-4);
    }

    void partialVolumesThatSayTooLittleAreRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("said");
        QTest::newRow("no width") << QStringList{"--partial-volume", "gtm"}
                                  << "needs either --width MM or --spread IMAGES";
        QTest::newRow("both") << QStringList{"--partial-volume", "gtm", "--width", "8", "--spread", "x.h5"}
                              << "needs either --width MM or --spread IMAGES";
        QTest::newRow("width alone") << QStringList{"--width", "8"} << "are of --partial-volume gtm";
    }
    void partialVolumesThatSayTooLittleAreRefused() {
        QFETCH(QStringList, words);
        QFETCH(QString, said);
        const Said found = cli(QStringList{"tac", path("pet.nii.gz"), "--rois", path("labels.nii")} + words);
        QCOMPARE(found.code, 2);
        QVERIFY2(found.all().contains(said.toUtf8()), found.all());
    }

    void curvesAreThoseOfTheRegions() {
        const Said said =
            cli({"tac", path("pet.nii.gz"), "--rois", path("labels.nii"), "--out", path("tac.tsv")});

        QVERIFY2(said.code == 0, said.all());
        QFile table(path("tac.tsv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = table.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 35);
        QCOMPARE(lines[0], QByteArray("frame_start\tframe_end\treference\treference_sd\ttissue\ttissue_sd"));
        const QList<QByteArray> cells = lines[20].split('\t');
        const TimeFrame frame = usualFrames()[19];
        const double mean = plasmaLike().convolved(0.09 / 60).times(0.1 / 60).mean(frame);
        QCOMPARE(cells[0].toDouble(), frame.start_s);
        QVERIFY(std::abs(cells[2].toDouble() / mean - 1) < 1e-6);
        QVERIFY(cells[3].toDouble() < 1e-6 * mean);
    }

    void whatMakesNoSenseIsOneSentence_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("named");
        const QStringList blood{"--input", "blood.tsv"};
        const auto row = [&](const char* name, const QStringList& words, int code, const char* named) {
            QTest::newRow(name) << words << code << named;
        };
        row("no start", QStringList{"pet.nii.gz", "--model", "patlak"} + blood, 2, "--start");
        row("no unit", QStringList{"pet.nii.gz", "--model", "patlak", "--start", "20"} + blood, 2, "20min");
        row("late", QStringList{"pet.nii.gz", "--model", "patlak", "--start", "80min"} + blood, 2,
            "at least 3");
        row("no input", {"pet.nii.gz", "--model", "patlak", "--start", "20min"}, 2, "--input");
        row("both inputs", QStringList{"pet.nii.gz", "--model", "srtm", "--reference", "a"} + blood, 2,
            "no plasma");
        row("no region", {"pet.nii.gz", "--model", "srtm", "--reference", "a"}, 2, "--rois");
        row("start of all", {"pet.nii.gz", "--model", "srtm", "--reference", "a", "--start", "1min"}, 2,
            "--start");
        row("no decay said", QStringList{"unsaid.h5", "--model", "one-tissue"} + blood, 3,
            "--decay-corrected");
    }
    void whatMakesNoSenseIsOneSentence() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, named);
        for (QString& word : words) {
            word = word.contains('.') && !word.startsWith('-') ? path(word) : word;
        }

        const Said said =
            cli(QStringList{"kinetics"} + words + QStringList{"--out", path("none"), "--quiet"});

        QVERIFY2(said.code == code && isOneSentence(said) && said.err.contains(named), said.all());
        QVERIFY(!QDir(path("none")).exists());
    }
};

QTEST_GUILESS_MAIN(KineticsCliTest)

}  // namespace kinetics_test
#include "kinetics_test.moc"
