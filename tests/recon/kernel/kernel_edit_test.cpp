// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_edit.h"

#include <QStringList>
#include <QTest>

#include "recon/base/error.h"

namespace kernel_edit_test {

using namespace tof;

class KernelEditTest : public QObject {
    Q_OBJECT

  private slots:
    void everyNumberIsSetAndReadByItsName() {
        KernelSpec kernel = KernelSpec::preset("ha-fig7-asymmetric");
        double value = 0.6;

        for (const KernelNumber& number : kernelNumbers()) {
            setKernelNumber(kernel, number.key, value += 0.1);
            QCOMPARE(kernelNumber(kernel, number.key), value);
        }

        QVERIFY(kernel.tof_ps != kernel.axial_mm);  // each has a place of its own
        QCOMPARE(kernel.asymmetry->weight, value);
    }

    void aSymmetricKernelHasNoRatio() {
        KernelSpec kernel = KernelSpec::preset("variant1");

        QVERIFY_EXCEPTION_THROWN(setKernelNumber(kernel, "ratio", 2), WrongUse);
        QVERIFY_EXCEPTION_THROWN(setKernelNumber(kernel, "width", 2), WrongUse);
        QCOMPARE(kernelNumber(kernel, "shift"), 0.0);
        setKernelSampling(kernel, "voxel");
        QVERIFY(kernel.sampling == KernelSampling::Voxel);
        setKernelSampling(kernel, "centre");
        QVERIFY(kernel.sampling == KernelSampling::Centre);
        QVERIFY_EXCEPTION_THROWN(setKernelSampling(kernel, "corner"), WrongUse);
        setKernelSymmetry(kernel, "asymmetric");
        QCOMPARE(kernelNumber(kernel, "shift"), 1.0);  // the papers'
        setKernelNumber(kernel, "shift", 0.5);
        setKernelSymmetry(kernel, "asymmetric");
        QCOMPARE(kernelNumber(kernel, "shift"), 0.5);
        QVERIFY_EXCEPTION_THROWN(setKernelSymmetry(kernel, "lopsided"), WrongUse);
    }

    void widthsComeFromText() {
        QCOMPARE(widthsFromText("5.8").at(100), 5.8);
        QCOMPARE(widthsFromText("0:4;80:12").at(20), 6.0);  // a quarter of the way from 4 to 12
        QCOMPARE(widthsFromText(" 0 : 4 ; 80 : 12 ").at(200), 12.0);
    }

    void whatIsNoNumberIsNamed_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "x", "0:4;80", "0:4;80:1:2", "0:4;80:wide", "5.8mm", "inf"}) {
            QTest::newRow(text[0] == '\0' ? "nothing" : text) << text;
        }
    }

    void whatIsNoNumberIsNamed() {
        QFETCH(QString, text);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(widthsFromText(text.toStdString())), WrongUse);
    }

    void pointsComeFromText() {
        const auto points = pointsFromText("points", "0,0,0; 60,\u22124.5,10;");

        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[1].x, 60.0);
        QCOMPARE(points[1].y, -4.5);
        QCOMPARE(points[1].z, 10.0);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(pointsFromText("points", "1,2")), WrongUse);
    }

    void widthsGoIntoATableBesideThePresets() {
        const QStringList lines =
            QString::fromStdString(widthsAsCsv(KernelSpec::preset("variant2"), 288)).split('\n');

        QCOMPARE(lines.size(), 1 + 289 + 1);
        QCOMPARE(lines[0], QString("s_mm,kernel_fwhm_mm,invariant,variant1,variant2,variant3"));
        // docs/model.md section 2 at |s| = 288 mm: 12, 5.8, 10, 12 and 5.8 + 5.37.
        QCOMPARE(lines[289], QString("288,12,5.8,10,12,11.17"));
    }
};

QTEST_APPLESS_MAIN(KernelEditTest)

}  // namespace kernel_edit_test
#include "kernel_edit_test.moc"
