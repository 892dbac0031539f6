// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/field_habits.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>
#include <QWheelEvent>

#include "tests/ui/fixture.h"
#include "ui/desk/desk.h"
#include "ui/kit/controls.h"
#include "ui/window/main_window.h"

namespace field_habits_test {

using namespace tof;
using namespace tof::ui;

namespace {

/// What a field holds; empty for what is no field.
QString valueOf(const QWidget& widget) {
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        return box->currentText();
    }
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        return spin->text();
    }
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) {
        return line->text();
    }
    if (const auto* dial = qobject_cast<const Dial*>(&widget)) {
        return QString::number(dial->value());
    }
    const auto* slider = qobject_cast<const QAbstractSlider*>(&widget);
    return slider != nullptr && qobject_cast<const QScrollBar*>(&widget) == nullptr
               ? QString::number(slider->value())
               : QString();
}

void turnWheel(QWidget& widget) {
    const QPointF at = widget.rect().center();
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

}  // namespace

class FieldHabitsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

    void begin() override {
        open(dataFile_);
        reconstruct(2);
        QApplication::setActiveWindow(window_);
    }

  private slots:
    void wheelAndTabOverEveryPageChangeNothing_data() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"page.slices", "page.compare", "page.data", "page.corrections",
                                 "page.matched", "page.runs", "page.figure", "page.lab"}) {
            QTest::newRow(page) << QString(page);
        }
    }
    void wheelAndTabOverEveryPageChangeNothing() {
        QFETCH(QString, page);
        if (page != "page.slices") {
            window_->commands().trigger(page);
        }
        test::until([this] { return !desk_->busy(); });
        const QStringList before = values();
        QVERIFY(before.size() > 10);

        int turned = 0;
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && !valueOf(*widget).isEmpty()) {
                turnWheel(*widget);
                QVERIFY2(window_->focusWidget() != widget || widget->hasFocus(),
                         qPrintable(widget->objectName()));
                ++turned;
            }
        }
        QVERIFY(turned > 3);
        QCOMPARE(values(), before);

        constexpr int kMoreThanAllStops = 150;
        for (int i = 0; i < kMoreThanAllStops; ++i) {
            QWidget* focused = QApplication::focusWidget();
            QTest::keyClick(focused != nullptr ? focused : window_, Qt::Key_Tab);
            if (QWidget* reached = QApplication::focusWidget();
                reached != nullptr && !valueOf(*reached).isEmpty()) {
                turnWheel(*reached);  // reached by keys, not by a click
            }
        }
        QCOMPARE(values(), before);
    }

    void everyFieldHasANameOfItsOwn_data() { wheelAndTabOverEveryPageChangeNothing_data(); }
    void everyFieldHasANameOfItsOwn() {
        QFETCH(QString, page);
        if (page != "page.slices") {
            window_->commands().trigger(page);
        }
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            const bool named = qobject_cast<QComboBox*>(widget) != nullptr ||
                               qobject_cast<QAbstractItemView*>(widget) != nullptr ||
                               qobject_cast<QLineEdit*>(widget) != nullptr ||
                               qobject_cast<QAbstractSlider*>(widget) != nullptr;
            const bool part = qobject_cast<QScrollBar*>(widget) != nullptr ||
                              qobject_cast<QHeaderView*>(widget) != nullptr ||
                              qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr ||
                              qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr;
            if (!named || part || !widget->isVisible()) {
                continue;
            }
            // Not what it holds: a reader says both.
            const QString name = QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
            QVERIFY2(!name.isEmpty() && name != valueOf(*widget),
                     qPrintable(widget->objectName() + " " + widget->metaObject()->className() + " '" + name +
                                "'"));
        }
    }

    void aWheelGivesTheFocusToNothing() {
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            if (widget->isVisible()) {
                QVERIFY2(widget->focusPolicy() != Qt::WheelFocus, qPrintable(widget->objectName()));
            }
        }
    }

    void aWheelChangesTheFieldThatWasClicked() {
        desk_->settings().set("algorithm", "bsrem");
        QAbstractSlider* slider = nullptr;
        QVERIFY(test::until([&] { return (slider = visibleSlider()) != nullptr; }, 5000));
        const int before = slider->value();
        turnWheel(*slider);
        QCOMPARE(slider->value(), before);
        QTest::mouseClick(slider, Qt::LeftButton);
        const int clicked = slider->value();
        turnWheel(*slider);
        QVERIFY(slider->value() != clicked);
    }

    void afterAChoiceKeysAreThePictures() {
        auto* kernel = window_->findChild<QComboBox*>("setting.kernel");
        QVERIFY(kernel != nullptr);
        QTest::mouseClick(kernel, Qt::LeftButton);
        QVERIFY(test::until([&] { return kernel->view()->isVisible(); }));
        QTest::keyClick(kernel->view(), Qt::Key_Down);
        QTest::keyClick(kernel->view(), Qt::Key_Return);
        QVERIFY(test::until(
            [this] { return window_->focusWidget() == window_->viewer().pane(Plane::Transverse); }, 5000));
        const QString chosen = kernel->currentText();
        QTest::keyClick(window_->focusWidget(), Qt::Key_PageDown);
        turnWheel(*kernel);
        QCOMPARE(kernel->currentText(), chosen);
    }

    void aKeyJumpsFromPanelToPanel() {
        const auto panel = [this] {
            const QWidget* focused = QApplication::focusWidget();
            for (const char* name : {"panel.left", "panel.pages", "panel.right"}) {
                if (focused != nullptr && window_->findChild<QWidget*>(name)->isAncestorOf(focused)) {
                    return QString(name);
                }
            }
            return QString();
        };
        window_->viewer().pane(Plane::Transverse)->setFocus();
        QCOMPARE(panel(), QString("panel.pages"));
        for (const char* next : {"panel.right", "panel.left", "panel.pages"}) {
            QVERIFY(window_->commands().trigger("panel.next"));
            QCOMPARE(panel(), QString(next));
        }
        QVERIFY(window_->viewer().pane(Plane::Transverse)->hasFocus());
        QVERIFY(window_->commands().trigger("panel.previous"));
        QCOMPARE(panel(), QString("panel.left"));
    }

    void whatWasMadeIsScrolledTo() {
        auto* rows = window_->findChild<QWidget*>("runs");
        const auto image = desk_->runs().items().front()->volume();
        int last = 0;
        for (int i = 0; i < 16; ++i) {
            last = desk_->runs().addVolume("image", image);
        }
        const auto visible = [&](int id) {
            const int height = rows->height() / static_cast<int>(desk_->runs().items().size());
            const int middle = desk_->runs().indexOf(id) * height + height / 2;
            return rows->visibleRegion().contains(QPoint(40, middle));
        };
        desk_->runs().select(last);
        QVERIFY(test::until([&] { return visible(last); }, 5000));
        const int first = desk_->runs().items().front()->id();
        desk_->runs().select(first);
        QVERIFY(test::until([&] { return visible(first); }, 5000));
    }

    void sizesAndDatesOfFilesAreWhole() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QFileDialog dialog(window_, "Open", folder_.path());
        dialog.setViewMode(QFileDialog::Detail);
        dialog.resize(700, 400);
        dialog.show();
        const auto* files = dialog.findChild<QTreeView*>("treeView");
        QVERIFY(test::until(
            [&] { return files->isVisible() && files->model()->rowCount(files->rootIndex()) > 0; }));
        for (int column = 1; column < files->header()->count(); ++column) {
            const QModelIndex cell = files->model()->index(0, column, files->rootIndex());
            QVERIFY2(
                files->columnWidth(column) >= files->fontMetrics().horizontalAdvance(cell.data().toString()),
                qPrintable(cell.data().toString()));
        }
    }

    void theStartPageScrollsWhereItHasNoRoom() {
        test::Program program(engines_, {.size = {1100, 640}});
        program.window.findChild<QWidget*>("start.recovery")->show();
        auto* area = program.window.findChild<QScrollArea*>("start.area");
        QVERIFY(test::until([&] { return area->verticalScrollBar()->maximum() > 0; }, 5000));
    }

  private:
    /// What every field of the window holds, and the settings of the next run.
    [[nodiscard]] QStringList values() const {
        QStringList all{QString::fromStdString(desk_->settings().current().toJson())};
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            if (const QString value = valueOf(*widget); !value.isEmpty()) {
                all << widget->objectName() + "=" + value;
            }
        }
        return all;
    }

    [[nodiscard]] QAbstractSlider* visibleSlider() const {
        for (auto* slider : window_->findChildren<QAbstractSlider*>()) {
            if (slider->isVisible() && slider->isEnabled() && qobject_cast<QScrollBar*>(slider) == nullptr) {
                return slider;
            }
        }
        return nullptr;
    }

    QString dataFile_;
};

QTEST_MAIN(FieldHabitsTest)

}  // namespace field_habits_test
#include "field_habits_test.moc"
