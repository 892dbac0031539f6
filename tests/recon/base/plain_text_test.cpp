// SPDX-License-Identifier: Apache-2.0
// Text that leaves: terminals obey none of it, spreadsheets run none of it, shells take it for one word. And
// JSON that comes: it is no deeper than recursion can go.
#include "recon/base/plain_text.h"

#include <QProcess>
#include <QTest>

#include "recon/base/error.h"
#include "tests/support/refusal.h"

namespace plain_text_test {

using namespace tof;
using tof::test::refusal;

class PlainTextTest : public QObject {
    Q_OBJECT

  private slots:
    void terminalsAreToldNothing() {
        QCOMPARE(shownText("a\x1b[31mb\tc\nd"), std::string("a\\x1b[31mb\tc\nd"));
        QCOMPARE(shownLine("a\nb\r\x7f"), std::string("a\\x0ab\\x0d\\x7f"));
        QCOMPARE(shownText("\xC2\x9B\x33m"), std::string("\\x9b3m"));
        QCOMPARE(shownText("M\xC3\xBCller \xC2\xB5"), std::string("M\xC3\xBCller \xC2\xB5"));
    }

    void cellsOfTables_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        const auto row = [](const char* text, const char* cell) {
            QTest::newRow(text) << QString(text) << QString(cell);
        };
        row("sphere 10 mm", "sphere 10 mm");
        row("a,b", "\"a,b\"");
        row("a\nb", "\"a\nb\"");
        row("say \"x\"", "\"say \"\"x\"\"\"");
        row("-1.5", "-1.5");
        row("-1.5 %", "-1.5 %");
        row("-", "-");
        row("+3e-2", "+3e-2");
        row("=HYPERLINK(1)", "'=HYPERLINK(1)");
        row("@SUM(1)", "'@SUM(1)");
        row("-2+3|x", "'-2+3|x");
        row("=1,2", "\"'=1,2\"");
    }
    void cellsOfTables() {
        QFETCH(const QString, text);
        QFETCH(const QString, cell);
        QCOMPARE(QString::fromStdString(csvCell(text.toStdString())), cell);
    }

    void aShellTakesAnyNameForOneWord() {
        for (const std::string name :
             {"plain.json", "a b", "a'$(touch pwned)'.json", "`id`", "$HOME", "", "a\"b", "*"}) {
            QProcess shell;
            shell.start("sh", {"-c", QString::fromStdString("printf %s " + shellWord("the file", name))});
            QVERIFY(shell.waitForFinished());
            QCOMPARE(shell.readAllStandardOutput().toStdString(), name);
        }
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(shellWord("the file", "a\nrm x")), WrongUse);
    }
};

QTEST_GUILESS_MAIN(PlainTextTest)

}  // namespace plain_text_test
#include "plain_text_test.moc"
