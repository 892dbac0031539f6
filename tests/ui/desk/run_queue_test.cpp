// SPDX-License-Identifier: Apache-2.0
// What waits, is stopped, killed or fails: nothing that was asked for is lost, and nothing begins unasked.
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/ui/failing_engine.h"
#include "tests/ui/fixture.h"
#include "ui/desk/run_news.h"
#include "ui/desk/run_rescue.h"
#include "ui/kit/theme.h"

using namespace tof;
using namespace tof::ui;
using tof::test::Desk;
using tof::test::stays;
using tof::test::until;

namespace {

RunItem* byLabel(Workspace& workspace, const QString& label) {
    for (const auto& item : workspace.runs().items()) {
        if (item->label() == label) {
            return item.get();
        }
    }
    return nullptr;
}

QString waiting(const Workspace& workspace) {
    QString all;
    for (const RunItem* item : workspace.queue()) {
        all += item->label();
    }
    return all;
}

std::string queueOnDisk(const QString& study) {
    std::string all;
    for (const QueuedRun& each : Study::open(study.toStdString()).queue) {
        all += each.run;
    }
    return all;
}

}  // namespace

class RunQueueTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, dataFile_);
        start(workspace, 4);
        QVERIFY(until([&] { return !workspace.busy(); }));
        whole_ = workspace.runs().items().front()->volume();
    }

    void theQueueOutlivesTheWindowAndBeginsOnlyWhenAsked() {
        const QString study = newStudy();
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            start(workspace, 100000);
            QVERIFY(until([&] { return byLabel(workspace, "A")->lastIterate() >= 1; }));
            start(workspace, 2);
            start(workspace, 4);
            workspace.runs().rename(byLabel(workspace, "B")->id(), "later");
            workspace.moveInQueue(byLabel(workspace, "C")->id(), 0);
            QCOMPARE(queueOnDisk(study), std::string("ACB"));  // at once: the program may be killed now
        }
        QCOMPARE(queueOnDisk(study), std::string("CB"));

        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        QCOMPARE(byLabel(workspace, "A")->state(), RunState::Interrupted);
        QCOMPARE(waiting(workspace), QString("CB"));
        QCOMPARE(byLabel(workspace, "B")->name(), QString("later"));
        QCOMPARE(byLabel(workspace, "B")->settings().iterations, 2);
        QVERIFY(stays([&] { return !workspace.busy(); }));
        QVERIFY(workspace.messages().all().back().text.contains("C, B"));

        workspace.startQueue();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(byLabel(workspace, "B")->lastIterate(), 2);
        QVERIFY(byLabel(workspace, "C")->volume()->data == whole_->data);
        QCOMPARE(queueOnDisk(study), std::string());
        QVERIFY(!workspace.whyNotStartQueue().isEmpty());
    }

    void aRunWithoutAnIterateWaitsAgain() {
        const QString study = newStudy();
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            start(workspace, 4);
            workspace.togglePause();
            QVERIFY(until([&] { return byLabel(workspace, "A")->state() == RunState::Paused; }));
            start(workspace, 2);
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);

        QCOMPARE(waiting(workspace), QString("AB"));
        workspace.startQueue();
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(byLabel(workspace, "A")->volume()->data == whole_->data);
        QCOMPARE(byLabel(workspace, "A")->figures().size(), std::size_t{4});
    }

    void aContinuationThatWaitsComesBackToo() {
        const QString study = newStudy();
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            start(workspace, 2);
            QVERIFY(until([&] { return !workspace.busy(); }));
            start(workspace, 100000);
            workspace.continueRun(byLabel(workspace, "A")->id(), 2);
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);

        QVERIFY(waiting(workspace).contains("A"));
        QCOMPARE(byLabel(workspace, "A")->iterates(), (std::vector<int>{1, 2}));
        if (byLabel(workspace, "B")->state() == RunState::Queued) {
            workspace.removeRun(byLabel(workspace, "B")->id());
        }
        workspace.startQueue();
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(byLabel(workspace, "A")->volume()->data == whole_->data);
    }

    void aNewRunDoesNotWakeWhatIsHeld() {
        const QString study = newStudy();
        queue(study, {"A", "B"});
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);

        start(workspace, 1);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(byLabel(workspace, "C")->state(), RunState::Done);
        QCOMPARE(waiting(workspace), QString("AB"));
        workspace.clearQueue();
        QCOMPARE(queueOnDisk(study), std::string());
        QCOMPARE(workspace.runs().items().size(), std::size_t{1});
    }

    void cancelHoldsWhatWaits() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, newStudy());
        start(workspace, 100000);
        start(workspace, 1);
        QVERIFY(until([&] { return byLabel(workspace, "A")->lastIterate() >= 1; }));

        workspace.cancelRun();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(byLabel(workspace, "A")->state(), RunState::Cancelled);
        QCOMPARE(waiting(workspace), QString("B"));
        workspace.startQueue();
        QVERIFY(until([&] { return !workspace.busy(); }));
        QCOMPARE(byLabel(workspace, "B")->state(), RunState::Done);
    }

    void theButtonAndTheKeyStartTheQueue_data() {
        QTest::addColumn<bool>("key");
        QTest::newRow("button above the runs") << false;
        QTest::newRow("Shift+F8") << true;
    }

    void theButtonAndTheKeyStartTheQueue() {
        QFETCH(bool, key);
        const QString study = newStudy();
        queue(study, {"A"});
        Desk desk(engines_);
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        desk.workspace.open({study});
        QVERIFY(until([&] { return desk.workspace.whyNotStartQueue().isEmpty(); }));
        desk.window.refreshNow();
        QToolButton* button = nullptr;
        for (auto* each : desk.window.studyPanel().findChildren<QToolButton*>()) {
            button =
                each->defaultAction() == desk.window.commands().action("run.start-queue") ? each : button;
        }
        QVERIFY(button != nullptr && button->isVisible() && button->isEnabled());
        QVERIFY(RunRows::stateText(*byLabel(desk.workspace, "A")).contains("not started"));

        if (key) {
            QTest::keyClick(&desk.window, Qt::Key_F8, Qt::ShiftModifier);
        } else {
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QVERIFY(until([&] { return byLabel(desk.workspace, "A")->state() == RunState::Done; }));
        desk.window.refreshNow();
        QVERIFY(!button->isVisible());
    }

    void whatWaitsForOtherDataIsRecovered() {
        const QString preferences = folder_.filePath("recovered/tofscope.ini");
        {
            Desk desk(engines_, {.preferencesFile = preferences});
            desk.workspace.open({dataFile_});
            QVERIFY(until([&] { return desk.workspace.whyNoRun().isEmpty(); }));
            start(desk.workspace, 100000);
            QVERIFY(until([&] { return byLabel(desk.workspace, "A")->lastIterate() >= 1; }));
            start(desk.workspace, 2);
            start(desk.workspace, 3);
            desk.workspace.moveInQueue(byLabel(desk.workspace, "C")->id(), 0);
            desk.window.close();
        }
        Desk desk(engines_, {.preferencesFile = preferences});
        QVERIFY(desk.window.commands().trigger("file.recover"));
        QVERIFY(until([&] { return desk.workspace.runs().items().size() == 3; }));

        QCOMPARE(byLabel(desk.workspace, "A")->state(), RunState::Interrupted);
        QCOMPARE(waiting(desk.workspace), QString("CB"));
        QVERIFY(!desk.workspace.activeRun());
        desk.workspace.startQueue();
        QVERIFY(until([&] { return !desk.workspace.busy(); }));
        QCOMPARE(byLabel(desk.workspace, "C")->lastIterate(), 3);
    }

    /// No signal that a program can handle: what is on disk at that moment is all there is.
    void aKilledDesktopLosesNeitherItsRunNorItsQueue() {
        const QString program = QString(TOF_BINARY_DIR) + "/bin/tofscope";
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString study = newStudy();
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", folder_.filePath("killed"));
        process.setProcessEnvironment(environment);
        process.start(program,
                      {study, "--set", "kernel=invariant", "--set", "iterations=100000", "--run",
                       "--until-iterate", "1", "--set", "iterations=4", "--run", "--cursor", "10,-6,2"});
        QVERIFY(until([&] {
            return QFile::exists(study + "/runs/A.ckpt") && queueOnDisk(study).find('B') != std::string::npos;
        }));
        QVERIFY_EXCEPTION_THROWN(StudyLock(study.toStdString(), StudyLock::Use::Writes), CannotWrite);

        process.kill();
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);

        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        QVERIFY(workspace.writesStudy());  // its lock went with it
        RunItem& run = *byLabel(workspace, "A");
        QCOMPARE(run.state(), RunState::Interrupted);
        const int reached = run.lastIterate();
        QVERIFY(reached >= 1);
        QVERIFY(run.volume() != nullptr);
        QCOMPARE(run.figures().size(), static_cast<std::size_t>(reached));
        QCOMPARE(run.timing().size(), static_cast<std::size_t>(reached));
        QCOMPARE(waiting(workspace), QString("B"));
        QVERIFY(!workspace.busy());

        workspace.continueRun(run.id(), 2);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QCOMPARE(run.state(), RunState::Done);
        QCOMPARE(run.lastIterate(), reached + 2);
        workspace.startQueue();
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(byLabel(workspace, "B")->volume()->data == whole_->data);
        start(workspace, reached + 2);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(byLabel(workspace, "C")->volume()->data == run.volume()->data);
    }

    void aContinuationThatTheProgramEndedGoesOnFromThere() {
        const QString study = newStudy();
        int reached = 0;
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            start(workspace, 1);
            QVERIFY(until([&] { return !workspace.busy(); }));
            RunItem& item = *byLabel(workspace, "A");
            workspace.continueRun(item.id(), 3);
            workspace.togglePause();
            QVERIFY(until([&] { return item.state() == RunState::Paused; }));
            workspace.stepIteration();
            QVERIFY(until([&] { return item.lastIterate() == 2 && item.state() == RunState::Paused; }));
            reached = item.lastIterate();
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        RunItem& item = *byLabel(workspace, "A");
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.lastIterate(), reached);
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2}));

        workspace.continueRun(item.id(), 0);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QVERIFY(item.volume()->data == whole_->data);
        QCOMPARE(readRunSummary(item.file().toStdString()).savedImages, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{"A.h5"});
    }

    void aFailureKeepsTheLastGoodIterate_data() {
        QTest::addColumn<bool>("continued");
        QTest::newRow("new run") << false;
        QTest::newRow("continued run") << true;
    }

    void aFailureKeepsTheLastGoodIterate() {
        QFETCH(bool, continued);
        const QString study = newStudy();
        auto fuse = std::make_shared<test::Fuse>();
        const EngineRegistry failing = test::failingEngines(engines_, fuse);
        {
            Workspace workspace(failing, Threading::Threaded);
            open(workspace, study);
            fuse->left = 2 * 8 + 3;  // eight views: in the midst of the third iteration
            start(workspace, continued ? 1 : 4);
            if (continued) {
                QVERIFY(until([&] { return !workspace.busy(); }));
                workspace.continueRun(byLabel(workspace, "A")->id(), 3);
            }
            QVERIFY(until([&] { return !workspace.busy(); }));
            const RunItem& item = *byLabel(workspace, "A");
            QCOMPARE(item.state(), RunState::Failed);
            QVERIFY(item.error().contains("the device has gone"));
            QCOMPARE(item.lastIterate(), 2);
            QVERIFY(item.volume() != nullptr);
            QCOMPARE(RunRows::stateText(item), QString("failed, 2 of 4"));
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        RunItem& item = *byLabel(workspace, "A");
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.lastIterate(), 2);

        workspace.continueRun(item.id(), 0);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(item.volume()->data == whole_->data);
    }

    void aFailedRunThatIsDeletedStaysAway() {
        const QString study = newStudy();
        auto fuse = std::make_shared<test::Fuse>();
        const EngineRegistry failing = test::failingEngines(engines_, fuse);
        Workspace workspace(failing, Threading::Threaded);
        open(workspace, study);
        fuse->left = 2 * 8 + 3;
        start(workspace, 4);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(QFile::exists(study + "/runs/A.ckpt"));

        workspace.removeRun(byLabel(workspace, "A")->id());

        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
    }

    void aStudyThatIsOpenElsewhereIsNotWritten() {
        const QString study = newStudy();
        Workspace first(engines_, Threading::Threaded);
        open(first, study);
        {
            Workspace second(engines_, Threading::Threaded);
            open(second, study);
            QVERIFY(!second.writesStudy());
            QVERIFY(second.messages().all().front().text.contains("is open in"));
            start(second, 1);
            QVERIFY(until([&] { return !second.busy(); }));
            QVERIFY(byLabel(second, "A")->file().isEmpty());
        }
        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
        start(first, 1);
        QVERIFY(until([&] { return !first.busy(); }));
        QVERIFY(QFile::exists(study + "/runs/A.h5"));
        first.closeStudy();

        Workspace third(engines_, Threading::Threaded);
        open(third, study);
        QVERIFY(third.writesStudy());
    }

    void openingTheOpenStudyAgainKeepsWhatIsInIt() {
        const QString study = newStudy();
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        start(workspace, 100000);
        QVERIFY(until([&] { return byLabel(workspace, "A")->lastIterate() >= 1; }));
        workspace.view().setCursor({22, 2, 6});

        workspace.open({study});
        QVERIFY(until([&] { return !workspace.busy() && workspace.data() != nullptr; }));

        QVERIFY(workspace.writesStudy());
        QCOMPARE(byLabel(workspace, "A")->state(), RunState::Interrupted);
        QCOMPARE(workspace.view().cursor().x, 22.0);
    }

    void theQuestionSaysWhatBecomesOfEachRun_data() {
        QTest::addColumn<bool>("study");
        QTest::addColumn<bool>("keeps");
        QTest::addColumn<bool>("iterate");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("study") << true << false << true
                               << QStringList{"Its iterate", "stays in the study", "B, C", "Start queue"};
        QTest::newRow("study, no iterate")
            << true << false << false << QStringList{"goes back to the queue", "B, C"};
        QTest::newRow("data, recovered")
            << false << true << true << QStringList{"Its iterate", "kept, not started: B, C", "Recover runs"};
        QTest::newRow("data, nothing kept")
            << false << false << true << QStringList{"Nothing of it is kept", "is dropped: B, C"};
    }

    void theQuestionSaysWhatBecomesOfEachRun() {
        QFETCH(bool, study);
        QFETCH(bool, keeps);
        QFETCH(bool, iterate);
        QFETCH(QStringList, said);
        Preferences preferences(keeps ? folder_.filePath("asked/tofscope.ini") : QString());
        Workspace workspace(engines_, Threading::Threaded);
        MainWindow window(workspace, preferences, MainWindow::Options{viz::RendererChoice::Cpu, true});
        window.show();
        open(workspace, study ? newStudy() : dataFile_);
        start(workspace, 100000);
        if (iterate) {
            QVERIFY(until([&] { return byLabel(workspace, "A")->lastIterate() >= 1; }));
        }
        workspace.togglePause();
        QVERIFY(until([&] { return byLabel(workspace, "A")->state() == RunState::Paused; }));
        start(workspace, 1);
        start(workspace, 1);
        QString text;
        QTimer::singleShot(50, &window, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            text = box->text();
            box->button(QMessageBox::No)->click();
        });

        window.close();

        for (const QString& part : said) {
            QVERIFY2(text.contains(part), qPrintable(text));
        }
        QVERIFY(window.isVisible());
        QVERIFY(workspace.activeRun() != nullptr);
    }

    /// The life of a run by its keys alone, and what the window says of it meanwhile.
    void theKeysRunPauseStepAndFinish() {
        Desk desk(engines_);
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        Workspace& workspace = desk.workspace;
        workspace.open({dataFile_});
        QVERIFY(until([&] { return workspace.whyNoRun().isEmpty(); }));
        QVERIFY(stays([&] { return workspace.runs().items().empty(); }));  // nothing starts by itself
        workspace.setSetting("iterations", "100000");
        desk.window.refreshNow();
        const auto press = [&](int key, Qt::KeyboardModifiers modifiers = {}) {
            desk.window.refreshNow();
            QTest::keyClick(&desk.window, static_cast<Qt::Key>(key), modifiers);
        };
        const auto says = [&] { return desk.window.status().sentence(); };

        press(Qt::Key_F5);
        RunItem& run = *byLabel(workspace, "A");
        QVERIFY(until([&] { return run.lastIterate() >= 1; }));
        QVERIFY(says().contains("Reconstructing run A: iteration"));
        press(Qt::Key_F6);
        QVERIFY2(says().startsWith("Pausing run A"), qPrintable(says()));
        QCOMPARE(RunRows::stateText(run), QString("pausing") + QChar(0x2026));
        QVERIFY(until([&] { return run.state() == RunState::Paused; }));
        QVERIFY(says().startsWith("Paused, run A: iteration"));

        const auto blocks = [&] {
            return static_cast<std::size_t>(run.progress().iteration - 1) * run.progress().blocks +
                   run.progress().block;
        };
        std::size_t before = blocks();
        press(Qt::Key_F7);
        QVERIFY(until([&] { return blocks() == before + 1 && run.state() == RunState::Paused; }));
        const int whole = run.lastIterate();
        press(Qt::Key_F7, Qt::ShiftModifier);
        QVERIFY(until([&] { return run.lastIterate() == whole + 1 && run.state() == RunState::Paused; }));
        press(Qt::Key_F6);
        QVERIFY(until([&] { return run.lastIterate() > whole + 2; }));
        press(Qt::Key_F5, Qt::ControlModifier);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(run.state(), RunState::Finished);
        QVERIFY(says().contains("finished early, its last whole iterate is kept"));
        QCOMPARE(run.figures().size(), static_cast<std::size_t>(run.timing().back().iteration));
        QVERIFY(RunRows::stateText(run).endsWith("kept"));
    }

    void cancelAsksOnlyWhenMoreThanAMinuteWouldGo_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("a minute") << 60.0 << false << true;
        QTest::newRow("more, go back") << 61.0 << true << false;
        QTest::newRow("more, cancel") << 61.5 << true << true;
    }

    void cancelAsksOnlyWhenMoreThanAMinuteWouldGo() {
        QFETCH(double, seconds);
        QFETCH(bool, asked);
        QFETCH(bool, cancelled);
        Preferences preferences{QString()};
        Workspace workspace(engines_, Threading::Threaded);
        MainWindow window(workspace, preferences, MainWindow::Options{viz::RendererChoice::Cpu, true});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(workspace, dataFile_);
        start(workspace, 100000);
        workspace.togglePause();
        QVERIFY(until([&] { return workspace.activeRun()->state() == RunState::Paused; }));
        RunNews news;
        news.paused = true;
        news.workSeconds = seconds;  // as if it had gone on for so long
        workspace.activeRun()->report(news);
        window.refreshNow();
        answered(cancelled);

        QTest::keyClick(&window, Qt::Key_F5, Qt::ShiftModifier);

        QVERIFY(asked ? until([&] { return !text_.isEmpty(); }) : stays([&] { return text_.isEmpty(); }));
        QVERIFY(!asked || text_.contains("Give up 1"));
        QVERIFY(until([&] { return workspace.busy() != cancelled; }));
        QCOMPARE(byLabel(workspace, "A")->state(), cancelled ? RunState::Cancelled : RunState::Paused);
    }

    void deleteSaysWhatGoes_data() {
        QTest::addColumn<bool>("yes");
        QTest::newRow("delete") << true;
        QTest::newRow("go back") << false;
    }

    void deleteSaysWhatGoes() {
        QFETCH(bool, yes);
        const QString study = newStudy();
        Preferences preferences{QString()};
        Workspace workspace(engines_, Threading::Threaded);
        MainWindow window(workspace, preferences, MainWindow::Options{viz::RendererChoice::Cpu, true});
        window.show();
        open(workspace, study);
        start(workspace, 1);
        QVERIFY(until([&] { return !workspace.busy(); }));
        window.refreshNow();
        answered(yes);

        QVERIFY(window.commands().trigger("run.remove"));

        QVERIFY2(text_.contains("run A (invariant)") && text_.contains("file in the study"),
                 qPrintable(text_));
        QCOMPARE(QFile::exists(study + "/runs/A.h5"), !yes);
        QCOMPARE(workspace.runs().items().empty(), yes);
    }

    void theTimeOfAContinuedRunIsThatOfAllItsParts() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, newStudy());
        start(workspace, 3);
        QVERIFY(until([&] { return !workspace.busy(); }));
        RunItem& run = *byLabel(workspace, "A");
        const double first = run.seconds();
        QVERIFY(first > 0);

        workspace.continueRun(run.id(), 3);
        QVERIFY(until([&] { return !workspace.busy(); }));

        double iterations = 0;
        for (const StoredIterate& iterate : run.timing()) {
            iterations += iterate.seconds;
        }
        QVERIFY(run.seconds() > first);
        QVERIFY(run.seconds() >= 0.5 * iterations);  // the first block of each part is not in its clock
    }

    void theTooltipNamesTheChangedSettings() {
        Desk desk(engines_);
        desk.open({dataFile_});
        desk.reconstruct(1);
        const RunItem& run = *byLabel(desk.workspace, "A");
        const auto* rows = desk.window.findChild<RunRows*>("runs");
        QVERIFY(!rows->tip(run).contains("next"));

        desk.workspace.setSetting("relaxation", "0.25");
        desk.workspace.setSetting("kernel", "variant2");

        QVERIFY2(rows->tip(run).contains("0.03 here, 0.25 next"), qPrintable(rows->tip(run)));
        QVERIFY2(rows->tip(run).contains("invariant here, variant2 next"), qPrintable(rows->tip(run)));
        QVERIFY(rows->tip(run).contains(run.engine()));
    }

    void memoryIsShownWhileThereIsAny() {
        const QString study = newStudy();
        Desk desk(engines_);
        desk.open({study});
        const auto visible = [&](const char* row) {
            desk.window.refreshNow();
            return desk.window.findChild<ValueRow*>(row)->isVisible();
        };
        start(desk.workspace, 100000);
        QVERIFY(until([&] { return byLabel(desk.workspace, "A")->lastIterate() >= 1; }));
        QVERIFY(visible("run.time") && visible("run.memory") && visible("run.peak"));
        desk.workspace.finishNow();
        QVERIFY(until([&] { return !desk.workspace.busy(); }));
        QVERIFY(visible("run.time") && !visible("run.memory") && visible("run.peak"));

        desk.open({study});  // once more: what the file says
        QVERIFY(visible("run.time") && !visible("run.memory") && !visible("run.peak"));
        QVERIFY(desk.window.findChild<ValueRow*>("run.time")->value() !=
                QString::fromStdString(tof::durationText(0)));
    }

  private:
    /// Answers the question that comes next, if one comes, and notes what it said.
    void answered(bool yes) {
        text_.clear();
        answering_ = std::make_unique<QTimer>();
        connect(answering_.get(), &QTimer::timeout, this, [this, yes] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box != nullptr && text_.isEmpty()) {
                text_ = box->text();
                box->button(yes ? QMessageBox::Yes : QMessageBox::No)->click();
            }
        });
        answering_->start(20);
    }
    static void open(Workspace& workspace, const QString& path) {
        workspace.open({path});
        QVERIFY(until([&] { return !workspace.tasks().busy() && workspace.data() != nullptr; }));
    }
    static void start(Workspace& workspace, int iterations) {
        workspace.setSetting("iterations", std::to_string(iterations));
        workspace.setSetting("kernel", "invariant");
        QVERIFY(workspace.startRun() != 0);
    }
    QString newStudy() {
        const QString path = folder_.filePath(QString("study%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(path.toStdString(), dataFile_.toStdString()));
        return path;
    }
    static void queue(const QString& folder, const std::vector<std::string>& runs) {
        Study study = Study::open(folder.toStdString());
        RunSettings settings;
        settings.set("iterations", "1");
        settings.set("kernel", "invariant");
        for (const std::string& run : runs) {
            study.queue.push_back({run, settings, false});
        }
        study.save();
    }

    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
    std::shared_ptr<const Volume> whole_;
    int studies_ = 0;
    QString text_;  ///< of the last question
    std::unique_ptr<QTimer> answering_;
};

QTEST_MAIN(RunQueueTest)
#include "run_queue_test.moc"
