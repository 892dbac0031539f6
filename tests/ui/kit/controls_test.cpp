// SPDX-License-Identifier: Apache-2.0
// Every control of every page: reached by Tab, with its focus to be seen, a name for screen readers, a
// tooltip, and a reason when it cannot be used.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTest>
#include <memory>
#include <optional>

#include "tests/ui/fixture.h"
#include "ui/kit/basic.h"
#include "ui/window/main_window.h"

namespace controls_test {

using namespace tof;
using namespace tof::ui;

namespace {

/// What people press, type into or choose from; parts of such a widget are not counted again.
bool isControl(const QWidget& widget) {
    const bool part = widget.objectName().startsWith("qt_") ||
                      qobject_cast<QAbstractSpinBox*>(widget.parentWidget()) != nullptr ||
                      qobject_cast<QComboBox*>(widget.parentWidget()) != nullptr ||
                      qobject_cast<const QScrollBar*>(&widget) != nullptr ||
                      qobject_cast<const QHeaderView*>(&widget) != nullptr ||
                      widget.inherits("QTableCornerButton") || widget.inherits("QComboBoxPrivateContainer");
    return !part && (qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
                     qobject_cast<const QLineEdit*>(&widget) != nullptr ||
                     qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
                     qobject_cast<const QComboBox*>(&widget) != nullptr ||
                     qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
                     qobject_cast<const QAbstractItemView*>(&widget) != nullptr ||
                     (widget.focusPolicy() & Qt::TabFocus) != 0);
}

/// Pictures, charts and tables speak for themselves; their tooltips would lie over what is looked at.
bool needsTooltip(const QWidget& widget) {
    return qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(&widget) != nullptr;
}

/// Fails with all of them; Qt Test shortens long messages.
void expectNone(const QStringList& faults) {
    for (const QString& fault : faults) {
        qWarning("%s", qPrintable(fault));
    }
    QVERIFY2(faults.isEmpty(), qPrintable(QString("%1 faults, above").arg(faults.size())));
}

QString nameOf(const QWidget& widget) {
    return QString(widget.metaObject()->className()) + " " + widget.objectName() + " '" +
           widget.accessibleName() + "'";
}

/// Pixels that differ to the eye.
int differences(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y) {
        for (int x = 0; x < std::min(a.width(), b.width()); ++x) {
            count += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > 24 ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

class ControlsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

    void begin() override { QVERIFY(QTest::qWaitForWindowActive(window_)); }

  private Q_SLOTS:
    void aNumberIsTakenWithEitherMinusAndOnlyWhereItWasTyped() {
        const std::unique_ptr<QLineEdit> field(makeNumberField("n", "Number", "A number", 80));
        field->setText(QString(QChar(0x2212)) + "1.50");

        QCOMPARE(typedNumber(*field), std::optional(-1.5));
        QCOMPARE(typedOr(*field, -1.4999), -1.4999);  // not touched: the digits that are not shown
        field->setModified(true);
        QCOMPARE(typedOr(*field, -1.4999), -1.5);
        field->setText("far");
        QVERIFY(!typedNumber(*field));
    }

    void noNumberLosesADigitAtTheEdgeOfItsField() {
        // With the caret at its end, a text's beginning is still at the left of a field that shows all of it.
        QLineEdit* const field = makeNumberField("n", "Number", "A number", 64);
        field->setParent(window_);
        field->show();
        const auto firstShown = [&] {
            field->resize(field->minimumWidth(), field->height());
            field->end(false);
            static_cast<void>(field->grab());  // scrolls when it is painted
            return field->cursorPositionAt(QPoint(8, field->height() / 2));
        };
        field->setText("123400056789");
        QVERIFY(firstShown() > 0);
        for (const char* number : {"1200000", "-1234000", "123400056789"}) {
            showUntyped(*field, number);
            QVERIFY2(firstShown() == 0, number);
        }
        delete field;
    }

    void aClaimedKeyIsThatOfTheWidget() {
        QKeyEvent arrow(QEvent::ShortcutOverride, Qt::Key_Left, Qt::NoModifier);
        arrow.ignore();
        QKeyEvent letter(QEvent::ShortcutOverride, Qt::Key_L, Qt::NoModifier);
        letter.ignore();

        QVERIFY(claimsKey(arrow, {Qt::Key_Left, Qt::Key_Right}));
        QVERIFY(arrow.isAccepted());
        QVERIFY(!claimsKey(letter, {Qt::Key_Left, Qt::Key_Right}));
        QVERIFY(!letter.isAccepted());
    }

    void tabReachesEveryControl_data() { rowPerPage(); }

    void tabReachesEveryControl() {
        show();
        QSet<QWidget*> reached;
        for (QWidget* at = first(); at != nullptr && !reached.contains(at) && reached.size() < 1000;) {
            reached.insert(at);
            QTest::keyClick(at, Qt::Key_Tab);
            at = QApplication::focusWidget();
        }
        QStringList missed;
        for (QWidget* control : controls()) {
            if (control->isEnabled() && !reached.contains(control)) {
                missed << nameOf(*control);
            }
        }
        expectNone(missed);
    }

    void theStartPageTakesTheKeysFirst() {
        QVERIFY(QApplication::focusWidget() == window_->findChild<QWidget*>("start.open"));
    }

    void focusIsSeen_data() { rowPerPage(); }

    void focusIsSeen() {
        show();
        QStringList unseen;
        for (QWidget* control : controls()) {
            for (QWidget* at = control->parentWidget(); at != nullptr; at = at->parentWidget()) {
                if (auto* area = qobject_cast<QScrollArea*>(at)) {
                    area->ensureWidgetVisible(control);  // as Tab does
                }
            }
            if (!control->isEnabled() || control->visibleRegion().isEmpty()) {
                continue;
            }
            const QRect place(control->mapTo(window_, QPoint(0, 0)), control->size());
            const QRect around = place.adjusted(-3, -3, 3, 3);
            if (QApplication::focusWidget() != nullptr) {
                QApplication::focusWidget()->clearFocus();
            }
            const QImage before = window_->grab(around).toImage();
            control->setFocus(Qt::TabFocusReason);
            const QImage after = window_->grab(around).toImage();
            if (differences(before, after) < 24) {
                unseen << nameOf(*control);
            }
        }
        expectNone(unseen);
    }

    void everyControlHasANameAndATooltip_data() { rowPerPage(); }

    void everyControlHasANameAndATooltip() {
        show();
        QStringList faults;
        for (QWidget* control : controls()) {
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(control);
            if (face == nullptr || face->text(QAccessible::Name).isEmpty()) {
                faults << "no name: " + nameOf(*control);
            }
            // That of the row it stands in counts: Qt shows it, too.
            const bool told = !control->toolTip().isEmpty() || !control->parentWidget()->toolTip().isEmpty();
            if (!told && needsTooltip(*control)) {
                faults << QString(control->isEnabled() ? "no tooltip: " : "no reason: ") + nameOf(*control);
            }
        }
        expectNone(faults);
    }

    void spaceFoldsAPartOfAPanel() {
        open(dataFile_);
        Section* section = nullptr;
        for (Section* each : window_->findChildren<Section*>()) {
            section = section == nullptr && each->isVisible() ? each : section;
        }
        QVERIFY(section != nullptr);
        const bool folded = section->folded();
        section->setFocus(Qt::TabFocusReason);

        QTest::keyClick(section, Qt::Key_Space);
        QCOMPARE(section->folded(), !folded);
        QTest::keyClick(section, Qt::Key_Return);
        QCOMPARE(section->folded(), folded);
    }

  private:
    static void rowPerPage() {
        QTest::addColumn<QString>("page");
        for (const char* page : {"start", "page.slices", "page.compare", "page.data", "page.corrections",
                                 "page.lab", "page.matched"}) {
            QTest::newRow(page) << page;
        }
    }

    /// The page of the row, with data, two runs, every setting and the numbers of an ROI.
    void show() {
        QFETCH(QString, page);
        if (page == "start") {
            return;
        }
        open(dataFile_);
        reconstruct(2);
        reconstruct(2);
        window_->commands().trigger("roi.numbers");
        window_->commands().trigger("run.all-settings");
        window_->commands().trigger(page);
        QVERIFY(test::until(
            [&] { return !window_->comparePage().model().busy() && !window_->labPage().busy(); }));
        window_->refreshNow();
        QCoreApplication::processEvents();
    }

    [[nodiscard]] QWidget* first() const {
        QWidget* at = QApplication::focusWidget();
        if (at == nullptr) {
            QTest::keyClick(window_, Qt::Key_Tab);
            at = QApplication::focusWidget();
        }
        return at;
    }

    [[nodiscard]] QList<QWidget*> controls() const {
        QList<QWidget*> found;
        for (QWidget* widget : window_->findChildren<QWidget*>()) {
            if (widget->isVisible() && isControl(*widget)) {
                found << widget;
            }
        }
        return found;
    }

    QString dataFile_;
};

QTEST_MAIN(ControlsTest)

}  // namespace controls_test
#include "controls_test.moc"
