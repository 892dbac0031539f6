// SPDX-License-Identifier: Apache-2.0
// What the kernel lab says: names instead of nothing, times of what somebody has waited for, one form of
// numbers.
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>

#include "tests/ui/fixture.h"
#include "tests/ui/painted_texts.h"
#include "ui/kit/theme.h"

namespace lab_words_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class LabWordsTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void begin() override {
        QVERIFY(QTest::qWaitForWindowActive(window_));
        QVERIFY(window_->commands().trigger("page.lab"));
        settle();
    }

  private slots:
    void onlyAChangeOfTheUserIsTimed() {
        QCOMPARE(valueOf("change to picture"), QString(QChar(0x2013)));
        auto* field = window_->findChild<QLineEdit*>("lab.tof");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "420");
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QCOMPARE(window_->labPage().lab().kernel().tof_ps, 420.0);
        QVERIFY2(valueOf("change to picture").section(',', 0, 0).toDouble() > 0,
                 qPrintable(valueOf("change to picture")));
        // Elsewhere and back: nobody has changed anything.
        QVERIFY(window_->commands().trigger("page.slices"));
        window_->labPage().lab().setNumber("tof", 400);  // as a session that is restored does
        QVERIFY(window_->commands().trigger("page.lab"));
        settle();
        QCOMPARE(valueOf("change to picture"), QString(QChar(0x2013)));
    }

    void anEngineThatCannotSaysWhy() {
        window_->labPage().lab().usePreset("variant1");
        window_->labPage().lab().set("b", "forward:cpu:no-such");
        settle();
        const auto& pictures = window_->labPage().lab().results().pictures();
        QVERIFY(pictures != nullptr);
        const QString why = QString::fromStdString(pictures->sides[1].whyNot);
        QVERIFY2(why.contains("no-such"), qPrintable(why));
        QVERIFY2(!why.contains("''"), qPrintable(why));
    }

    void everyNumberHasTheSameForm() {
        QVERIFY(window_->commands().trigger("lab.measure"));
        settle();
        // As painted: with a real minus everywhere, and exponents without zeros in front.
        const QRegularExpression other("\\de[-+]|\\de\\x{2212}?0|^-\\d");
        for (const QString& text : test::paintedTexts(window_->labPage())) {
            QVERIFY2(!text.contains(other), qPrintable(text));
        }
        QVERIFY(valueOf("adjoint test") != QString());
    }

  private:
    /// As it is copied: "name<TAB>value<TAB>unit".
    QString valueOf(const QString& name) {
        for (const QString& line : window_->labPage().figuresText().split('\n')) {
            if (line.section('\t', 0, 0) == name) {
                return line.section('\t', 1, 1);
            }
        }
        return {};
    }
    void settle() {
        QCoreApplication::processEvents();  // what was touched is taken up
        QVERIFY(until(
            [&] { return !window_->labPage().busy() && !window_->labPage().lab().results().measuring(); }));
        window_->refreshNow();
    }
};

QTEST_MAIN(LabWordsTest)

}  // namespace lab_words_test
#include "lab_words_test.moc"
