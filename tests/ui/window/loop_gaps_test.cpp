// SPDX-License-Identifier: Apache-2.0
// The window answers while its pages open: the longest turn of its event loop.
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <ctime>

#include "recon/metrics/figures_of_merit.h"
#include "tests/ui/fixture.h"
#include "ui/kit/theme.h"

namespace loop_gaps_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

constexpr double kLongest_ms = 150;

double threadTime_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Turns of the event loop of this thread: what passes from one call of a timer that is always due to the
/// next.
class Turns : public QObject {
  public:
    Turns() {
        connect(&timer_, &QTimer::timeout, this, [this] {
            const double now = threadTime_ms();
            if (wall_.isValid()) {
                longestWall_ms = std::max(longestWall_ms, static_cast<double>(wall_.nsecsElapsed()) * 1e-6);
                longest_ms = std::max(longest_ms, now - last_ms_);
                ++count;
            }
            last_ms_ = now;
            wall_.start();
        });
        timer_.start(0);
    }
    double longest_ms = 0;      ///< the thread's own processor time
    double longestWall_ms = 0;  ///< as it took, other programs included
    int count = 0;

  private:
    QTimer timer_;
    QElapsedTimer wall_;
    double last_ms_ = 0;
};

}  // namespace

class LoopGapsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        const QString other = qEnvironmentVariable("TOF_TEST_STUDY");  // a larger one, to measure
        file_ = other.isEmpty() ? writeSmallData() : other;
    }

  private slots:
    void aPageOpensWithoutALongTurn_data() {
        QTest::addColumn<int>("key");
        QTest::newRow("compare") << int(Qt::Key_D);
        QTest::newRow("data") << int(Qt::Key_M);
        QTest::newRow("kernel lab") << int(Qt::Key_K);
    }

    /// Processor time of the window's thread, so that other programs do not count; what a page waits for is
    /// not seen by it, which the next test looks at.
    void aPageOpensWithoutALongTurn() {
        QFETCH(int, key);
        prepare();
        Turns turns;
        QCoreApplication::processEvents();
        QTest::keyClick(window_, static_cast<Qt::Key>(key));
        settle();
        QTest::keyClick(window_, static_cast<Qt::Key>(key));  // and back
        settle();
        qInfo("longest turn %.1f ms of processor time, %.1f ms in all, of %d", turns.longest_ms,
              turns.longestWall_ms, turns.count);
        QVERIFY(turns.count > 2);
        QVERIFY2(turns.longest_ms <= kLongest_ms, qPrintable(QString::number(turns.longest_ms)));
    }

    /// A driver can take many seconds to load: the pane says that it is on its way, and the window goes on.
    void theFirstSurfaceIsNotWaitedFor() {
        prepare();
        QTest::keyClick(window_, Qt::Key_K);
        settle();
        SolidPane* solid = window_->labPage().readout()->picture()->solid();
        Turns turns;
        QVERIFY(window_->commands().trigger("lab.surface"));
        QCoreApplication::processEvents();
        QVERIFY(solid->isVisible() && solid->busy());
        QVERIFY(solid->surface() == nullptr && solid->whyNoOpenGl().isEmpty());
        QVERIFY(until([&] { return !solid->busy(); }));
        QVERIFY(solid->surface() != nullptr || !solid->whyNoOpenGl().isEmpty());
        QVERIFY(!solid->picture().isNull());
        qInfo("longest turn %.1f ms of processor time, %.1f ms in all, of %d", turns.longest_ms,
              turns.longestWall_ms, turns.count);
        QVERIFY(turns.count > 2);
        QVERIFY2(turns.longest_ms <= kLongest_ms, qPrintable(QString::number(turns.longest_ms)));
    }

    /// What takes long to know of an image is found in another thread: its automatic range, and the activity
    /// of the phantom on its lattice.
    void aLargeImageIsMeasuredAwayFromTheWindow() {
        prepare();
        auto large = std::make_shared<Volume>(Lattice::centred({240, 240, 120}, {2, 2, 2}));
        large->units = "emissions/voxel";
        for (std::size_t i = 0; i < large->data.size(); ++i) {
            large->data[i] = static_cast<float>(i % 997);
        }
        QVERIFY(desk_->rois().set().truth != nullptr);
        Turns turns;
        QCoreApplication::processEvents();
        const int id = desk_->runs().addVolume("large", large);
        desk_->runs().find(id)->measuredAs(*desk_->runs().items().front());  // as what is made of a run
        desk_->runs().select(id);
        QVERIFY(until([&] { return desk_->screen().busy(); }));
        QVERIFY(std::isnan(desk_->screen().figures().trueCrc));  // not there yet, and not waited for
        settle();

        QVERIFY2(turns.longest_ms <= kLongest_ms, qPrintable(QString::number(turns.longest_ms)));
        QVERIFY(desk_->screen().facts()->knownRange(large) == robustRange(*large));
        RoiSet rois = desk_->rois().set();
        const FigureEvaluator evaluator(rois, large->lattice);
        const Figures expected = evaluator.evaluate(1, large->data.data());
        const Figures shown = desk_->screen().figures();
        QVERIFY(std::isfinite(expected.trueCrc));
        // Sampled slab by slab: only points on an edge may fall to its other side.
        QVERIFY(std::abs(shown.trueCrc - expected.trueCrc) < 1e-4);
        QCOMPARE(shown.crc, expected.crc);
    }

  private:
    void prepare() {
        QVERIFY(QTest::qWaitForWindowActive(window_));
        open(file_);
        if (desk_->runs().items().size() < 2) {
            reconstruct(2);
            reconstruct(2);
        }
        window_->viewer().pane(Plane::Transverse)->setFocus();
    }
    void settle() {
        QCoreApplication::processEvents();
        QVERIFY(until([&] {
            return !desk_->busy() && !window_->labPage().busy() && !window_->comparePage().model().busy();
        }));
        static_cast<void>(test::stays([] { return true; }, 50));
    }

    QString file_;
};

QTEST_MAIN(LoopGapsTest)

}  // namespace loop_gaps_test
#include "loop_gaps_test.moc"
