// SPDX-License-Identifier: Apache-2.0
// What a hand does on the pages with pictures, by real mouse and key events, also on screens with more
// pixels.
#include <QApplication>
#include <QClipboard>
#include <QProcess>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <random>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/data_page.h"
#include "ui/pages/matched_page.h"

namespace viewer_driving_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// Every voxel another value, so that a click on the wrong one is seen.
void scatter(std::vector<float>& values, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> any(0.0F, 250.0F);
    for (float& v : values) {
        v = any(random);
    }
}

Volume noise(unsigned seed) {
    Volume volume(Lattice::centred({41, 31, 21}, {4, 4, 4}));
    scatter(volume.data, seed);
    volume.units = "arbitrary";  // images without a unit have ranges of their own
    return volume;
}

/// A picture, and what it should show.
struct Expected {
    SlicePane* pane = nullptr;
    std::shared_ptr<const Volume> volume;
    DisplayRange range;
    viz::ColourMap map;
};

/// True when the pixel, or one beside it, has the colour of a value.
bool hasColour(const QImage& picture, QPoint pixel, const Expected& shown, double value) {
    const double share = (value - shown.range.low) / (shown.range.high - shown.range.low);
    const viz::Rgb want =
        shown.map.table[static_cast<std::size_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)))];
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const QColor is = picture.pixelColor(pixel + QPoint(dx, dy));
            if (std::abs(is.red() - want.r) <= 4 && std::abs(is.green() - want.g) <= 4 &&
                std::abs(is.blue() - want.b) <= 4) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

class ViewerDrivingTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        writeVolume(file("one.h5"), noise(1));
        writeVolume(file("two.h5"), noise(2));
        writeVolume(file("three.h5"), noise(3));
        HistoData data = test::smallData(4);
        data.phantom.clear();  // no ROIs in the way of clicks
        scatter(data.counts, 4);
        writeData(file("data.h5"), data);
    }

  private Q_SLOTS:
    void clicksHitTheVoxelThatIsDrawnThere_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<int>("plane");
        for (const char* page : {"slices", "b", "difference", "data", "matched"}) {
            for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
                QTest::newRow(qPrintable(QString("%1 %2").arg(page).arg(static_cast<int>(plane))))
                    << page << static_cast<int>(plane);
            }
        }
    }

    void clicksHitTheVoxelThatIsDrawnThere() {
        QFETCH(QString, page);
        QFETCH(int, plane);
        const Expected shown = show(page, static_cast<Plane>(plane));
        ViewModel& view = desk_->view();
        const double ratio = shown.pane->devicePixelRatioF();
        QCOMPARE(ratio, qEnvironmentVariable("QT_SCALE_FACTOR", "1").toDouble());
        int hits = 0;

        for (int i = 0; i < 400 && hits < 12; ++i) {
            // Scattered over the picture, away from its edges.
            const QPoint at(12 + (i * 37) % (shown.pane->width() - 24),
                            12 + (i * 61) % (shown.pane->height() - 24));
            const Vec3 there = shown.pane->toWorld(at);
            const Lattice& lattice = shown.volume->lattice;
            const int x = viz::nearestIndex(lattice, 0, there.x);
            const int y = viz::nearestIndex(lattice, 1, there.y);
            const int z = viz::nearestIndex(lattice, 2, there.z);
            if (!lattice.contains(x, y, z)) {
                continue;
            }
            QTest::mouseClick(shown.pane, Qt::LeftButton, Qt::NoModifier, at);
            const Vec3 cursor = view.cursor();
            QCOMPARE(viz::nearestIndex(lattice, 0, cursor.x), x);
            QCOMPARE(viz::nearestIndex(lattice, 1, cursor.y), y);
            QCOMPARE(viz::nearestIndex(lattice, 2, cursor.z), z);
            const QPoint pixel(static_cast<int>(at.x() * ratio), static_cast<int>(at.y() * ratio));
            const double value = static_cast<double>(shown.volume->at(x, y, z));
            QVERIFY2(hasColour(shown.pane->picture(), pixel, shown, value),
                     qPrintable(QString("at %1, %2").arg(at.x()).arg(at.y())));
            ++hits;
        }

        QVERIFY2(hits == 12, qPrintable(QString::number(hits)));
    }

    void theCrosshairStaysWhileScrolling() {
        const Expected shown = show("slices", Plane::Transverse);
        ViewModel& view = desk_->view();
        QTest::mouseClick(shown.pane, Qt::LeftButton, Qt::NoModifier,
                          QPoint(shown.pane->width() / 2 + 31, shown.pane->height() / 2 + 17));
        const QPointF at = shown.pane->toWidget(view.cursor());
        SlicePane* coronal = window_->viewer().pane(Plane::Coronal);
        const QPointF beside = coronal->toWidget(view.cursor());
        const double contrast = view.range().high;

        for (int step = 0; step < 6; ++step) {
            const int slice = view.sliceIndex(Plane::Transverse);
            wheel(shown.pane, at + QPointF(40, -20), step < 3 ? 120 : -120);
            window_->refreshNow();

            QCOMPARE(view.sliceIndex(Plane::Transverse), slice + (step < 3 ? 1 : -1));
            QVERIFY(std::abs(shown.pane->toWidget(view.cursor()).x() - at.x()) < 1e-6);
            QVERIFY(std::abs(shown.pane->toWidget(view.cursor()).y() - at.y()) < 1e-6);
            QVERIFY(std::abs(coronal->toWidget(view.cursor()).x() - beside.x()) < 1e-6);
            QCOMPARE(view.range().high, contrast);
            // It is there: along its row the picture is not what the voxels alone make.
            const QImage painted = shown.pane->grab().toImage();
            const QImage bare = shown.pane->picture();
            const double ratio = shown.pane->devicePixelRatioF();
            const int row = static_cast<int>((std::floor(at.y()) + 0.5) * ratio);
            int marked = 0;
            for (int x = 30; x < 90; ++x) {
                const QPoint pixel(static_cast<int>(x * ratio), row);
                marked += painted.pixel(pixel) != bare.pixel(pixel) ? 1 : 0;
            }
            QVERIFY2(marked > 50, qPrintable(QString::number(marked)));
        }
    }

    void theSameHoldsOnDenserScreens_data() {
        QTest::addColumn<QString>("ratio");
        QTest::newRow("1.5") << "1.5";
        QTest::newRow("2") << "2";
    }

    void theSameHoldsOnDenserScreens() {
        QFETCH(QString, ratio);
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_SCALE_FACTOR", ratio);
        again.setProcessEnvironment(environment);
        again.setProcessChannelMode(QProcess::MergedChannels);

        again.start(
            QCoreApplication::applicationFilePath(),
            {"viewer_driving", "clicksHitTheVoxelThatIsDrawnThere:slices 0",
             "clicksHitTheVoxelThatIsDrawnThere:difference 1", "clicksHitTheVoxelThatIsDrawnThere:data 2",
             "clicksHitTheVoxelThatIsDrawnThere:matched 0", "theCrosshairStaysWhileScrolling"});

        QVERIFY(again.waitForFinished(240000));
        QVERIFY2(again.exitCode() == 0, again.readAll().right(2000).constData());
    }

    void theWheelWithTheRightButtonGoesThroughTheImages() {
        const Expected shown = show("slices", Plane::Transverse);
        const Vec3 cursor = desk_->view().cursor();
        const DisplayRange range = desk_->view().range();
        int menus = 0;
        connect(shown.pane, &SlicePane::contextRequested, this, [&] { ++menus; });

        QTest::mousePress(shown.pane, Qt::RightButton, Qt::NoModifier, QPoint(40, 40));
        wheel(shown.pane, {40, 40}, -120);
        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        wheel(shown.pane, {40, 40}, 120);
        QCOMPARE(desk_->runs().selected()->label(), QString("A"));
        QTest::mouseRelease(shown.pane, Qt::RightButton, Qt::NoModifier, QPoint(40, 40));

        QCOMPARE(menus, 0);
        QCOMPARE(desk_->view().cursor().z, cursor.z);
        QCOMPARE(desk_->view().range(), range);
    }

    void bracketsStepTheImageOfThePictureWithTheFrame() {
        static_cast<void>(show("slices", Plane::Transverse));
        window_->viewer().pane(Plane::Transverse)->setFocus();
        QTest::keyClick(window_, Qt::Key_BracketRight);
        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        QTest::keyClick(window_, Qt::Key_BracketLeft);
        QCOMPARE(desk_->runs().selected()->label(), QString("A"));

        const Expected b = show("b", Plane::Transverse);
        b.pane->setFocus();
        QTest::keyClick(window_, Qt::Key_BracketRight);
        QCOMPARE(window_->comparePage().model().a()->label(), QString("A"));
        QCOMPARE(window_->comparePage().model().b()->label(), QString("C"));
        QTest::keyClick(window_, Qt::Key_BracketRight);  // the last one
        QCOMPARE(window_->comparePage().model().b()->label(), QString("C"));
    }

    void aDoubleClickMaximisesOnEveryPage_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"slices", "difference", "data"}) {
            QTest::newRow(page) << page;
        }
    }

    void aDoubleClickMaximisesOnEveryPage() {
        QFETCH(QString, page);
        const Expected shown = show(page, Plane::Coronal);
        const QSize before = shown.pane->size();

        QTest::mouseDClick(shown.pane, Qt::LeftButton, Qt::NoModifier, QPoint(30, 30));
        window_->refreshNow();

        QVERIFY(shown.pane->isVisible());
        QVERIFY2(shown.pane->width() > before.width() + 50, qPrintable(QString::number(shown.pane->width())));
        int visible = 0;
        for (SlicePane* pane : window_->findChildren<SlicePane*>()) {
            visible += pane->isVisible() ? 1 : 0;
        }
        QCOMPARE(visible, 1);
        QTest::mouseDClick(shown.pane, Qt::LeftButton, Qt::NoModifier, QPoint(30, 30));
        window_->refreshNow();
        QCOMPARE(shown.pane->size(), before);
    }

    void oneRangeHoldsForAllImages() {
        const Expected first = show("slices", Plane::Transverse);
        drag(first.pane, {60, 60}, {160, 80});
        const DisplayRange byHand = desk_->view().range();
        QVERIFY(!desk_->view().autoRange());

        QTest::keyClick(window_, Qt::Key_PageDown);
        window_->refreshNow();

        QCOMPARE(desk_->runs().selected()->label(), QString("B"));
        QCOMPARE(desk_->view().range(), byHand);
        const Expected b = show("b", Plane::Transverse);
        const QStringList texts = barOf(b.pane);
        QCOMPARE(texts, barOf(window_->comparePage().pane(0, Plane::Transverse)));
        QCOMPARE(texts[0], compactNumber(byHand.high, 3));
    }

    void aDifferenceHasCoupledLimitsAboutZeroAndAColourBar() {
        const Expected shown = show("difference", Plane::Transverse);
        ComparePage& page = window_->comparePage();
        const double before = page.model().limit();
        QVERIFY(before > 0);

        drag(shown.pane, {50, 50}, {110, 90});  // down and to the right: window and level

        QVERIFY(page.model().limit() > before);
        const QStringList texts = barOf(shown.pane);
        QCOMPARE(texts[0], compactNumber(page.model().limit(), 3));
        QCOMPARE(texts[1], QString("0"));
        QCOMPARE(texts[2], compactNumber(-page.model().limit(), 3));
        QTest::keyClick(window_, Qt::Key_Equal);
        QCOMPARE(page.model().limit(), before);
    }

    void aDifferenceInPerCentOfB() {
        static_cast<void>(show("difference", Plane::Transverse));
        CompareModel& model = window_->comparePage().model();
        const auto& b = model.b()->volume()->data;
        const double most = static_cast<double>(*std::max_element(b.begin(), b.end()));

        window_->commands().trigger("compare.relative");
        window_->refreshNow();

        QCOMPARE(model.largestB(), most);
        QCOMPARE(barOf(window_->comparePage().pane(2, Plane::Transverse))[0],
                 compactNumber(100 * model.limit() / most, 3));
        QVERIFY(window_->comparePage().figuresText().contains(
            compactNumber(100 * model.figures()->rms / most, 4) + "\t% of max B"));
        // A and B keep their own unit and range.
        QCOMPARE(barOf(window_->comparePage().pane(0, Plane::Transverse))[0],
                 compactNumber(desk_->view().range().high, 3));
    }

    void picturesOfEveryPageGoToTheClipboardUnderItsOwnName() {
        static_cast<void>(show("difference", Plane::Transverse));
        QCOMPARE(window_->shownName(), QString("A one - B two"));
        window_->commands().trigger("export.picture");
        QCOMPARE(QApplication::clipboard()->image().size(),
                 window_->comparePage().size() * window_->devicePixelRatioF());

        desk_->close();
        static_cast<void>(show("data", Plane::Transverse));
        QVERIFY2(window_->shownName().startsWith("data, counts of view 1"), qPrintable(window_->shownName()));
        QApplication::clipboard()->clear();
        QVERIFY(window_->commands().trigger("export.picture"));
        QCOMPARE(QApplication::clipboard()->image().size(),
                 window_->dataPage().size() * window_->devicePixelRatioF());
    }

  private:
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }

    /// Brings a page to the front and says what one of its panes shows.
    Expected show(const QString& page, Plane plane) {
        ViewModel& view = desk_->view();
        Expected shown;
        if (page == "data" || page == "matched") {
            open(folder_.filePath("data.h5"));
            if (page == "matched") {
                Roi roi;
                roi.name = "uniform";
                roi.shape = Roi::Shape::Circle;
                roi.role = Roi::Role::Uniform;
                roi.radius_mm = 30;
                desk_->rois().add({roi}, "Add");
                reconstruct(1);
            }
            window_->commands().trigger(page == "data" ? "page.data" : "page.matched");
        } else {
            if (desk_->runs().items().empty()) {
                desk_->open(
                    {folder_.filePath("one.h5"), folder_.filePath("two.h5"), folder_.filePath("three.h5")});
                settle([&] { return desk_->runs().items().size() == 3; });
            }
            desk_->runs().select(desk_->runs().items()[0]->id());
            if (page != "slices") {
                window_->commands().trigger("page.compare");
            }
        }
        window_->refreshNow();
        shown.range = view.range();
        shown.map = view.colourMap();
        if (page == "slices") {
            shown.pane = window_->viewer().pane(plane);
            shown.volume = desk_->runs().selected()->volume();
        } else if (page == "data") {
            DataModel& model = window_->dataPage().model();
            settle([&] { return model.shown() != nullptr; });
            shown.pane = window_->dataPage().pane(plane);
            shown.volume = model.shown();
            shown.range = model.range();
        } else if (page == "matched") {
            view.setActivePlane(plane);
            window_->refreshNow();
            shown.pane = window_->matchedPage().pane(0);
            shown.volume = desk_->runs().selected()->volume();
        } else {
            CompareModel& model = window_->comparePage().model();
            settle([&] { return model.difference() != nullptr; });
            shown.pane = window_->comparePage().pane(page == "a" ? 0 : page == "b" ? 1 : 2, plane);
            shown.volume = page == "a"   ? model.a()->volume()
                           : page == "b" ? model.b()->volume()
                                         : model.difference();
            if (page == "difference") {
                shown.range = {-model.limit(), model.limit()};
                shown.map = viz::ColourMap::find("difference-dark");
            }
        }
        window_->refreshNow();
        return shown;
    }

    template <typename Done>
    void settle(Done done) {
        QVERIFY(until([&] { return done() && !desk_->tasks().busy(); }));
        window_->refreshNow();
    }

    static QStringList barOf(SlicePane* pane) {
        static_cast<void>(pane->grab());
        const auto texts = pane->colourBarText();
        return {texts[0], texts[1], texts[2], texts[3]};
    }

    static void wheel(QWidget* widget, QPointF at, int delta) {
        QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }

    static void drag(QWidget* widget, QPoint from, QPoint to) {
        QTest::mousePress(widget, Qt::RightButton, Qt::NoModifier, from);
        QMouseEvent move(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, Qt::RightButton,
                         Qt::NoModifier);
        QApplication::sendEvent(widget, &move);
        QTest::mouseRelease(widget, Qt::RightButton, Qt::NoModifier, to);
    }
};

QTEST_MAIN(ViewerDrivingTest)

}  // namespace viewer_driving_test
#include "viewer_driving_test.moc"
