// SPDX-License-Identifier: Apache-2.0
// reconstruct --follow as a person uses it: a list that grows, and Ctrl+C.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "recon/io/format_table.h"
#include "tests/cli/cli_process.h"

namespace follow_command_test {

using namespace tof;
using namespace tof::test;

class FollowCommandTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QCOMPARE(cli({"simulate", "--scanner", "labr3-ideal", "--phantom", "spheres", "--events", "20000",
                      path("list.h5")})
                     .code,
                 0);
        QCOMPARE(cli({"convert", path("list.h5"), path("list.cdh")}).code, 0);
        QFile header(path("list.cdh"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        const QByteArray text = header.readAll()
                                    .replace("Number of events: 20000", "Number of events: 0")
                                    .replace("list.cdf", "grow.cdf");
        append("grow.cdh", text);
        QFile records(path("list.cdf"));
        QVERIFY(records.open(QIODevice::ReadOnly));
        records_ = records.readAll();
    }

    void anInterruptEndsTheListAndNotTheRun() {
        const QStringList binning{"--views", "6x1", "--mu", "none"};
        const QStringList making{"--iterations", "2", "--engine", "cpu"};
        const QStringList image{"--grid", "36x36x12", "--voxel", "8"};
        append("grow.cdf", records_.left(records_.size() / 2 + 3));
        QProcess process;
        process.start(kProgram,
                      QStringList{"reconstruct", "--follow", path("grow.cdh"), "--out", path("run.h5"),
                                  "--counts", path("counts.h5"), "--live", path("live.h5")} +
                          binning + image + making);
        QVERIFY(waitForText(process, "10000 in the image"));
        QVERIFY(QFile::exists(path("live.h5")));
        append("grow.cdf", records_.mid(records_.size() / 2 + 3));
        QVERIFY(waitForText(process, "20000 in the image"));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const Said said = finish(process);

        QVERIFY2(said.code == 0, said.all());
        QVERIFY2(said.err.contains("after 20000 events"), said.all());
        QCOMPARE(cli(QStringList{"bin", path("list.cdh"), path("data.h5")} + binning + image).code, 0);
        QCOMPARE(cli(QStringList{"reconstruct", path("data.h5"), "--out", path("whole.h5")} + making).code,
                 0);
        QCOMPARE(bytes("counts.h5"), bytes("data.h5"));
        QVERIFY(readVolume(path("run.h5").toStdString()).data ==
                readVolume(path("whole.h5").toStdString()).data);
    }

    void whatDoesNotGoTogetherIsRefused_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("said");
        QTest::newRow("alone") << QStringList{"--until", "3"} << "--until goes with --follow";
        QTest::newRow("resume") << QStringList{"--follow", "--resume"} << "leave --queued, --resume";
        QTest::newRow("the list") << QStringList{"--follow", "--counts", path("grow.cdh")} << "grow.cdh";
    }
    void whatDoesNotGoTogetherIsRefused() {
        QFETCH(QStringList, more);
        QFETCH(QString, said);

        const Said refused = cli(QStringList{"reconstruct", path("grow.cdh"), "--out", path("no.h5")} + more);

        QVERIFY2(refused.code == 2 && refused.err.contains(said), refused.all());
    }

    void aListThatCannotGrowIsRefused() {
        const Said refused = cli({"reconstruct", "--follow", path("list.h5"), "--out", path("no.h5")});

        QVERIFY2(refused.code == 3 && refused.err.contains("cannot be followed"), refused.all());
    }

  private:
    [[nodiscard]] QString path(const char* name) const { return dir_.filePath(name); }
    [[nodiscard]] QByteArray bytes(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void append(const char* name, const QByteArray& what) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
        QCOMPARE(file.write(what), what.size());
    }

    QTemporaryDir dir_;
    QByteArray records_;
};

QTEST_GUILESS_MAIN(FollowCommandTest)

}  // namespace follow_command_test
#include "follow_command_test.moc"
