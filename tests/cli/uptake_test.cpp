// SPDX-License-Identifier: Apache-2.0
// SUV, SUVpeak and post filter through the real program.
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/base/view.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/metrics/gaussian_filter.h"
#include "tests/cli/cli_process.h"

namespace uptake_test {

using namespace tof;
using namespace tof::test;

class UptakeCliTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        Volume volume(Lattice::centred({24, 24, 12}, {4, 4, 4}), 4000.0F);
        volume.units = "Bq/ml";
        volume.at(12, 12, 6) = 90000;
        writeVolume(path("pet.h5").toStdString(), volume);
        volume.units = "1/cm";
        writeVolume(path("mu.h5").toStdString(), volume);
        QFile rois(path("rois.json"));
        QVERIFY(rois.open(QIODevice::WriteOnly));
        rois.write(R"({"rois": [{"name": "a", "shape": "sphere", "centre_mm": [0, 0, 0], "radius_mm": 8}]})");
    }

    void weightAndDoseMakeSuv() {
        const QJsonObject bq = measured({});
        // Half of the dose is left after one half life.
        const QJsonObject suv =
            measured({"--weight", "70", "--dose", "370", "--half-life", "100", "--waited", "100"});
        const double factor = 70e3 / 185e6;
        for (const char* key : {"mean", "max", "peak", "sd"}) {
            const double ratio = suv[key].toDouble() / (factor * bq[key].toDouble());
            QVERIFY2(std::abs(ratio - 1) < 1e-6, key);
        }
        QVERIFY(bq["peak"].toDouble() < bq["max"].toDouble());
        QVERIFY(bq["peak"].toDouble() > bq["mean"].toDouble());  // 1 ml about the hot voxel of 2.1 ml
        const Said table = cli(command({"--weight", "70", "--dose", "370"}));
        QVERIFY2(table.out.contains("SUVpeak") && table.out.contains("SUVmax"), table.all());
    }

    void runsCountPositronsOfADecayingNuclide() {
        // Gallium-68 for 20 minutes: 0.889 positrons per decay, half life 67.83 minutes. Voxels of 4 mm.
        HistoData data;
        data.lattice = Lattice::centred({24, 24, 12}, {4, 4, 4});
        data.views = ViewGrid(4, 1, 0.1).views();
        data.counts.assign(data.views.size() * data.voxels(), 3.0F);
        data.duration_s = 1200;
        writeData(path("data.h5").toStdString(), data);
        const Said said = cli({"reconstruct", path("data.h5"), "--out", path("run.h5"), "--iterations", "1"});
        QVERIFY2(said.code == 0, said.all());
        const double emissions = measured({}, "run.h5")["mean"].toDouble();
        const QStringList dose{"--weight", "70", "--dose", "370", "--half-life", "67.83333333"};
        const double x = std::log(2.0) * 1200 / 4070;
        const double activity = emissions / 0.064 / 1200 / 0.889 * x / (1 - std::exp(-x));

        const double suv = measured(dose, "run.h5")["mean"].toDouble();
        const double ofPositrons =
            measured(dose + QStringList{"--positrons", "1"}, "run.h5")["mean"].toDouble();

        QVERIFY2(std::abs(suv / (activity * 70e3 / 370e6) - 1) < 1e-5, qPrintable(QString::number(suv)));
        QVERIFY(std::abs(ofPositrons / suv - 0.889) < 1e-5);
        const Said info = cli({"info", path("run.h5")});
        QVERIFY2(info.out.contains("activity: Bq/ml by 'convert --calibration'"), info.all());
        // The series holds Bq/ml at the start of the scan.
        const Said written = cli(QStringList{"convert", path("run.h5"), path("run.dicom")} + dose);
        if (!written.err.contains("DCMTK")) {
            QVERIFY2(written.code == 0, written.all());
            const double series = measured({"--suv"}, "run.dicom")["mean"].toDouble();
            QVERIFY2(std::abs(series / suv - 1) < 2e-5, qPrintable(QString::number(series)));  // 16 bits
        }
    }

    void aRunThatDoesNotSayHowLongWasMeasuredSaysIt() {
        HistoData data;
        data.lattice = Lattice::centred({24, 24, 12}, {4, 4, 4});
        data.views = ViewGrid(4, 1, 0.1).views();
        data.counts.assign(data.views.size() * data.voxels(), 3.0F);
        writeData(path("untimed.h5").toStdString(), data);
        const Said said =
            cli({"reconstruct", path("untimed.h5"), "--out", path("untimed-run.h5"), "--iterations", "1"});
        QVERIFY2(said.code == 0, said.all());

        const Said info = cli({"info", path("untimed-run.h5")});
        QVERIFY2(info.out.contains("no Bq/ml: the data do not say how long was measured"), info.all());
        const Said refused = cli(
            {"convert", path("untimed-run.h5"), path("untimed.dicom"), "--weight", "70", "--dose", "370"});
        QVERIFY2(refused.code == 3 && isOneSentence(refused) && refused.err.contains("how long"),
                 refused.all());
    }

    void whatIsNoActivityIsRefused() {
        const QStringList suv{"--weight", "70", "--dose", "370"};
        const Said mu = cli(QStringList{"analyze", path("mu.h5"), "--rois", path("rois.json")} + suv);
        QVERIFY2(mu.code == 3 && isOneSentence(mu), mu.all());
        const Said nothing = cli(command({"--suv"}));
        QVERIFY2(nothing.code == 2 && nothing.err.contains("--suv"), nothing.all());
        const Said dose = cli(command({"--weight", "70"}));
        QVERIFY2(dose.code == 2 && dose.err.contains("dose"), dose.all());
    }

    /// A command that can choose a frame says its option; another says how one is taken out.
    void severalFramesAreRefusedWithARemedyOfTheCommand() {
        Volume volume = readVolume(path("pet.h5").toStdString());
        DynamicImage frames;
        frames.lattice = volume.lattice;
        frames.units = "Bq/ml";
        frames.frames = {{0, 10}, {10, 10}};
        for (float& value : volume.data) {
            value *= 2;
        }
        frames.values = {readVolume(path("pet.h5").toStdString()).data, volume.data};
        (void)writeDynamicImage(path("two.h5").toStdString(), frames);

        const Said analyze = cli(command({}, "two.h5"));
        QVERIFY2(analyze.code == 3 && analyze.err.contains("--frame") && !analyze.err.contains("convert"),
                 analyze.all());
        const double second = measured({"--frame", "2"}, "two.h5")["mean"].toDouble();
        QVERIFY(std::abs(second / measured({})["mean"].toDouble() - 2) < 1e-6);
        const Said rois = cli({"rois", path("o.json"), "--from", path("two.h5")});
        QVERIFY2(rois.code == 3 && rois.err.contains("convert"), rois.all());
    }

    /// The dose goes into the DICOM series, and makes the same SUV there.
    void aSeriesWrittenWithADoseHasTheSameSuv() {
        const QStringList dose{"--weight", "70", "--dose", "370", "--half-life", "100", "--waited", "100"};
        const Said written = cli(QStringList{"convert", path("pet.h5"), path("dose.dicom")} + dose);
        if (written.err.contains("DCMTK")) {
            QSKIP("this build has no DCMTK");
        }
        QVERIFY2(written.code == 0, written.all());
        const double bySelf = measured({"--suv"}, "dose.dicom")["mean"].toDouble();
        // Half a step of 16 bits in the slice that reaches 90000, beside 4000.
        const double step = 0.5 * 90000 / 32767 / 4000;
        QVERIFY(std::abs(bySelf / measured(dose)["mean"].toDouble() - 1) < step);
        const Said counts = cli(QStringList{"convert", path("mu.h5"), path("mu.dicom")} + dose);
        QVERIFY2(counts.code == 3 && isOneSentence(counts) && counts.err.contains("--units"), counts.all());
    }

    void aSidecarIsToldAndHarmsNobody() {
        const QStringList dose{"--weight", "70", "--dose", "370", "--half-life", "100", "--waited", "100"};
        QCOMPARE(cli(QStringList{"convert", path("pet.h5"), path("dosed.nii")} + dose).code, 0);
        const Said told = cli({"convert", path("dosed.nii"), path("again.nii")});
        QVERIFY2(told.code == 0 && told.all().contains("'dosed.json' beside it"), told.all());
        // Another image takes the place of that one, whose sidecar goes with it.
        QCOMPARE(cli({"convert", path("pet.h5"), path("dosed.nii")}).code, 0);
        QVERIFY(!QFile::exists(path("dosed.json")));
        QFile sidecar(path("dosed.json"));
        QVERIFY(sidecar.open(QIODevice::WriteOnly) && sidecar.write("{") == 1);
        sidecar.close();
        QCOMPARE(cli({"info", path("dosed.nii")}).code, 0);
        // What keeps no dose, and what has SUV, take none.
        QCOMPARE(cli(QStringList{"convert", path("pet.h5"), path("dosed.h5")} + dose).code, 2);
        QCOMPARE(cli(QStringList{"convert", path("dosed.nii"), path("suv.nii"), "--suv"} + dose).code, 2);
    }

    void framesNotCorrectedForDecayTakeNoDoseAlone() {
        DynamicImage frames;
        frames.lattice = Lattice::centred({8, 8, 4}, {4, 4, 4});
        frames.units = "Bq/ml";
        frames.frames = {{0, 600}, {600, 600}};
        frames.decay = DecayCorrection::None;
        frames.values.assign(2, std::vector<float>(frames.lattice.voxels(), 5.0F));
        (void)writeDynamicImage(path("decaying.nii").toStdString(), frames);
        const Said one = cli({"convert", path("decaying.nii"), path("one.nii"), "--frame", "2", "--weight",
                              "70", "--dose", "370", "--half-life", "20"});
        QVERIFY2(one.code == 2 && one.err.contains("convert all frames"), one.all());
        const Said suv = cli({"convert", path("decaying.nii"), path("suv.h5"), "--suv"});
        QVERIFY2(suv.code != 0 && suv.err.contains("--suv"), suv.all());
    }

    void unitsAreSaidWhereTheFileDoesNot() {
        Volume volume = readVolume(path("pet.h5").toStdString());
        volume.units = "";
        writeVolume(path("bare.nii").toStdString(), volume);
        const QStringList dose{"--weight", "70", "--dose", "370"};
        const Said refused = cli(command(dose, "bare.nii"));
        QVERIFY2(refused.code == 3 && isOneSentence(refused) && refused.err.contains("--units"),
                 refused.all());
        const double suv = measured(dose + QStringList{"--units", "kBq/ml"}, "bare.nii")["mean"].toDouble();
        const double bySelf = measured(dose)["mean"].toDouble();
        QVERIFY(std::abs(suv / bySelf / 1000 - 1) < 1e-6);
    }

    /// 70 kg and 1.75 m: 71.84 x 70^0.425 x 175^0.725 = 18481 cm2, and as a man 9270 x 70 / (6680 + 216
    /// x 22.857) kg.
    void suvAreOfLeanMassOrSurface() {
        const QStringList dose{"--weight", "70", "--dose", "370", "--height", "1.75", "--sex", "M"};
        const double weight = measured(dose)["mean"].toDouble();
        const double surface = measured(dose + QStringList{"--suv-by", "surface"})["mean"].toDouble();
        const double lean = measured(dose + QStringList{"--suv-by", "lean-mass"})["mean"].toDouble();
        QVERIFY(std::abs(surface / weight / (18481.0 / 70000) - 1) < 1e-4);
        QVERIFY(std::abs(lean / weight / (9270 / (6680 + 216 * 70 / 3.0625)) - 1) < 1e-6);
        const Said none = cli(command({"--weight", "70", "--dose", "370", "--suv-by", "surface"}));
        QVERIFY2(none.code == 2 && none.err.contains("height"), none.all());
    }

    void theFilterOfConvertIsThatOfAnalyze() {
        const Said said = cli({"convert", path("pet.h5"), path("soft.h5"), "--filter-mm", "9"});
        QVERIFY2(said.code == 0, said.all());
        const Volume before = readVolume(path("pet.h5").toStdString());
        const Volume after = readVolume(path("soft.h5").toStdString());
        const Volume expected = gaussianFiltered(before, 9);
        for (std::size_t i = 0; i < after.data.size(); ++i) {
            QVERIFY(std::abs(after.data[i] - expected.data[i]) <= 1e-6F * expected.data[i]);
        }
        const double mean = measured({"--filter-mm", "9"})["mean"].toDouble();
        const double ofFile = measured({}, "soft.h5")["mean"].toDouble();
        QVERIFY(std::abs(mean / ofFile - 1) < 1e-6);
        QVERIFY(mean < measured({})["mean"].toDouble());
    }

  private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }
    [[nodiscard]] QStringList command(const QStringList& more, const char* file = "pet.h5") const {
        return QStringList{"analyze", path(file), "--rois", path("rois.json")} + more;
    }
    /// Measures the ROI.
    [[nodiscard]] QJsonObject measured(const QStringList& more, const char* file = "pet.h5") const {
        const Said said = cli(command(more, file) + QStringList{"--json"});
        const QJsonArray iterations = said.json()["iterations"].toArray();
        if (said.code != 0 || iterations.isEmpty()) {
            QTest::qFail(said.all().constData(), __FILE__, __LINE__);
            return {};
        }
        return iterations.first().toObject()["rois"].toArray().first().toObject();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(UptakeCliTest)

}  // namespace uptake_test
#include "uptake_test.moc"
