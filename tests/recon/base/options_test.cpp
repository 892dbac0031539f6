// SPDX-License-Identifier: Apache-2.0
#include "recon/base/options.h"

#include <QTest>
#include <limits>

namespace options_test {

using namespace tof;

class OptionsTest : public QObject {
    Q_OBJECT

  private slots:
    void valuesAreRefusedForWhatIsWrongWithThem_data() {
        QTest::addColumn<OptionKind>("kind");
        QTest::addColumn<QString>("value");
        QTest::addColumn<std::optional<Refusal>>("refusal");
        const auto row = [](OptionKind kind, const char* value, std::optional<Refusal> refusal) {
            QTest::addRow("%d '%s'", static_cast<int>(kind), value) << kind << QString(value) << refusal;
        };
        row(OptionKind::Integer, "1", {});
        row(OptionKind::Integer, "10", {});
        row(OptionKind::Integer, "0", Refusal::OutOfRange);
        row(OptionKind::Integer, "11", Refusal::OutOfRange);
        row(OptionKind::Integer, "2.5", Refusal::NotWhole);
        row(OptionKind::Integer, "", Refusal::NoNumber);
        row(OptionKind::Number, "2.5", {});
        row(OptionKind::Number, "2.5x", Refusal::NoNumber);
        row(OptionKind::Number, " 2.5", Refusal::NoNumber);
        row(OptionKind::Number, "nan", Refusal::NoNumber);
        row(OptionKind::Number, "inf", Refusal::NoNumber);
        row(OptionKind::Choice, "one", {});
        row(OptionKind::Choice, "One", Refusal::NoChoice);
        row(OptionKind::Choice, "", Refusal::NoChoice);
        row(OptionKind::Switch, "on", {});
        row(OptionKind::Switch, "true", Refusal::NoChoice);
        row(OptionKind::Text, "", {});
        row(OptionKind::Text, "anything", {});
    }

    void valuesAreRefusedForWhatIsWrongWithThem() {
        QFETCH(OptionKind, kind);
        QFETCH(QString, value);
        QFETCH(std::optional<Refusal>, refusal);
        const OptionInfo info{.key = "k", .kind = kind, .low = 1, .high = 10, .choices = {"one", "two"}};

        QVERIFY(refusalOf(info, value.toStdString()) == refusal);
    }

    void numbersAreReadWholeAndToTheLastDigit() {
        QCOMPARE(numberFrom<double>("0.1").value(), 0.1);
        QCOMPARE(numberFrom<std::uint64_t>("18446744073709551615").value(),
                 std::numeric_limits<std::uint64_t>::max());
        QVERIFY(!numberFrom<std::uint64_t>("18446744073709551616"));
        QVERIFY(!numberFrom<int>("1.0"));
        QVERIFY(!numberFrom<int>("1 "));
    }
};

QTEST_APPLESS_MAIN(OptionsTest)

}  // namespace options_test
#include "options_test.moc"
