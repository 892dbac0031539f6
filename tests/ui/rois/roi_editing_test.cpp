// SPDX-License-Identifier: Apache-2.0
// Draws and edits ROIs in the real window with mouse and key events; numbers in mm first.
#include <QClipboard>
#include <QTableWidget>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "recon/base/constants.h"
#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace roi_editing_test {

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

class RoiEditingTest : public test::WindowTest {
    Q_OBJECT

  public:
    RoiEditingTest() : WindowTest({.threading = Threading::Inline}) {}

  protected:
    void makeFiles() override {
        Volume volume(Lattice::centred({50, 40, 30}, {4, 5, 6}));
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            volume.data[i] = static_cast<float>((i * 2654435761U) % 1000);
        }
        volumeFile_ = folder_.filePath("numbers.h5");
        writeVolume(volumeFile_.toStdString(), volume);
    }

    void begin() override {
        desk_->open({volumeFile_});
        desk_->view().setFlag(ViewModel::Flag::Crosshair, false);
        window_->refreshNow();
        QApplication::processEvents();
    }

  private slots:
    void everyShapeIsDrawnInEveryPlane_data() {
        QTest::addColumn<QString>("shape");
        for (const char* shape : {"circle", "ellipse", "annulus", "sphere", "cylinder", "box", "polygon"}) {
            QTest::newRow(shape) << QString(shape);
        }
    }

    void everyShapeIsDrawnInEveryPlane() {
        QFETCH(QString, shape);
        for (int plane = 0; plane < 3 && !QTest::currentTestFailed(); ++plane) {
            qInfo("plane %d", plane);
            drawInPlane(shape, plane);
            beginAnew();
        }
    }

    void returnEndsAPolygonAndBackspaceTakesAVertexBack() {
        SlicePane* pane = use(Plane::Coronal);
        QTest::keyClick(window_, Qt::Key_P);
        const std::array<Vec3, 5> corners{at(pane, -20, -20), at(pane, 20, -20), at(pane, 40, 0),
                                          at(pane, 20, 20), at(pane, -20, 20)};
        for (const Vec3 p : corners) {
            click(pane, pane->toWidget(p));
        }
        QTest::keyClick(pane, Qt::Key_Backspace);

        QTest::keyClick(pane, Qt::Key_Return);

        const Roi& roi = *model().at(0);
        QCOMPARE(roi.vertices.size(), std::size_t{4});
        QVERIFY(norm(roi.vertices[3] - corners[3]) < 1e-6);
        // A vertex is dragged, one is added on an edge, one is taken out.
        const QPointF corner = pane->toWidget(roi.vertices[2]);
        drag(pane, corner, pane->toWidget(at(pane, 50, 10)));
        QVERIFY(norm(model().at(0)->vertices[2] - at(pane, 50, 10)) < 1e-6);
        const QPointF edge = pane->toWidget(at(pane, 0, -20));
        mouse(pane, QEvent::MouseButtonPress, edge);
        mouse(pane, QEvent::MouseButtonRelease, edge);
        mouse(pane, QEvent::MouseButtonDblClick, edge);
        mouse(pane, QEvent::MouseButtonRelease, edge);
        QCOMPARE(model().at(0)->vertices.size(), std::size_t{5});
        QVERIFY(norm(model().at(0)->vertices[1] - at(pane, 0, -20)) < 1e-6);
        moveTo(pane, edge, {}, Qt::NoButton);
        QTest::keyClick(pane, Qt::Key_X);
        QCOMPARE(model().at(0)->vertices.size(), std::size_t{4});
        QVERIFY(norm(model().at(0)->vertices[1] - corners[1]) < 1e-6);
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
        model().add({sphere(desk_->view().cursor(), 15)}, "Add");
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
        model().add({sphere(desk_->view().cursor(), 15)}, "Add");
        desk_->view().selectRoi(-1);
        const Roi before = *model().at(0);
        const Vec3 cursor = desk_->view().cursor();
        const QPointF grip = pane->toWidget(before.centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(30, 0));

        QCOMPARE(model().selected(), 0);
        QVERIFY(*model().at(0) == before);
        QCOMPARE(desk_->view().cursor().x, cursor.x);
    }

    void aPressInsideMovesTheCursorAndNotTheRoi() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(desk_->view().cursor(), 30)}, "Add");
        const Roi before = *model().at(0);
        const Vec3 wanted = at(pane, 5, 7);

        click(pane, pane->toWidget(wanted));

        QVERIFY(norm(desk_->view().cursor() - wanted) < 1e-6);
        QVERIFY(*model().at(0) == before);
    }

    void everyHandleDoesWhatItSays_data() {
        QTest::addColumn<int>("shape");
        for (int shape = 0; shape < 7; ++shape) {
            QTest::newRow(shapeName(static_cast<Roi::Shape>(shape))) << shape;
        }
    }

    void everyHandleDoesWhatItSays() {
        QFETCH(int, shape);
        for (int plane = 0; plane < 3; ++plane) {
            for (const bool symmetric : {false, true}) {
                qInfo("plane %d%s", plane, symmetric ? ", about the centre" : "");
                dragHandles(shape, plane, symmetric);
                if (QTest::currentTestFailed()) {
                    return;
                }
                beginAnew();
            }
        }
    }

    void shiftKeepsTheSidesInProportion() {
        SlicePane* pane = use(Plane::Transverse);
        Roi roi = sphere(desk_->view().cursor(), 0);
        roi.shape = Roi::Shape::Ellipse;
        roi.size_mm = {60, 30, 0};
        model().add({roi}, "Add");
        const auto [handle, grip] = pane->rois().handles().front();
        QCOMPARE(handle.axis, 0);
        const Vec3 from = pane->toWorld(grip);

        drag(pane, grip, pane->toWidget(from + Vec3{handle.sign * 15.0, 0, 0}), Qt::ShiftModifier);

        // 15 mm on both sides: 60 to 90, so 30 to 45, about the same centre.
        QVERIFY(norm(model().at(0)->size_mm - Vec3{90, 45, 0}) < 1e-6);
        QVERIFY(norm(model().at(0)->centre - roi.centre) < 1e-9);
    }

    void sidesOfATurnedShapeMoveAlongItsOwnAxes() {
        SlicePane* pane = use(Plane::Transverse);
        Roi roi = sphere(desk_->view().cursor(), 0);
        roi.shape = Roi::Shape::Box;
        roi.size_mm = {60, 30, 20};
        roi.angle_deg = 30;
        model().add({roi}, "Add");
        const auto [handle, grip] = pane->rois().handles().front();
        QCOMPARE(handle.axis, 0);
        const Vec3 outwards = handle.sign * Vec3{std::cos(30 * kRadPerDeg), std::sin(30 * kRadPerDeg), 0};
        QVERIFY(norm(handle.at - (roi.centre + 30 * outwards)) < 1e-6);
        const Vec3 from = pane->toWorld(grip);

        drag(pane, grip, pane->toWidget(from + 10 * outwards));

        // 10 mm longer, the opposite side held.
        QVERIFY(norm(model().at(0)->size_mm - Vec3{70, 30, 20}) < 1e-6);
        QVERIFY(norm(model().at(0)->centre - (roi.centre + 5 * outwards)) < 1e-6);
        QCOMPARE(model().at(0)->angle_deg, 30.0);
    }

    void shiftTurnsInStepsOfFifteenDegrees() {
        SlicePane* pane = use(Plane::Transverse);
        Roi roi = sphere(desk_->view().cursor(), 0);
        roi.shape = Roi::Shape::Ellipse;
        roi.size_mm = {60, 30, 0};
        model().add({roi}, "Add");
        const auto all = pane->rois().handles();
        const auto angle = std::find_if(all.begin(), all.end(),
                                        [](const auto& h) { return h.first.kind == RoiHandle::Kind::Angle; });
        QVERIFY(angle != all.end());
        const QPointF middle = pane->toWidget(roi.centre);
        const QPointF arm = angle->second - middle;
        const double turn = 50 * kRadPerDeg;
        const QPointF turned(arm.x() * std::cos(turn) - arm.y() * std::sin(turn),
                             arm.x() * std::sin(turn) + arm.y() * std::cos(turn));

        drag(pane, angle->second, middle + turned, Qt::ShiftModifier);

        QCOMPARE(model().at(0)->angle_deg, 45.0);
        QVERIFY(norm(model().at(0)->size_mm - roi.size_mm) < 1e-9);
    }

    void aLockedRoiStays() {
        SlicePane* pane = use(Plane::Transverse);
        Roi roi = sphere(desk_->view().cursor(), 15);
        roi.locked = true;
        model().add({roi}, "Add");
        const QPointF grip = pane->toWidget(roi.centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(30, 0));

        QVERIFY(*model().at(0) == roi);
        QVERIFY(pane->rois().handles().empty());
    }

    void escapeRestoresWhatIsDragged() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(desk_->view().cursor(), 15)}, "Add");
        const Roi before = *model().at(0);
        const int steps = model().undo().count();
        const DisplayRange range = desk_->view().range();
        const QPointF handle = pane->rois().handles().front().second;

        drag(pane, handle, handle + QPointF(40, -40), {}, Release::No);
        QVERIFY(model().at(0)->radius_mm > 20);
        QTest::keyClick(pane, Qt::Key_Escape);
        moveTo(pane, handle + QPointF(60, -60), {}, Qt::LeftButton);
        mouse(pane, QEvent::MouseButtonRelease, handle + QPointF(60, -60));

        QVERIFY(*model().at(0) == before);
        QCOMPARE(model().undo().count(), steps);
        QCOMPARE(desk_->view().range(), range);
    }

    void escapeWhileDrawingLeavesNothing_data() { theOutlineOfTheSelectedRoiDragsIt_data(); }

    void escapeWhileDrawingLeavesNothing() {
        QFETCH(int, plane);
        SlicePane* pane = use(static_cast<Plane>(plane));
        window_->commands().trigger("roi.circle");

        drag(pane, {100, 100}, {160, 130}, {}, Release::No);
        QCOMPARE(model().count(), 1);
        QTest::keyClick(pane, Qt::Key_Escape);
        moveTo(pane, {170, 140}, {}, Qt::LeftButton);
        mouse(pane, QEvent::MouseButtonRelease, {170, 140});

        QCOMPARE(model().count(), 0);
        QVERIFY(!model().undo().canUndo());
        // The tool is still in hand; the next Esc lays it down, and only the third would touch the range.
        QVERIFY(model().tool().has_value());
        QTest::keyClick(pane, Qt::Key_Escape);
        QVERIFY(!model().tool());
    }

    void escapeForgetsThePolygonBeingDrawn_data() { theOutlineOfTheSelectedRoiDragsIt_data(); }

    void escapeForgetsThePolygonBeingDrawn() {
        QFETCH(int, plane);
        SlicePane* pane = use(static_cast<Plane>(plane));
        window_->commands().trigger("roi.polygon");
        click(pane, {100, 100});
        click(pane, {160, 130});
        QVERIFY(pane->rois().drawingPolygon());

        QTest::keyClick(pane, Qt::Key_Escape);

        QVERIFY(!pane->rois().drawingPolygon());
        // The tool stays in hand: the next polygon has its own vertices alone.
        QVERIFY(model().tool().has_value());
        const std::array<QPointF, 3> corners{QPointF{120, 60}, {150, 60}, {150, 90}};
        for (const QPointF corner : corners) {
            click(pane, corner);
        }
        QTest::keyClick(pane, Qt::Key_Return);
        QCOMPARE(model().count(), 1);
        QCOMPARE(model().at(0)->vertices.size(), std::size_t{3});
        QVERIFY(norm(model().at(0)->vertices[0] - pane->toWorld(corners[0])) < 1e-6);
    }

    void anotherToolEndsAPolygon() {
        SlicePane* pane = use(Plane::Transverse);
        window_->commands().trigger("roi.polygon");
        click(pane, {100, 100});

        window_->commands().trigger("roi.sphere");

        QVERIFY(!pane->rois().drawingPolygon());
        QVERIFY(model().tool() == Roi::Shape::Sphere);
    }

    void theTableFollowsTheDrag() {
        SlicePane* pane = use(Plane::Transverse);
        model().add({sphere(desk_->view().cursor(), 15)}, "Add");
        window_->refreshNow();
        auto* table = window_->findChild<QTableWidget*>("rois.table");
        const QString before = table->item(0, 1)->text();
        const QPointF grip = pane->toWidget(model().at(0)->centre) - QPointF(radiusPx(pane, 15), 0);

        drag(pane, grip, grip + QPointF(60, 30), {}, Release::No);
        QApplication::processEvents();

        const RunItem& item = *desk_->runs().selected();
        const double mean = roiStatistics(*model().at(0), *item.volume()).mean;
        QVERIFY(model().dragging());
        QCOMPARE(table->item(0, 1)->text(), numberText(mean, 0));
        QVERIFY(table->item(0, 1)->text() != before);
        mouse(pane, QEvent::MouseButtonRelease, grip + QPointF(60, 30));
    }

  private:
    /// What begin() made, in the same window, as if nothing had been drawn.
    void beginAnew() {
        desk_->close();
        begin();
        QCOMPARE(model().count(), 0);
    }

    void drawInPlane(const QString& shape, int plane) {
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
        QTest::keyClick(window_, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(model().count(), 0);
        QTest::keyClick(window_, Qt::Key_Y, Qt::ControlModifier);
        QVERIFY(model().count() == 1 && *model().at(0) == drawn);
    }

    void dragHandles(int shape, int plane, bool symmetric) {
        // Flat shapes in their own plane; a transverse cylinder from every side.
        Roi roi = sphere(desk_->view().cursor(), 26);
        roi.shape = static_cast<Roi::Shape>(shape);
        roi.plane = isFlat(roi.shape) ? static_cast<Plane>(plane) : Plane::Transverse;
        roi.innerRadius_mm = roi.shape == Roi::Shape::Annulus ? 14 : 0;
        roi.size_mm = {44, 56, 50};
        SlicePane* pane = use(static_cast<Plane>(plane));
        if (roi.shape == Roi::Shape::Polygon) {
            roi.vertices = {at(pane, -20, -15), at(pane, 25, -10), at(pane, 5, 22)};
        }
        model().add({roi}, "Add");
        QApplication::processEvents();
        const auto axes = viz::planeAxes(pane->plane(), viz::Orientation::Radiological);
        const std::size_t count = pane->rois().handles().size();
        QVERIFY(count >= 1);
        for (std::size_t i = 0; i < count; ++i) {
            const auto [handle, grip] = pane->rois().handles().at(i);
            const Vec3 from = pane->toWorld(grip);
            const QPointF end = grip + QPointF(13, -9);
            const Vec3 to = pane->toWorld(end);

            drag(pane, grip, end, symmetric ? Qt::ControlModifier : Qt::NoModifier);

            const Roi& now = *model().at(0);
            const auto along = [](Vec3 p, int axis) { return viz::coordinate(p, axis); };
            const double grown = norm(to - roi.centre) - norm(from - roi.centre);
            Roi wanted = roi;
            switch (handle.kind) {
                case RoiHandle::Kind::Radius: wanted.radius_mm += grown; break;
                case RoiHandle::Kind::InnerRadius: wanted.innerRadius_mm += grown; break;
                case RoiHandle::Kind::Vertex:
                    wanted.vertices[static_cast<std::size_t>(handle.vertex)] =
                        wanted.vertices[static_cast<std::size_t>(handle.vertex)] + (to - from);
                    break;
                case RoiHandle::Kind::Angle: {
                    const auto angle = [&](Vec3 p) {
                        const Vec3 d = p - roi.centre;
                        return std::atan2(along(d, axes.down), along(d, axes.across));
                    };
                    wanted.angle_deg = (angle(to) - angle(from)) / kRadPerDeg;
                    break;
                }
                case RoiHandle::Kind::Side: {
                    const double by = handle.sign * (along(to, handle.axis) - along(from, handle.axis));
                    if (roi.shape == Roi::Shape::Cylinder && handle.axis != 2) {
                        wanted.radius_mm += by;  // a radius grows on both sides
                        break;
                    }
                    viz::setCoordinate(wanted.size_mm, handle.axis,
                                       along(roi.size_mm, handle.axis) + (symmetric ? 2 : 1) * by);
                    viz::setCoordinate(
                        wanted.centre, handle.axis,
                        along(roi.centre, handle.axis) + (symmetric ? 0 : handle.sign * by / 2));
                    break;
                }
            }
            QVERIFY(norm(now.centre - wanted.centre) < 1e-6 && norm(now.size_mm - wanted.size_mm) < 1e-6);
            QVERIFY(std::abs(std::remainder(now.angle_deg - wanted.angle_deg, 360.0)) < 1e-6);
            QVERIFY(close(now.radius_mm, wanted.radius_mm) &&
                    close(now.innerRadius_mm, wanted.innerRadius_mm));
            for (std::size_t v = 0; v < wanted.vertices.size(); ++v) {
                QVERIFY(norm(now.vertices[v] - wanted.vertices[v]) < 1e-6);
            }
            QCOMPARE(along(now.centre, axes.normal), along(roi.centre, axes.normal));
            model().undo().undo();
            QVERIFY(*model().at(0) == roi);
            desk_->view().flush();
        }
    }

    RoiModel& model() { return desk_->rois(); }

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
        desk_->view().setActivePlane(plane);
        SlicePane* pane = window_->viewer().pane(plane);
        pane->setFocus();
        return pane;
    }

    /// A point of the pane's slice so many mm to the right of and below the cursor.
    Vec3 at(SlicePane* pane, double across, double down) {
        const auto axes = viz::planeAxes(pane->plane(), viz::Orientation::Radiological);
        Vec3 p = desk_->view().cursor();
        viz::setCoordinate(p, axes.across, viz::coordinate(p, axes.across) + axes.acrossSign * across);
        viz::setCoordinate(p, axes.down, viz::coordinate(p, axes.down) + axes.downSign * down);
        return p;
    }

    QString volumeFile_;
};

QTEST_MAIN(RoiEditingTest)

}  // namespace roi_editing_test
#include "roi_editing_test.moc"
