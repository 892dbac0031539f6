// SPDX-License-Identifier: Apache-2.0
// Panels at the sides are dragged, floated, hidden, made wider, and come back with the session.
#include <QDockWidget>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

#include "tests/ui/fixture.h"
#include "ui/pages/study_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/side_panels.h"

namespace side_panels_test {

using namespace tof;
using namespace tof::ui;

class SidePanelsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }
    void begin() override { open(dataFile_); }

  private slots:
    void aPanelLeavesTheWindowWithAllThatItHas() {
        QVERIFY(window_->commands().trigger("panel.study-float"));
        QTRY_VERIFY(study()->isFloating());
        QVERIFY(study()->isVisible() && study()->isWindow());
        QVERIFY(study()->isAncestorOf(&window_->studyPanel()));
        // The pages have its room.
        QTRY_COMPARE(pages()->mapTo(window_, QPoint()).x(), 0);
        QVERIFY(window_->commands().trigger("panel.study-float"));
        QTRY_VERIFY(!study()->isFloating() && pages()->mapTo(window_, QPoint()).x() > 200);
    }

    void aHiddenPanelOpensOverThePages() {
        auto* area = window_->findChild<QScrollArea*>("panel.right");
        auto* button = window_->findChild<QToolButton*>("rail.data");
        QVERIFY(area->isVisible() && !button->isVisible());
        QVERIFY(window_->commands().trigger("panel.figures"));
        QTRY_VERIFY(!area->isVisible() && button->isVisible());
        QVERIFY(!window_->commands().action("panel.figures")->isChecked());

        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(area->isVisible());
        QVERIFY(area->geometry().right() >= area->parentWidget()->width() - 1);
        QTest::mouseClick(pages(), Qt::LeftButton, {}, QPoint(300, 10));
        QTRY_VERIFY(!area->isVisible());
        QVERIFY(window_->commands().trigger("panel.figures"));
        QTRY_VERIFY(area->isVisible() && !button->isVisible());
    }

    void closingThePanelsOwnWindowHidesIt() {
        QVERIFY(window_->commands().trigger("panel.figures-float"));
        QTRY_VERIFY(figures()->isFloating());
        figures()->close();
        QTRY_VERIFY(!figures()->isVisible() && !window_->commands().action("panel.figures")->isChecked());
    }

    void aPanelChangesItsSideByKeys() {
        const auto left = [](const QWidget* widget) { return widget->mapToGlobal(QPoint()).x(); };
        QVERIFY(left(study()) < left(pages()));
        QVERIFY(window_->commands().trigger("panel.study-side"));
        QTRY_VERIFY(left(study()) > left(pages()));
        QVERIFY(window_->commands().trigger("panel.study-side"));
        QTRY_VERIFY(left(study()) < left(pages()));
    }

    void pagesWithSidesOfTheirOwnHaveNone() {
        QVERIFY(window_->commands().trigger("panel.study-float"));
        QTRY_VERIFY(study()->isFloating());
        window_->commands().trigger("page.lab");
        QTRY_VERIFY(!study()->isVisible() && !figures()->isVisible());
        window_->commands().trigger("page.slices");
        QTRY_VERIFY(study()->isVisible() && study()->isFloating() && figures()->isVisible());
    }

    void theyComeBackWithTheSession() {
        QVERIFY(window_->commands().trigger("panel.study-side"));
        QVERIFY(window_->commands().trigger("panel.figures"));
        const std::string session = desk_->sessions().last();

        test::Program program(engines_);
        program.desk.openLastSession(session);
        program.settle();

        auto& there = *program.window.findChild<SidePanels*>();
        QVERIFY(!program.window.commands().action("panel.figures")->isChecked());
        QVERIFY(!there.right()->isVisible() && there.left()->isVisible());
        QVERIFY(there.left()->mapToGlobal(QPoint()).x() >
                program.window.findChild<QWidget*>("panel.pages")->mapToGlobal(QPoint()).x());
        // Text of somebody else's moves nothing.
        there.fromJson({{"places", "AAAA"}, {"hidden", 7}});
        QVERIFY(!there.right()->isVisible() && there.left()->isVisible());
    }

    void aWideWindowGivesThemMoreRoom() {
        const int before = figures()->width();
        window_->resize(2560, 1380);
        QTRY_VERIFY(figures()->width() >= before + 150);
        QVERIFY(study()->width() >= 320);
        window_->resize(1600, 1000);
        QTRY_COMPARE(figures()->width(), before);
    }

  private:
    QDockWidget* study() { return window_->findChild<QDockWidget*>("dock.study"); }
    QDockWidget* figures() { return window_->findChild<QDockWidget*>("dock.figures"); }
    QWidget* pages() { return window_->findChild<QWidget*>("panel.pages"); }

    QString dataFile_;
};

QTEST_MAIN(SidePanelsTest)

}  // namespace side_panels_test
#include "side_panels_test.moc"
