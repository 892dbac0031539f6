// SPDX-License-Identifier: Apache-2.0
// Opening and closing leaves the heap as it was.
#include <malloc.h>

#include <algorithm>
#include <vector>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kWarmUp = 30;  ///< until most caches of Qt, fonts and icons are filled
constexpr int kCycles = 80;  ///< that are measured
/// A forgotten signal connection or picture is 200 bytes and more in each cycle, and so in the median one.
/// Glyphs and icons that are drawn late for the first time are in few.
constexpr double kBytesPerCycle = 200;

double heapBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

}  // namespace

class HeapTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        const QString data = writeSmallData();
        Volume volume(Lattice::centred({48, 40, 12}, {4, 4, 4}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>(i % 97);
        }
        writeVolume(folder_.filePath("volume.nii").toStdString(), volume);
        const QString study = folder_.filePath("s.tofstudy");
        static_cast<void>(Study::create(study.toStdString(), data.toStdString()));
        test::Program program(engines_);
        program.open({study});
        program.reconstruct(2);
        QVERIFY(QFile::copy(study + "/runs/A.h5", folder_.filePath("run.h5")));
    }

  private slots:
    void openingAndClosingLeavesTheHeapAsItWas_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"volume.nii", "run.h5", "s.tofstudy"}) {
            QTest::newRow(file) << QString(file);
        }
    }

    void openingAndClosingLeavesTheHeapAsItWas() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer has a heap of its own");
#endif
        QFETCH(QString, file);
        std::vector<double> growth;
        double before = 0;
        for (int i = 0; i < kWarmUp + kCycles; ++i) {
            open(folder_.filePath(file));
            QVERIFY(desk_->runs().selected() != nullptr);
            desk_->close();
            QApplication::processEvents();
            const double now = heapBytes();
            if (i >= kWarmUp) {
                growth.push_back(now - before);
            }
            before = now;
        }

        std::sort(growth.begin(), growth.end());
        const double median = growth[growth.size() / 2];
        qInfo("%.0f bytes in the median cycle, %.0f and %.0f at its quartiles", median, growth[kCycles / 4],
              growth[3 * kCycles / 4]);
        QVERIFY2(median < kBytesPerCycle, qPrintable(QString("%1 bytes a cycle").arg(median)));
    }
};

int runHeapTest(int argc, char** argv) {
    mallopt(M_ARENA_MAX, 1);  // what other threads allocate is counted, too
    QApplication application(argc, argv);
    HeapTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "heap_test.moc"
