// SPDX-License-Identifier: Apache-2.0
// Values of options become texts and come back; texts that are none are refused by the option's name.
#include <QTest>
#include <cstdint>
#include <limits>

#include "recon/base/error.h"
#include "recon/base/option_values.h"
#include "tests/support/refusal.h"

namespace option_values_test {

using namespace tof;
using tof::test::saidBy;

class OptionValuesTest : public QObject {
    Q_OBJECT

  private slots:
    void sizesAreWholeNumbersInTheirRange_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("three") << "144x12x1" << true;
        QTest::newRow("two") << "144x12" << false;
        QTest::newRow("four") << "1x2x3x4" << false;
        QTest::newRow("none") << "" << false;
        QTest::newRow("an end") << "144x12x" << false;
        QTest::newRow("another sign") << "144,12,1" << false;
        QTest::newRow("half") << "144x12x1.5" << false;
        QTest::newRow("0") << "144x0x1" << false;
        QTest::newRow("too many") << "144x1001x1" << false;
        QTest::newRow("more than an int holds") << "144x99999999999x1" << false;
    }
    void sizesAreWholeNumbersInTheirRange() {
        QFETCH(QString, text);
        QFETCH(bool, good);
        std::vector<int> sizes;

        const QString said = saidBy([&] { sizes = sizesFromText("--grid", text.toStdString(), 3, 1, 1000); });

        QCOMPARE(sizes, good ? (std::vector<int>{144, 12, 1}) : std::vector<int>());
        const QString refused =
            QString("option --grid is '%1'; it must be 3 whole numbers between 1 and 1000").arg(text);
        QVERIFY2(said.contains(good ? "nothing" : refused), qPrintable(said));
    }

    void spacingsComeBackToTheLastDigit_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("z");
        QTest::addColumn<QString>("text");
        QTest::newRow("one edge") << 4.0 << 4.0 << 4.0 << "4";
        QTest::newRow("two alike") << 4.0 << 4.0 << 2.5 << "4x4x2.5";
        QTest::newRow("first and last alike") << 4.0 << 5.0 << 4.0 << "4x5x4";
        QTest::newRow("250/128") << 1.953125 << 1.953125 << 3.27 << "1.953125x1.953125x3.27";
        QTest::newRow("a third") << 1.0 / 3 << 1.0 / 3 << 1.0 / 3 << "0.3333333333333333";
    }
    void spacingsComeBackToTheLastDigit() {
        QFETCH(double, x);
        QFETCH(double, y);
        QFETCH(double, z);
        QFETCH(QString, text);
        const std::array<double, 3> spacing_mm{x, y, z};

        QCOMPARE(QString::fromStdString(spacingText(spacing_mm)), text);
        QCOMPARE(spacingFromText("--voxel", spacingText(spacing_mm)), spacing_mm);
    }

    void spacingsThatAreNoneAreRefused() {
        for (const char* text :
             {"", "4x4", "0", "-4", "4x4x0.001", "1001", "4 x 4 x 4", "4mm", "nan", "4x4x4x4"}) {
            const QString said = saidBy([&] { static_cast<void>(spacingFromText("--voxel", text)); });
            const QString refused = QString("option --voxel is '%1'; it must be one edge in mm").arg(text);
            QVERIFY2(said.contains(refused), qPrintable(said));
        }
    }

    void valuesComeBack() {
        enum class Fruit { Apple, Pear };
        const std::vector<std::string> fruits{"apple", "pear"};

        QCOMPARE(valueOf<bool>(textOf(true, {}), {}), true);
        QCOMPARE(valueOf<bool>(textOf(false, {}), {}), false);
        QCOMPARE(textOf(Fruit::Pear, fruits), std::string("pear"));
        QVERIFY(valueOf<Fruit>("pear", fruits) == Fruit::Pear);
        constexpr std::uint64_t kSeed = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(valueOf<std::uint64_t>(textOf(kSeed, {}), {}), kSeed);
        QCOMPARE(valueOf<int>("1e3", {}), 1000);
        QCOMPARE(valueOf<double>(textOf(0.1, {}), {}), 0.1);
        QCOMPARE(textOf(std::vector<std::string>{"a", "b"}, {}), std::string("a,b"));
        QCOMPARE(valueOf<std::string>(textOf(std::string("x y"), {}), {}), std::string("x y"));
    }
};

QTEST_GUILESS_MAIN(OptionValuesTest)

}  // namespace option_values_test
#include "option_values_test.moc"
