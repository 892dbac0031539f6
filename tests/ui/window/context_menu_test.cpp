// SPDX-License-Identifier: Apache-2.0
// Right clicks and the keys for them: on ROIs in pictures and tables, and on pictures; what menus hold.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMenuBar>
#include <QTableWidget>
#include <QTest>
#include <functional>

#include "tests/ui/fixture.h"
#include "ui/rois/roi_table.h"

namespace context_menu_test {

using namespace tof;
using namespace tof::ui;

class ContextMenuTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { file_ = writeSmallData(); }
    void begin() override {
        open(file_);
        reconstruct(1);
    }

  private Q_SLOTS:
    void aRightClickOnAnOutlineSelectsTheRoiAndOpensItsMenu() {
        const int uniform = desk_->rois().find("uniform");
        QVERIFY(uniform >= 0);
        const Roi roi = *desk_->rois().at(uniform);
        desk_->view().setCursor(roi.centre);
        window_->refreshNow();
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const QPointF edge = pane->toWidget(roi.centre + Vec3{roi.radius_mm, 0, 0});

        QTest::mouseClick(pane, Qt::RightButton, {}, edge.toPoint());

        QCOMPARE(desk_->view().selectedRoi(), uniform);
        const QMenu* menu = window_->findChild<QMenu*>("menu.roi");
        QVERIFY(menu != nullptr && menu->isVisible());
        QVERIFY(menu->actions().contains(window_->commands().action("edit.delete")));
        QCOMPARE(menu->actions().front()->text(), QString("uniform"));
    }

    void aRightClickBesideEveryRoiOpensThePicturesMenu() {
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);

        QTest::mouseClick(pane, Qt::RightButton, {}, QPoint(12, pane->height() / 2));

        QVERIFY(window_->findChild<QMenu*>("menu.picture") != nullptr);
        QVERIFY(window_->findChild<QMenu*>("menu.roi") == nullptr);
    }

    void aRightDragIsWindowAndLevelAndOpensNothing() {
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const DisplayRange before = desk_->view().range();
        const QPoint middle = pane->rect().center();

        QTest::mousePress(pane, Qt::RightButton, {}, middle);
        QTest::mouseMove(pane, middle + QPoint(40, 0));
        QTest::mouseRelease(pane, Qt::RightButton, {}, middle + QPoint(40, 0));

        QVERIFY(desk_->view().range().high != before.high);
        QVERIFY(window_->findChild<QMenu*>("menu.picture") == nullptr);
    }

    void aRightDragThatEndsWhereItBeganOpensNothing() {
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const QPoint middle = pane->rect().center();

        QTest::mousePress(pane, Qt::RightButton, {}, middle);
        QTest::mouseMove(pane, middle + QPoint(40, 0));
        QTest::mouseMove(pane, middle);
        QTest::mouseRelease(pane, Qt::RightButton, {}, middle);

        QVERIFY(window_->findChild<QMenu*>("menu.picture") == nullptr);
        QVERIFY(window_->findChild<QMenu*>("menu.roi") == nullptr);
    }

    void theMenuKeyOpensTheMenuOfTheSelectedRoi() {
        desk_->view().selectRoi(0);
        SlicePane* pane = window_->viewer().pane(Plane::Transverse);
        const QPoint middle = pane->rect().center();
        QContextMenuEvent key(QContextMenuEvent::Keyboard, middle, pane->mapToGlobal(middle));

        QCoreApplication::sendEvent(pane, &key);

        QVERIFY(window_->findChild<QMenu*>("menu.roi") != nullptr);
    }

    void aRowOfTheTableHasTheSameMenu() {
        auto* table = window_->findChild<QTableWidget*>("rois.table");
        const QRect row = table->visualItemRect(table->item(1, 0));

        Q_EMIT table->customContextMenuRequested(row.center());

        QCOMPARE(desk_->view().selectedRoi(), table->item(1, 0)->data(Qt::UserRole).toInt());
        QVERIFY(window_->findChild<QMenu*>("menu.roi") != nullptr);
    }

    void everyCommandIsInExactlyOneMenuAndNoMenuIsLongerThanTheWindow() {
        std::map<QString, int> seen;
        const std::function<void(const QMenu&)> walk = [&](const QMenu& menu) {
            QStringList titles;
            for (const QAction* action : menu.actions()) {
                titles << action->text();
            }
            QVERIFY2(titles.size() <= 26, qPrintable(menu.title() + ": " + titles.join(", ")));
            for (const QAction* action : menu.actions()) {
                if (action->menu() != nullptr) {
                    walk(*action->menu());
                } else if (!action->objectName().isEmpty()) {
                    ++seen[action->objectName()];
                }
            }
        };
        for (const QAction* top : window_->menuBar()->actions()) {
            walk(*top->menu());
        }
        for (const auto& command : window_->commands().all()) {
            QVERIFY2(seen[command->id] == 1, qPrintable(command->id));
        }
    }

  private:
    QString file_;
};

QTEST_MAIN(ContextMenuTest)

}  // namespace context_menu_test
#include "context_menu_test.moc"
