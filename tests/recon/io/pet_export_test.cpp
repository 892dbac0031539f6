// SPDX-License-Identifier: Apache-2.0
// PET images written with times, decay and dose, read back here and by three programs of others.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/io/pet_export.h"

namespace pet_export_test {

using namespace tof;

namespace {

constexpr double kHalfLife_s = 1222;  // carbon-11

/// Three frames with a gap, of an asymmetric object: value = 1000 (frame + 1) + 100 x + 10 y + z.
DynamicImage frames(DecayCorrection decay) {
    DynamicImage image;
    image.lattice = Lattice::centred({5, 4, 3}, {2, 3, 4});
    image.frames = {{0, 30}, {30, 60}, {120, 600}};
    image.units = "Bq/ml";
    image.decay = decay;
    image.halfLife_s = kHalfLife_s;
    for (int frame = 0; frame < 3; ++frame) {
        std::vector<float>& values = image.values.emplace_back();
        for (int z = 0; z < 3; ++z) {
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 5; ++x) {
                    values.push_back(static_cast<float>(1000 * (frame + 1) + 100 * x + 10 * y + z));
                }
            }
        }
    }
    return image;
}

DynamicSource sourceOf(const DynamicImage& image) {
    return {image, [&image](std::size_t frame) { return image.values[frame]; }};
}

/// 64 kg, 500 MBq given 300 s before the time that values are corrected to.
Uptake dose() {
    Uptake uptake;
    uptake.weight_kg = 64;
    uptake.dose_Bq = 500e6;
    uptake.halfLife_s = kHalfLife_s;
    uptake.waited_s = 300;
    uptake.branching = positronsPerDecay(kHalfLife_s);
    return uptake;
}

/// 16 bits with a slope per slice: half a step of its largest value, and the rounding of a float.
bool near(double read, double written, double largest) {
    return std::abs(read - written) <= largest * (0.501 / 32767 + 1e-6);
}

QString programOf(const char* name) {
    return QStandardPaths::findExecutable(name);
}

}  // namespace

class PetExportTest : public QObject {
    Q_OBJECT
  private:
    std::unique_ptr<QTemporaryDir> folder_;

    std::string path(const char* name) const { return folder_->filePath(name).toStdString(); }
    QByteArray run(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(folder_->path());
        process.start(program, arguments);
        constexpr int kLongest_ms = 60000;
        if (!process.waitForFinished(kLongest_ms) || process.exitCode() != 0) {
            return "failed: " + process.readAllStandardError();
        }
        return process.readAllStandardOutput();
    }
    void write(const char* name) const {
        const DynamicImage image = frames(DecayCorrection::Applied);
        (void)writePetExport(path(name), {sourceOf(image), dose()});
    }

  private slots:
    void init() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void timesDecayAndDoseComeBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("zero_s");  // of the times that are read: DICOM counts from the injection
        QTest::newRow("DICOM") << "a.dicom" << 300.0;
        QTest::newRow("NIfTI") << "a.nii.gz" << 0.0;
    }
    void timesDecayAndDoseComeBack() {
        QFETCH(QString, name);
        QFETCH(double, zero_s);
        const DynamicImage image = frames(DecayCorrection::Applied);
        const std::string file = path(qPrintable(name));

        (void)writePetExport(file, {sourceOf(image), dose()});

        const DynamicImage back = recognise(file).readDynamicImage().image;
        QCOMPARE(back.frames.size(), image.frames.size());
        QVERIFY(back.decay == DecayCorrection::Applied);
        QCOMPARE(back.halfLife_s, kHalfLife_s);
        QVERIFY(std::abs(back.decayReference_s - zero_s) < 1e-5);
        QVERIFY(norm(back.lattice.centre(4, 0, 2) - image.lattice.centre(4, 0, 2)) < 1e-6);
        for (std::size_t frame = 0; frame < 3; ++frame) {
            QVERIFY(std::abs(back.frames[frame].start_s - zero_s - image.frames[frame].start_s) < 1e-5);
            QCOMPARE(back.frames[frame].duration_s, image.frames[frame].duration_s);
            for (std::size_t i = 0; i < 60; ++i) {
                QVERIFY(near(back.values[frame][i], image.values[frame][i], 3432));
            }
        }
        VolumeReadOptions last;
        last.frame = 3;
        const VolumeReadResult read = recognise(file).readVolumeResult(last);
        QVERIFY(read.uptake);
        QVERIFY(std::abs(suvPerBqMl(*read.uptake) / suvPerBqMl(dose()) - 1) < 1e-6);
    }

    /// DICOM knows no other times than start and injection.
    void anotherTimeOfCorrectionBecomesTheStart() {
        DynamicImage image = frames(DecayCorrection::Applied);
        image.decayReference_s = 100;

        (void)writeDynamicImage(path("a.dicom"), image);

        const DynamicImage back = recognise(path("a.dicom")).readDynamicImage().image;
        QCOMPARE(back.decayReference_s, 0.0);
        const double factor = std::exp2(100 / kHalfLife_s);  // more was there at the start
        QVERIFY(near(back.values[1][7], factor * image.values[1][7], factor * 2432));
    }

    /// The mean over a frame of what decays, against its start by the sum over small steps.
    void meansBecomeCorrectedWhereTheDoseIsKnown() {
        const DynamicImage image = frames(DecayCorrection::None);

        const std::string note = writePetExport(path("a.dicom"), {sourceOf(image), dose()});

        QVERIFY2(note.find("corrected for decay to its start") != std::string::npos, note.c_str());
        const DynamicImage back = recognise(path("a.dicom")).readDynamicImage().image;
        for (std::size_t frame = 0; frame < 3; ++frame) {
            constexpr int kSteps = 20000;
            double mean = 0;
            for (int i = 0; i < kSteps; ++i) {
                const double t =
                    image.frames[frame].start_s + (i + 0.5) / kSteps * image.frames[frame].duration_s;
                mean += std::exp2(-t / kHalfLife_s) / kSteps;
            }
            const double largest = image.values[frame].back() / mean;
            QVERIFY(near(back.values[frame].back(), largest, 1.01 * largest));
        }
    }

    void aStaticImageKeepsItsDose_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("DICOM") << "s.dicom";
        QTest::newRow("NIfTI") << "s.nii";
    }
    void aStaticImageKeepsItsDose() {
        QFETCH(QString, name);
        Volume volume(Lattice::centred({5, 4, 3}, {2, 3, 4}));
        volume.units = "Bq/ml";
        volume.data = frames(DecayCorrection::Applied).values[0];
        (void)writeVolume(path("s.h5"), volume);
        ConvertOptions options;
        options.uptake = dose();

        const std::string note = convertFile(path("s.h5"), path(qPrintable(name)), options);

        QVERIFY2(note.find("--waited") != std::string::npos, note.c_str());
        const VolumeReadResult read = recognise(path(qPrintable(name))).readVolumeResult();
        QVERIFY(read.uptake);
        QVERIFY(std::abs(suvPerBqMl(*read.uptake) / suvPerBqMl(dose()) - 1) < 1e-6);
        QVERIFY(near(read.volume.data[7], volume.data[7], 1432));
        // And on: from one to the other without being told again.
        (void)convertFile(path(qPrintable(name)), path("on.dicom"));
        const VolumeReadResult on = recognise(path("on.dicom")).readVolumeResult();
        QVERIFY(on.uptake && std::abs(suvPerBqMl(*on.uptake) / suvPerBqMl(dose()) - 1) < 1e-6);
    }

    /// A sidecar that another program wrote stays, and so does the image beside it; our own is written over.
    void sidecarsOfOthersStay() {
        Volume volume(Lattice::centred({5, 4, 3}, {2, 3, 4}));
        volume.units = "Bq/ml";
        (void)writeVolume(path("v.h5"), volume);
        ConvertOptions options;
        options.uptake = dose();
        for (const char* text : {R"({"ConversionSoftware": "dcm2niix", "Units": "BQML"})", "no JSON"}) {
            std::ofstream(path("v.json")) << text;
            QVERIFY_EXCEPTION_THROWN((void)convertFile(path("v.h5"), path("v.nii"), options), CannotWrite);
            QVERIFY(!QFile::exists(folder_->filePath("v.nii")));
            std::ifstream held(path("v.json"));
            QCOMPARE((std::string{std::istreambuf_iterator<char>(held), {}}), std::string(text));
        }
        QVERIFY(QFile::remove(folder_->filePath("v.json")));
        (void)convertFile(path("v.h5"), path("v.nii"), options);
        (void)convertFile(path("v.h5"), path("v.nii"), options);
        QVERIFY(recognise(path("v.nii")).readVolumeResult().uptake);
    }

    void whatMakesNoSuvIsRefused() {
        Volume volume(Lattice::centred({2, 2, 2}, {2, 2, 2}));
        volume.units = "counts";
        (void)writeVolume(path("c.h5"), volume);
        ConvertOptions options;
        options.uptake = dose();
        QVERIFY_EXCEPTION_THROWN((void)convertFile(path("c.h5"), path("c.dicom"), options), BadInput);
        QVERIFY(!QDir(folder_->filePath("c.dicom")).exists());
        QVERIFY_EXCEPTION_THROWN((void)writePetExport(path("c.hv"), {{}, dose()}), WrongUse);
        DynamicImage image = frames(DecayCorrection::Applied);
        image.halfLife_s = 0;
        QVERIFY_EXCEPTION_THROWN((void)writeDynamicImage(path("h.dicom"), image), CannotWrite);
    }

    /// SUV by its formula from what pydicom reads, as nothing of ours has a part in it.
    void pydicomMakesTheSameSuv() {
        QString python = programOf("python3");
        const QStringList imports{"-c", "import pydicom, numpy"};
        if (run(python, imports).startsWith("failed")) {
            python = "/usr/bin/python3";  // Debian's, which has Debian's packages
        }
        if (run(python, imports).startsWith("failed")) {
            QSKIP("pydicom is not installed: apt-get install python3-pydicom");
        }
        write("a.dicom");
        const QByteArray told = run(python, {"-c", R"(
import json, os, pydicom
from datetime import datetime
def moment(date, time):
    return datetime.strptime(date + time, "%Y%m%d%H%M%S.%f")
rows = []
for name in os.listdir("a.dicom"):
    d = pydicom.dcmread(os.path.join("a.dicom", name))
    drug = d.RadiopharmaceuticalInformationSequence[0]
    start = moment(d.SeriesDate, d.SeriesTime)
    given = moment(drug.RadiopharmaceuticalStartDateTime[:8], drug.RadiopharmaceuticalStartDateTime[8:])
    assert d.Units == "BQML" and d.DecayCorrection == "START" and d.SeriesType[0] == "DYNAMIC"
    assert drug.RadionuclideCodeSequence[0].CodeValue == "C-105A1"
    left = float(drug.RadionuclideTotalDose) * 2 ** (-(start - given).total_seconds() / float(drug.RadionuclideHalfLife))
    suv = d.pixel_array * float(d.RescaleSlope) * 1000 * float(d.PatientWeight) / left
    begin = (moment(d.AcquisitionDate, d.AcquisitionTime) - start).total_seconds()
    rows.append([begin, float(d.ImagePositionPatient[2]), float(d.ActualFrameDuration),
                 float(d.FrameReferenceTime), float(d.DecayFactor), suv.flatten().tolist()])
print(json.dumps(sorted(rows)))
)"});
        QVERIFY2(!told.startsWith("failed"), told.constData());
        const auto rows = nlohmann::json::parse(told.toStdString());
        const DynamicImage image = frames(DecayCorrection::Applied);
        QCOMPARE(rows.size(), std::size_t{9});
        const double suv = 64000 / (500e6 * std::exp2(-300 / kHalfLife_s));
        for (std::size_t i = 0; i < 9; ++i) {
            const TimeFrame& frame = image.frames[i / 3];
            QVERIFY(std::abs(rows[i][0].get<double>() - frame.start_s) < 1e-5);
            QCOMPARE(rows[i][2].get<double>(), 1000 * frame.duration_s);
            // The factor is that from the mean over the frame; the mean is the value at the reference time.
            const double factor = rows[i][4].get<double>();
            QVERIFY(std::abs(std::exp2(1e-3 * rows[i][3].get<double>() / kHalfLife_s) / factor - 1) < 1e-6);
            for (std::size_t pixel = 0; pixel < 20; ++pixel) {
                QVERIFY(near(rows[i][5][pixel].get<double>(), suv * image.values[i / 3][20 * (i % 3) + pixel],
                             suv * 3432));
            }
        }
    }

    void dcm2niixReadsTheSame() {
        const QString program = programOf("dcm2niix");
        if (program.isEmpty()) {
            QSKIP("dcm2niix is not installed: apt-get install dcm2niix");
        }
        write("a.dicom");

        const QByteArray told = run(program, {"-f", "out", "-o", folder_->path(), "a.dicom"});

        QVERIFY2(!told.startsWith("failed"), told.constData());
        QFile sidecar(folder_->filePath("out.json"));
        QVERIFY(sidecar.open(QIODevice::ReadOnly));
        const auto held = nlohmann::json::parse(sidecar.readAll().toStdString());
        QCOMPARE(held["Units"].get<std::string>(), std::string("BQML"));
        QCOMPARE(held["RadionuclideTotalDose"].get<double>(), 500e6);
        QCOMPARE(held["RadionuclideHalfLife"].get<double>(), kHalfLife_s);
        verifyValues("out.nii");
    }

    void medconReadsTheSame() {
        const QString program = programOf("medcon");
        if (program.isEmpty()) {
            QSKIP("XMedCon is not installed: apt-get install medcon");
        }
        write("a.dicom");
        const DynamicImage image = frames(DecayCorrection::Applied);
        for (int frame = 0; frame < 3; ++frame) {  // it stacks the slices of one volume a time
            QStringList arguments{"-w", "-stack3d", "-qc", "-c", "nifti", "-o", "out", "-f"};
            for (int slice = 1; slice <= 3; ++slice) {
                arguments.append(QString("a.dicom/%1.dcm").arg(3 * frame + slice, 5, 10, QChar('0')));
            }

            const QByteArray told = run(program, arguments);

            QVERIFY2(!told.startsWith("failed"), told.constData());
            // Its NIfTI says nothing of axes, so rows and columns are taken to run as those of NIfTI do.
            verifyVolume(recognise(path("out.nii")).readVolume(), image, frame, Rows::Turned);
        }
    }

  private:
    enum class Rows { AsWritten, Turned };
    /// Values of a NIfTI that another program made of the series, in their places.
    void verifyValues(const char* name) const {
        const DynamicImage image = frames(DecayCorrection::Applied);
        for (int frame = 0; frame < 3; ++frame) {
            VolumeReadOptions options;
            options.frame = frame + 1;
            verifyVolume(recognise(path(name)).readVolume(options), image, frame, Rows::AsWritten);
        }
    }
    static void verifyVolume(const Volume& read, const DynamicImage& image, int frame, Rows rows) {
        QVERIFY(read.lattice.size == image.lattice.size);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            QVERIFY(std::abs(read.lattice.spacing_mm[axis] - image.lattice.spacing_mm[axis]) < 1e-5);
        }
        Volume written(image.lattice);
        written.data = image.values[static_cast<std::size_t>(frame)];
        for (int i = 0; i < 60; ++i) {
            const int x = i % 5;
            const int y = i / 5 % 4;
            const bool turned = rows == Rows::Turned;
            const float expected = written.at(turned ? 4 - x : x, turned ? 3 - y : y, i / 20);
            QVERIFY(near(read.at(x, y, i / 20), expected, 3432));
        }
    }
};

QTEST_GUILESS_MAIN(PetExportTest)

}  // namespace pet_export_test
#include "pet_export_test.moc"
