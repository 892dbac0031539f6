// SPDX-License-Identifier: Apache-2.0
// The Data page in the real window, with real mouse and key events.
#include "ui/pages/data_page.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <cmath>

#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/window/command_line.h"
#include "ui/window/main_window.h"
#include "ui/window/script.h"

namespace data_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class DataPageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = folder_.filePath("small.h5");
        HistoData data = test::smallData();
        // Eight azimuths 22.5 degrees apart and a second tilt with half the counts.
        const std::size_t untilted = data.views.size();
        for (std::size_t v = 0; v < untilted; ++v) {
            data.views.push_back({data.views[v].phi, 0.1});
        }
        const std::vector<float> counts = data.counts;
        for (const float c : counts) {
            data.counts.push_back(c / 2);
        }
        writeData(dataFile_.toStdString(), data);
    }

    void begin() override {
        open(dataFile_);
        QTest::keyClick(window_, Qt::Key_M);
        QVERIFY(settled());
    }

  private slots:
    void theKeyShowsTheCountsOfTheUntiltedView() {
        QVERIFY(page().isVisible());
        QCOMPARE(model().first().values.size(), std::size_t{8});
        QCOMPARE(model().second().values.size(), std::size_t{2});
        QCOMPARE(model().second().values[static_cast<std::size_t>(model().secondIndex())], 0.0);
        QVERIFY(sameAsCounts(*model().view()));
    }

    void theSlidersChooseTheView() {
        auto* azimuth = window_->findChild<QSlider*>("data.azimuth");
        auto* tilt = window_->findChild<QSlider*>("data.tilt");
        azimuth->setFocus();

        QTest::keyClick(azimuth, Qt::Key_Right);
        QTest::keyClick(azimuth, Qt::Key_Right);
        QTest::keyClick(azimuth, Qt::Key_Right);
        tilt->setFocus();
        QTest::keyClick(tilt, Qt::Key_End);
        QVERIFY(settled());

        QCOMPARE(model().first().values[static_cast<std::size_t>(model().firstIndex())], 67.5);
        QVERIFY(std::abs(model().second().values[static_cast<std::size_t>(model().secondIndex())] -
                         0.1 * 180 / M_PI) < 1e-9);
        QCOMPARE(*model().view(), std::size_t{11});
        QVERIFY(sameAsCounts(11));
    }

    void bracketsStepTheViewsAndWrapAtHalfATurn() {
        QTest::keyClick(window_, Qt::Key_BracketLeft);
        QCOMPARE(model().firstIndex(), 7);
        QTest::keyClick(window_, Qt::Key_BracketRight);
        QCOMPARE(model().firstIndex(), 0);
        QTest::keyClick(window_, Qt::Key_BraceRight);
        QCOMPARE(model().secondIndex(), 1);
        QTest::keyClick(window_, Qt::Key_BraceRight);

        QCOMPARE(model().secondIndex(), 1);
    }

    void aClickOnTheChartShowsThatView() {
        QVERIFY(until([&] { return model().totals().size() == 16; }));
        const QPointF at = page().chart()->place(5, 1);

        QTest::mouseClick(page().chart(), Qt::LeftButton, {}, at.toPoint());

        QCOMPARE(model().firstIndex(), 5);
        QCOMPARE(model().secondIndex(), 1);
    }

    void theChartHasTheCountsOfEveryView() {
        QVERIFY(until([&] { return model().totals().size() == 16; }));
        const std::vector<double> wanted = desk_->study().measurement()->viewTotals();

        for (std::size_t v = 0; v < 8; ++v) {
            QCOMPARE(model().totals()[v], wanted[v]);
            // halves of floats are exact
            QCOMPARE(model().totals()[v + 8], wanted[v] / 2);
        }
        QCOMPARE(page().chart()->toCsv().count('\n'), 17);
    }

    void whatNeedsAnImageSaysSo() {
        QAction* residual = window_->commands().action("data.residual");

        QVERIFY(!residual->isEnabled());
        QVERIFY2(residual->toolTip().contains("run a reconstruction"), qPrintable(residual->toolTip()));
        QVERIFY(!window_->commands().action("data.add")->isEnabled());
    }

    void theResidualIsCountsMinusExpectedWithCoupledLimits() {
        reconstruct(1);
        QVERIFY(window_->commands().trigger("data.expected"));
        QVERIFY(settled());
        const auto expected = model().shown();
        QVERIFY(expected != nullptr);
        QVERIFY(window_->commands().trigger("data.residual"));
        QVERIFY(settled());
        const auto residual = model().shown();
        QVERIFY(residual != nullptr);

        const auto& data = *desk_->study().histo();
        const float* counts = data.counts.data() + *model().view() * data.voxels();
        for (std::size_t i = 0; i < data.voxels(); ++i) {
            QCOMPARE(residual->data[i], counts[i] - expected->data[i]);
        }
        QCOMPARE(model().range().low, -model().range().high);
        QVERIFY(model().diverging());
        QVERIFY(!window_->findChild<QLineEdit*>("data.low")->isVisible());
    }

    void aTypedLimitIsForBothEnds() {
        reconstruct(1);
        window_->commands().trigger("data.residual");
        QVERIFY(settled());
        auto* high = window_->findChild<QLineEdit*>("data.high");
        high->setFocus();
        high->selectAll();

        QTest::keyClicks(high, "2.5");
        QTest::keyClick(high, Qt::Key_Return);

        QCOMPARE(model().range(), (DisplayRange{-2.5, 2.5}));
        QVERIFY(!model().autoRange());
    }

    void countsAndExpectedShareOneRangeThatStaysFromViewToView() {
        reconstruct(1);
        window_->commands().trigger("data.counts");
        QVERIFY(settled());
        const DisplayRange range = model().range();

        model().setView(0, 1);  // half the counts
        QVERIFY(settled());
        QCOMPARE(model().range(), range);
        window_->commands().trigger("data.expected");
        QVERIFY(settled());
        QCOMPARE(model().range(), range);
        window_->commands().trigger("data.auto");

        QVERIFY(model().range().high < range.high);
    }

    void aRightDragSetsTheRangeOfTheDataAlone() {
        const DisplayRange shared = desk_->view().range();
        model().setRange({0, 10});
        SlicePane* pane = page().pane(Plane::Transverse);

        QTest::mousePress(pane, Qt::RightButton, {}, {100, 100});
        QMouseEvent move(QEvent::MouseMove, QPointF(250, 100), pane->mapToGlobal(QPointF(250, 100)),
                         Qt::NoButton, Qt::RightButton, Qt::NoModifier);
        QApplication::sendEvent(pane, &move);

        // 150 of 300 px: the window is half as wide again; activity has no window below zero.
        QCOMPARE(model().range(), (DisplayRange{0, 12.5}));
        QCOMPARE(desk_->view().range(), shared);
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);
        QCOMPARE(model().range(), (DisplayRange{0, 10}));
        QTest::mouseRelease(pane, Qt::RightButton, {}, {250, 100});
    }

    void theFiguresReadTheVoxelUnderTheSharedCursor() {
        const auto& lattice = desk_->study().histo()->lattice;
        desk_->view().setCursor(lattice.centre(31, 17, 3));
        desk_->view().flush();

        const float wanted = model().shown()->data[lattice.index(31, 17, 3)];
        const QString text = page().strip()->text();
        QVERIFY2(text.contains("voxel 31, 17, 3\t" + compactNumber(static_cast<double>(wanted), 4)),
                 qPrintable(text));
    }

    void theCommandLineReachesQuantityAndView() {
        window_->commands().trigger("page.slices");
        Script script(*window_, *desk_,
                      CommandLine::parse({"--data", "counts", "--view", "44,6", "--screenshot",
                                          folder_.filePath("data.png"), "--exit"})
                          .actions);
        QSignalSpy finished(&script, &Script::finished);

        script.start();

        QVERIFY(finished.wait(20000));
        QVERIFY(!script.fault());
        QVERIFY(page().isVisible());
        QCOMPARE(*model().view(), std::size_t{10});
        QVERIFY(sameAsCounts(10));
        QVERIFY(QImage(folder_.filePath("data.png")).width() == 1600);
    }

    void closingTheStudyGoesBackToTheStartPage() {
        desk_->close();
        window_->refreshNow();

        QVERIFY(!page().isVisible());
        QVERIFY(model().data() == nullptr);
        QVERIFY(model().shown() == nullptr);
    }

  private:
    DataPage& page() { return window_->dataPage(); }
    DataModel& model() { return window_->dataPage().model(); }
    bool settled() {
        window_->refreshNow();
        return until([&] { return !model().busy() && model().shown() != nullptr; });
    }
    bool sameAsCounts(std::size_t view) {
        const auto& data = *desk_->study().histo();
        const auto first = data.counts.begin() + static_cast<std::ptrdiff_t>(view * data.voxels());
        return model().shown() != nullptr &&
               std::equal(model().shown()->data.begin(), model().shown()->data.end(), first);
    }
    QString dataFile_;
};

QTEST_MAIN(DataPageTest)

}  // namespace data_page_test
#include "data_page_test.moc"
