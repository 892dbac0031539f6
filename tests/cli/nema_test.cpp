// SPDX-License-Identifier: Apache-2.0
// The command that tests a scanner by NEMA NU 2: its files, and what it refuses.
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "tests/cli/cli_process.h"

using namespace tof::test;

class NemaCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void aTestWritesItsPage() {
        const QString folder = folder_.filePath("nema");

        const Said said = cli({"nema", "ge-ste-blocks", "--tests", "scatter", "--events", "2000", "--output",
                               folder, "--json"});

        QVERIFY2(said.code == 0, said.all());
        const QJsonObject row = said.json()["comparisons"].toArray()[0].toObject();
        QCOMPARE(said.json()["comparisons"].toArray().size(), qsizetype{1});
        QCOMPARE(row["quantity"].toString(), QString("Scatter fraction at a low rate"));
        // 2000 events of a share of about a third: a standard deviation is 1.1 %.
        QVERIFY(std::abs(row["ours"].toDouble() - 33) < 6);
        QCOMPARE(QDir(folder).entryList(QDir::Files, QDir::Name),
                 (QStringList{"nema-scatter.svg", "nema.csv", "nema.html", "nema.json", "nema.md"}));
    }

    /// Lists of one rate each: the fit goes through both, so that what was lost in a sleeve comes back.
    void measuredListsAreExtrapolated() {
        const double seconds[] = {10, 12.5};
        QStringList lists;
        for (const double duration : seconds) {
            lists << folder_.filePath(QString("%1.h5").arg(lists.size()));
            const Said made =
                cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "nema-line", "--events", "5000",
                     "--duration", QString::number(duration), lists.back()});
            QVERIFY2(made.code == 0, made.all());
        }

        const Said said = cli({"nema", "--sensitivity", lists.join(','), "--activity", "2", "--output",
                               folder_.filePath("measured"), "--json"});

        QVERIFY2(said.code == 0, said.all());
        // R(0) = R1^2 / R2 of walls X and 2 X.
        const double expected = 5000.0 / seconds[0] * seconds[1] / seconds[0] / 2 / 1000;
        const double found = said.json()["comparisons"].toArray()[0].toObject()["ours"].toDouble();
        QVERIFY2(std::abs(found / expected - 1) < 1e-6,
                 qPrintable(QString("%1: %2").arg(expected).arg(found)));
    }

    void whatMakesNoSenseIsSaid_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("scanner without detection") << QStringList{"labr3-ideal"} << "add 'detection'";
        QTest::newRow("unknown test")
            << QStringList{"labr3", "--tests", "scater"} << "did you mean 'scatter'";
        QTest::newRow("scanner and lists")
            << QStringList{"labr3", "--sensitivity", "a.h5,b.h5"} << "either SCANNER";
        QTest::newRow("one list") << QStringList{"--sensitivity", "a.h5", "--activity", "2"} << "2 to 5";
        QTest::newRow("no activity") << QStringList{"--sensitivity", "a.h5,b.h5"} << "--activity";
        QTest::newRow("activities that fall") << QStringList{"labr3", "--activities", "5,3"} << "ascending";
    }
    void whatMakesNoSenseIsSaid() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);

        const Said said = cli(QStringList{"nema"} + words + QStringList{"--output", folder_.filePath("no")});

        QVERIFY2(said.code == 2 && said.err.contains(says), said.all());
    }

  private:
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(NemaCommandTest)
#include "nema_test.moc"
