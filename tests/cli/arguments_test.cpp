// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include <QRegularExpression>
#include <QTest>
#include <locale>

#include "recon/base/error.h"

namespace arguments_test {

namespace {

using namespace tof;

/// What the probe command was given, for the tests to look at.
struct Given {
    std::string file;
    std::string mode = "near";
    std::string note;
    int count = 3;
    std::uint64_t seed = 1;
    double width = 2.5;
    bool loud = false;
};
Given given;

class ProbeCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        given = Given();
        arguments.positional("FILE", given.file, "A file");
        arguments.choice("mode", given.mode, {"near", "far"}, "A choice");
        arguments.text("note", given.note, "A text");
        arguments.integer("count", given.count, -5, 10, "A number");
        arguments.integer("seed", given.seed, 0, UINT64_MAX, "A seed");
        arguments.number("width", given.width, -10, 10, "A width");
        arguments.flag("loud", given.loud, "A flag");
    }
    void run(CommandContext& /*context*/) override {}
};

const std::vector<CommandInfo> kTable{
    {"probe", "Probes", [] { return std::unique_ptr<Command>(std::make_unique<ProbeCommand>()); }}};

std::string complaint(const std::vector<std::string>& words) {
    try {
        static_cast<void>(parseCommandLine(words, kTable));
    } catch (const WrongUse& fault) {
        return fault.what();
    }
    return {};
}

}  // namespace

class ArgumentsTest : public QObject {
    Q_OBJECT

  private slots:
    void defaultsStayWhereNothingIsGiven() {
        const CommandLine line = parseCommandLine({"probe", "a.h5"}, kTable);

        QVERIFY(line.command != nullptr);
        QCOMPARE(given.file, std::string("a.h5"));
        QCOMPARE(given.mode, std::string("near"));
        QCOMPARE(given.count, 3);
        QCOMPARE(given.width, 2.5);
        QVERIFY(!given.loud && !line.json && !line.quiet);
    }

    void everyKindOfOptionIsRead() {
        const CommandLine line =
            parseCommandLine({"probe", "--mode", "far", "--note=x y", "--count", "-4", "a.h5", "--seed",
                              "18446744073709551615", "--width=-1.5e-1", "--loud", "--json", "--quiet"},
                             kTable);

        QVERIFY(line.json && line.quiet && given.loud);
        QCOMPARE(given.mode, std::string("far"));
        QCOMPARE(given.note, std::string("x y"));
        QCOMPARE(given.count, -4);
        QCOMPARE(given.seed, UINT64_MAX);
        QCOMPARE(given.width, -0.15);
        QCOMPARE(given.file, std::string("a.h5"));
    }

    void globalOptionsMayComeFirst() {
        const CommandLine line = parseCommandLine({"--json", "probe", "a.h5"}, kTable);

        QVERIFY(line.json && line.command != nullptr);
    }

    void theLastOfRepeatedOptionsCounts() {
        static_cast<void>(parseCommandLine({"probe", "a", "--count", "1", "--count", "2"}, kTable));

        QCOMPARE(given.count, 2);
    }

    void aFileMayBeCalledLikeACommand() {
        static_cast<void>(parseCommandLine({"probe", "probe"}, kTable));

        QCOMPARE(given.file, std::string("probe"));
    }

    void mistakesAreExplained_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("part");
        QTest::newRow("nothing") << QStringList{} << "commands: probe";
        QTest::newRow("unknown command") << QStringList{"prove", "a"} << "did you mean 'probe'?";
        QTest::newRow("unknown global option") << QStringList{"--colour"} << "no option '--colour'";
        QTest::newRow("unknown option")
            << QStringList{"probe", "a", "--cuont", "4"} << "did you mean '--count'?";
        QTest::newRow("unknown option with =")
            << QStringList{"probe", "a", "--cuont=4"} << "did you mean '--count'?";
        QTest::newRow("nothing like it")
            << QStringList{"probe", "a", "--zzzzzz"} << "see 'tofscope-cli probe --help'";
        QTest::newRow("missing file") << QStringList{"probe"} << "FILE is missing";
        QTest::newRow("one too many") << QStringList{"probe", "a", "b"} << "'b' is one argument too many";
        QTest::newRow("choice") << QStringList{"probe", "a", "--mode", "fr"} << "did you mean 'far'?";
        QTest::newRow("no number") << QStringList{"probe", "a", "--count", "many"} << "--count is 'many'";
        QTest::newRow("trailing letters") << QStringList{"probe", "a", "--count", "4x"} << "--count is '4x'";
        QTest::newRow("not whole") << QStringList{"probe", "a", "--count", "1.5"} << "a whole number";
        QTest::newRow("too large") << QStringList{"probe", "a", "--count", "11"} << "between -5 and 10";
        QTest::newRow("too small") << QStringList{"probe", "a", "--count", "-6"} << "between -5 and 10";
        QTest::newRow("negative seed") << QStringList{"probe", "a", "--seed", "-1"} << "--seed is '-1'";
        QTest::newRow("overflow") << QStringList{"probe", "a", "--seed", "18446744073709551616"}
                                  << "--seed is";
        QTest::newRow("nan") << QStringList{"probe", "a", "--width", "nan"} << "--width is 'nan'";
        QTest::newRow("decimal comma") << QStringList{"probe", "a", "--width", "1,5"} << "--width is '1,5'";
        QTest::newRow("value missing") << QStringList{"probe", "a", "--count"} << "--count";
    }

    void mistakesAreExplained() {
        QFETCH(QStringList, words);
        QFETCH(QString, part);
        std::vector<std::string> list;
        for (const QString& word : words) {
            list.push_back(word.toStdString());
        }

        const QString said = QString::fromStdString(complaint(list));

        QVERIFY2(said.contains(part), qPrintable("said: " + said));
        QVERIFY2(!said.contains('\n'), qPrintable("said: " + said));
    }

    void helpNamesEveryOptionWithItsDefault() {
        const CommandLine line = parseCommandLine({"probe", "--help"}, kTable);
        const QString help = QString::fromStdString(line.text);

        QVERIFY(line.command == nullptr);
        for (const char* part : {"FILE", "--loud"}) {
            QVERIFY2(help.contains(part), qPrintable(help));
        }
        // CLI11 2.1 prints N=3, and 2.4 N [3].
        for (const char* part : {"--mode near\\|far(=near| \\[near\\])", "--count N(=3| \\[3\\])",
                                 "--width X(=2.5| \\[2.5\\])"}) {
            QVERIFY2(help.contains(QRegularExpression(part)), qPrintable(help));
        }
    }
};

QTEST_GUILESS_MAIN(ArgumentsTest)

}  // namespace arguments_test
#include "arguments_test.moc"
