// SPDX-License-Identifier: Apache-2.0
// Sinograms on the Data page of the real window.
#include <QAction>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <algorithm>
#include <numeric>

#include "recon/io/hdf5/data_io.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "tests/support/rings.h"
#include "tests/ui/fixture.h"
#include "ui/pages/data_page.h"
#include "ui/window/main_window.h"

namespace line_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class RingPageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = folder_.filePath("sinograms.h5");
        SinogramData data;
        data.michelogram = std::make_shared<const Michelogram>(test::threeRings({3, 400, 500}));
        data.lattice = Lattice::centred({20, 20, 5}, {10, 10, 5});
        for (std::size_t i = 0; i < data.michelogram->bins(); ++i) {
            data.counts.push_back(static_cast<float>(i % 7));
        }
        data.kept = 1;
        writeSinogramData(dataFile_.toStdString(), data);
        data_ = data;
    }

    void begin() override {
        open(dataFile_);
        QTest::keyClick(window_, Qt::Key_M);
        QVERIFY(settled());
    }

  private slots:
    void theKeyShowsTheDirectPlanesOfTheMiddleTimeBin() {
        QVERIFY(page().isVisible());
        QVERIFY(model().data() != nullptr);
        QCOMPARE(model().data()->kind(), std::string("sinograms"));
        QCOMPARE(model().first().values.size(), std::size_t{5});
        QCOMPARE(model().second().values.size(), std::size_t{3});
        QCOMPARE(model().secondIndex(), 1);
        QCOMPARE(model().shown()->data, countsOf(0, 1).data);
        QVERIFY2(page().strip()->text().contains("6 of 15"), qPrintable(page().strip()->text()));
    }

    void aSinogramHasMmAcrossAndAnglesDown() {
        SlicePane* pane = nullptr;
        for (SlicePane* each : page().findChildren<SlicePane*>()) {
            pane = each->plane() == Plane::Transverse ? each : pane;
        }
        desk_->view().zoomAbout(desk_->view().cursor(), 0.3);  // both ends are in the picture
        window_->refreshNow();
        const QImage with = pane->grab().toImage();
        desk_->view().setFlag(ViewModel::Flag::ScaleBar, false);
        window_->refreshNow();
        const QImage without = pane->grab().toImage();

        const auto marked = [&](const QRectF& part) {
            int pixels = 0;
            for (int y = static_cast<int>(part.top()); y < part.bottom(); ++y) {
                for (int x = static_cast<int>(part.left()); x < part.right(); ++x) {
                    pixels += with.pixel(x, y) != without.pixel(x, y) ? 1 : 0;
                }
            }
            return pixels;
        };
        const Box box = latticeBox(model().shown()->lattice);
        const QPointF first = pane->toWidget(box.low);
        const QPointF last = pane->toWidget(box.high);
        const double x = std::max(0.0, std::min(first.x(), last.x()));
        QVERIFY(first.y() >= 0 && last.y() <= pane->height());
        // The angles at both ends of the picture and their name between them, and a bar of mm in the corner.
        QVERIFY(marked({x, std::max(first.y(), 20.0), 40, 20}) > 10);
        QVERIFY(marked({x, pane->height() / 2.0 - 20, 60, 20}) > 10);
        QVERIFY(marked({x, std::min(last.y() - 6, pane->height() - 40.0) - 14, 40, 20}) > 10);
        QVERIFY(marked({0, pane->height() - 36.0, 200, 36}) > 40);
    }

    void theSlidersChooseSegmentAndTimeBin() {
        auto* segment = window_->findChild<QSlider*>("data.azimuth");
        auto* time = window_->findChild<QSlider*>("data.tilt");
        segment->setFocus();
        QTest::keyClick(segment, Qt::Key_End);
        time->setFocus();
        QTest::keyClick(time, Qt::Key_Home);
        QVERIFY(settled());

        QCOMPARE(model().shown()->data, countsOf(4, 0).data);
        QCOMPARE(model().totals(), SinogramMeasurement(data_).viewTotals());
        QVERIFY(page().chart()->toCsv().startsWith("segment,time_bin,counts\n0,0,"));
        QVERIFY(!window_->commands().action("data.residual")->isEnabled());
    }

    void theResidualIsCountsMinusExpected() {
        desk_->settings().set("algorithm", "mlem");
        reconstruct(1);
        QVERIFY(window_->commands().trigger("data.expected"));
        QVERIFY(settled());
        const auto expected = model().shown();
        QVERIFY(window_->commands().trigger("data.residual"));
        QVERIFY(settled());

        const Volume counts = countsOf(0, 1);
        for (std::size_t i = 0; i < counts.data.size(); ++i) {
            QCOMPARE(model().shown()->data[i], counts.data[i] - expected->data[i]);
        }
        QVERIFY(model().fit().has_value());
        // MLEM keeps the total over all segments and time bins; one of them is near its own.
        QVERIFY(std::abs(model().fit()->expected / model().fit()->counts - 1) < 0.5);
    }

    void linesOfResponseAreCountedWhereTheyPassTheAxis() {
        const LineData lines = someLines();
        const QString file = folder_.filePath("lines.h5");
        writeLineData(file.toStdString(), lines);
        open(file);
        const LineMeasurement measured(lines);
        QVERIFY(until([&] { return model().data() && model().data()->kind() == measured.kind(); }));
        QTest::keyClick(window_, Qt::Key_M);  // other data are opened on the slices
        QVERIFY2(settled(), qPrintable(model().fault()));

        QVERIFY(page().isVisible());
        QCOMPARE(model().first().values.size(), std::size_t{9});
        QCOMPARE(model().firstIndex(), 4);
        QCOMPARE(model().shown()->data, measured.view(4, DataQuantity::Counts).data);
        QCOMPARE(model().totals(), measured.viewTotals());
        QVERIFY(page().chart()->toCsv().startsWith("tilt_deg,time_bin,counts\n-"));
        QVERIFY(!window_->commands().action("data.mult")->isEnabled());
        auto* tilt = window_->findChild<QSlider*>("data.azimuth");
        tilt->setFocus();
        QTest::keyClick(tilt, Qt::Key_End);
        QVERIFY(settled());
        QCOMPARE(model().shown()->data, measured.view(8, DataQuantity::Counts).data);
    }

    void theProjectorTakesThePlaceOfTheKernel() {
        const auto shown = [&](const char* name) {
            auto* widget = window_->findChild<QWidget*>(QString("setting.") + name);
            return widget != nullptr && !widget->isHidden() && !widget->parentWidget()->isHidden();
        };
        QVERIFY(shown("projector") && shown("psf") && !shown("kernel"));
        QTest::keyClicks(&editOf("setting.psf"), "4");
        QTest::keyClick(&editOf("setting.psf"), Qt::Key_Return);
        reconstruct(1);
        QCOMPARE(desk_->runs().items().back()->name(), QString("siddon, 4 mm PSF"));

        desk_->close();
        window_->refreshNow();
        QVERIFY(!shown("projector") && !shown("psf") && shown("kernel"));
    }

    void closingTheDataLeavesThePage() {
        desk_->close();
        window_->refreshNow();

        QVERIFY(!page().isVisible());
        QVERIFY(model().data() == nullptr);
        QCOMPARE(model().viewCount(), std::size_t{0});
    }

  private:
    /// Counts of a segment in a time bin.
    [[nodiscard]] Volume countsOf(std::size_t segment, std::size_t timeBin) const {
        const std::size_t segments = data_.michelogram->spec().segments.size();
        return SinogramMeasurement(data_).view(timeBin * segments + segment, DataQuantity::Counts);
    }
    /// Every pair of the scanner's first ring with the others.
    [[nodiscard]] LineData someLines() const {
        LineData list;
        list.lattice = data_.lattice;
        list.michelogram = data_.michelogram;
        LineEvents events;
        events.points = ringPoints(data_.michelogram->scanner());
        for (std::uint32_t a = 0; a < 60; ++a) {
            for (std::uint32_t b = 0; b < 180; ++b) {
                if ((b % 60 + 60 - a) % 60 > 20 && (b % 60 + 60 - a) % 60 < 40) {
                    events.pairs.push_back({a, b});
                }
            }
        }
        events.tof = data_.michelogram->spec().tof;
        events.dt_ps.assign(events.pairs.size(), 0.0F);
        list.events = std::make_shared<const LineEvents>(std::move(events));
        return list;
    }
    /// Its text is selected, so that typing replaces it.
    QLineEdit& editOf(const char* name) {
        auto* edit = window_->findChild<QWidget*>(name)->findChild<QLineEdit*>();
        edit->setFocus();
        edit->selectAll();
        return *edit;
    }
    DataPage& page() { return window_->dataPage(); }
    DataModel& model() { return window_->dataPage().model(); }
    bool settled() {
        window_->refreshNow();
        return until([&] { return !model().busy() && model().shown() != nullptr; });
    }
    QString dataFile_;
    SinogramData data_;
};

QTEST_MAIN(RingPageTest)

}  // namespace line_page_test
#include "line_page_test.moc"
