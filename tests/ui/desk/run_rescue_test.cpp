// SPDX-License-Identifier: Apache-2.0
// Runs in memory outlive the program: one that is killed, one that is closed, and data that are replaced.
#include "ui/desk/run_rescue.h"

#include <QDirIterator>
#include <QProcess>

#include "recon/io/hdf5/data_io.h"
#include "tests/ui/fixture.h"

using namespace tof;
using namespace tof::ui;
using tof::test::Desk;
using tof::test::until;

class RunRescueTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

  private slots:
    void aRunOfAKilledProgramIsRecoveredAndGoesOn() {
        const QString program = QString(TOF_BINARY_DIR) + "/bin/tofscope";
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString config = folder_.filePath("killed");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", config);
        process.setProcessEnvironment(environment);
        process.start(program,
                      {dataFile_, "--set", "iterations=100000", "--set", "kernel=invariant", "--run"});
        const QString recovery = config + "/tofscope/recovery";
        QVERIFY(until([&] { return keptRuns(recovery) == 1; }));

        process.kill();  // SIGKILL: nothing can be written any more
        QVERIFY(process.waitForFinished());
        Desk desk(engines_, {.preferencesFile = config + "/tofscope/tofscope.ini"});

        QVERIFY(desk.workspace.messages().all().back().text.contains("Recover runs"));
        QVERIFY(desk.window.commands().trigger("file.recover"));
        desk.settle();
        QCOMPARE(desk.workspace.openFiles(), QStringList{dataFile_});
        QCOMPARE(desk.workspace.runs().items().size(), std::size_t{1});
        RunItem& item = *desk.workspace.runs().items().front();
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.label(), QString("A"));
        const int reached = item.lastIterate();
        QVERIFY(reached >= 1);
        QCOMPARE(item.figures().size(), static_cast<std::size_t>(reached));
        desk.workspace.continueRun(item.id(), 2);
        QVERIFY(until([&] { return !desk.workspace.busy(); }));
        QCOMPARE(item.state(), RunState::Done);
        const auto continued = item.volume();

        desk.workspace.closeStudy();
        desk.open({dataFile_});
        desk.reconstruct(reached + 2);
        QVERIFY(desk.workspace.runs().items().front()->volume()->data == continued->data);
    }

    void aFinishedRunOutlivesTheWindowUntilItIsDeleted() {
        const QString preferences = folder_.filePath("closed/tofscope.ini");
        {
            Desk desk(engines_, {.preferencesFile = preferences});
            desk.open({dataFile_});
            desk.reconstruct(2);
            desk.workspace.runs().rename(desk.workspace.runs().items().front()->id(), "mine");
            desk.window.close();
        }
        std::shared_ptr<const Volume> image;
        {
            Desk desk(engines_, {.preferencesFile = preferences});
            QVERIFY(desk.window.commands().trigger("file.recover"));
            desk.settle();
            const RunItem& item = *desk.workspace.runs().items().front();
            QCOMPARE(item.state(), RunState::Done);
            QCOMPARE(item.name(), QString("mine"));
            QCOMPARE(item.figures().size(), std::size_t{2});
            QCOMPARE(item.timing().size(), std::size_t{2});
            QVERIFY(!desk.window.rescue().whyNot().isEmpty());

            desk.workspace.removeRun(item.id());
        }
        Desk desk(engines_, {.preferencesFile = preferences});
        QVERIFY(!desk.window.commands().trigger("file.recover"));
    }

    void runsOfDataThatWereReplacedComeBack() {
        const QString preferences = folder_.filePath("replaced/tofscope.ini");
        Desk desk(engines_, {.preferencesFile = preferences});
        desk.open({dataFile_});
        desk.reconstruct(1);
        const QString other = folder_.filePath("other.h5");
        HistoData data = test::smallData();
        data.counts[5] += 1;
        writeData(other.toStdString(), data);

        desk.open({other});
        QVERIFY(desk.workspace.runs().items().empty());
        QVERIFY(desk.window.commands().trigger("file.recover"));
        desk.settle();

        QCOMPARE(desk.workspace.dataPath(), dataFile_);
        QCOMPARE(desk.workspace.runs().items().size(), std::size_t{1});
    }

    void dataThatHaveChangedRefuseTheirOldRuns() {
        const QString preferences = folder_.filePath("changed/tofscope.ini");
        const QString file = folder_.filePath("changing.h5");
        HistoData data = test::smallData();
        writeData(file.toStdString(), data);
        Desk desk(engines_, {.preferencesFile = preferences});
        desk.open({file});
        desk.reconstruct(1);
        desk.workspace.closeStudy();
        data.counts[5] += 1;
        writeData(file.toStdString(), data);

        QVERIFY(desk.window.commands().trigger("file.recover"));
        desk.settle();

        QVERIFY(desk.workspace.runs().items().empty());
        QVERIFY(desk.workspace.messages().all().back().text.contains("other data"));
        QCOMPARE(keptRuns(folder_.filePath("changed/recovery")), 1);
    }

    void whatWasCancelledIsNotKept() {
        const QString preferences = folder_.filePath("cancelled/tofscope.ini");
        Desk desk(engines_, {.preferencesFile = preferences});
        desk.open({dataFile_});
        desk.workspace.setSetting("iterations", "100000");
        QVERIFY(desk.workspace.startRun() != 0);
        QVERIFY(until([&] { return desk.workspace.runs().items().front()->lastIterate() >= 1; }));
        desk.window.rescue().saveNow();
        QCOMPARE(keptRuns(folder_.filePath("cancelled/recovery")), 1);

        desk.workspace.cancelRun();
        QVERIFY(until([&] { return !desk.workspace.busy(); }));
        desk.workspace.closeStudy();

        QCOMPARE(keptRuns(folder_.filePath("cancelled/recovery")), 0);
    }

  private:
    static QStringList keptFiles(const QString& folder) {
        QStringList files;
        QDirIterator all(folder, {"*.json"}, QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            files << all.next();
        }
        return files;
    }
    static int keptRuns(const QString& folder) { return static_cast<int>(keptFiles(folder).size()); }

    QString dataFile_;
};

QTEST_MAIN(RunRescueTest)
#include "run_rescue_test.moc"
