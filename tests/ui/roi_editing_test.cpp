// SPDX-License-Identifier: Apache-2.0
// Draws and edits ROIs in the real window with mouse and key events; numbers in mm first.
#include <QClipboard>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "recon/io/volume_io.h"
#include "tests/ui/fixture.h"
#include "ui/main_window.h"

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

void moveTo(QWidget* widget, QPointF to, Qt::KeyboardModifiers keys, Qt::MouseButtons buttons) {
    QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, buttons, keys);
    QApplication::sendEvent(widget, &event);
}

/// Presses and releases at exact positions; QTest's own mouse takes whole pixels only.
void mouse(QWidget* widget, QEvent::Type type, QPointF at, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    const bool up = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, widget->mapToGlobal(at), Qt::LeftButton, up ? Qt::NoButton : Qt::LeftButton,
                      keys);
    QApplication::sendEvent(widget, &event);
}

enum class Release { Yes, No };

void drag(QWidget* widget, QPointF from, QPointF to, Qt::KeyboardModifiers keys = Qt::NoModifier,
          Release release = Release::Yes) {
    mouse(widget, QEvent::MouseButtonPress, from, keys);
    moveTo(widget, (from + to) / 2, keys, Qt::LeftButton);
    moveTo(widget, to, keys, Qt::LeftButton);
    if (release == Release::Yes) {
        mouse(widget, QEvent::MouseButtonRelease, to, keys);
    }
}

void click(QWidget* widget, QPointF at) {
    mouse(widget, QEvent::MouseButtonPress, at);
    mouse(widget, QEvent::MouseButtonRelease, at);
}

bool close(double a, double b) {
    return std::abs(a - b) < 1e-6;
}

}  // namespace

class RoiEditingTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        Volume volume(Lattice::centred({50, 40, 30}, {4, 5, 6}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>((i * 2654435761U) % 1000);
        }
        volumeFile_ = folder_.filePath("numbers.h5");
        writeVolume(volumeFile_.toStdString(), volume);
    }

    void init() {
        preferences_ = std::make_unique<Preferences>(QString());
        workspace_ = std::make_unique<Workspace>(engines_, Threading::Inline);
        window_ = std::make_unique<MainWindow>(*workspace_, *preferences_,
                                               MainWindow::Options{viz::RendererChoice::Cpu, false});
        window_->resize(1600, 1000);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        workspace_->open({volumeFile_});
        workspace_->view().setFlag(ViewModel::Flag::Crosshair, false);
        window_->refreshNow();
        QApplication::processEvents();
    }

    void cleanup() {
        window_.reset();
        workspace_.reset();
    }

    void everyShapeIsDrawnInEveryPlane_data() {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<int>("plane");
        for (const char* shape : {"circle", "ellipse", "annulus", "sphere", "cylinder", "box", "polygon"}) {
            for (const int plane : {0, 1, 2}) {
                const QString name(shape);
                QTest::newRow(qPrintable(QString("%1 in plane %2").arg(name).arg(plane))) << name << plane;
            }
        }
    }

    void everyShapeIsDrawnInEveryPlane() {
        QFETCH(QString, shape);
        QFETCH(int, plane);
        SlicePane* pane = use(static_cast<Plane>(plane));
        const Vec3 c = at(pane, 8, -6);
        const Vec3 edge = at(pane, 28, 9);  // 20 mm across, 15 mm down: 25 mm away
        const auto axes = viz::planeAxes(pane->plane(), viz::Orientation::Radiological);
        QVERIFY(window_->commands().trigger("roi." + shape));
        QCOMPARE(QString(shapeName(*model().tool())), shape);

        if (shape == "polygon") {
            for (const Vec3 p : {c, edge, at(pane, -10, 20)}) {
                click(pane, pane->toWidget(p));
            }
            mouse(pane, QEvent::MouseButtonDblClick, pane->toWidget(at(pane, -10, 20)));
        } else {
            drag(pane, pane->toWidget(c), pane->toWidget(edge));
        }

        QCOMPARE(model().count(), 1);
        QVERIFY(!model().tool());
        const Roi& roi = *model().at(0);
        QCOMPARE(QString(shapeName(roi.shape)), shape);
        QCOMPARE(model().selected(), 0);
        QCOMPARE(QString::fromStdString(roi.name), shape + " 1");
        if (shape == "polygon") {
            QCOMPARE(roi.vertices.size(), std::size_t{3});
            QVERIFY(norm(roi.vertices[1] - edge) < 1e-6);
        } else {
            QVERIFY(norm(roi.centre - c) < 1e-6);
        }
        if (isFlat(roi.shape) || shape == "cylinder") {
            QCOMPARE(static_cast<int>(roi.plane), plane);
        }
        if (shape == "ellipse" || shape == "box") {
            QVERIFY(close(viz::coordinate(roi.size_mm, axes.across), 40));
            QVERIFY(close(viz::coordinate(roi.size_mm, axes.down), 30));
        } else if (shape != "polygon") {
            QVERIFY(close(roi.radius_mm, 25));
        }
        if (shape == "annulus") {
            QVERIFY(close(roi.innerRadius_mm, 15));
        }
        // One step back, and the step forward brings back the same.
        const Roi drawn = roi;
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(model().count(), 0);
        QTest::keyClick(window_.get(), Qt::Key_Y, Qt::ControlModifier);
        QVERIFY(model().count() == 1 && *model().at(0) == drawn);
    }

    void modifiersDrawSquaresAndFromCornerToCorner() {
        SlicePane* pane = use(Plane::Transverse);
        const QPointF from = pane->toWidget(at(pane, -20, -10));
        const QPointF to = pane->toWidget(at(pane, 20, 20));

        window_->commands().trigger("roi.ellipse");
        drag(pane, from, to, Qt::ControlModifier);
        window_->commands().trigger("roi.box");
        drag(pane, from, to, Qt::ShiftModifier);

        const Vec3 middle = at(pane, 0, 5);
        QVERIFY(norm(model().at(0)->centre - middle) < 1e-6);
        QVERIFY(close(model().at(0)->size_mm.x, 40) && close(model().at(0)->size_mm.y, 30));
        QVERIFY(close(model().at(1)->size_mm.x, 80) && close(model().at(1)->size_mm.y, 80));
    }

    void aClickRepeatsTheLastSize() {
        SlicePane* pane = use(Plane::Transverse);
        window_->commands().trigger("roi.circle");
        drag(pane, pane->toWidget(at(pane, -30, 0)), pane->toWidget(at(pane, -18, 0)));
        window_->commands().trigger("roi.circle");

        click(pane, pane->toWidget(at(pane, 30, 10)));

        QCOMPARE(model().count(), 2);
        QVERIFY(close(model().at(1)->radius_mm, 12));
        QVERIFY(norm(model().at(1)->centre - at(pane, 30, 10)) < 1e-6);
    }

    void theOutlineOfTheSelectedRoiDragsIt_data() {
        QTest::addColumn<int>("plane");
        QTest::newRow("transverse") << 0;
        QTest::newRow("coronal") << 1;
        QTest::newRow("sagittal") << 2;
    }

    void theOutlineOfTheSelectedRoiDragsIt() {
        QFETCH(int, plane);
        SlicePane* pane = use(static_cast<Plane>(plane));
        const auto axes = viz::planeAxes(pane->plane(), viz::Orientation::Radiological);
        model().add({sphere(workspace_->view().cursor(), 15)}, "Add");
        const Roi before = *model().at(0);
        // The left end of the outline: no handle is there.
        const QPointF grip = pane->toWidget(before.centre) - QPointF(radiusPx(pane, 15), 0);
        const QPointF by(24, 18);

        drag(pane, grip, grip + by);

        const QPointF now = pane->toWidget(model().at(0)->centre);
        const QPointF was = pane->toWidget(before.centre);
        QVERIFY(close(now.x() - was.x(), by.x()) && close(now.y() - was.y(), by.y()));
        QCOMPARE(viz::coordinate(model().at(0)->centre, axes.normal),
                 viz::coordinate(before.centre, axes.normal));
        QCOMPARE(model().at(0)->radius_mm, before.radius_mm);
        QCOMPARE(model().undo().undoText(), QString("Move ball"));
        model().undo().undo();
        QVERIFY(*model().at(0) == before);
    }

    void aFirstPressOnlySelects() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(workspace_->view().cursor(), 15)}, "Add");
        workspace_->view().selectRoi(-1);
        const Roi before = *model().at(0);
        const Vec3 cursor = workspace_->view().cursor();
        const QPointF grip = pane->toWidget(before.centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(30, 0));

        QCOMPARE(model().selected(), 0);
        QVERIFY(*model().at(0) == before);
        QCOMPARE(workspace_->view().cursor().x, cursor.x);
    }

    void aPressInsideMovesTheCursorAndNotTheRoi() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(workspace_->view().cursor(), 30)}, "Add");
        const Roi before = *model().at(0);
        const Vec3 wanted = at(pane, 5, 7);

        click(pane, pane->toWidget(wanted));

        QVERIFY(norm(workspace_->view().cursor() - wanted) < 1e-6);
        QVERIFY(*model().at(0) == before);
    }

    void aLockedRoiStays() {
        SlicePane* pane = use(Plane::Transverse);
        Roi roi = sphere(workspace_->view().cursor(), 15);
        roi.locked = true;
        model().add({roi}, "Add");
        const QPointF grip = pane->toWidget(roi.centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(30, 0));

        QVERIFY(*model().at(0) == roi);
        QVERIFY(pane->rois().handles().empty());
    }

    void escapeRestoresWhatIsDragged() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(workspace_->view().cursor(), 15)}, "Add");
        const Roi before = *model().at(0);
        const int steps = model().undo().count();
        const DisplayRange range = workspace_->view().range();
        const QPointF handle = pane->rois().handles().front().second;

        drag(pane, handle, handle + QPointF(40, -40), {}, Release::No);
        QVERIFY(model().at(0)->radius_mm > 20);
        QTest::keyClick(pane, Qt::Key_Escape);
        moveTo(pane, handle + QPointF(60, -60), {}, Qt::LeftButton);
        mouse(pane, QEvent::MouseButtonRelease, handle + QPointF(60, -60));

        QVERIFY(*model().at(0) == before);
        QCOMPARE(model().undo().count(), steps);
        QCOMPARE(workspace_->view().range(), range);
    }

    void escapeWhileDrawingLeavesNothing() {
        SlicePane* pane = use(Plane::Transverse);
        window_->commands().trigger("roi.circle");

        drag(pane, {200, 200}, {260, 230}, {}, Release::No);
        QCOMPARE(model().count(), 1);
        QTest::keyClick(pane, Qt::Key_Escape);
        mouse(pane, QEvent::MouseButtonRelease, {260, 230});

        QCOMPARE(model().count(), 0);
        QVERIFY(!model().undo().canUndo());
        // The tool is still in hand; the next Esc lays it down, and only the third would touch the range.
        QVERIFY(model().tool().has_value());
        QTest::keyClick(pane, Qt::Key_Escape);
        QVERIFY(!model().tool());
    }

    void theTableFollowsTheDrag() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(workspace_->view().cursor(), 15)}, "Add");
        window_->refreshNow();
        auto* table = window_->findChild<QTableWidget*>("rois.table");
        const QString before = table->item(0, 1)->text();
        const QPointF grip = pane->toWidget(model().at(0)->centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(60, 30), {}, Release::No);
        QApplication::processEvents();

        const RunItem& item = *workspace_->runs().selected();
        const double mean = roiStatistics(*model().at(0), *item.volume()).mean;
        QVERIFY(model().dragging());
        QCOMPARE(table->item(0, 1)->text(), numberText(mean, 0));
        QVERIFY(table->item(0, 1)->text() != before);
        mouse(pane, QEvent::MouseButtonRelease, grip + QPointF(60, 30));
    }

  private:
    RoiModel& model() { return workspace_->roiModel(); }

    static Roi sphere(Vec3 centre, double radius) {
        Roi roi;
        roi.name = "ball";
        roi.shape = Roi::Shape::Sphere;
        roi.centre = centre;
        roi.radius_mm = radius;
        return roi;
    }

    static double radiusPx(SlicePane* pane, double mm) {
        const QPointF a = pane->toWidget({0, 0, 0});
        const QPointF b = pane->toWidget({mm, mm, mm});
        return std::abs(b.x() - a.x());
    }

    SlicePane* use(Plane plane) {
        workspace_->view().setActivePlane(plane);
        SlicePane* pane = window_->viewer().pane(plane);
        pane->setFocus();
        return pane;
    }

    /// A point of the pane's slice so many mm to the right of and below the cursor.
    Vec3 at(SlicePane* pane, double across, double down) {
        const auto axes = viz::planeAxes(pane->plane(), viz::Orientation::Radiological);
        Vec3 p = workspace_->view().cursor();
        viz::setCoordinate(p, axes.across, viz::coordinate(p, axes.across) + axes.acrossSign * across);
        viz::setCoordinate(p, axes.down, viz::coordinate(p, axes.down) + axes.downSign * down);
        return p;
    }

    const EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString volumeFile_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<Workspace> workspace_;
    std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(RoiEditingTest)
#include "roi_editing_test.moc"
