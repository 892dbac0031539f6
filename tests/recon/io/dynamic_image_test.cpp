// SPDX-License-Identifier: Apache-2.0
// Dynamic images in files: values, times and what is refused.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <string>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "tests/support/pet_slice.h"

namespace dynamic_image_test {

using namespace tof;
using namespace tof::test;

namespace {

DynamicImage threeFrames() {
    DynamicImage image;
    image.lattice = Lattice::centred({4, 3, 2}, {2, 3, 4});
    image.frames = {{0, 10}, {10, 20.5}, {40, 60}};
    image.units = "Bq/ml";
    image.decay = DecayCorrection::Applied;
    image.decayReference_s = 5;
    image.halfLife_s = 1222;
    for (std::size_t frame = 0; frame < 3; ++frame) {
        image.values.emplace_back(image.lattice.voxels());
        for (std::size_t i = 0; i < image.lattice.voxels(); ++i) {
            image.values.back()[i] = static_cast<float>(100 * frame + i);
        }
    }
    return image;
}

}  // namespace

class DynamicImageTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    void save(const std::string& name, const QByteArray& text) const {
        QFile out(QString::fromStdString(file(name)));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
    }
    static std::string refusal(const std::string& path) {
        try {
            (void)recognise(path).readDynamicImage();
        } catch (const BadInput& fault) {
            return fault.what();
        }
        return "nothing was refused";
    }
    static void verifySame(const DynamicImage& read, const DynamicImage& image) {
        QCOMPARE(read.frames, image.frames);
        QCOMPARE(read.values, image.values);
        QCOMPARE(read.units, image.units);
        QCOMPARE(read.lattice, image.lattice);
        QVERIFY(read.decay == image.decay);
        QCOMPARE(read.decayReference_s, image.decayReference_s);
        QCOMPARE(read.halfLife_s, image.halfLife_s);
    }

  private slots:
    void filesKeepValuesTimesAndDecay_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"a.h5", "a.nii", "b.nii.gz"}) {
            QTest::newRow(name) << name;
        }
    }
    void filesKeepValuesTimesAndDecay() {
        QFETCH(QString, name);
        const DynamicImage image = threeFrames();
        const std::string path = file(name.toStdString());

        writeDynamicImage(path, image);

        const RecognisedFile written = recognise(path);
        QVERIFY(written.holdsFrames());
        verifySame(written.readDynamicImage().image, image);
        VolumeReadOptions second;
        second.frame = 2;
        QCOMPARE(written.readVolume(second).data, image.values[1]);
        QVERIFY(written.infoJson().find("frame_start_s") != std::string::npos);
    }

    void convertTakesAllFrames() {
        const DynamicImage image = threeFrames();
        writeDynamicImage(file("from.h5"), image);

        (void)convertFile(file("from.h5"), file("to.nii.gz"));

        verifySame(recognise(file("to.nii.gz")).readDynamicImage().image, image);
    }

    void aSidecarThatDoesNotFitIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("named");
        QTest::newRow("none") << QByteArray() << "FrameTimesStart";
        QTest::newRow("no JSON") << QByteArray("{") << "side.json";
        QTest::newRow("too few") << QByteArray(R"({"FrameTimesStart": [0, 1], "FrameDuration": [1, 1]})")
                                 << "FrameTimesStart";
        QTest::newRow("no durations") << QByteArray(R"({"FrameTimesStart": [0, 1, 2]})") << "FrameDuration";
        QTest::newRow("overlap") << QByteArray(
                                        R"({"FrameTimesStart": [0, 1, 2], "FrameDuration": [1, 2, 1]})")
                                 << "frame 3 starts at 2 s, before frame 2 ends at 3 s";
        QTest::newRow("no length") << QByteArray(
                                          R"({"FrameTimesStart": [0, 1, 2], "FrameDuration": [1, 0, 1]})")
                                   << "frame 2";
    }
    void aSidecarThatDoesNotFitIsRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, named);
        (void)QFile::remove(QString::fromStdString(file("side.json")));  // one of others would stay
        writeDynamicImage(file("side.nii"), threeFrames());
        QVERIFY(QFile::remove(QString::fromStdString(file("side.json"))));
        if (!text.isEmpty()) {
            save("side.json", text);
        }

        const QString said = QString::fromStdString(refusal(file("side.nii")));

        QVERIFY2(said.contains(named), qPrintable(said));
    }

    /// Injected at 10:10:13.8, which is 6586.2 s before the start of the scan that values are corrected to.
    void dicomCountsTimesFromTheInjection() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        QVERIFY(QDir(folder_.path()).mkdir("dicom"));
        for (int i = 0; i < 4; ++i) {
            PetSlice slice;
            slice.uid = "1.2.3.9." + QByteArray::number(i);
            slice.columns = slice.rows = 1;
            slice.voxel_mm = 4;
            slice.corner = {0, 0, 4.0 * (i % 2)};
            slice.seconds = i < 2 ? 600 : 900;
            slice.acquired = i < 2 ? "121000" : "121500";
            slice.duration_s = i < 2 ? 300 : 600;
            slice.pixels = QByteArray(1, static_cast<char>(i + 1)) + QByteArray(1, '\0');
            save("dicom/" + std::to_string(i), fileOf(slice));
        }

        (void)convertFile(file("dicom"), file("dicom.nii"));  // all frames
        const DynamicImage image = recognise(file("dicom")).readDynamicImage().image;

        QCOMPARE(image.values, (std::vector<std::vector<float>>{{1, 2}, {3, 4}}));
        QCOMPARE(recognise(file("dicom.nii")).readDynamicImage().image.values, image.values);
        QVERIFY(image.decay == DecayCorrection::Applied);
        QCOMPARE(image.halfLife_s, 6586.2);
        const std::vector<double> found{image.decayReference_s, image.frames[0].start_s,
                                        image.frames[1].start_s, image.frames[0].duration_s,
                                        image.frames[1].duration_s};
        const std::vector<double> expected{6586.2, 7186.2, 7486.2, 300, 600};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY2(std::abs(found[i] - expected[i]) < 1e-5, qPrintable(QString::number(found[i], 'f', 6)));
        }
    }

    void decayFactorsAreThoseOfTheIntegral() {
        const TimeFrame frame{300, 600};
        const double rate = std::log(2.0) / 1222;
        double mean = 0;  // of exp(-rate t), by Simpson's rule: error below 1e-12
        constexpr int kSteps = 1000;
        for (int i = 0; i <= kSteps; ++i) {
            const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
            mean += weight / (3 * kSteps) * std::exp(-rate * (300 + 600.0 * i / kSteps));
        }
        QVERIFY(std::abs(decayFactor(frame, 1222, 100) * mean * std::exp(rate * 100) - 1) < 1e-10);
    }

    void aVolumeIsNoDynamicImage() {
        writeVolume(file("one.h5"), Volume(Lattice::centred({2, 2, 2}, {1, 1, 1})));
        QVERIFY(QString::fromStdString(refusal(file("one.h5"))).contains("no dynamic image"));
    }
};

QTEST_GUILESS_MAIN(DynamicImageTest)

}  // namespace dynamic_image_test
#include "dynamic_image_test.moc"
