// SPDX-License-Identifier: Apache-2.0
// Turned planes in the real window: handles, picture, ROIs, rulers and profiles in mm, undo and session.
#include <QPainterPath>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/constants.h"
#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/desk/roi_geometry.h"
#include "ui/pictures/turn_handles.h"

namespace oblique_test {

using namespace tof;
using namespace tof::ui;

namespace {

/// The value of a point: a slope that no two directions share.
double slope(Vec3 p) {
    return 200 + p.x + 2 * p.y - 3 * p.z;
}

/// mm2; curves become polygons at a hundred times their size.
double area(const QPainterPath& path) {
    constexpr double kScale = 100;
    double sum = 0;
    for (const QPolygonF& polygon : path.toFillPolygons(QTransform::fromScale(kScale, kScale))) {
        for (int i = 0; i + 1 < polygon.size(); ++i) {
            sum += polygon[i].x() * polygon[i + 1].y() - polygon[i].y() * polygon[i + 1].x();
        }
    }
    return std::abs(sum) / 2 / (kScale * kScale);
}

}  // namespace

class ObliqueTest : public test::WindowTest {
    Q_OBJECT

    void makeFiles() override {
        Volume volume(Lattice::centred({40, 40, 40}, {2, 2, 2}));
        volume.lattice.forEachVoxel([&](int x, int y, int z) {
            volume.at(x, y, z) = static_cast<float>(slope(volume.lattice.centre(x, y, z)));
        });
        volume.units = "arbitrary";
        writeVolume(folder_.filePath("slope.h5").toStdString(), volume);
    }
    void begin() override {
        open(folder_.filePath("slope.h5"));
        desk_->view().setRange({0, 400});
        desk_->view().setCursor({5, -3, 7});
        desk_->view().setLayout(Layout::Grid);
        window_->refreshNow();
    }
    SlicePane& pane(Plane plane) { return *window_->viewer().pane(plane); }
    ViewModel& view() { return desk_->view(); }
    void press(const char* command) {
        QVERIFY(window_->commands().trigger(command));
        window_->refreshNow();
    }
    /// Drags the handle to the right of the cursor by an angle, clockwise.
    void turn(Plane plane, double by_deg) {
        press("view.turn");
        SlicePane& p = pane(plane);
        const QPointF from = turnHandles(p, view(), p.size()).front();
        const QPointF cursor = p.toWidget(view().cursor());
        QTransform about;
        about.rotate(by_deg);
        const QPointF to = cursor + about.map(from - cursor);
        QTest::mousePress(&p, Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(&p, ((from + to) / 2).toPoint());
        QTest::mouseMove(&p, to.toPoint());
        QTest::mouseRelease(&p, Qt::LeftButton, {}, to.toPoint());
        press("view.turn");
    }

  private Q_SLOTS:
    void aDragTurnsTheOtherTwoPlanesAndUndoPutsThemBack() {
        const QImage before = pane(Plane::Transverse).picture();

        turn(Plane::Transverse, 30);

        const viz::Turn turned = view().turn();
        // Right to down in the picture is x to y: a degree is more than a pixel on the handle's circle.
        QVERIFY(std::abs(std::atan2(turned.axes[0].y, turned.axes[0].x) / kRadPerDeg - 30) < 1);
        QVERIFY(norm(turned.axes[2] - Vec3{0, 0, 1}) < 1e-12);
        QVERIFY(!view().isOblique(Plane::Transverse) && view().isOblique(Plane::Coronal));
        QCOMPARE(pane(Plane::Transverse).picture(), before);
        QCOMPARE(view().cursor(), (Vec3{5, -3, 7}));
        press("edit.undo");
        QVERIFY(view().turn().isNone());
        press("edit.redo");
        QVERIFY(view().turn() == turned);
        press("view.straighten");
        QVERIFY(view().turn().isNone());
        press("edit.undo");
        QVERIFY(view().turn() == turned);
    }

    void everyPixelOfAnObliquePictureHasTheValueOfItsPoint_data() {
        QTest::addColumn<int>("interpolation");
        for (const int interpolation : {0, 1, 2}) {
            QTest::addRow("%s", interpolation == 0   ? "nearest"
                                : interpolation == 1 ? "linear"
                                                     : "cubic")
                << interpolation;
        }
    }

    void everyPixelOfAnObliquePictureHasTheValueOfItsPoint() {
        QFETCH(int, interpolation);
        view().setFlag(ViewModel::Flag::Interpolation, interpolation > 0);
        view().setFlag(ViewModel::Flag::Cubic, interpolation == 2);
        turn(Plane::Transverse, 25);
        turn(Plane::Sagittal, -40);
        // Half a voxel along each axis of the slope, or the rounding of a level of 400 / 256.
        const double tolerance = (interpolation == 0 ? (1 + 2 + 3) * 1.0 : 0) + 400.0 / 256;
        for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
            QVERIFY(view().isOblique(plane));
            const QImage picture = pane(plane).picture();
            int seen = 0;
            for (int y = 3; y < picture.height(); y += 7) {
                for (int x = 3; x < picture.width(); x += 7) {
                    const Vec3 p = pane(plane).toWorld(QPointF(x + 0.5, y + 0.5));
                    const double value = slope(p);
                    // Cubic interpolation is exact on a slope where all its voxels are there.
                    if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > 35 || value < 5 ||
                        value > 395) {
                        continue;
                    }
                    const double shown = (qRed(picture.pixel(x, y)) + 0.5) * 400 / 256;
                    QVERIFY2(std::abs(shown - value) <= tolerance,
                             qPrintable(QString("%1, %2: %3 for %4").arg(x).arg(y).arg(shown).arg(value)));
                    ++seen;
                }
            }
            QVERIFY(seen > 300);
        }
    }

    void planesAreKeptWithTheSession() {
        turn(Plane::Coronal, 20);
        ViewModel other;

        other.fromJson(view().toJson());

        QVERIFY(other.turn() == view().turn());
        nlohmann::json broken = view().toJson();
        broken["turn"][0] = {{"x", 3}, {"y", 0}, {"z", 0}};
        other.fromJson(broken);
        QVERIFY(other.turn().isNone());
    }

    void theWheelGoesAlongTheNormal() {
        turn(Plane::Transverse, 30);
        const Vec3 before = view().cursor();
        const int at = view().sliceIndex(Plane::Coronal);

        view().stepSlice(Plane::Coronal, 3);

        // The smallest edge of a voxel is 2 mm.
        QVERIFY(norm(view().cursor() - before - 6.0 * view().turn().axes[1]) < 1e-9);
        QCOMPARE(view().sliceIndex(Plane::Coronal), at + 3);
        view().stepSlice(Plane::Coronal, 1000);
        QCOMPARE(view().sliceIndex(Plane::Coronal), view().sliceCount(Plane::Coronal) - 1);
    }

    void aSphereIsACircleInEveryPlane() {
        turn(Plane::Transverse, 30);
        turn(Plane::Coronal, 20);
        Roi sphere;
        sphere.name = "S";
        sphere.shape = Roi::Shape::Sphere;
        sphere.centre = view().cursor() + 4.0 * view().turn().axes[1];
        sphere.radius_mm = 10;
        desk_->rois().add({sphere}, "add");
        window_->refreshNow();

        const QRectF box = pane(Plane::Coronal).rois().outline(sphere).boundingRect();

        // 4 mm beside the middle of a sphere of 10 mm: a circle of the root of 84.
        SlicePane& p = pane(Plane::Coronal);
        const double perMm = norm(p.toWorld({100, 0}) - p.toWorld({0, 0})) / 100;
        QVERIFY(std::abs(box.width() * perMm / 2 - std::sqrt(84.0)) < 0.01);
        QVERIFY(std::abs(box.height() * perMm / 2 - std::sqrt(84.0)) < 0.01);
        const QPointF middle = p.toWidget(sphere.centre);
        QVERIFY(std::hypot(middle.x() - box.center().x(), middle.y() - box.center().y()) < 0.5);
    }

    void aFlatShapeIsDrawnInStraightPlanesAlone() {
        turn(Plane::Transverse, 30);
        for (const auto& [shape, count] :
             {std::pair{Roi::Shape::Circle, 0}, std::pair{Roi::Shape::Sphere, 1}}) {
            desk_->rois().setTool(shape);
            SlicePane& p = pane(Plane::Coronal);
            const QPoint at = p.toWidget(view().cursor()).toPoint() + QPoint(20, 20);
            QTest::mousePress(&p, Qt::LeftButton, {}, at);
            QTest::mouseMove(&p, at + QPoint(15, 0));
            QTest::mouseMove(&p, at + QPoint(30, 0));
            QTest::mouseRelease(&p, Qt::LeftButton, {}, at + QPoint(30, 0));
            QCOMPARE(desk_->rois().count(), count);
            desk_->rois().setTool(std::nullopt);
        }
        // It was drawn where the picture is.
        QVERIFY(std::abs(dot(desk_->rois().at(0)->centre - view().cursor(), view().turn().axes[1])) < 1e-9);
    }

    void anObliqueSliceCutsWhatAnRoiHoldsThere_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<double>("about_deg");
        QTest::addColumn<double>("expected");
        const double turned = 1 / std::cos(30 * kRadPerDeg);
        QTest::newRow("cylinder, leaned: an ellipse")
            << int(Roi::Shape::Cylinder) << 30.0 << kPi * 64 * turned;
        QTest::newRow("box, leaned") << int(Roi::Shape::Box) << 30.0 << 16.0 * 12 * turned;
        QTest::newRow("circle, leaned: a slice of 2 mm") << int(Roi::Shape::Circle) << 30.0 << -1.0;
        QTest::newRow("circle, along its normal: a strip") << int(Roi::Shape::Circle) << 90.0 << 16.0 * 2;
        QTest::newRow("cylinder, along its axis") << int(Roi::Shape::Cylinder) << 90.0 << 16.0 * 40;
    }

    void anObliqueSliceCutsWhatAnRoiHoldsThere() {
        QFETCH(int, shape);
        QFETCH(double, about_deg);
        QFETCH(double, expected);
        Roi roi;
        roi.shape = static_cast<Roi::Shape>(shape);
        roi.centre = {1, 1, 1};  // the middle of a slice
        roi.radius_mm = 8;
        roi.size_mm = roi.shape == Roi::Shape::Box ? Vec3{16, 12, 60} : Vec3{0, 0, 40};
        RoiView seen{Plane::Transverse, viz::Orientation::Radiological,
                     Lattice::centred({40, 40, 40}, {2, 2, 2}), roi.centre,
                     viz::Turn().about(0, about_deg * kRadPerDeg)};
        if (expected < 0) {  // 2 mm thick, leaned: chords of the circle, 4 mm of them beside each other
            expected = 0;
            for (int i = 0; i < 1000; ++i) {
                const double beside = -2 + (i + 0.5) * 0.004;
                expected += 0.004 * 2 * std::sqrt(64 - std::pow(beside * std::cos(30 * kRadPerDeg), 2));
            }
        }

        const double got = area(roiSection(roi, seen));

        // What is seen from the side is leaned by a hundredth.
        QVERIFY2(std::abs(got / expected - 1) < 5e-3,
                 qPrintable(QString("%1 for %2").arg(got).arg(expected)));
    }

    void aRulerMeasuresMmInAnObliquePicture() {
        turn(Plane::Transverse, 30);
        desk_->annotations().setTool(Annotation::Kind::Ruler);
        SlicePane& p = pane(Plane::Coronal);
        const QPoint from = p.toWidget(view().cursor()).toPoint() + QPoint(-20, 10);
        const QPoint to = from + QPoint(60, 25);
        QTest::mousePress(&p, Qt::LeftButton, {}, from);
        QTest::mouseMove(&p, (from + to) / 2);
        QTest::mouseMove(&p, to);
        QTest::mouseRelease(&p, Qt::LeftButton, {}, to);

        QCOMPARE(desk_->annotations().all().size(), std::size_t{1});
        const Annotation& ruler = desk_->annotations().all().front();
        const double perMm = norm(p.toWorld({100, 0}) - p.toWorld({0, 0})) / 100;
        QVERIFY(std::abs(ruler.length_mm() - std::hypot(60, 25) * perMm) < 1e-6);
        QVERIFY(view().inSlice(Plane::Coronal, ruler.a) && view().inSlice(Plane::Coronal, ruler.b));
        press("view.straighten");
        QVERIFY(!view().inSlice(Plane::Coronal, ruler.a) || !view().inSlice(Plane::Coronal, ruler.b));
    }

    void aProfileLineLiesInTheObliquePicture() {
        turn(Plane::Transverse, 30);
        pane(Plane::Coronal).setFocus();
        view().setActivePlane(Plane::Coronal);

        press("chart.line");

        const ProfileLine line = *view().line();
        QVERIFY(view().inSlice(Plane::Coronal, line.a) && view().inSlice(Plane::Coronal, line.b));
        QVERIFY(norm(cross(line.b - line.a, view().turnOf(Plane::Coronal).axes[0])) < 1e-6);
    }
};

QTEST_MAIN(ObliqueTest)

}  // namespace oblique_test
#include "oblique_test.moc"
