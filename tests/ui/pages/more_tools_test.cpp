// SPDX-License-Identifier: Apache-2.0
// Tools that a short bar has no room for: in the panel of the button at its end, with mouse and keys.
#include "ui/kit/more_button.h"

#include <QFile>
#include <QLineEdit>
#include <QTest>
#include <algorithm>

#include "recon/io/format_table.h"
#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pages/undo_steps.h"

namespace more_tools_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class MoreToolsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    void begin() override {
        QVERIFY(QTest::qWaitForWindowActive(window_));
        open(dataFile_);
        reconstruct(2);
        reconstruct(2);
    }

  private slots:
    void theButtonOfMoreToolsIsSeenInBothThemes() {
        auto* more = window_->findChild<MoreButton*>("view.more");
        resize({1100, 700});
        QVERIFY(more->isVisible());
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            window_->setTheme(kind);
            QApplication::processEvents();
            const QImage drawn = more->grab().toImage();
            const int ground = more->parentWidget()->palette().color(QPalette::Window).lightness();
            int contrast = 0;
            for (int y = 0; y < drawn.height(); ++y) {
                for (int x = 0; x < drawn.width(); ++x) {
                    contrast = std::max(contrast, std::abs(drawn.pixelColor(x, y).lightness() - ground));
                }
            }
            QVERIFY2(contrast > 120, qPrintable(QString::number(contrast)));
        }
    }

    void aShortBarHasItsToolsInAPanelAndAWideOneBack() {
        auto* more = window_->findChild<MoreButton*>("view.more");
        auto* slab = window_->findChild<QLineEdit*>("view.slab");
        QVERIFY(more->isHidden() && slab->isVisible());
        resize({1100, 700});
        QVERIFY(more->isVisible() && more->stowed(slab) && !slab->isVisible());
        QVERIFY(window_->rect().contains(QRect(more->mapTo(window_, QPoint()), more->size())));

        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(more->panel()->isVisible() && slab->isVisible());
        slab->setFocus();
        slab->selectAll();
        QTest::keyClicks(slab, "20");
        QTest::keyClick(slab, Qt::Key_Return);
        QCOMPARE(desk_->view().slab().thickness_mm, 20.0);
        window_->refreshNow();
        QVERIFY2(slab->text().startsWith("slab 20"), qPrintable(slab->text()));
        keepPicture("more-slices");
        QTest::keyClick(more->panel(), Qt::Key_Escape);
        QVERIFY(more->panel()->isHidden());

        resize({1600, 1000});
        QVERIFY(more->isHidden() && slab->isVisible());
        QVERIFY2(slab->text().startsWith("slab 20"), qPrintable(slab->text()));
    }

    void theRangeStripOfCompareIsThereAtAnyWidth() {
        QTest::keyClick(window_, Qt::Key_D);
        QVERIFY(until([&] { return window_->comparePage().model().difference() != nullptr; }));
        resize({1100, 700});
        auto* more = window_->findChild<MoreButton*>("compare.more");
        auto* strip = window_->findChild<LevelStrip*>("compare.strip");
        QVERIFY(more->isVisible() && more->stowed(strip));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(strip->isVisible());
        keepPicture("more-compare");

        const DisplayRange before = desk_->view().range();
        const QPoint end(static_cast<int>(strip->place(before.high)), strip->height() / 2);
        const QPoint to = end - QPoint(30, 0);
        QTest::mousePress(strip, Qt::LeftButton, {}, end);
        QMouseEvent move(QEvent::MouseMove, to, strip->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(strip, &move);
        QTest::mouseRelease(strip, Qt::LeftButton, {}, to);

        QVERIFY(desk_->view().range().high < before.high);
        QCOMPARE(desk_->view().range().low, before.low);
    }

    void theOrientationIsNamedOnceOnCompare() {
        QTest::keyClick(window_, Qt::Key_D);
        QVERIFY(until([&] { return window_->comparePage().model().difference() != nullptr; }));
        window_->refreshNow();
        // The letters are switched off: what goes at the lower right is the name of the orientation.
        const auto corner = [&](int column) {
            SlicePane* pane = window_->comparePage().pane(column, Plane::Transverse);
            return pane->grab().toImage().copy(pane->width() - 90, pane->height() - 24, 80, 18);
        };
        QVERIFY(window_->comparePage().pane(0, Plane::Transverse)->width() >= 300);
        const QImage with[] = {corner(0), corner(1), corner(2)};
        QTest::keyClick(window_->comparePage().pane(0, Plane::Transverse), Qt::Key_O);
        window_->refreshNow();
        QVERIFY(corner(0) != with[0]);
        QVERIFY(corner(1) == with[1]);
        QVERIFY(corner(2) == with[2]);
    }

    void aLongNameIsNotCutByItsState() {
        RunItem& run = *desk_->runs().items().front();
        const QString name = run.label() + "  invariant, longer";
        renameRun(desk_->runs(), desk_->rois().undo(), run.id(), "invariant, longer");
        desk_->settings().set("iterations", "100000");
        desk_->queue().continueRun(run.id(), 90000);  // its state takes more room than a number now
        desk_->queue().driver().togglePause();
        QVERIFY2(until([&] { return run.state() == RunState::Paused; }, 20000),
                 qPrintable(RunRows::stateText(run) + run.error()));
        window_->refreshNow();
        auto* rows = window_->findChild<RunRows*>("runs");
        const QStringList painted = test::paintedTexts(*rows);
        QVERIFY2(painted.contains(name), qPrintable(painted.join(" | ")));
        QVERIFY2(std::any_of(painted.begin(), painted.end(),
                             [&](const QString& text) { return text.startsWith(RunRows::stateText(run)); }),
                 qPrintable(painted.join(" | ")));
        desk_->queue().cancel();
        QVERIFY(until([&] { return !desk_->busy(); }));
    }

    void everyTitleOfAMenuHasAnObject() {
        for (const auto& command : window_->commands().all()) {
            QVERIFY2(command->menu.isEmpty() || (command->text.size() > 2 && command->text != "Auto"),
                     qPrintable(command->id));
        }
    }

  private:
    void resize(QSize size) {
        window_->resize(size);
        QVERIFY(until([&] { return window_->size() == size; }));
        window_->refreshNow();
        QApplication::processEvents();
    }
    /// For a look at it, where a folder is named.
    void keepPicture(const QString& name) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            QApplication::processEvents();
            window_->grab().save(folder + "/" + name + ".png");
            for (MoreButton* more : window_->findChildren<MoreButton*>()) {
                if (more->panel()->isVisible()) {
                    more->panel()->grab().save(folder + "/" + name + "-panel.png");
                }
            }
        }
    }

    QString dataFile_;
};

QTEST_MAIN(MoreToolsTest)

}  // namespace more_tools_test
#include "more_tools_test.moc"
