// SPDX-License-Identifier: Apache-2.0
// Checks of experiments: when they hold, when they do not, and when nobody could look.
#include <QTest>
#include <cmath>

#include "recon/experiment/check.h"
#include "recon/experiment/experiment.h"

namespace check_test {

using namespace tof;

class CheckTest : public QObject {
    Q_OBJECT

  private slots:
    void aBoundHoldsAsItsRelationSays_data() {
        QTest::addColumn<int>("relation");
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("holds");
        const auto row = [](const char* name, Relation relation, double value, bool holds) {
            QTest::newRow(name) << static_cast<int>(relation) << value << holds;
        };
        row("below", Relation::Below, 1.9, true);
        row("not below", Relation::Below, 2, false);
        row("at most", Relation::AtMost, 2, true);
        row("more", Relation::AtMost, 2.1, false);
        row("above", Relation::Above, 2.1, true);
        row("not above", Relation::Above, 2, false);
        row("at least", Relation::AtLeast, 2, true);
        row("less", Relation::AtLeast, 1.9, false);
        row("within", Relation::Within, 2.5, true);
        row("beside", Relation::Within, 2.51, false);
        for (const Relation relation :
             {Relation::Below, Relation::AtMost, Relation::Above, Relation::AtLeast, Relation::Within}) {
            QTest::newRow("no number") << static_cast<int>(relation) << std::nan("") << false;
        }
    }

    void aBoundHoldsAsItsRelationSays() {
        QFETCH(int, relation);
        QFETCH(double, value);
        QFETCH(bool, holds);
        const Check check{"x", {static_cast<Relation>(relation), 2, 0.5}, value, ""};

        QCOMPARE(check.verdict(), holds ? Verdict::Passed : Verdict::Failed);
    }

    void whatAMachineLacksIsSkippedAndNotPassed() {
        Check check{"x", below(2), 1, ""};
        check.missing = "no device";

        QCOMPARE(check.verdict(), Verdict::Skipped);
    }

    void oneThatFailsFailsAll() {
        const Check good{"a", below(2), 1, ""};
        const Check bad{"b", below(2), 3, ""};
        Check away = good;
        away.missing = "no device";

        QCOMPARE(verdictOf({good, away}), Verdict::Passed);
        QCOMPARE(verdictOf({good, away, bad}), Verdict::Failed);
        QCOMPARE(verdictOf({away}), Verdict::Skipped);
        QCOMPARE(verdictOf({}), Verdict::Skipped);
        ExperimentReport report;
        report.checks = {bad};
        QCOMPARE(report.verdict(), Verdict::Failed);
        report.skipped = "no device";
        QCOMPARE(report.verdict(), Verdict::Skipped);
    }

    void conditionsAreWords() {
        QCOMPARE((Check{"x", atMost(0.02), kMissing, ""}.condition()), std::string("at most 0.02"));
        QCOMPARE((Check{"x", within(5, 0.1, "mm"), kMissing, ""}.condition()),
                 std::string("5 within 0.1 mm"));
    }
};

QTEST_APPLESS_MAIN(CheckTest)

}  // namespace check_test
#include "check_test.moc"
