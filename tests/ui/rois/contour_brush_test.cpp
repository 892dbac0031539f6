// SPDX-License-Identifier: Apache-2.0
// Contours by rule and the brush in the real window: voxels first.
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <memory>
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

/// Middles of the edges of an outline, a voxel long each, in halves of a voxel's edge.
using Edges = std::set<std::pair<long, long>>;

/// Those between voxels of a region and others in a slice.
Edges edgesOf(const RoiRegion& region, const viz::PlaneAxes& axes, int slice) {
    const Lattice& own = region.lattice;
    const auto holds = [&](int u, int v) {
        VoxelIndex at{};
        at[static_cast<std::size_t>(axes.across)] = u;
        at[static_cast<std::size_t>(axes.down)] = v;
        at[static_cast<std::size_t>(axes.normal)] = slice;
        return own.contains(at) && region.contains(own.index(at));
    };
    Edges edges;
    for (int v = 0; v <= own.size[static_cast<std::size_t>(axes.down)]; ++v) {
        for (int u = 0; u <= own.size[static_cast<std::size_t>(axes.across)]; ++u) {
            if (holds(u, v) != holds(u, v - 1)) {
                edges.emplace(2 * u, 2 * v - 1);
            }
            if (holds(u, v) != holds(u - 1, v)) {
                edges.emplace(2 * u - 1, 2 * v);
            }
        }
    }
    return edges;
}

/// And those that a path of the displaced region draws.
Edges edgesOf(const QPainterPath& path, const RoiRegion& region, const viz::PlaneAxes& axes, Vec3 shift) {
    const auto half = [&](double mm, int axis) {
        const auto i = static_cast<std::size_t>(axis);
        const double voxels = (mm - shift[i] - region.lattice.origin_mm[i]) / region.lattice.spacing_mm[i];
        return std::lround(2 * voxels);
    };
    Edges edges;
    std::pair<long, long> from;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element element = path.elementAt(i);
        const std::pair to{half(element.x, axes.across), half(element.y, axes.down)};
        for (long at = from.first + 1; element.isLineTo() && at < to.first; at += 2) {
            edges.emplace(at, to.second);
        }
        for (long at = from.second + 1; element.isLineTo() && at < to.second; at += 2) {
            edges.emplace(to.first, at);
        }
        from = to;
    }
    return edges;
}

/// Voxels here and there, some way from the faces of their lattice.
Roi scattered() {
    const Lattice own = Lattice::centred({11, 10, 9}, {4, 5, 6});
    std::vector<std::size_t> voxels;
    std::uint32_t state = 5;
    own.forEachVoxel([&](int x, int y, int z) {
        state = state * 1664525U + 1013904223U;
        if (x > 1 && x < 9 && y > 0 && y < 8 && z > 2 && z < 7 && (state >> 24U) % 3 != 0) {
            voxels.push_back(own.index(x, y, z));
        }
    });
    Roi roi;
    roi.name = "scattered";
    roi.shape = Roi::Shape::Region;
    roi.region = RoiRegion::ofVoxels(own, voxels);
    roi.centre = roi.region->home_mm + Vec3{1.5, -2, 7};
    return roi;
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

    void anOutlineGoesAroundTheVoxelsOfItsSlice() {
        const Roi roi = scattered();
        const Vec3 shift = roi.centre - roi.region->home_mm;
        RegionOutlines kept;
        for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
            RoiView view{plane, viz::Orientation::Radiological, cone().lattice, {}, {}};
            const viz::PlaneAxes axes = view.axes();
            for (int slice = -1; slice <= 11; ++slice) {
                view.cursor = roi.region->lattice.centre(slice, slice, slice) + shift;
                const QPainterPath path = roiSection(roi, view);
                QCOMPARE(edgesOf(path, *roi.region, axes, shift), edgesOf(*roi.region, axes, slice));
                QCOMPARE(kept.section(roi, view), path);
                QCOMPARE(kept.section(roi, view), path);  // the one that it has kept
            }
        }
    }

    void anOutlineThatIsKeptIsForgottenWithItsRegion() {
        Roi roi = scattered();
        const RoiView view{Plane::Transverse, viz::Orientation::Radiological, cone().lattice, roi.centre, {}};
        RegionOutlines kept;
        const QPainterPath before = kept.section(roi, view);
        roi.centre.x += 3;  // dragged
        QCOMPARE(kept.section(roi, view), roiSection(roi, view));
        QVERIFY(kept.section(roi, view) != before);
        const std::weak_ptr<const RoiRegion> old = roi.region;
        kept.forgetUnused();
        roi.region = RoiRegion::ofVoxels(roi.region->lattice, {roi.region->runs.front().first});
        QCOMPARE(kept.section(roi, view), roiSection(roi, view));
        QVERIFY(!old.expired());  // no other region can lie where it lies
        kept.forgetUnused();
        QVERIFY(old.expired());
    }

    void aPaintedRegionIsTakenHoldOfWhereItIsNow() {
        SlicePane* pane = use(Plane::Transverse);
        QVERIFY(window_->commands().trigger("roi.brush"));
        const QPointF first = pane->toWidget({2, 2, 2});
        drag(pane, first, first);
        const QPointF edge(pane->rois().outline(*model().at(0)).boundingRect().right(), first.y());
        QCOMPARE(pane->rois().roiAt(edge), 0);

        drag(pane, first, first + QPointF(60, 0));

        const QPointF there(pane->rois().outline(*model().at(0)).boundingRect().right(), first.y());
        QVERIFY(there.x() > edge.x() + 20);
        QCOMPARE(pane->rois().roiAt(there), 0);
        QCOMPARE(pane->rois().roiAt(edge), -1);
        QCOMPARE(pane->rois().roiAt(there + QPointF(20, 0)), -1);
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
