// SPDX-License-Identifier: Apache-2.0
// Experiments from the command line: the list, the files, and how they end.
#include <signal.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "recon/experiment/registry.h"
#include "tests/cli/cli_process.h"
#include "tests/support/places.h"

namespace experiment_test {

using namespace tof;
using namespace tof::test;

class ExperimentCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void listHasEveryExperiment() {
        const QString page = cli({"experiment", "list"}).out;
        const QJsonArray listed = cli({"experiment", "list", "--json"}).json()["experiments"].toArray();

        QCOMPARE(static_cast<std::size_t>(listed.size()), experiments().size());
        for (std::size_t i = 0; i < experiments().size(); ++i) {
            const QString name = QString::fromStdString(experiments()[i].name);
            QCOMPARE(listed[static_cast<qsizetype>(i)].toObject()["name"].toString(), name);
            QVERIFY(page.contains(name));
        }
    }

    void aRunWritesItsFiles() {
        const QString folder = folder_.filePath("new/results");

        const Said said = cli({"experiment", "run", "ha-fig8", "--out", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["experiment"].toString(), QString("ha-fig8"));
        const QStringList files = QDir(folder).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files, (QStringList{"ha-fig8-widths.svg", "ha-fig8.csv", "ha-fig8.html", "ha-fig8.json",
                                     "ha-fig8.md"}));
        QFile csv(QDir(folder).filePath("ha-fig8.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readLine().startsWith("s_mm,invariant,"));
        const Said table = cli({"experiment", "run", "ha-fig6", "--out", folder});
        QVERIFY2(table.code == 0 && table.out.contains("offset of the outer point"), table.all());
    }

    void aRunEndsWithItsVerdict() {
        const QString folder = folder_.filePath("verdicts");
        const Said passed = cli({"experiment", "run", "ha-fig8", "--out", folder, "--json"});
        const Said failed = cli({"experiment", "run", "ha-fig5", "--out", folder, "--json"});

        QVERIFY2(passed.code == 0, passed.all());
        QCOMPARE(passed.json()["verdict"].toString(), QString("passed"));
        if (failed.json()["verdict"].toString() == "skipped") {
            QSKIP("the engine fftw is not there");
        }
        // The paper's figure of the step is not that of a Gaussian cut at 3 sigma, and stays red.
        QCOMPARE(failed.code, 1);
        QCOMPARE(failed.json()["verdict"].toString(), QString("failed"));
        const QJsonArray checks = failed.json()["checks"].toArray();
        const auto step = std::find_if(checks.begin(), checks.end(), [](const QJsonValue& check) {
            return check.toObject()["name"] == "step where the kernel is cut";
        });
        QVERIFY(step != checks.end());
        const QJsonObject form = (*step).toObject();
        QCOMPARE(form["verdict"].toString(), QString("failed"));
        QCOMPARE(form["bound"].toDouble(), 0.48);
        QVERIFY(!form["remark"].toString().isEmpty() && !form["source"].toString().isEmpty());
        QFile page(QDir(folder).filePath("ha-fig8.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll();
        QVERIFY(text.contains("<svg") && text.contains("class='passed'") && text.size() < 10'000'000);
        QVERIFY(!text.contains("src='ha") && !text.contains("href='http"));
    }

    void severalAreJoinedAndOneThatCannotGoOnIsRed() {
        const QString folder = folder_.filePath("several");
        const auto report = [&] {
            QFile page(QDir(folder).filePath("report.html"));
            return page.open(QIODevice::ReadOnly) ? page.readAll() : QByteArray();
        };

        const Said said = cli({"experiment", "run", "ha-fig8,ha-fig6", "--out", folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        QCOMPARE(said.json()["experiments"].toArray().size(), qsizetype{2});
        const QByteArray first = report();
        QVERIFY(first.contains("id='ha-fig6'") && first.contains("href='#ha-fig8'") &&
                first.contains("<svg"));
        // Pages of an earlier call stay in the report, in the order of the list.
        QVERIFY(cli({"experiment", "run", "ha-fig1", "--out", folder}).code == 0);
        QVERIFY(cli({"experiment", "join", "--out", folder}).code == 0);
        const QByteArray joined = report();
        QVERIFY(joined.indexOf("id='ha-fig1'") > 0);
        QVERIFY(joined.indexOf("id='ha-fig1'") < joined.indexOf("id='ha-fig6'"));
        QCOMPARE(joined.count("<h2 "), qsizetype{3});
        // Data that one of several does not take: it is skipped with the reason, the other is run.
        QFile none(folder_.filePath("none.h5"));
        QVERIFY(none.open(QIODevice::WriteOnly));
        const Said mixed = cli(
            {"experiment", "run", "ha-fig8,ha-table4", "--out", folder, "--json", "--data", none.fileName()});
        QCOMPARE(mixed.code, 1);
        const QJsonArray verdicts = mixed.json()["experiments"].toArray();
        QCOMPARE(verdicts[0].toObject()["verdict"].toString(), QString("skipped"));
        QCOMPARE(verdicts[1].toObject()["verdict"].toString(), QString("failed"));
        QVERIFY(verdicts[1].toObject()["checks"].toArray()[0].toObject()["remark"].toString().contains(
            "none.h5"));
    }

    void aDataFileThatNobodyTakesIsRefused() {
        const Said said =
            cli({"experiment", "run", "ha-fig8", "--out", folder_.filePath("none"), "--data", "x.h5"});

        QVERIFY2(said.code == 2 && isOneSentence(said) && said.err.contains("no data"), said.all());
    }

    void wrongUseIsSaidInOneSentence_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const QString out = folder_.filePath("none");
        QTest::newRow("unknown") << QStringList{"run", "ha-fig", "--out", out} << 2 << "ha-fig1";
        QTest::newRow("no name") << QStringList{"run", "--out", out} << 2 << "NAME is missing";
        QTest::newRow("no folder") << QStringList{"run", "ha-fig8"} << 2 << "--out";
        QTest::newRow("action") << QStringList{"show"} << 2 << "list, run and join";
        QTest::newRow("join of one") << QStringList{"join", "ha-fig8", "--out", out} << 2 << "no NAME";
        QTest::newRow("nothing to join") << QStringList{"join", "--out", out} << 3 << "no results";
        QTest::newRow("one of several")
            << QStringList{"run", "ha-fig8,ha-fog1", "--out", out} << 2 << "ha-fig1";
        QTest::newRow("size") << QStringList{"run", "ha-fig8", "--size", "big", "--out", out} << 2 << "quick";
        QTest::newRow("list of one") << QStringList{"list", "ha-fig8"} << 2 << "neither";
        QTest::newRow("a file in the way")
            << QStringList{"run", "ha-fig8", "--out", inBuild("bin/tofscope-cli")} << 5 << "folder";
    }

    void wrongUseIsSaidInOneSentence() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);

        const Said said = cli(QStringList{"experiment"} + words);

        QCOMPARE(said.code, code);
        QVERIFY2(isOneSentence(said) && said.err.contains(says), said.all());
        QVERIFY(!QFile::exists(folder_.filePath("none")));
    }

    void anInterruptLeavesNothing() {
        const QString folder = folder_.filePath("interrupted");
        QProcess process;
        process.start(kProgram, {"experiment", "run", "ha-fig9", "--out", folder, "--verbose"});
        QVERIFY(waitForText(process, "experiment"));

        ::kill(static_cast<pid_t>(process.processId()), SIGINT);

        QCOMPARE(finish(process).code, 130);
        QVERIFY(!QFile::exists(folder));
    }

  private:
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(ExperimentCommandTest)

}  // namespace experiment_test
#include "experiment_test.moc"
