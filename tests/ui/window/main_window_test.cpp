// SPDX-License-Identifier: Apache-2.0
// Drives the real window with real mouse and key events. Numbers first, pixels second.
#include "ui/window/main_window.h"

#include <QClipboard>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "ui/window/dialogs.h"

namespace main_window_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inBuild;
using tof::test::inTree;
using tof::test::until;

namespace {

void wheel(QWidget* widget, QPointF at, int steps, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, 120 * steps), Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void drag(QWidget* widget, Qt::MouseButton button, QPoint from, QPoint to, bool release = true) {
    QTest::mousePress(widget, button, {}, from);
    const auto move = [&](QPoint p) {
        QMouseEvent event(QEvent::MouseMove, p, widget->mapToGlobal(p), Qt::NoButton, button, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    };
    move((from + to) / 2);
    move(to);
    if (release) {
        QTest::mouseRelease(widget, button, {}, to);
    }
}

}  // namespace

class MainWindowTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        dataFile_ = writeSmallData();
        // Every voxel has its own value; not a cube, not isotropic.
        Volume volume(Lattice::centred({40, 30, 20}, {4, 5, 6}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>(i);
        }
        volume.units = "arbitrary";
        volumeFile_ = folder_.filePath("numbers.h5");
        writeVolume(volumeFile_.toStdString(), volume);
    }

  private slots:
    void anEmptyWindowOffersWhatCanBeDone() {
        window_->refreshNow();

        QVERIFY(window_->findChild<QPushButton*>("start.open") != nullptr);
        QVERIFY(!window_->commands().action("run.start")->isEnabled());
        QVERIFY(window_->commands().action("run.start")->toolTip().contains("Open a study"));
        QCOMPARE(window_->status().sentence(), QString("No study open"));
    }

    void everyCommandHasHelpAndAUniqueKey() {
        QSet<QString> keys;
        for (const auto& command : window_->commands().all()) {
            QVERIFY2(!command->help.isEmpty(), qPrintable(command->id));
            QVERIFY2(!command->menu.isEmpty(), qPrintable(command->id));
            for (const QKeySequence& key : command->keys) {
                QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
                keys.insert(key.toString());
            }
        }
        QVERIFY(keys.size() > 30);
    }

    void theGuideHasTheKeyMapOfTheRegistry() {
        QFile guide(inTree("docs/desktop.md"));
        QVERIFY(guide.open(QIODevice::ReadOnly));

        const QString text = QString::fromUtf8(guide.readAll());

        const QString map = keyMapMarkdown(window_->commands());
        QFile wanted(inBuild("desktop-keys.md"));
        QVERIFY(wanted.open(QIODevice::WriteOnly));
        wanted.write(map.toUtf8());
        QVERIFY2(text.contains(map),
                 "the table of keys in docs/desktop.md is not that of desktop-keys.md in the "
                 "build folder; copy it over");
    }

    void leftDragMovesTheCursorInAllPlanes_data() {
        QTest::addColumn<int>("plane");
        QTest::newRow("transverse") << 0;
        QTest::newRow("coronal") << 1;
        QTest::newRow("sagittal") << 2;
    }

    void leftDragMovesTheCursorInAllPlanes() {
        QFETCH(int, plane);
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(static_cast<Plane>(plane));
        const QPoint to(pane->width() / 2 + 31, pane->height() / 2 - 17);
        const int normal = viz::planeAxes(static_cast<Plane>(plane), viz::Orientation::Radiological).normal;
        const double before = viz::coordinate(desk_->view().cursor(), normal);

        drag(pane, Qt::LeftButton, {pane->width() / 2, pane->height() / 2}, to);

        const QPointF now = pane->toWidget(desk_->view().cursor());
        QVERIFY(std::abs(now.x() - to.x()) < 1e-6 && std::abs(now.y() - to.y()) < 1e-6);
        QCOMPARE(viz::coordinate(desk_->view().cursor(), normal), before);
        QCOMPARE(static_cast<int>(desk_->view().activePlane()), plane);
    }

    void theProbeReadsTheVoxelUnderTheCursor() {
        open(volumeFile_);
        const Lattice& lattice = desk_->view().lattice();

        desk_->view().setCursor(lattice.centre(12, 7, 5));

        const std::size_t value = lattice.index(12, 7, 5);
        const QString text = window_->viewer().probe()->text();
        QVERIFY2(text.contains("voxel") && text.contains("12, 7, 5"), qPrintable(text));
        QVERIFY2(text.contains("A " + QString::number(value)), qPrintable(text));
        QVERIFY2(text.contains("x -30.0 mm R"), qPrintable(text));
    }

    void theWheelScrollsSlicesAndShiftScrollsTen() {
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        desk_->view().setCursor(desk_->view().lattice().centre(10, 10, 4));

        wheel(pane, {50, 50}, 1);
        QCOMPARE(desk_->view().sliceIndex(Plane::Transverse), 5);
        wheel(pane, {50, 50}, 1, Qt::ShiftModifier);
        QCOMPARE(desk_->view().sliceIndex(Plane::Transverse), 15);
        wheel(pane, {50, 50}, -2);

        QCOMPARE(desk_->view().sliceIndex(Plane::Transverse), 13);
        QCOMPARE(desk_->view().sliceIndex(Plane::Coronal), 10);
    }

    void controlWheelZoomsAboutThePointer() {
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const QPointF at(120, 90);
        const Vec3 before = pane->toWorld(at);

        wheel(pane, at, 3, Qt::ControlModifier);
        desk_->view().flush();

        const Vec3 after = pane->toWorld(at);
        QVERIFY(std::abs(desk_->view().zoom() - std::pow(1.2, 3)) < 1e-12);
        QVERIFY(std::abs(after.x - before.x) < 1e-9 && std::abs(after.y - before.y) < 1e-9);
    }

    void middleDragPansByWhatTheHandMoves() {
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(Plane::Coronal);
        const QPoint from(100, 60);
        const QPoint to(140, 85);
        const Vec3 grabbed = pane->toWorld(from);

        drag(pane, Qt::MiddleButton, from, to);
        desk_->view().flush();

        const Vec3 now = pane->toWorld(to);
        QVERIFY(std::abs(now.x - grabbed.x) < 1e-9 && std::abs(now.z - grabbed.z) < 1e-9);
    }

    void rightDragSetsTheWindowAndEscapePutsItBack() {
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        desk_->view().setRange({1000, 2000});

        drag(pane, Qt::RightButton, {200, 200}, {350, 200});
        // 150 of 300 px to the right: the window is half as wide again, the level stays.
        QCOMPARE(desk_->view().range(), (DisplayRange{750, 2250}));
        drag(pane, Qt::RightButton, {200, 200}, {200, 260});
        // 60 of 300 px down: the level rises by a fifth of the window.
        QCOMPARE(desk_->view().range(), (DisplayRange{1050, 2550}));
        drag(pane, Qt::RightButton, {200, 200}, {300, 300}, false);
        QVERIFY(desk_->view().range() != (DisplayRange{1050, 2550}));
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);

        QCOMPARE(desk_->view().range(), (DisplayRange{1050, 2550}));
        QTest::mouseRelease(pane, Qt::RightButton, {}, {300, 300});
    }

    void escapeResetsTheWindowWhenNothingIsDragged() {
        open(volumeFile_);
        const DisplayRange automatic = desk_->view().range();
        desk_->view().setRange({5, 6});
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        pane->setFocus();

        QTest::keyClick(pane, Qt::Key_Escape);

        QVERIFY(until([&] { return desk_->view().range() == automatic; }));
        QVERIFY(desk_->view().autoRange());
    }

    void keysDoWhatTheSheetSays() {
        open(volumeFile_);
        ViewModel& view = desk_->view();
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        pane->setFocus();
        using Flag = ViewModel::Flag;
        const std::tuple<Qt::Key, Flag> switches[] = {
            {Qt::Key_Space, Flag::Annotations}, {Qt::Key_F, Flag::Crosshair},
            {Qt::Key_B, Flag::ColourBar},       {Qt::Key_O, Flag::Letters},
            {Qt::Key_V, Flag::VoxelInfo},       {Qt::Key_I, Flag::Interpolation}};
        for (const auto& [key, flag] : switches) {
            const bool before = view.flag(flag);
            QTest::keyClick(pane, key);
            QVERIFY(view.flag(flag) != before);
            QTest::keyClick(pane, key);
            QCOMPARE(view.flag(flag), before);
        }
        QTest::keyClick(pane, Qt::Key_U);
        QVERIFY(view.inverted());
        QTest::keyClick(pane, Qt::Key_S);
        QCOMPARE(view.activePlane(), Plane::Sagittal);
        const int before = view.sliceIndex(Plane::Sagittal);
        QTest::keyClick(window_->viewer().pane(Plane::Sagittal), Qt::Key_Up);
        QCOMPARE(view.sliceIndex(Plane::Sagittal), before + 1);
        QTest::keyClick(pane, Qt::Key_4);
        QCOMPARE(view.layout(), Layout::Single);
        QTest::keyClick(pane, Qt::Key_1);
        QCOMPARE(view.layout(), Layout::Main);
        view.zoomAbout({0, 0, 0}, 4);
        QTest::keyClick(pane, Qt::Key_R);
        QCOMPARE(view.zoom(), 1.0);
    }

    void lettersTypedIntoAFieldAreNotCommands() {
        open(volumeFile_);
        auto* field = window_->findChild<QLineEdit*>("view.high");
        const bool before = desk_->view().flag(ViewModel::Flag::Crosshair);
        field->setFocus();
        field->selectAll();

        QTest::keyClicks(field, "1f2");

        QCOMPARE(field->text(), QString("1f2"));
        QCOMPARE(desk_->view().flag(ViewModel::Flag::Crosshair), before);
    }

    void typedNumbersSetTheRange() {
        open(volumeFile_);
        auto* field = window_->findChild<QLineEdit*>("view.high");
        field->setFocus();
        field->selectAll();

        QTest::keyClicks(field, "4321");
        QTest::keyClick(field, Qt::Key_Return);

        QCOMPARE(desk_->view().range().high, 4321.0);
        QVERIFY(!desk_->view().autoRange());
    }

    void typingOneEndKeepsTheDigitsOfTheOther() {
        open(volumeFile_);
        desk_->view().setRange({0.123456789, 5000.4321});
        window_->refreshNow();
        auto* field = window_->findChild<QLineEdit*>("view.high");
        field->setFocus();
        field->selectAll();

        QTest::keyClicks(field, "6000");
        QTest::keyClick(field, Qt::Key_Return);

        QCOMPARE(desk_->view().range().high, 6000.0);
        QCOMPARE(desk_->view().range().low, 0.123456789);
    }

    void doubleClickMaximisesAndRestores() {
        open(volumeFile_);
        SlicePane* pane = window_->viewer().pane(Plane::Coronal);

        QTest::mouseDClick(pane, Qt::LeftButton);
        desk_->view().flush();
        QVERIFY(pane->isVisible());
        QVERIFY(!window_->viewer().pane(Plane::Transverse)->isVisible());
        QTest::mouseDClick(pane, Qt::LeftButton);
        desk_->view().flush();

        QVERIFY(window_->viewer().pane(Plane::Transverse)->isVisible());
    }

    void thePictureShowsTheVolume() {
        open(volumeFile_);
        ViewModel& view = desk_->view();
        const Lattice& lattice = view.lattice();
        view.setRange({-0.5, 23999.5});
        view.setCursor(lattice.centre(20, 15, 10));
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);

        const QImage picture = pane->picture();

        for (const auto& [x, y] : {std::pair{3, 4}, {20, 15}, {36, 27}}) {
            const QPointF at = pane->toWidget(lattice.centre(x, y, 10));
            const double expected = 256.0 * (static_cast<double>(lattice.index(x, y, 10)) + 0.5) / 24000.0;
            const int level = qRed(picture.pixel(static_cast<int>(at.x()), static_cast<int>(at.y())));
            QVERIFY2(std::abs(level - expected) <= 1.5,
                     qPrintable(QString("%1 %2").arg(level).arg(expected)));
        }
    }

    void aRunGrowsCurveTableAndStages() {
        open(dataFile_);
        desk_->settings().set("iterations", "3");
        desk_->settings().set("relaxation", "1");
        window_->refreshNow();

        QTest::keyClick(window_, Qt::Key_F5);
        QVERIFY(until([&] { return desk_->runs().selected() != nullptr && !desk_->busy(); }));
        window_->refreshNow();

        const auto points = window_->figuresPanel().chart()->points();
        QCOMPARE(points.size(), std::size_t{3});
        const RunItem& run = *desk_->runs().selected();
        QCOMPARE(points[2].y, 100 * run.figures()[2].crc);
        QCOMPARE(points[2].x, 100 * run.figures()[2].noise);
        auto* table = window_->findChild<QTableWidget*>("rois.table");
        // Six spheres, their mean, the background of the selected one, the uniform circle.
        QCOMPARE(table->rowCount(), 9);
        QCOMPARE(table->item(6, 3)->text(), numberText(100 * run.figures()[2].crc, 1));
        QVERIFY(window_->status().sentence().startsWith("Run A is done"));
        QCOMPARE(RunRows::stateText(run), QString("3 done"));

        // A click on the first point shows that iterate.
        CurveChart* chart = window_->figuresPanel().chart();
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->place(points[0]).toPoint());
        QCOMPARE(run.shownIterate(), 1);
        window_->viewer().pane(Plane::Transverse)->setFocus();
        QTest::keyClick(window_->viewer().pane(Plane::Transverse), Qt::Key_Right);
        QCOMPARE(run.shownIterate(), 2);
    }

    void keysPauseStepAndCancelARun() {
        open(dataFile_);
        desk_->settings().set("iterations", "100000");
        QTest::keyClick(window_, Qt::Key_F5);
        QVERIFY(until([&] {
            RunItem* run = desk_->queue().active();
            return run != nullptr && run->state() == RunState::Running;
        }));
        RunItem* run = desk_->queue().active();

        QTest::keyClick(window_, Qt::Key_F6);
        QVERIFY(until([&] { return run->state() == RunState::Paused; }));
        window_->refreshNow();
        QVERIFY(window_->commands().action("run.step")->isEnabled());
        const auto done = [&] {
            return run->progress().iteration * 8 + static_cast<int>(run->progress().block);
        };
        const int before = done();
        QTest::keyClick(window_, Qt::Key_F7);
        QVERIFY(until([&] { return done() == before + 1; }));
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        pane->setFocus();
        QTest::keyClick(pane, Qt::Key_Escape);
        QVERIFY(desk_->queue().active() == run);  // Esc never ends a run
        QTest::keyClick(window_, Qt::Key_F5, Qt::ShiftModifier);
        QVERIFY(until([&] { return !desk_->busy(); }));

        QCOMPARE(run->state(), RunState::Cancelled);
    }

    void filesAreDropped() {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(volumeFile_)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);

        QApplication::sendEvent(window_, &drop);
        QVERIFY(until([&] { return !desk_->tasks().busy(); }));

        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QCOMPARE(preferences_->recent(), QStringList{volumeFile_});
    }

    void roiTableIsCopiedWithDecimalPoints() {
        open(dataFile_);
        desk_->settings().set("iterations", "1");
        desk_->queue().start();
        QVERIFY(until([&] { return !desk_->busy(); }));
        window_->refreshNow();

        QVERIFY(window_->commands().trigger("export.rois"));

        const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        // Six spheres, their backgrounds, the uniform circle; three columns of text and one per quantity.
        QCOMPARE(lines.size(), 14);
        QVERIFY(lines[0].startsWith("ROI\tshape\trole\tmean, emissions/voxel\t"));
        QCOMPARE(lines[1].count('\t'), 2 + static_cast<int>(roiQuantities().size()));
        const Figures figures = desk_->screen().figures();
        const QString mean = lines[1].section('\t', 3, 3);
        QVERIFY(std::abs(mean.toDouble() / figures.rois[0].statistics.mean - 1) < 1e-8);
        QVERIFY(!QApplication::clipboard()->text().contains(QChar(0x2212)));
    }

    void badSettingsAreRefusedWithASentence() {
        open(dataFile_);
        auto* field = window_->findChild<QWidget*>("setting.iterations")->findChild<QLineEdit*>();
        field->setFocus();
        field->selectAll();

        QTest::keyClicks(field, "-3");
        QTest::keyClick(field, Qt::Key_Return);

        QVERIFY(field->property("bad").toBool());
        QCOMPARE(desk_->settings().current().iterations, 20);
        field->selectAll();
        QTest::keyClicks(field, "7");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->property("bad").toBool());
        QCOMPARE(desk_->settings().current().iterations, 7);
    }

    void everyThemeAndSizeIsDrawnWithoutElidedNumbers_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("dark") << 0;
        QTest::newRow("light") << 1;
    }

    void everyThemeAndSizeIsDrawnWithoutElidedNumbers() {
        QFETCH(int, theme);
        open(dataFile_);
        desk_->settings().set("iterations", "1");
        desk_->queue().start();
        QVERIFY(until([&] { return !desk_->busy(); }));
        window_->setTheme(theme == 0 ? ThemeKind::Dark : ThemeKind::Light);
        for (const QSize& size : {QSize(1600, 1000), QSize(1366, 768), QSize(1100, 720), QSize(1920, 1080)}) {
            window_->resize(size);
            QApplication::processEvents();
            window_->refreshNow();

            const QImage picture = window_->grab().toImage();

            QCOMPARE(picture.size(), size);
            const Theme& colours = theme == 0 ? Theme::dark() : Theme::light();
            QCOMPARE(picture.pixelColor(size.width() - 4, 40).name(), colours.win.name());
            auto* table = window_->findChild<QTableWidget*>("rois.table");
            for (int r = 0; r < table->rowCount(); ++r) {
                for (int c = 0; c < table->columnCount(); ++c) {
                    const QTableWidgetItem* cell = table->item(r, c);
                    const int needed =
                        QFontMetrics(cell->font()).horizontalAdvance(cell->text()) + 8 + (c == 0 ? 22 : 0);
                    QVERIFY2(needed <= table->columnWidth(c),
                             qPrintable(QString("%1 wide, row %2 column %3: %4 > %5")
                                            .arg(size.width())
                                            .arg(r)
                                            .arg(c)
                                            .arg(needed)
                                            .arg(table->columnWidth(c))));
                }
            }
            // Pictures never get less than half of the width.
            QVERIFY(window_->viewer().width() * 2 >= size.width());
        }
        window_->setTheme(ThemeKind::Dark);
    }

    void aNarrowWindowOpensThePanelOverThePictures() {
        open(dataFile_);
        window_->resize(1100, 720);
        QApplication::processEvents();
        auto* left = window_->findChild<QWidget*>("panel.left");
        QVERIFY(!left->isVisible());

        QTest::mouseClick(window_->findChild<QWidget*>("rail.settings"), Qt::LeftButton);
        QVERIFY(left->isVisible());
        SlicePane* pane = window_->viewer().pane(Plane::Sagittal);
        QTest::mouseClick(pane, Qt::LeftButton, {}, {pane->width() - 20, 20});
        QVERIFY(!left->isVisible());
        window_->resize(1600, 1000);
        QApplication::processEvents();

        QVERIFY(left->isVisible());
    }

    void compareShowsTwoImagesAndTheirDifference() {
        QVERIFY(!window_->commands().action("page.compare")->isEnabled());
        open(volumeFile_);
        Volume other = readVolume(volumeFile_.toStdString());
        other.at(10, 11, 12) += 700.0F;
        other.at(20, 21, 12) -= 300.0F;
        const QString otherFile = folder_.filePath("other.h5");
        writeVolume(otherFile.toStdString(), other);
        open(otherFile);
        window_->refreshNow();
        const RunItem& first = *desk_->runs().items()[0];
        const RunItem& second = *desk_->runs().items()[1];

        QTest::keyClick(window_, Qt::Key_D);
        CompareModel& model = window_->comparePage().model();
        QVERIFY(until([&] { return model.figures().has_value(); }));

        QCOMPARE(model.a()->id(), first.id());
        QCOMPARE(model.b()->id(), second.id());
        QCOMPARE(model.figures()->largest, 700.0);
        QCOMPARE(model.figures()->where_mm.x, other.lattice.centre(10, 11, 12).x);
        const double n = static_cast<double>(other.data.size());
        QVERIFY(std::abs(model.figures()->rms - std::sqrt((700.0 * 700 + 300.0 * 300) / n)) < 1e-9);
        QVERIFY(!model.figures()->identical);
        QCOMPARE(model.difference()->at(10, 11, 12), -700.0F);
        QVERIFY(window_->comparePage().figuresText().contains("bit-identical\tno"));

        QVERIFY(window_->commands().trigger("compare.swap"));
        QVERIFY(
            until([&] { return model.difference() != nullptr && model.difference()->at(10, 11, 12) > 0; }));
        QCOMPARE(model.difference()->at(10, 11, 12), 700.0F);

        // The colours of the difference are symmetric: equal images are neutral.
        model.setLimit(1000);
        desk_->view().setCursor(other.lattice.centre(10, 11, 12));
        SlicePane* pane = window_->comparePage().pane(2, Plane::Transverse);
        const QImage picture = pane->picture();
        const QPointF hot = pane->toWidget(other.lattice.centre(10, 11, 12));
        const QPointF calm = pane->toWidget(other.lattice.centre(5, 5, 12));
        const viz::ColourMap& map = viz::ColourMap::find("difference-dark");
        QCOMPARE(picture.pixel(calm.toPoint()), map.table[128].packed());
        QVERIFY(picture.pixel(hot.toPoint()) != map.table[128].packed());

        // Blink: A shows B while the key is held.
        SlicePane* columnA = window_->comparePage().pane(0, Plane::Transverse);
        const QImage before = columnA->picture();
        QTest::keyPress(&window_->comparePage(), Qt::Key_QuoteLeft);
        QVERIFY(window_->comparePage().blinking());
        QTest::keyRelease(&window_->comparePage(), Qt::Key_QuoteLeft);
        QVERIFY(!window_->comparePage().blinking());
        QCOMPARE(columnA->picture(), before);
        QTest::keyClick(window_, Qt::Key_D);
        QVERIFY(window_->viewer().isVisible());
    }

    void equalImagesAreBitIdentical() {
        open(volumeFile_);
        open(volumeFile_);
        window_->refreshNow();

        QVERIFY(window_->commands().trigger("page.compare"));
        CompareModel& model = window_->comparePage().model();
        QVERIFY(until([&] { return model.figures().has_value(); }));

        QVERIFY(model.figures()->identical);
        QCOMPARE(model.figures()->largest, 0.0);
    }

    void aWindowOfItsOwnDrawsSlices() {
        Desk desk(engines_, Threading::Inline);
        MainWindow window(desk, *preferences_, {.askBeforeClosing = false});
        window.resize(1200, 800);
        window.show();
        desk.open({volumeFile_});
        window.refreshNow();

        QVERIFY(!window.viewer().pane(Plane::Transverse)->picture().isNull());
    }

  private:
    QString dataFile_;
    QString volumeFile_;
};

QTEST_MAIN(MainWindowTest)

}  // namespace main_window_test
#include "main_window_test.moc"
