// SPDX-License-Identifier: Apache-2.0
// Opening and closing leaves the heap as it was.
#include <malloc.h>

#include <algorithm>
#include <vector>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"

namespace heap_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr int kWarmUp = 120;  ///< until the caches of Qt, fonts and icons have filled: they grow for 100
constexpr int kSpans = 3;     ///< that are measured, each by its slope
constexpr int kCycles = 20;   ///< that a span has
/// A forgotten signal connection or picture is 200 bytes and more in each cycle, and so in every span: the
/// least slope is judged. Glyphs, icons and tables of libraries that grow late are in some spans alone. What
/// a cycle frees late scatters by 1 kB, which moves a slope over 20 cycles by sqrt(12 / 20^3) of it, 40
/// bytes.
constexpr double kBytesPerCycle = 160;
/// A run's row, settings, curves of every iterate, histogram and thumbnail.
constexpr double kBytesPerRun = 65536;

double heapBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The growth per cycle of a span: the median slope of all pairs of its cycles (Theil and Sen), which a step
/// in few cycles does not move.
double slope(const std::vector<double>& heap) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < heap.size(); ++i) {
        for (std::size_t j = i + 1; j < heap.size(); ++j) {
            slopes.push_back((heap[j] - heap[i]) / static_cast<double>(j - i));
        }
    }
    return median(slopes);
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
        for (int i = 0; i < kWarmUp; ++i) {
            openAndClose(file);
        }
        std::vector<double> slopes;
        for (int span = 0; span < kSpans; ++span) {
            std::vector<double> heap;
            for (int i = 0; i < kCycles; ++i) {
                openAndClose(file);
                heap.push_back(heapBytes());
            }
            slopes.push_back(slope(heap));
        }

        qInfo("%.0f, %.0f and %.0f bytes a cycle", slopes[0], slopes[1], slopes[2]);
        const double least = *std::min_element(slopes.begin(), slopes.end());
        QVERIFY2(least < kBytesPerCycle, qPrintable(QString("%1 bytes a cycle").arg(least)));
    }

    void runsGrowTheHeapByTheirImages() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer has a heap of its own");
#endif
        const int runs = qEnvironmentVariableIsSet("TOFSCOPE_FULL") ? 300 : 24;
        open(folder_.filePath("small.h5"));
        std::vector<double> heap;
        const int descriptors = openDescriptors();
        for (int i = 0; i < runs; ++i) {
            reconstruct(1);
            QApplication::processEvents();
            heap.push_back(heapBytes());
        }
        // What is made once is made by the first runs.
        heap.erase(heap.begin(), heap.begin() + runs / 3);

        const auto image = static_cast<double>(desk_->runs().image()->data.size() * sizeof(float));
        qInfo("%d runs: %.0f bytes a run, of which its image has %.0f", runs, slope(heap), image);
        QVERIFY2(slope(heap) < image + kBytesPerRun, qPrintable(QString::number(slope(heap))));
        QCOMPARE(desk_->runs().items().size(), static_cast<std::size_t>(runs));
        QVERIFY2(openDescriptors() <= descriptors + 2, qPrintable(QString::number(openDescriptors())));
    }

  private:
    /// How many this process has, less that of the folder which tells.
    static int openDescriptors() {
        return static_cast<int>(
            QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
    }

    void openAndClose(const QString& file) {
        open(folder_.filePath(file));
        QVERIFY(desk_->runs().selected() != nullptr);
        desk_->close();
        QApplication::processEvents();
    }
};

int runHeapTest(int argc, char** argv) {
    mallopt(M_ARENA_MAX, 1);  // what other threads allocate is counted, too
    QApplication application(argc, argv);
    HeapTest test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace heap_test
#include "heap_test.moc"
