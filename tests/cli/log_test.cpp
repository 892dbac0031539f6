// SPDX-License-Identifier: Apache-2.0
// What the command line leaves in its log.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/cli/cli_process.h"

namespace log_test {

using namespace tof::test;

class CliLogTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QVERIFY(qputenv("XDG_STATE_HOME", state().toUtf8())); }

    void namesStayOutOfTheLog() {
        const Said made = cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events",
                               "100", folder_.filePath("Anna Meier.h5")});
        const Said failed = cli({"info", folder_.filePath("Bert Meier.h5")});

        QVERIFY2(made.code == 0 && failed.code == 3, made.all() + failed.all());
        const QString log = logText();
        QVERIFY2(log.contains("simulate --scanner * --phantom * --events 100 *.h5"), qPrintable(log));
        QVERIFY2(log.contains("done in "), qPrintable(log));
        QVERIFY2(log.contains("error: exit 3: *.h5: "), qPrintable(log));
        QVERIFY2(!log.contains("Meier") && !log.contains("spheres"), qPrintable(log));
        QVERIFY2(made.err.count("simulate") == 0, made.all());
    }

    void runsAreToldWithSettingsEngineAndTime() {
        const QString list = folder_.filePath("l.h5");
        const QString data = folder_.filePath("d.h5");
        QVERIFY(cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events", "500", list})
                    .code == 0);
        QVERIFY(cli({"bin", list, data, "--views", "2x1", "--grid", "16x16x4", "--voxel", "36"}).code == 0);

        const Said run = cli(
            {"reconstruct", data, "--out", folder_.filePath("r.h5"), "--engine", "cpu", "--iterations", "2"});

        QVERIFY2(run.code == 0, run.all());
        const QString log = logText();
        QVERIFY2(log.contains("run begins: algorithm ramla, engine cpu, "), qPrintable(log));
        QVERIFY2(log.contains("run ends: iteration 2 by cpu, "), qPrintable(log));
    }

    void verboseSaysItOnStandardError() {
        const Said said = cli({"--verbose", "devices", "--json"});

        QVERIFY2(said.code == 0 && said.json().contains("engines"), said.all());
        QVERIFY2(said.err.contains("engine cpu: "), said.all());
    }

    void aFolderThatCannotBeWrittenCostsTheLogAlone() {
        QFile file(folder_.filePath("no-folder"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(qputenv("XDG_STATE_HOME", file.fileName().toUtf8()));

        const Said said = cli({"devices"});

        QVERIFY2(said.code == 0 && said.err.isEmpty(), said.all());
    }

  private:
    [[nodiscard]] QString state() const { return folder_.filePath("state"); }
    [[nodiscard]] QString logText() const {
        QFile file(state() + "/tofscope/tofscope-cli.log");
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(CliLogTest)

}  // namespace log_test
#include "log_test.moc"
