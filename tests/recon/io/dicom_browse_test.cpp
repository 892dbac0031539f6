// SPDX-License-Identifier: Apache-2.0
// What a folder of DICOM is listed as.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/error.h"
#include "recon/io/dicom/dicom_browse.h"
#include "recon/io/dicom/dicom_slices.h"
#include "tests/support/pet_slice.h"

namespace dicom_browse_test {

using namespace tof;
using tof::test::PetSlice;

namespace {

QByteArray slice(const char* series, const char* number, const char* description, int z) {
    PetSlice one;
    one.uid = "1.2.3.4." + QByteArray::number(z);
    one.series = series;
    one.number = number;
    one.description = description;
    one.columns = 3;
    one.rows = 2;
    one.voxel_mm = 4;
    one.corner = {0, 0, 4.0 * z};
    one.pixels = QByteArray(12, '\1');
    return fileOf(one);
}

}  // namespace

class DicomBrowseTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    void save(const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

  private slots:
    void initTestCase() {
        if (const std::string why = whyNoDicom(); !why.empty()) {
            QSKIP(why.c_str());
        }
        save("a", slice("1.2.3.20", "12", "late", 1));
        save("b", slice("1.2.3.10", "3", "early", 2));
        save("c", slice("1.2.3.10", "3", "early", 3));
        save("d", slice("1.2.3.10", "3", "early", 4).left(300));
        QByteArray other = slice("1.2.3.30", "1", "other", 5);
        save("e", other.replace(test::kPet,
                                QByteArray("1.2.840.10008.5.1.4.1.1.4")
                                    .leftJustified(static_cast<int>(qstrlen(test::kPet)), '\0')));  // MR
        save("readme.txt", "no DICOM");
        QVERIFY(QDir(folder_.path()).mkdir("below"));
        save("below/f", slice("1.2.3.40", "1", "below", 6));
    }

    void seriesComeInTheOrderOfTheirNumbers() {
        int heeded = 0;

        const DicomFolderRows found = dicomRowsIn(folder_.path().toStdString(), [&] { ++heeded; });

        QCOMPARE(found.series.size(), 2U);
        const DicomSeriesRow& first = found.series[0];
        QCOMPARE(first.uid, std::string("1.2.3.10"));
        QCOMPARE(first.description, std::string("early"));
        QCOMPARE(first.modality, std::string("PT"));
        QCOMPARE(first.number, std::string("3"));
        QCOMPARE(first.visit, std::string("1.2.3.1"));
        QCOMPARE(first.images, 2);
        QCOMPARE(first.columns, 3);
        QCOMPARE(first.rows, 2);
        QCOMPARE(first.columnSpacing_mm, 4.0);
        QVERIFY(first.moment_s.has_value());
        QCOMPARE(found.series[1].uid, std::string("1.2.3.20"));  // 12 comes after 3 as a number alone
        QCOMPARE(found.series[1].images, 1);
        QCOMPARE(found.damaged, 1);
        QCOMPARE(found.others, 1);
        QVERIFY(heeded >= 5);
    }

    void whoeverIsNotWantedAnyMoreEnds() {
        QVERIFY_EXCEPTION_THROWN((void)dicomRowsIn(folder_.path().toStdString(), [] { throw Cancelled(); }),
                                 Cancelled);
    }
};

QTEST_GUILESS_MAIN(DicomBrowseTest)

}  // namespace dicom_browse_test
#include "dicom_browse_test.moc"
