// SPDX-License-Identifier: Apache-2.0
// Contours by rule and the brush in the real window: voxels first.
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <set>

#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace contour_brush_test {

using namespace tof;
using namespace tof::ui;

namespace {

/// Values fall from 10 by one for every 3 mm from the voxel centre nearest to the middle.
Volume cone() {
    Volume volume(Lattice::centred({50, 40, 30}, {4, 4, 4}));
    volume.units = "Bq/ml";
    volume.lattice.forEachVoxel([&](int x, int y, int z) {
        const double away = norm(volume.lattice.centre(x, y, z) - Vec3{2, 2, 2});
        volume.at(x, y, z) = static_cast<float>(std::max(0.0, 10 - away / 3));
    });
    return volume;
}

void mouse(QWidget* widget, QEvent::Type type, QPointF at, Qt::KeyboardModifiers keys) {
    const bool up = type == QEvent::MouseButtonRelease;
    const bool moves = type == QEvent::MouseMove;
    QMouseEvent event(type, at, widget->mapToGlobal(at), moves ? Qt::NoButton : Qt::LeftButton,
                      up ? Qt::NoButton : Qt::LeftButton, keys);
    QApplication::sendEvent(widget, &event);
}

void drag(QWidget* widget, QPointF from, QPointF to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    mouse(widget, QEvent::MouseButtonPress, from, keys);
    mouse(widget, QEvent::MouseMove, to, keys);
    mouse(widget, QEvent::MouseButtonRelease, to, keys);
}

/// How far a point lies from a line between two others, mm.
double awayFrom(Vec3 p, Vec3 a, Vec3 b) {
    const double length = norm(b - a);
    const double share = length > 0 ? std::clamp(dot(p - a, b - a) / (length * length), 0.0, 1.0) : 0.0;
    return norm(p - (a + share * (b - a)));
}

}  // namespace

class ContourBrushTest : public test::WindowTest {
    Q_OBJECT

  public:
    ContourBrushTest() : WindowTest({.threading = Threading::Inline}) {}

  protected:
    void makeFiles() override { writeVolume(folder_.filePath("cone.h5").toStdString(), cone()); }
    void begin() override {
        desk_->open({folder_.filePath("cone.h5")});
        desk_->view().setFlag(ViewModel::Flag::Crosshair, false);
        desk_->view().setCursor({2, 2, 2});
        window_->refreshNow();
        QApplication::processEvents();
    }

  private slots:
    void aContourIsEveryVoxelAboveItsLevel_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("level");
        QTest::newRow("41 %") << "41" << 4.1;
        QTest::newRow("50 %") << "50" << 5.0;
        QTest::newRow("SUV 2.5") << "suv-2.5" << 5.0;                    // 0.5 SUV for a Bq/ml
        QTest::newRow("PERCIST") << "percist" << 1.5 * (10 - 20 / 3.0);  // 20 mm from the top
    }
    void aContourIsEveryVoxelAboveItsLevel() {
        QFETCH(QString, id);
        QFETCH(double, level);
        // 70 kBq in 35 kg.
        desk_->uptakes().set(*desk_->runs().onScreen(), {{35, 70e3, 6586.2, 0}, false});
        Roi liver;
        liver.name = "liver";
        liver.shape = Roi::Shape::Region;  // two voxels of one value: their SD is 0
        const Lattice lattice = cone().lattice;
        liver.region = RoiRegion::ofVoxels(lattice, {lattice.index(lattice.voxelAt({-18, 2, 2})),
                                                     lattice.index(lattice.voxelAt({22, 2, 2}))});
        liver.centre = liver.region->home_mm;
        desk_->rois().add({liver}, "liver");
        window_->refreshNow();

        QVERIFY(window_->commands().trigger("roi.contour-" + id));

        QCOMPARE(model().count(), 2);
        std::set<std::size_t> expected;
        const Volume volume = cone();
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            if (static_cast<double>(volume.data[i]) >= level) {
                expected.insert(i);
            }
        }
        QCOMPARE(voxels(1), expected);
        desk_->rois().undo().undo();
        QCOMPARE(model().count(), 1);
    }

    void rulesThatLackSomethingAreGrey() {
        QVERIFY(!window_->commands().trigger("roi.contour-suv-2.5"));
        QVERIFY(!window_->commands().trigger("roi.contour-percist"));
        QCOMPARE(model().count(), 0);
    }

    void aContourThatWasCutSaysSoAndGoesFarther() {
        const Volume volume = cone();
        std::set<std::size_t> whole;
        std::set<std::size_t> near;
        const Vec3 cursor{26, 2, 2};  // the top is within 30 mm of it, what lies behind the top is not
        for (std::size_t i = 0; i < volume.data.size(); ++i) {
            if (static_cast<double>(volume.data[i]) >= 4.1) {
                whole.insert(i);
                if (norm(volume.lattice.centre(volume.lattice.voxel(i)) - cursor) <= 30) {
                    near.insert(i);
                }
            }
        }
        QVERIFY(near.size() < whole.size());
        QVERIFY(!window_->commands().trigger("roi.contour-farther"));
        desk_->view().setCursor(cursor);
        window_->refreshNow();

        QVERIFY(window_->commands().trigger("roi.contour-41"));

        QCOMPARE(voxels(0), near);
        QVERIFY(desk_->messages().all().back().text.contains("contour 1 was cut 30 mm"));
        desk_->view().setCursor({-60, 40, 0});  // it is drawn from where it began
        QVERIFY(window_->commands().trigger("roi.contour-farther"));
        QCOMPARE(model().count(), 1);
        QCOMPARE(voxels(0), whole);
        QVERIFY(!window_->commands().trigger("roi.contour-farther"));  // it is whole
        model().undo().undo();
        QCOMPARE(voxels(0), near);
    }

    void theBrushPaintsInThreeDimensionsAndTakesOut() {
        SlicePane* pane = use(Plane::Transverse);
        const Vec3 a = pane->toWorld(pane->rect().center() - QPointF(60, 0));
        const Vec3 b = pane->toWorld(pane->rect().center() + QPointF(40, 25));
        QVERIFY(window_->commands().trigger("roi.brush"));

        drag(pane, pane->toWidget(a), pane->toWidget(b));

        QCOMPARE(model().count(), 1);
        const double radius = model().lastDrawn(Roi::Shape::Region).radius_mm;
        const std::set<std::size_t> painted = voxels(0);
        const Lattice lattice = cone().lattice;
        lattice.forEachVoxel([&](int x, int y, int z) {
            const double away = awayFrom(lattice.centre(x, y, z), a, b);
            const bool in = painted.count(lattice.index(x, y, z)) == 1;
            // Balls half a radius apart reach 97 % of the way between them.
            QVERIFY2(!in || away <= radius + 1e-6, "too much");
            QVERIFY2(in || away >= 0.96 * radius, "too little");
        });
        QVERIFY(model().tool() == Roi::Shape::Region);  // it stays in hand

        drag(pane, pane->toWidget(a), pane->toWidget(a), Qt::ControlModifier);

        std::set<std::size_t> left;
        for (const std::size_t i : painted) {
            if (norm(lattice.centre(lattice.voxel(i)) - a) > radius) {
                left.insert(i);
            }
        }
        QCOMPARE(voxels(0), left);
        desk_->rois().undo().undo();
        QCOMPARE(voxels(0), painted);
        desk_->rois().undo().undo();
        QCOMPARE(model().count(), 0);
        QVERIFY(window_->commands().trigger("view.escape"));
        QVERIFY(!model().tool());
    }

    void aContourIsMendedByTheBrush() {
        QVERIFY(window_->commands().trigger("roi.contour-50"));
        const std::size_t before = voxels(0).size();
        SlicePane* pane = use(Plane::Coronal);
        QVERIFY(window_->commands().trigger("roi.brush"));

        drag(pane, pane->toWidget({2, 2, 2}), pane->toWidget({30, 2, 2}));

        QCOMPARE(model().count(), 1);
        QVERIFY(voxels(0).size() > before);
        // Values of the ROI follow, as those of others.
        const RoiStatistics statistics = roiStatistics(model().rois().front(), cone());
        QCOMPARE(statistics.weight, static_cast<double>(voxels(0).size()));
    }

  private:
    RoiModel& model() { return desk_->rois(); }
    SlicePane* use(Plane plane) {
        desk_->view().setActivePlane(plane);
        window_->refreshNow();
        QApplication::processEvents();
        return window_->viewer().pane(plane);
    }
    std::set<std::size_t> voxels(int index) {
        std::set<std::size_t> found;
        for (const auto& [first, count] : model().at(index)->region->runs) {
            for (std::size_t i = first; i < first + count; ++i) {
                found.insert(i);
            }
        }
        return found;
    }
};

QTEST_MAIN(ContourBrushTest)

}  // namespace contour_brush_test
#include "contour_brush_test.moc"
