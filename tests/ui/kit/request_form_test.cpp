// SPDX-License-Identifier: Apache-2.0
// Fields of dialogs are views of rows: a row more is a field more, with its label, help and check.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "tests/support/toy_request.h"
#include "ui/kit/request_form.h"
#include "ui/kit/theme.h"

namespace request_form_test {

using namespace tof;
using namespace tof::ui;
using tof::test::ToyRequest;

class RequestFormTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Dark); }

    void aRowIsAFieldWithLabelAndHelp() {
        ToyRequest request;
        RequestForm form("toy", test::toyRows(request));

        auto* glow = form.findChild<QDoubleSpinBox*>("toy.glow");
        QVERIFY(glow != nullptr);
        QCOMPARE(glow->value(), 2.0);
        QCOMPARE(glow->maximum(), 9.0);
        QCOMPARE(glow->accessibleName(), QString("Glow"));
        QVERIFY(glow->toolTip().contains("in the dark"));
        glow->setValue(4);
        QCOMPARE(request.glow, 4.0);
    }

    void aNumberKeepsItsDecimals_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a whole one") << 2.0 << "2.00";
        QTest::newRow("thousandths") << 1.006 << "1.006";
        QTest::newRow("tenths") << 1.5 << "1.50";
    }
    void aNumberKeepsItsDecimals() {
        QFETCH(double, value);
        QFETCH(QString, shown);
        ToyRequest request;
        request.glow = value;
        RequestForm form("toy", test::toyRows(request));

        const auto* glow = form.findChild<QDoubleSpinBox*>("toy.glow");

        QCOMPARE(glow->value(), value);
        QVERIFY2(glow->cleanText() == shown, qPrintable(glow->cleanText()));
    }

    void rowsOfCommandsAloneAreNoFields() {
        ToyRequest request;
        const RequestForm form("toy", test::toyRows(request));

        QVERIFY(!form.has("views") && form.has("azimuths"));
        QVERIFY(form.findChild<QToolButton*>("toy.mu.browse") != nullptr);
    }

    void whatTheRequestHasNoUseForIsGrey() {
        ToyRequest request;
        RequestForm form("toy", test::toyRows(request));
        QVERIFY(form.usable("azimuths") && !form.usable("segments"));

        form.findChild<QComboBox*>("toy.to")->setCurrentIndex(1);

        QVERIFY(request.form == "sinogram");
        QVERIFY(!form.usable("azimuths") && form.usable("segments"));
        form.setWhyNot("segments", "Not now");
        QVERIFY(!form.usable("segments"));
        QCOMPARE(form.field("segments")->toolTip(), QString("Not now"));
    }

    void whatCannotBeIsSaidAtItsField() {
        ToyRequest request;
        std::vector<BoundRow> rows = test::toyRows(request);
        for (BoundRow& row : rows) {
            row.role = row.key == "glow" ? TextRole::Count : row.role;
        }
        RequestForm form("toy", rows);
        auto* glow = form.findChild<QLineEdit*>("toy.glow");
        glow->setText("much");

        QCOMPARE(form.check(), glow);
        QVERIFY(form.hasFault("glow"));
        QCOMPARE(request.glow, 2.0);
        glow->setText("9");
        QVERIFY(!form.hasFault("glow"));
        QVERIFY(form.check() == nullptr);
        QCOMPARE(request.glow, 9.0);
    }

    void aChangeElsewhereIsShown() {
        ToyRequest request;
        RequestForm form("toy", test::toyRows(request));
        request.trilinear = true;
        request.mu = "none";
        form.refresh();

        QVERIFY(form.findChild<QCheckBox*>("toy.trilinear")->isChecked());
        QCOMPARE(form.findChild<QLineEdit*>("toy.mu")->text(), QString("none"));
    }
};

QTEST_MAIN(RequestFormTest)

}  // namespace request_form_test
#include "request_form_test.moc"
