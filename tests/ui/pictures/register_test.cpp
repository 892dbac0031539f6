// SPDX-License-Identifier: Apache-2.0
// One image laid onto another, reoriented and straightened, in the real window; undone and kept.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/io/format_table.h"
#include "recon/register/rigid_place.h"
#include "tests/ui/fixture.h"
#include "ui/desk/made_images.h"
#include "ui/desk/place_handles.h"

namespace register_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// Three blobs of sigma 14 mm where a motion takes them.
Volume blobs(const Pose& place, float contrast, const char* units) {
    Volume out(Lattice::centred({50, 50, 40}, {4, 4, 4}));
    out.units = units;
    const std::array<Vec3, 3> middles{Vec3{40, 10, -20}, Vec3{-30, 35, 15}, Vec3{5, -45, 30}};
    out.lattice.forEachVoxel([&](int x, int y, int z) {
        double value = 0;
        for (const Vec3& middle : middles) {
            const Vec3 d = out.lattice.centre(x, y, z) - place.moved(middle);
            value += std::exp(-dot(d, d) / (2 * 14 * 14));
        }
        out.at(x, y, z) = contrast * static_cast<float>(value);
    });
    return out;
}

}  // namespace

class RegisterTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        away_ = poseOf({{8, -5, 3}, {3, -4, 5}}, {});
        writeVolume(folder_.filePath("pet.h5").toStdString(), blobs(Pose(), 500, "Bq/ml"));
        writeVolume(folder_.filePath("ct.h5").toStdString(), blobs(away_, 70, "HU"));
    }
    void begin() override {
        open(folder_.filePath("pet.h5"));  // A
        open(folder_.filePath("ct.h5"));   // B
        desk_->runs().select(desk_->runs().find(QString("B"))->id());
        window_->refreshNow();
    }

  private slots:
    void mutualInformationLaysOneOntoTheOther() {
        QDialog& dialog = openDialog();
        QCOMPARE(box(dialog, "register.moving").currentData().toString(), QString("B"));
        QCOMPARE(box(dialog, "register.fixed").currentData().toString(), QString("A"));

        QTest::mouseClick(dialog.findChild<QPushButton*>("register.find"), Qt::LeftButton);
        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));

        const auto as = desk_->madeImages().movedAs("C");
        QVERIFY(as && as->of == "B");
        const Vec3 middle = middleOf(desk_->runs().find(QString("B"))->lattice());
        const Pose left = poseOf(as->move.by, middle).after(away_);
        QVERIFY2(norm(left.shift) < 0.5 && angle_deg(left) < 0.5,
                 qPrintable(QString::number(norm(left.shift))));
        // The fields show what was found, and undo takes the image away.
        QVERIFY(until(
            [&] { return std::abs(number(dialog, "shift-x").value() - as->move.by.shift_mm.x) < 0.006; }));
        desk_->rois().undo().undo();
        QVERIFY(desk_->runs().find(QString("C")) == nullptr);
        desk_->rois().undo().redo();
        QVERIFY(desk_->runs().find(QString("C")) != nullptr);
    }

    void numbersMoveTheImageAndUndoPutsItBack() {
        QDialog& dialog = openDialog();

        number(dialog, "shift-x").setValue(12);
        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        const auto first = desk_->runs().find(QString("C"))->volume();
        number(dialog, "turn-z").setValue(-30);
        QVERIFY(until([&] {
            const auto as = desk_->madeImages().movedAs("C");
            return settled() && as && as->move.by.turn_deg.z == -30;
        }));

        QCOMPARE(desk_->runs().items().size(), std::size_t{3});  // one image, moved twice from where it was
        const auto second = desk_->runs().find(QString("C"))->volume();
        // A blob's middle goes where the numbers say.
        const Vec3 middle = middleOf(desk_->runs().find(QString("B"))->lattice());
        const Vec3 at = poseOf({{12, 0, 0}, {0, 0, -30}}, middle).after(away_).moved({40, 10, -20});
        QVERIFY(second->at(second->lattice.voxelAt(at)) > 60);
        desk_->rois().undo().undo();
        QCOMPARE(desk_->runs().find(QString("C"))->volume(), first);
        QVERIFY(until([&] { return number(dialog, "turn-z").value() == 0; }));
        QCOMPARE(number(dialog, "shift-x").value(), 12.0);
    }

    void theCrossShiftsAndTheRingTurnsAndUndoPutsBack() {
        QDialog& dialog = openDialog();
        SlicePane& pane = *window_->viewer().pane(Plane::Transverse);
        const Vec3 middle = middleOf(desk_->runs().find(QString("B"))->lattice());
        const QImage before = pane.picture();
        const QPointF cross = pane.toWidget(desk_->placeHandles().pivot());
        QCOMPARE(pane.toWidget(middle), cross);
        const Vec3 by = pane.toWorld(cross + QPointF(24, -15)) - pane.toWorld(cross);

        press(pane, cross);
        follow(pane, cross + QPointF(24, -15));

        // Numbers and picture follow the pointer before the image is made anew: what was at a place is seen
        // where the pointer took it.
        QVERIFY(std::abs(number(dialog, "shift-x").value() - by.x) < 0.006);
        QVERIFY(std::abs(number(dialog, "shift-y").value() - by.y) < 0.006);
        QVERIFY(desk_->runs().find(QString("C")) == nullptr);
        const QImage during = pane.picture();
        const QPoint blob = pane.toWidget(away_.moved({40, 10, -20})).toPoint();
        QVERIFY(std::abs(qRed(before.pixel(blob)) - qRed(during.pixel(blob + QPoint(24, -15)))) <= 12);
        QVERIFY(during != before);
        let(pane, cross + QPointF(24, -15));
        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        auto as = desk_->madeImages().movedAs("C");
        QVERIFY(norm(as->move.by.shift_mm - by) < 0.01 && norm(as->move.by.turn_deg) < 1e-9);

        // A quarter of the ring, from its right end to its lower one: clockwise as it is seen.
        QVERIFY(until([&] { return norm(desk_->placeHandles().place().shift_mm - by) < 0.01; }));
        window_->refreshNow();
        const QPointF at = pane.toWidget(desk_->placeHandles().pivot());
        const double radius = 0.36 * std::min(pane.width(), pane.height());
        press(pane, at + QPointF(radius, 0));
        follow(pane, at + QPointF(0, radius));
        let(pane, at + QPointF(0, radius));
        QVERIFY(until([&] {
            as = desk_->madeImages().movedAs("C");
            return settled() && as && std::abs(as->move.by.turn_deg.z) > 1;
        }));
        // x points to the right and y down, so clockwise is from x to y.
        QVERIFY2(std::abs(as->move.by.turn_deg.z - 90) < 0.01,
                 qPrintable(QString::number(as->move.by.turn_deg.z)));
        QVERIFY(norm(as->move.by.shift_mm - by) < 0.01);
        desk_->rois().undo().undo();
        QVERIFY(until([&] { return std::abs(number(dialog, "turn-z").value()) < 1e-9; }));
        QVERIFY(norm(desk_->placeHandles().place().turn_deg) < 1e-9);
        desk_->rois().undo().undo();
        QVERIFY(desk_->runs().find(QString("C")) == nullptr);
        QVERIFY(until([&] { return number(dialog, "shift-x").value() == 0; }));
    }

    void keysShiftAndTurnTooAndEscapePutsADragBack() {
        QDialog& dialog = openDialog();
        SlicePane& pane = *window_->viewer().pane(Plane::Coronal);  // x to the right, z up
        pane.setFocus();

        QTest::keyClick(&pane, Qt::Key_Right, Qt::AltModifier);
        QTest::keyClick(&pane, Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
        QTest::keyClick(&pane, Qt::Key_PageDown, Qt::AltModifier);

        QCOMPARE(number(dialog, "shift-x").value(), 1.0);
        QCOMPARE(number(dialog, "shift-z").value(), 10.0);
        // Clockwise is from x to -z, which a positive turn about y is.
        QVERIFY(std::abs(number(dialog, "turn-y").value() - 1) < 1e-9);
        QVERIFY(until([&] {
            const auto as = desk_->madeImages().movedAs("C");
            return settled() && as && as->move.by.shift_mm.z == 10;
        }));
        window_->refreshNow();
        const QPointF cross = pane.toWidget(desk_->placeHandles().pivot());
        press(pane, cross);
        follow(pane, cross + QPointF(30, 0));
        QVERIFY(number(dialog, "shift-x").value() > 2);
        QVERIFY(window_->commands().trigger("view.escape"));
        QCOMPARE(number(dialog, "shift-x").value(), 1.0);
        let(pane, cross + QPointF(30, 0));
        QCOMPARE(desk_->runs().items().size(), std::size_t{3});

        // Without the window of Register a press moves the cursor, as everywhere.
        dialog.close();
        QVERIFY(until([&] { return !desk_->placeHandles().shown(); }));
        press(pane, cross);
        let(pane, cross);
        QVERIFY(norm(desk_->view().cursor() - pane.toWorld(cross)) < 1e-6);
    }

    void aSessionBringsItBack() {
        MadeImages::Moved wish{"B", "A", {}};
        wish.move.by = {{5, 6, 7}, {8, 9, 10}};
        desk_->madeImages().move(wish);
        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        const nlohmann::json saved = desk_->madeImages().toJson();
        const auto before = desk_->runs().find(QString("C"))->volume();
        desk_->runs().remove(desk_->runs().find(QString("C"))->id());

        desk_->madeImages().fromJson(saved);

        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        QCOMPARE(desk_->runs().find(QString("C"))->volume()->data, before->data);
        QCOMPARE(desk_->madeImages().movedAs("C")->move.by, wish.move.by);
    }

    void anImageIsReoriented() {
        QTimer::singleShot(0, qApp, [] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            dialog->setTextValue("SLP");
            dialog->accept();
        });

        QVERIFY(window_->commands().trigger("place.reorient"));

        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        const auto before = desk_->runs().find(QString("B"))->volume();
        const auto after = desk_->runs().find(QString("C"))->volume();
        QCOMPARE(after->lattice.size, (std::array<int, 3>{50, 40, 50}));
        QCOMPARE(after->at(7, 3, 11), before->at(11, 7, 3));
        QVERIFY(desk_->runs().find(QString("C"))->name().contains("SLP"));
    }

    void theImageIsTurnedAsThePlanesAre() {
        QVERIFY(!window_->commands().trigger("place.as-planes"));  // none is turned
        desk_->view().setTurn(viz::Turn().about(2, 0.5));
        window_->refreshNow();

        QVERIFY(window_->commands().trigger("place.as-planes"));

        QVERIFY(until([&] { return settled() && desk_->runs().find(QString("C")) != nullptr; }));
        QVERIFY(desk_->view().turn().isNone());
        const auto as = desk_->madeImages().movedAs("C");
        QVERIFY(std::abs(as->move.by.turn_deg.z + 0.5 * 180 / std::acos(-1.0)) < 1e-9);
    }

  private:
    QDialog& openDialog() {
        window_->commands().trigger("place.register");
        auto* dialog = window_->findChild<QDialog*>("register.dialog");
        return *dialog;
    }
    static QComboBox& box(QDialog& dialog, const char* name) { return *dialog.findChild<QComboBox*>(name); }
    static QDoubleSpinBox& number(QDialog& dialog, const char* name) {
        return *dialog.findChild<QDoubleSpinBox*>(QString("register.") + name);
    }
    static void mouse(SlicePane& pane, QEvent::Type type, QPointF at, Qt::MouseButtons held) {
        const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
        QMouseEvent event(type, at, pane.mapToGlobal(at), button, held, Qt::NoModifier);
        QApplication::sendEvent(&pane, &event);
    }
    static void press(SlicePane& pane, QPointF at) {
        mouse(pane, QEvent::MouseButtonPress, at, Qt::LeftButton);
    }
    static void follow(SlicePane& pane, QPointF at) { mouse(pane, QEvent::MouseMove, at, Qt::LeftButton); }
    static void let(SlicePane& pane, QPointF at) {
        mouse(pane, QEvent::MouseButtonRelease, at, Qt::NoButton);
    }
    bool settled() { return !desk_->busy() && !desk_->madeImages().moving(); }

    Pose away_;
};

QTEST_MAIN(RegisterTest)

}  // namespace register_test
#include "register_test.moc"
