// SPDX-License-Identifier: Apache-2.0
// Factors to physical units that Interfile states, taken and left, and formats that state none.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "tests/support/foreign_lists.h"

namespace stated_factor_test {

using namespace tof;

class StatedFactorTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    // value = stored x image scaling factor x quantification units; the first of both is a scale and stays.
    void interfileIsTakenOrLeft() {
        const RecognisedFile file = recognise(image("quantification units := 4\n"));
        VolumeReadOptions without;
        without.factor = StatedFactor::Left;

        const VolumeReadResult with = file.readVolumeResult({});
        const VolumeReadResult bare = file.readVolumeResult(without);

        for (std::size_t i = 0; i < bare.volume.data.size(); ++i) {
            QCOMPARE(with.volume.data[i], 4 * bare.volume.data[i]);
        }
        QCOMPARE(*std::max_element(bare.volume.data.begin(), bare.volume.data.end()), 11.0F * 3);
        QCOMPARE(with.statedFactor, 4.0);
        QCOMPARE(bare.statedFactor, 1.0);
        QVERIFY(with.note.find("multiplied by 'quantification units' 4; --calibration none") !=
                std::string::npos);
        QVERIFY(bare.note.find("not multiplied by 'quantification units' 4") != std::string::npos);
    }

    void whatStatesNoFactorSaysSo_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("Interfile in words") << "i.hv";
        QTest::newRow("MetaImage") << "i.mha";
        QTest::newRow("NIfTI") << "i.nii";
        QTest::newRow("HDF5") << "i.h5";
    }
    void whatStatesNoFactorSaysSo() {
        QFETCH(QString, name);
        const std::string path = folder_->filePath(name).toStdString();
        if (name == "i.mha") {
            save(name,
                 "ObjectType = Image\nNDims = 3\nDimSize = 3 2 2\nElementSpacing = 2 3 5\n"
                 "Offset = 0 0 0\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n" +
                     QByteArray(48, '\0'));
        } else {
            const std::string from = image("quantification units := Bq/ml\n");
            if (name != "i.hv") {
                (void)convertFile(from, path);
            }
        }
        VolumeReadOptions without;
        without.factor = StatedFactor::Left;

        QString sentence;
        try {
            (void)recognise(path).readVolumeResult(without);
        } catch (const WrongUse& fault) {
            sentence = fault.what();
        }

        QVERIFY2(sentence.contains("states no factor") && sentence.contains("--calibration"),
                 qPrintable(sentence));
        QVERIFY(sentence.contains(name));
    }

    // Counts of sinograms are taken alike.
    void sinogramsAreTakenOrLeft() {
        QByteArray counts;
        for (int i = 0; i < 6 * 5; ++i) {
            const auto value = static_cast<float>(i);
            counts.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        save("a.s", counts);
        const std::string path = save(
            "a.hs",
            "!INTERFILE :=\nname of data file := a.s\nScanner type := one\nNumber of rings := 1\n"
            "Number of detectors per ring := 12\nInner ring diameter (cm) := 20\n"
            "Distance between rings (cm) := 0.5\nPET data type := Emission\napplied corrections := {None}\n"
            "imagedata byte order := LITTLEENDIAN\nnumber format := float\nnumber of bytes per pixel := 4\n"
            "number of dimensions := 4\nmatrix axis label [4] := segment\nmatrix size [4] := 1\n"
            "matrix axis label [3] := axial coordinate\nmatrix size [3] := {1}\n"
            "matrix axis label [2] := view\nmatrix size [2] := 6\n"
            "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 5\n"
            "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n"
            "quantification units := 0.5\n");
        SinogramReadOptions without;
        without.factor = StatedFactor::Left;

        const InterfileSinograms with = readInterfileSinograms(path);
        const InterfileSinograms bare = readInterfileSinograms(path, without);

        for (std::size_t bin = 0; bin < with.data.counts.size(); ++bin) {
            QCOMPARE(with.data.counts[bin], bare.data.counts[bin] / 2);
        }
        QVERIFY(with.note.find("counts are multiplied by 'quantification units' 0.5") != std::string::npos);
        ConvertOptions options;
        options.volume.factor = StatedFactor::Left;
        (void)convertFile(path, folder_->filePath("a.h5").toStdString(), options);
        const DataReadResult back = recognise(folder_->filePath("a.h5").toStdString()).readData();
        QCOMPARE(std::get<SinogramData>(back.data).counts, bare.data.counts);
    }

  private:
    /// 12 values 0, 1, ... of an image scaling factor of 3, with `more` in the header.
    std::string image(const QByteArray& more) {
        QByteArray values;
        for (int i = 0; i < 12; ++i) {
            const auto value = static_cast<float>(i);
            values.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        save("i.v", values);
        return save("i.hv",
                    "!INTERFILE :=\nname of data file := i.v\n!PET data type := Image\n"
                    "patient orientation := feet_in\npatient rotation := prone\n"
                    "imagedata byte order := LITTLEENDIAN\n!number format := float\n"
                    "!number of bytes per pixel := 4\nnumber of dimensions := 3\n"
                    "matrix axis label [1] := x\n!matrix size [1] := 3\nscaling factor (mm/pixel) [1] := 4\n"
                    "matrix axis label [2] := y\n!matrix size [2] := 2\nscaling factor (mm/pixel) [2] := 4\n"
                    "matrix axis label [3] := z\n!matrix size [3] := 2\nscaling factor (mm/pixel) [3] := 4\n"
                    "image scaling factor[1] := 3\n" +
                        more + "!END OF INTERFILE :=\n");
    }
    std::string save(const QString& name, const QByteArray& text) const {
        test::saveBytes(folder_->filePath(name), text);
        return folder_->filePath(name).toStdString();
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(StatedFactorTest)

}  // namespace stated_factor_test
#include "stated_factor_test.moc"
