// SPDX-License-Identifier: Apache-2.0
// Swipe, checkerboard and line profiles in the real window, with real mouse and key events.
#include "ui/pages/compare_page.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace compare_page_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// A ridge along y: a triangle across x of half width `reach` mm, its top at x = 0.
Volume ridge(double height, double reach) {
    Volume volume(Lattice::centred({41, 41, 11}, {4, 4, 4}));
    volume.units = "emissions/voxel";
    for (std::size_t i = 0; i < volume.data.size(); ++i) {
        const double x = volume.lattice.centre(static_cast<int>(i % 41), 0, 0).x;
        volume.data[i] = static_cast<float>(height * std::max(0.0, 1 - std::abs(x) / reach));
    }
    return volume;
}

/// The ridge on voxels of 6 mm.
Volume coarseRidge(double height, double reach) {
    Volume volume(Lattice::centred({27, 27, 7}, {6, 6, 6}));
    volume.units = "emissions/voxel";
    for (std::size_t i = 0; i < volume.data.size(); ++i) {
        const double x = volume.lattice.centre(static_cast<int>(i % 27), 0, 0).x;
        volume.data[i] = static_cast<float>(height * std::max(0.0, 1 - std::abs(x) / reach));
    }
    return volume;
}

Volume constant(float value) {
    Volume volume(Lattice::centred({41, 41, 11}, {4, 4, 4}));
    std::fill(volume.data.begin(), volume.data.end(), value);
    return volume;
}

}  // namespace

class ComparePageTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        writeVolume(file("narrow.h5").toStdString(), ridge(100, 20));
        writeVolume(file("wide.h5").toStdString(), ridge(80, 32));
        writeVolume(file("coarse.h5").toStdString(), coarseRidge(80, 36));
        writeVolume(file("one.h5").toStdString(), constant(1));
        writeVolume(file("two.h5").toStdString(), constant(2));
    }

  private slots:
    void imagesWithoutUnitsHaveRangesOfTheirOwn() {
        for (const double scale : {1000.0, 25.0, 1e-6}) {
            Volume volume = ridge(scale, 40);
            volume.units.clear();
            writeVolume(file(QString("unitless %1.h5").arg(scale)).toStdString(), volume);
            open(file(QString("unitless %1.h5").arg(scale)));
            window_->refreshNow();

            QCOMPARE(desk_->view().range(), robustRange(volume));
            QVERIFY(desk_->view().autoRange());
            const QImage picture = window_->viewer().pane(Plane::Transverse)->picture();
            const QPointF top = window_->viewer().pane(Plane::Transverse)->toWidget({0, 0, 0});
            QVERIFY(qRed(picture.pixel(top.toPoint())) > 200);
        }
    }

    void imagesWithoutUnitsHaveOneRangeInCompare() {
        compare("one.h5", "two.h5");
        desk_->view().setRange({0, 4});
        window_->refreshNow();

        for (const int column : {0, 1}) {  // 1 and 2 of 0..4
            const QImage picture = page().pane(column, Plane::Transverse)->picture();
            QCOMPARE(qRed(picture.pixel(picture.width() / 2, picture.height() / 2)), column == 0 ? 64 : 128);
        }
    }

    void aLongImageStandsWhereItIsLargest() {
        window_->resize(1366, 768);
        Volume body(Lattice::centred({60, 45, 240}, {5, 5, 5}), 1.0F);
        for (const char* name : {"one", "two"}) {
            body.units = "HU";
            body.data.front() += 1;
            desk_->runs().addVolume(name, std::make_shared<const Volume>(body));
        }
        const int first = desk_->runs().items()[desk_->runs().items().size() - 2]->id();
        desk_->runs().select(first);
        QVERIFY(test::until([this] { return !desk_->busy(); }));
        window_->refreshNow();
        QVERIFY(window_->commands().trigger("page.compare"));
        page().model().choose(first, desk_->runs().items().back()->id());
        desk_->view().showLattice();
        QVERIFY(test::until([this] { return !desk_->busy(); }));
        window_->refreshNow();

        const QRect transverse = page().pane(0, Plane::Transverse)->geometry();
        const QRect coronal = page().pane(0, Plane::Coronal)->geometry();

        // A column of three pictures above each other would draw the body smaller.
        QCOMPARE(transverse.top(), coronal.top());
        QVERIFY(coronal.left() > transverse.right());
        const double stacked_mm = (225.0 + 2 * 1200) / transverse.height();
        QVERIFY(page().pane(0, Plane::Coronal)->fittingScale() < stacked_mm);
    }

    void picturesFillTheRoom_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1366, 768), {1920, 1080}, {2560, 1440}, {3840, 1600}}) {
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
        }
    }
    /// A body of 164 x 164 x 44 mm. Pictures leave no gap between each other, profiles and figures stand
    /// beside them without covering any, and a phantom is as large as the room between panels allows: the
    /// smaller of what a third of the width and what the height have for it, but for margins and rounding.
    void picturesFillTheRoom() {
        QFETCH(QSize, size);
        window_->resize(size);
        compare("narrow.h5", "wide.h5");
        QVERIFY(until([&] { return window_->size() == size; }));
        window_->refreshNow();

        QRect pictures;
        int area = 0;
        for (int column = 0; column < 3; ++column) {
            for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
                const QRect one = page().pane(column, plane)->geometry();
                QVERIFY(page().pane(column, plane)->isVisible());
                pictures |= one;
                area += one.width() * one.height();
            }
        }
        QVERIFY(area >= 0.98 * pictures.width() * pictures.height());
        const QRect profile = page().profile()->geometry();
        const QRect difference = page().differenceProfile()->geometry();
        QVERIFY(!pictures.intersects(profile) && !pictures.intersects(difference));
        QVERIFY(!profile.intersects(difference) && profile.width() >= 200 && profile.height() >= 80);
        QVERIFY(page().rect().contains(pictures | profile | difference));
        constexpr double kMargins = 0.88;  // 6 px at either side of 100 px and more
        const double possible = std::min(pictures.width() / 3.0 / 164, pictures.height() / (164.0 + 2 * 44));
        const double drawn = 1 / page().pane(0, Plane::Transverse)->fittingScale();
        QVERIFY2(drawn >= kMargins * possible, qPrintable(QString("%1 of %2").arg(drawn).arg(possible)));
        // Where all figures have room they are on screen, and else stand beside the profiles' directions.
        int strips = 0;
        for (QWidget* each : page().findChildren<QWidget*>()) {
            strips += dynamic_cast<FigureStrip*>(each) != nullptr && each->isVisible() ? 1 : 0;
        }
        QCOMPARE(strips, size.height() < 800 ? 1 : 2);
    }

    void directionsAreThereWhateverSlicesShows() {
        desk_->view().setChart(ChartKind::Rois);
        compare("narrow.h5", "wide.h5");

        QVERIFY(window_->commands().trigger("chart.y"));
        QCOMPARE(desk_->view().profileAxis(), 1);
    }

    void aSwipeShowsALeftAndBRightOfTheDivider() {
        compare("one.h5", "two.h5");
        desk_->view().setRange({0, 2});
        QTest::keyClick(window_, Qt::Key_6);
        window_->refreshNow();
        SlicePane* pane = page().pane(0, Plane::Transverse);

        const QImage picture = pane->picture();

        const int middle = pane->width() / 2;
        const int y = pane->height() / 2;
        const auto grey = [&](int x) { return qRed(picture.pixel(x, y)); };
        // Value 1 of 0..2 is the middle of the map, 2 its end.
        QVERIFY(std::abs(grey(middle - 4) - 128) <= 2);
        QVERIFY(grey(middle + 4) >= 254);
        QVERIFY(!page().pane(1, Plane::Transverse)->isVisible());
        QVERIFY(!page().pane(2, Plane::Transverse)->isVisible());
    }

    void anImageThatWasKeptIsComparedWithALaterOne() {
        open(file("one.h5"));
        QVERIFY(window_->commands().trigger("run.keep-image"));
        RunItem& kept = *desk_->runs().items().back();
        QVERIFY(kept.isVolume() && kept.volume() == desk_->runs().selected()->volume());
        RunItem& run = *desk_->runs().selected();
        run.addImage(1, std::make_shared<const Volume>(constant(4)));  // as its next iterate would be

        page().model().choose(kept.id(), run.id());
        QTest::keyClick(window_, Qt::Key_D);

        QVERIFY(until([&] { return page().model().figures().has_value(); }));
        QCOMPARE(page().model().figures()->largest, 3.0);
        QCOMPARE(page().model().figures()->mean, -3.0);
    }

    void theDividerIsDraggedAndEscapePutsItBack() {
        compare("one.h5", "two.h5");
        QTest::keyClick(window_, Qt::Key_6);
        window_->refreshNow();
        SlicePane* pane = page().pane(0, Plane::Transverse);
        const Vec3 cursor = desk_->view().cursor();
        const int y = pane->height() / 4;

        drag(pane, {pane->width() / 2, y}, {pane->width() / 4, y});
        QVERIFY(std::abs(page().model().split() - 0.25) < 0.01);
        QCOMPARE(desk_->view().cursor().x, cursor.x);
        drag(pane, {pane->width() / 4, y}, {pane->width() - 30, y}, {}, false);
        QVERIFY(page().model().split() > 0.9);
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);

        QVERIFY(std::abs(page().model().split() - 0.25) < 0.01);
    }

    void aCheckerboardAlternates() {
        compare("one.h5", "two.h5");
        desk_->view().setRange({0, 2});
        QTest::keyClick(window_, Qt::Key_7);
        window_->refreshNow();
        SlicePane* pane = page().pane(0, Plane::Transverse);
        const QImage picture = pane->picture();
        int seen[2] = {0, 0};

        for (int y = pane->height() / 2 - 60; y < pane->height() / 2 + 60; y += 7) {
            for (int x = pane->width() / 2 - 60; x < pane->width() / 2 + 60; x += 7) {
                const bool b = (x / kCheckerSquare + y / kCheckerSquare) % 2 == 1;
                const int grey = qRed(picture.pixel(x, y));
                QVERIFY2(b ? grey >= 254 : std::abs(grey - 128) <= 2, qPrintable(QString::number(grey)));
                ++seen[b ? 1 : 0];
            }
        }

        QVERIFY(seen[0] > 20 && seen[1] > 20);
    }

    void blinkShowsBAloneWhileTheKeyIsHeld() {
        compare("one.h5", "two.h5");
        desk_->view().setRange({0, 2});
        QTest::keyClick(window_, Qt::Key_6);
        SlicePane* pane = page().pane(0, Plane::Transverse);
        pane->setFocus();

        QTest::keyPress(pane, Qt::Key_QuoteLeft);

        QVERIFY(qRed(pane->picture().pixel(pane->width() / 2 - 4, pane->height() / 2)) >= 254);
        QTest::keyRelease(pane, Qt::Key_QuoteLeft);
        QVERIFY(qRed(pane->picture().pixel(pane->width() / 2 - 4, pane->height() / 2)) < 140);
    }

    void profilesOfBothHaveTheirWidths() {
        compare("narrow.h5", "wide.h5");
        desk_->view().setCursor({0, 0, 0});

        const auto curves = page().profile()->curves();

        // A triangle falls to half its height at half its reach, on both sides.
        QCOMPARE(curves.size(), std::size_t{2});
        QVERIFY(curves[0].fwhm_mm() && std::abs(*curves[0].fwhm_mm() - 20) < 1e-3);
        QVERIFY(curves[1].fwhm_mm() && std::abs(*curves[1].fwhm_mm() - 32) < 1e-3);
        const auto difference = page().differenceProfile()->curves();
        QCOMPARE(difference.size(), std::size_t{1});
        for (std::size_t i = 0; i < curves[0].profile.value.size(); ++i) {
            QCOMPARE(difference[0].profile.value[i], curves[0].profile.value[i] - curves[1].profile.value[i]);
        }
    }

    void controlDragDrawsTheLineThatProfilesAreTakenAlong() {
        compare("narrow.h5", "wide.h5");
        SlicePane* pane = page().pane(0, Plane::Transverse);
        const QPoint from(pane->width() / 2 - 60, pane->height() / 2 + 17);
        const QPoint to(pane->width() / 2 + 60, pane->height() / 2 - 9);
        const Vec3 a = pane->toWorld(from);
        const Vec3 b = pane->toWorld(to);

        drag(pane, from, to, Qt::ControlModifier);
        desk_->view().flush();

        const auto line = desk_->view().line();
        QVERIFY(line.has_value());
        QVERIFY(norm(line->a - a) < 1e-9 && norm(line->b - b) < 1e-9);
        QVERIFY(window_->commands().action("chart.line")->isChecked());
        const auto curves = page().profile()->curves();
        QVERIFY(std::abs(curves[0].profile.position_mm.back() - norm(b - a)) < 1e-9);
        // Oblique to the ridge: wider by 1 / cos. Samples are 2 mm apart and may miss the top by 1 mm, which
        // takes 1/20 off the height and so up to 1 mm off the width.
        const double slant = norm(b - a) / std::abs(b.x - a.x);
        QVERIFY(curves[0].fwhm_mm() && curves[1].fwhm_mm());
        QVERIFY2(std::abs(*curves[0].fwhm_mm() - 20 * slant) < 1,
                 qPrintable(QString::number(*curves[0].fwhm_mm())));
        QVERIFY(std::abs(*curves[1].fwhm_mm() - 32 * slant) < 1);
    }

    void anEndOfTheLineIsDraggedAndEscapePutsItBack() {
        compare("narrow.h5", "wide.h5");
        desk_->view().setLine({{-30, 0, 0}, {30, 0, 0}});
        desk_->view().flush();
        SlicePane* pane = page().pane(0, Plane::Transverse);
        const QPoint end = pane->toWidget({30, 0, 0}).toPoint();

        drag(pane, end, end + QPoint(0, 40));
        const auto moved = *desk_->view().line();
        QVERIFY(moved.a.x == -30 && moved.a.y == 0);
        QVERIFY(moved.b.y > 10);
        const QPoint there = pane->toWidget(moved.b).toPoint();
        drag(pane, there, there + QPoint(-50, -50), {}, false);
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);

        QCOMPARE(desk_->view().line()->b.y, moved.b.y);
    }

    void aRightDragOnTheDifferenceSetsItsLimitAlone() {
        compare("narrow.h5", "wide.h5");
        page().model().setLimit(100);
        const DisplayRange range = desk_->view().range();
        SlicePane* pane = page().pane(2, Plane::Transverse);

        drag(pane, {50, 50}, {200, 50}, {}, true, Qt::RightButton);

        // 150 of 300 px to the right: half as wide again.
        QCOMPARE(page().model().limit(), 150.0);
        QCOMPARE(desk_->view().range(), range);
    }

    void theProfileGoesToCsvWithBothColumns() {
        compare("narrow.h5", "wide.h5");

        const QStringList lines = page().profile()->toCsv().split('\n');

        QCOMPARE(lines[0], QString("x_mm,A narrow (emissions/voxel),B wide (emissions/voxel)"));
        QCOMPARE(lines.size(), 41 + 2);
        QCOMPARE(lines[21], QString("0,100,80"));
    }

    void imagesOnTwoLatticesHaveBothProfilesAndTheirDifference_data() {
        QTest::addColumn<bool>("line");
        QTest::newRow("axis") << false;
        QTest::newRow("line") << true;
    }

    void imagesOnTwoLatticesHaveBothProfilesAndTheirDifference() {
        QFETCH(bool, line);
        compare("narrow.h5", "coarse.h5");
        desk_->view().setCursor({0, 0, 0});
        if (line) {
            desk_->view().setLine(ProfileLine{{-60, 0, 0}, {60, 0, 0}});
            desk_->view().setProfileAxis(ViewModel::kAlongLine);
        }
        window_->refreshNow();

        const auto curves = page().profile()->curves();
        QCOMPARE(curves.size(), std::size_t{2});
        QVERIFY(curves[0].profile.position_mm != curves[1].profile.position_mm);
        QVERIFY(curves[0].fwhm_mm() && std::abs(*curves[0].fwhm_mm() - 20) < 1e-3);
        QVERIFY(curves[1].fwhm_mm() && std::abs(*curves[1].fwhm_mm() - 36) < 1e-3);
        const auto difference = page().differenceProfile()->curves();
        QCOMPARE(difference.size(), std::size_t{1});
        // Between two voxel centres on one side of the top both are straight lines: interpolation is exact,
        // but for float rounding of values up to 100.
        for (std::size_t i = 0; i < difference[0].profile.value.size(); ++i) {
            const double at = difference[0].profile.position_mm[i];
            const double x = line ? at - 60 : at;
            const double wanted = 100 * std::max(0.0, 1 - std::abs(x) / 20) - 80 * (1 - std::abs(x) / 36);
            if (std::abs(x) <= 30) {
                QVERIFY2(
                    std::abs(difference[0].profile.value[i] - wanted) < 1e-4,
                    qPrintable(
                        QString("%1: %2 for %3").arg(x).arg(difference[0].profile.value[i]).arg(wanted)));
            }
        }
        const QStringList csv = page().profile()->toCsv().split('\n');
        QCOMPARE(csv[0], QString("%1_mm,A narrow (emissions/voxel),%1_mm of B,B coarse (emissions/voxel)")
                             .arg(line ? "line" : "x"));
        QVERIFY(csv[1].split(',').size() == 4 && csv[1].split(',')[0] == (line ? "0" : "-80"));
    }

    void unknownModesAreNamed() {
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(modeFromName("swype")), WrongUse);
        QCOMPARE(modeName(modeFromName("checkerboard")), QString("checkerboard"));
    }

  private:
    ComparePage& page() { return window_->comparePage(); }
    QString file(const QString& name) { return folder_.filePath(name); }
    void compare(const QString& a, const QString& b) {
        desk_->open({file(a), file(b)});
        QVERIFY(until([&] { return !desk_->tasks().busy() && desk_->runs().items().size() == 2; }));
        window_->refreshNow();
        QTest::keyClick(window_, Qt::Key_D);
        QVERIFY(until([&] { return page().model().difference() != nullptr; }));
        window_->refreshNow();
    }
    static void drag(QWidget* widget, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {},
                     bool release = true, Qt::MouseButton button = Qt::LeftButton) {
        QTest::mousePress(widget, button, keys, from);
        for (const QPoint p : {(from + to) / 2, to}) {
            QMouseEvent event(QEvent::MouseMove, p, widget->mapToGlobal(p), Qt::NoButton, button, keys);
            QApplication::sendEvent(widget, &event);
        }
        if (release) {
            QTest::mouseRelease(widget, button, keys, to);
        }
    }
};

QTEST_MAIN(ComparePageTest)

}  // namespace compare_page_test
#include "compare_page_test.moc"
