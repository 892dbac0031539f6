// SPDX-License-Identifier: Apache-2.0
// Options of commands are views of rows: a row more is an option more, with its help and its check.
#include <QTest>

#include "app/cli/arguments.h"
#include "recon/base/error.h"
#include "recon/work/correct_rows.h"
#include "recon/work/frame_rows.h"
#include "recon/work/simulate_rows.h"
#include "tests/support/toy_request.h"

namespace request_rows_test {

using namespace tof;

namespace {

/// What the command was given, for the tests to look at.
test::ToyRequest given;

class ToyCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        given = test::ToyRequest();
        arguments.rows(test::toyRows(given));
    }
    void run(CommandContext& /*context*/) override {}
};

const std::vector<CommandInfo> kTable{
    {"toy", "Plays", [] { return std::unique_ptr<Command>(std::make_unique<ToyCommand>()); }}};

std::string complaint(const std::vector<std::string>& words) {
    try {
        static_cast<void>(parseCommandLine(words, kTable));
    } catch (const WrongUse& fault) {
        return fault.what();
    }
    return {};
}

/// Every row of a table has a key of its own, and takes back what it says.
template <typename Request>
void checkTable(const std::vector<RequestRow<Request>>& rows) {
    std::vector<std::string> keys;
    for (const RequestRow<Request>& row : rows) {
        QVERIFY2(std::find(keys.begin(), keys.end(), row.key) == keys.end() || row.shown != Shown::Everywhere,
                 row.key.c_str());
        keys.push_back(row.key);
        QVERIFY2(row.shown == Shown::Window || !row.help.empty(), row.key.c_str());
        QVERIFY2(row.shown == Shown::Command || !row.label.empty() || !row.tick.empty(), row.key.c_str());
        QVERIFY2(row.choiceWords.empty() || row.choiceWords.size() == row.choices.size(), row.key.c_str());
        if (!row.fallback.empty()) {
            Request request;
            row.write(request, row.fallback);
            QCOMPARE(row.read(request), row.fallback);
        }
    }
}

}  // namespace

class RequestRowsTest : public QObject {
    Q_OBJECT

  private slots:
    void aRowIsAnOptionWithItsHelp() {
        const std::string help = parseCommandLine({"toy", "--help"}, kTable).text;

        QVERIFY(help.find("--glow X") != std::string::npos);
        QVERIFY(help.find("How much toys glow in the dark") != std::string::npos);
    }

    void aRowTakesItsValue() {
        static_cast<void>(parseCommandLine(
            {"toy", "--glow", "3.5", "--to", "lors", "--views", "4x1", "--seed", "18446744073709551615",
             "--no-tof", "--mu", "none", "--acf", "a.hs,b.hs", "--grid", "10x20x30"},
            kTable));

        QCOMPARE(given.glow, 3.5);
        QVERIFY(given.form == "lors" && given.azimuths == 4 && given.tilts == 1);
        QCOMPARE(given.seed, UINT64_MAX);
        QVERIFY(given.times == Times::Left);
        QCOMPARE(given.mu, std::string("none"));
        QVERIFY((given.sinograms.acf == std::vector<std::string>{"a.hs", "b.hs"}));
        QVERIFY((given.lattice->size == std::array{10, 20, 30}));
        QCOMPARE(given.lattice->spacing_mm[0], 4.0);
    }

    void aRowRefusesWhatIsNotAllowed() {
        QCOMPARE(complaint({"toy", "--glow", "10"}),
                 std::string("option --glow is '10'; it must be a number between 1 and 9"));
        QCOMPARE(complaint({"toy", "--frame", "-1"}),
                 std::string("option --frame is '-1'; it must be a whole number between 0 and 100000"));
        QVERIFY(complaint({"toy", "--seed", "18446744073709551616"}).ends_with("18446744073709551615"));
        QVERIFY(complaint({"toy", "--to", "lines"}).find("must be one of histo") != std::string::npos);
        QVERIFY(complaint({"toy", "--reverse-tof", "--no-tof"}).find("exclude") != std::string::npos);
    }

    void everyTableIsWhole() {
        checkTable(binRows());
        checkTable(sinogramRows());
        checkTable(correctRows());
        checkTable(frameRows());
        checkTable(simulationRows());
    }
};

QTEST_MAIN(RequestRowsTest)

}  // namespace request_rows_test
#include "request_rows_test.moc"
