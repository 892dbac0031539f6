// SPDX-License-Identifier: Apache-2.0
// Pictures in windows of their own share cursor, range and keys with the first window.
#include <QElapsedTimer>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/ui/fixture.h"
#include "ui/window/detached_panes.h"
#include "ui/window/main_window.h"
#include "ui/window/pane_window.h"

namespace detached_panes_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class DetachedPanesTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    void begin() override {
        open(dataFile_);
        reconstruct(2);
    }

  private slots:
    void aPictureInItsOwnWindowHasTheCursorOfAll() {
        desk_->view().setActivePlane(Plane::Coronal);
        QVERIFY(window_->commands().trigger("view.detach"));
        QCOMPARE(panes().windows().size(), std::size_t{1});
        PaneWindow& detached = *panes().windows().front();
        QCOMPARE(detached.pane().plane(), Plane::Coronal);
        QVERIFY(detached.isWindow() && QTest::qWaitForWindowExposed(&detached));
        const Vec3 before = desk_->view().cursor();

        QTest::mouseClick(&detached.pane(), Qt::LeftButton, {},
                          detached.pane().rect().center() + QPoint(60, 40));

        const Vec3 after = desk_->view().cursor();
        QVERIFY(after.x != before.x && after.z != before.z && after.y == before.y);
        // It is where the pointer was, in this picture as in that of the first window.
        const QPointF here = detached.pane().toWidget(after);
        QVERIFY((here - (QPointF(detached.pane().rect().center()) + QPointF(60, 40))).manhattanLength() < 2);
        turnWheel(detached.pane());
        QVERIFY(desk_->view().cursor().y != after.y);
        // Keys of the window are heard there, too.
        desk_->view().setInverted(false);
        QTest::keyClick(&detached.pane(), Qt::Key_U);
        QTRY_VERIFY(desk_->view().inverted());
        detached.close();
        QTRY_COMPARE(panes().windows().size(), std::size_t{0});
    }

    void whatTheFirstWindowShowsIsSeenInIt() {
        PaneWindow& detached = panes().open({Plane::Transverse});
        QVERIFY(QTest::qWaitForWindowExposed(&detached));
        const QImage before = detached.pane().picture();
        const DisplayRange range = desk_->view().range();
        desk_->view().setRange({range.low, range.high / 4});
        window_->refreshNow();
        QVERIFY(detached.pane().picture() != before);
        desk_->view().setRange(range);
        window_->refreshNow();
        QCOMPARE(detached.pane().picture(), before);
    }

    void unlinkedAWindowHasItsOwnCursorRangeAndZoom() {
        PaneWindow& detached = panes().open({Plane::Transverse, Plane::Coronal});
        QVERIFY(QTest::qWaitForWindowExposed(&detached));
        const Vec3 cursor = desk_->view().cursor();
        const DisplayRange range = desk_->view().range();
        const double zoom = desk_->view().zoom();
        const QImage before = window_->viewer().pane(Plane::Transverse)->picture();
        QVERIFY(window_->commands().trigger("view.detach-link"));
        QVERIFY(!detached.linked() && detached.panes().size() == 2);
        QCOMPARE(detached.view().range().high, range.high);

        QTest::mouseClick(&detached.pane(), Qt::LeftButton, {},
                          detached.pane().rect().center() + QPoint(30, 20));
        turnWheel(detached.pane());
        QTest::keyClick(&detached.pane(), Qt::Key_Down);
        detached.view().setRange({range.low, range.high / 3});
        detached.view().zoomAbout({0, 0, 0}, 2);
        QVERIFY(detached.view().cursor().x != cursor.x && detached.view().cursor().z != cursor.z);
        QVERIFY(test::stays(
            [&] { return desk_->view().cursor().x == cursor.x && desk_->view().cursor().z == cursor.z; },
            50));
        QVERIFY(desk_->view().range() == range && desk_->view().zoom() == zoom);
        window_->refreshNow();
        QCOMPARE(window_->viewer().pane(Plane::Transverse)->picture(), before);
        // Everything else goes on as in all pictures.
        desk_->view().setColourMap("viridis");
        QTRY_COMPARE(detached.view().colourMapId(), QString("viridis"));
        QCOMPARE(detached.view().range().high, range.high / 3);
        desk_->view().setCursor({8, 8, 0});
        QVERIFY(test::stays([&] { return detached.view().cursor().x != desk_->view().cursor().x; }, 50));
        // Linked again, it has the common ones.
        QVERIFY(window_->commands().trigger("view.detach-link"));
        QVERIFY(detached.linked());
        QCOMPARE(detached.view().cursor().x, desk_->view().cursor().x);
    }

    void planesStandAsTheShapeOfTheWindowAsksFor() {
        QVERIFY(window_->commands().trigger("view.detach-planes"));
        PaneWindow& detached = *panes().windows().front();
        QVERIFY(QTest::qWaitForWindowExposed(&detached));
        QCOMPARE(detached.panes().size(), std::size_t{3});
        const auto at = [&](std::size_t i) { return detached.panes()[i]->mapTo(&detached, QPoint()); };
        QVERIFY(at(1).x() > at(0).x() && at(1).y() == at(0).y());
        detached.resize(400, 1000);
        QTRY_VERIFY(at(1).y() > at(0).y() && at(1).x() == at(0).x());
        // All of them have one scale.
        const auto tenMm = [&](std::size_t i, Vec3 to) {  // px
            const SlicePane& pane = *detached.panes()[i];
            return QLineF(pane.toWidget({0, 0, 0}), pane.toWidget(to)).length();
        };
        QVERIFY(std::abs(tenMm(0, {10, 0, 0}) - tenMm(1, {10, 0, 0})) < 1e-6);
        QVERIFY(std::abs(tenMm(0, {0, 10, 0}) - tenMm(2, {0, 10, 0})) < 1e-6);
    }

    void theyComeBackWithTheSession() {
        panes().open({Plane::Sagittal}, {40, 30, 420, 380});
        panes().open({Plane::Coronal, Plane::Transverse}, {60, 50, 300, 320}).setLinked(false);
        desk_->view().setCursor({12, 4, 0});
        const nlohmann::json saved = panes().toJson();
        const std::string session = desk_->sessions().last();

        test::Program program(engines_);
        program.desk.openLastSession(session);
        program.settle();

        auto* there = program.window.findChild<DetachedPanes*>();
        QCOMPARE(there->windows().size(), std::size_t{2});
        QCOMPARE(there->windows()[0]->pane().plane(), Plane::Sagittal);
        QCOMPARE(there->windows()[1]->size(), QSize(300, 320));
        QCOMPARE(there->toJson()[1]["planes"].dump(), saved[1]["planes"].dump());
        QVERIFY(there->windows()[0]->linked() && !there->windows()[1]->linked());
        // The cursor of the unlinked one is where it was, not where that of all went.
        QCOMPARE(there->windows()[1]->view().cursor().x, panes().windows()[1]->view().cursor().x);
        QVERIFY(there->windows()[1]->view().cursor().x != program.desk.view().cursor().x);
        // Foreign parts open nothing.
        there->fromJson(nlohmann::json::parse("{}"));
        QCOMPARE(there->windows().size(), std::size_t{2});
    }

    /// TOFSCOPE_FULL=1 prints how long a step through three windows of a large image takes.
    void threeWindowsScroll() {
        const bool full = qEnvironmentVariableIntValue("TOFSCOPE_FULL") != 0;
        const int side = full ? 440 : 60;
        Volume large(Lattice::centred({side, side, full ? 350 : 40}, {1.5, 1.5, 1.5}));
        for (std::size_t i = 0; i < large.data.size(); ++i) {
            large.data[i] = static_cast<float>((i * 2654435761U) % 997);
        }
        desk_->runs().select(
            desk_->runs().addVolume("large", std::make_shared<const Volume>(std::move(large))));
        QVERIFY(until([this] { return !desk_->busy(); }));
        std::vector<PaneWindow*> windows;
        for (const Plane plane : {Plane::Transverse, Plane::Coronal, Plane::Sagittal}) {
            windows.push_back(&panes().open({plane}));
            QVERIFY(QTest::qWaitForWindowExposed(windows.back()));
        }
        std::vector<double> took_ms;
        for (int step = 0; step < (full ? 100 : 5); ++step) {
            const int before = desk_->view().sliceIndex(Plane::Transverse);
            QElapsedTimer clock;
            clock.start();
            turnWheel(windows.front()->pane());
            desk_->view().flush();
            for (PaneWindow* each : windows) {
                each->pane().repaint();
            }
            took_ms.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
            QVERIFY(desk_->view().sliceIndex(Plane::Transverse) != before);
        }
        std::sort(took_ms.begin(), took_ms.end());
        qInfo("three windows of %d x %d: median %.1f ms, 95 %% %.1f ms", side, side,
              took_ms[took_ms.size() / 2], took_ms[took_ms.size() * 95 / 100]);
    }

  private:
    DetachedPanes& panes() { return *window_->findChild<DetachedPanes*>(); }
    static void turnWheel(SlicePane& pane) {
        const QPointF at = pane.rect().center();
        QWheelEvent event(at, pane.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&pane, &event);
    }

    QString dataFile_;
};

QTEST_MAIN(DetachedPanesTest)

}  // namespace detached_panes_test
#include "detached_panes_test.moc"
