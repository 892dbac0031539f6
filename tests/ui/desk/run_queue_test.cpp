// SPDX-License-Identifier: Apache-2.0
// What waits, is stopped, killed or fails: nothing that was asked for is lost, and nothing begins unasked.
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QThread>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>
#include <csignal>

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "tests/support/places.h"
#include "tests/ui/failing_engine.h"
#include "tests/ui/fixture.h"
#include "ui/desk/files_aside.h"
#include "ui/desk/run_news.h"
#include "ui/kit/theme.h"
#include "ui/pages/undo_steps.h"

namespace run_queue_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inBuild;
using tof::test::Program;
using tof::test::stays;
using tof::test::until;

namespace {

RunItem* byLabel(Desk& desk, const QString& label) {
    for (const auto& item : desk.runs().items()) {
        if (item->label() == label) {
            return item.get();
        }
    }
    return nullptr;
}

QString waiting(Desk& desk) {
    QString all;
    for (const RunItem* item : desk.queue().waiting()) {
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
        Desk desk(engines_, Threading::Threaded);
        open(desk, dataFile_);
        start(desk, 4);
        QVERIFY(until([&] { return !desk.busy(); }));
        whole_ = desk.runs().items().front()->volume();
    }

    void theQueueOutlivesTheWindowAndBeginsOnlyWhenAsked() {
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            start(desk, 100000);
            QVERIFY(until([&] { return byLabel(desk, "A")->lastIterate() >= 1; }));
            start(desk, 2);
            start(desk, 4);
            desk.runs().rename(byLabel(desk, "B")->id(), "later");
            desk.queue().move(byLabel(desk, "C")->id(), 0);
            QCOMPARE(queueOnDisk(study), std::string("ACB"));  // at once: the program may be killed now
        }
        QCOMPARE(queueOnDisk(study), std::string("CB"));

        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        QCOMPARE(byLabel(desk, "A")->state(), RunState::Interrupted);
        QCOMPARE(waiting(desk), QString("CB"));
        QCOMPARE(byLabel(desk, "B")->name(), QString("later"));
        QCOMPARE(byLabel(desk, "B")->settings().iterations, 2);
        QVERIFY(stays([&] { return !desk.busy(); }));
        QVERIFY(desk.messages().all().back().text.contains("C, B"));

        desk.queue().release();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(byLabel(desk, "B")->lastIterate(), 2);
        QVERIFY(byLabel(desk, "C")->volume()->data == whole_->data);
        QCOMPARE(queueOnDisk(study), std::string());
        QVERIFY(!desk.queue().whyNotRelease().isEmpty());
    }

    void aRunWithoutAnIterateWaitsAgain() {
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            start(desk, 4);
            desk.queue().driver().togglePause();
            QVERIFY(until([&] { return byLabel(desk, "A")->state() == RunState::Paused; }));
            start(desk, 2);
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);

        QCOMPARE(waiting(desk), QString("AB"));
        desk.queue().release();
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(byLabel(desk, "A")->volume()->data == whole_->data);
        QCOMPARE(byLabel(desk, "A")->figures().size(), std::size_t{4});
    }

    void aContinuationThatWaitsComesBackToo() {
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            start(desk, 2);
            QVERIFY(until([&] { return !desk.busy(); }));
            start(desk, 100000);
            desk.queue().continueRun(byLabel(desk, "A")->id(), 2);
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);

        QVERIFY(waiting(desk).contains("A"));
        QCOMPARE(byLabel(desk, "A")->iterates(), (std::vector<int>{1, 2}));
        if (byLabel(desk, "B")->state() == RunState::Queued) {
            desk.queue().remove(byLabel(desk, "B")->id());
        }
        desk.queue().release();
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(byLabel(desk, "A")->volume()->data == whole_->data);
    }

    void aNewRunDoesNotWakeWhatIsHeld() {
        const QString study = newStudy();
        queue(study, {"A", "B"});
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);

        start(desk, 1);
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(byLabel(desk, "C")->state(), RunState::Done);
        QCOMPARE(waiting(desk), QString("AB"));
        desk.queue().clear();
        QCOMPARE(queueOnDisk(study), std::string());
        QCOMPARE(desk.runs().items().size(), std::size_t{1});
    }

    void cancelHoldsWhatWaits() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, newStudy());
        start(desk, 100000);
        start(desk, 1);
        QVERIFY(until([&] { return byLabel(desk, "A")->lastIterate() >= 1; }));

        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(byLabel(desk, "A")->state(), RunState::Cancelled);
        QCOMPARE(waiting(desk), QString("B"));
        desk.queue().release();
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(byLabel(desk, "B")->state(), RunState::Done);
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
        Program program(engines_);
        QVERIFY(QTest::qWaitForWindowActive(&program.window));
        program.desk.open({study});
        QVERIFY(until([&] { return program.desk.queue().whyNotRelease().isEmpty(); }));
        program.window.refreshNow();
        QToolButton* button = nullptr;
        for (auto* each : program.window.studyPanel().findChildren<QToolButton*>()) {
            button =
                each->defaultAction() == program.window.commands().action("run.start-queue") ? each : button;
        }
        QVERIFY(button != nullptr && button->isVisible() && button->isEnabled());
        QVERIFY(RunRows::stateText(*byLabel(program.desk, "A")).contains("not started"));

        if (key) {
            QTest::keyClick(&program.window, Qt::Key_F8, Qt::ShiftModifier);
        } else {
            QTest::mouseClick(button, Qt::LeftButton);
        }
        QVERIFY(until([&] { return byLabel(program.desk, "A")->state() == RunState::Done; }));
        program.window.refreshNow();
        QVERIFY(!button->isVisible());
    }

    void whatWaitsForOtherDataIsRecovered() {
        const QString preferences = folder_.filePath("recovered/tofscope.ini");
        {
            Program program(engines_, {.preferencesFile = preferences});
            program.desk.open({dataFile_});
            QVERIFY(until([&] { return program.desk.queue().whyNoRun().isEmpty(); }));
            start(program.desk, 100000);
            QVERIFY(until([&] { return byLabel(program.desk, "A")->lastIterate() >= 1; }));
            start(program.desk, 2);
            start(program.desk, 3);
            program.desk.queue().move(byLabel(program.desk, "C")->id(), 0);
            program.window.close();
        }
        Program program(engines_, {.preferencesFile = preferences});
        QVERIFY(program.window.commands().trigger("file.recover"));
        QVERIFY(until([&] { return program.desk.runs().items().size() == 3; }));

        QCOMPARE(byLabel(program.desk, "A")->state(), RunState::Interrupted);
        QCOMPARE(waiting(program.desk), QString("CB"));
        QVERIFY(!program.desk.queue().active());
        program.desk.queue().release();
        QVERIFY(until([&] { return !program.desk.busy(); }));
        QCOMPARE(byLabel(program.desk, "C")->lastIterate(), 3);
    }

    /// No signal that a program can handle: what is on disk at that moment is all there is.
    void aKilledDesktopLosesNeitherItsRunNorItsQueue() {
        const QString program = inBuild("bin/tofscope");
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

        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        QVERIFY(desk.study().writes());  // its lock went with it
        RunItem& run = *byLabel(desk, "A");
        QCOMPARE(run.state(), RunState::Interrupted);
        const int reached = run.lastIterate();
        QVERIFY(reached >= 1);
        QVERIFY(run.volume() != nullptr);
        QCOMPARE(run.figures().size(), static_cast<std::size_t>(reached));
        QCOMPARE(run.timing().size(), static_cast<std::size_t>(reached));
        QCOMPARE(waiting(desk), QString("B"));
        QVERIFY(!desk.busy());

        desk.queue().continueRun(run.id(), 2);
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(run.state(), RunState::Done);
        QCOMPARE(run.lastIterate(), reached + 2);
        desk.queue().release();
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(byLabel(desk, "B")->volume()->data == whole_->data);
        start(desk, reached + 2);
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(byLabel(desk, "C")->volume()->data == run.volume()->data);
    }

    void aContinuationThatTheProgramEndedGoesOnFromThere() {
        const QString study = newStudy();
        int reached = 0;
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            start(desk, 1);
            QVERIFY(until([&] { return !desk.busy(); }));
            RunItem& item = *byLabel(desk, "A");
            desk.queue().continueRun(item.id(), 3);
            desk.queue().driver().togglePause();
            QVERIFY(until([&] { return item.state() == RunState::Paused; }));
            desk.queue().driver().stepIteration();
            QVERIFY(until([&] { return item.lastIterate() == 2 && item.state() == RunState::Paused; }));
            reached = item.lastIterate();
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        RunItem& item = *byLabel(desk, "A");
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.lastIterate(), reached);
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2}));

        desk.queue().continueRun(item.id(), 0);
        QVERIFY(until([&] { return !desk.busy(); }));

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
            Desk desk(failing, Threading::Threaded);
            open(desk, study);
            fuse->left = 2 * 8 + 3;  // eight views: in the midst of the third iteration
            start(desk, continued ? 1 : 4);
            if (continued) {
                QVERIFY(until([&] { return !desk.busy(); }));
                desk.queue().continueRun(byLabel(desk, "A")->id(), 3);
            }
            QVERIFY(until([&] { return !desk.busy(); }));
            const RunItem& item = *byLabel(desk, "A");
            QCOMPARE(item.state(), RunState::Failed);
            QVERIFY(item.error().contains("the device has gone"));
            QCOMPARE(item.lastIterate(), 2);
            QVERIFY(item.volume() != nullptr);
            QCOMPARE(RunRows::stateText(item), QString("failed, 2 of 4"));
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        RunItem& item = *byLabel(desk, "A");
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.lastIterate(), 2);

        desk.queue().continueRun(item.id(), 0);
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(item.volume()->data == whole_->data);
    }

    void aFailedRunThatIsDeletedStaysAway() {
        const QString study = newStudy();
        auto fuse = std::make_shared<test::Fuse>();
        const EngineRegistry failing = test::failingEngines(engines_, fuse);
        Desk desk(failing, Threading::Threaded);
        open(desk, study);
        fuse->left = 2 * 8 + 3;
        start(desk, 4);
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(QFile::exists(study + "/runs/A.ckpt"));

        desk.queue().remove(byLabel(desk, "A")->id());

        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
    }

    /// A run that another program ended between both would be in no list here, and its letter free.
    void aStudyIsLockedBeforeItIsRead() {
        const QString study = newStudy();
        Desk desk(engines_, Threading::Threaded);
        desk.open({study});
        const auto held = [&] {
            try {
                const StudyLock other(study.toStdString(), StudyLock::Use::AddsRuns);
                return false;
            } catch (const CannotWrite&) {
                return true;
            }
        };

        // No event is handled meanwhile: what is read is not adopted yet.
        QElapsedTimer since;
        since.start();
        while (!held() && since.elapsed() < 10000) {
            QThread::msleep(1);
        }
        QVERIFY(held());
        QVERIFY(desk.study().isEmpty());
        QVERIFY(until([&] { return desk.study().writes(); }));
    }

    void aStudyThatIsOpenElsewhereIsNotWritten() {
        const QString study = newStudy();
        Desk first(engines_, Threading::Threaded);
        open(first, study);
        {
            Desk second(engines_, Threading::Threaded);
            open(second, study);
            QVERIFY(!second.study().writes());
            QVERIFY(second.messages().all().front().text.contains("is open in"));
            start(second, 1);
            QVERIFY(until([&] { return !second.busy(); }));
            QVERIFY(!byLabel(second, "A")->file().startsWith(study));
        }
        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
        start(first, 1);
        QVERIFY(until([&] { return !first.busy(); }));
        QVERIFY(QFile::exists(study + "/runs/A.h5"));
        first.close();

        Desk third(engines_, Threading::Threaded);
        open(third, study);
        QVERIFY(third.study().writes());
    }

    void openingTheOpenStudyAgainKeepsWhatIsInIt() {
        const QString study = newStudy();
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        start(desk, 100000);
        QVERIFY(until([&] { return byLabel(desk, "A")->lastIterate() >= 1; }));
        desk.view().setCursor({22, 2, 6});

        desk.open({study});
        QVERIFY(until([&] { return !desk.busy() && desk.study().histo() != nullptr; }));

        QVERIFY(desk.study().writes());
        QCOMPARE(byLabel(desk, "A")->state(), RunState::Interrupted);
        QCOMPARE(desk.view().cursor().x, 22.0);
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
        Desk desk(engines_, Threading::Threaded);
        MainWindow window(desk, preferences, MainWindow::Options{});
        window.show();
        open(desk, study ? newStudy() : dataFile_);
        start(desk, 100000);
        if (iterate) {
            QVERIFY(until([&] { return byLabel(desk, "A")->lastIterate() >= 1; }));
        }
        desk.queue().driver().togglePause();
        QVERIFY(until([&] { return byLabel(desk, "A")->state() == RunState::Paused; }));
        start(desk, 1);
        start(desk, 1);
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
        QVERIFY(desk.queue().active() != nullptr);
    }

    void endingWithARunInNoStudyIsAsked() {
        Preferences preferences(folder_.filePath("ended/tofscope.ini"));
        Desk desk(engines_, Threading::Threaded);
        MainWindow window(desk, preferences, MainWindow::Options{});
        window.show();
        open(desk, dataFile_);
        start(desk, 1);
        QVERIFY(until([&] { return !desk.busy() && byLabel(desk, "A")->state() == RunState::Done; }));
        QString text;
        const auto answer = [&](QMessageBox::StandardButton which) {
            QTimer::singleShot(50, &window, [&text, which] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box != nullptr);
                text = box->text();
                box->button(which)->click();
            });
        };

        answer(QMessageBox::No);
        window.close();
        QVERIFY(window.isVisible());
        QVERIFY2(text.contains("In no study: A") && text.contains("Recover runs"), qPrintable(text));
        answer(QMessageBox::Yes);
        window.close();
        QVERIFY(!window.isVisible());
    }

    /// The life of a run by its keys alone, and what the window says of it meanwhile.
    void theKeysRunPauseStepAndFinish() {
        Program program(engines_);
        QVERIFY(QTest::qWaitForWindowActive(&program.window));
        Desk& desk = program.desk;
        desk.open({dataFile_});
        QVERIFY(until([&] { return desk.queue().whyNoRun().isEmpty(); }));
        QVERIFY(stays([&] { return desk.runs().items().empty(); }));  // nothing starts by itself
        desk.settings().set("iterations", "100000");
        program.window.refreshNow();
        const auto press = [&](int key, Qt::KeyboardModifiers modifiers = {}) {
            program.window.refreshNow();
            QTest::keyClick(&program.window, static_cast<Qt::Key>(key), modifiers);
        };
        const auto says = [&] { return program.window.status().sentence(); };

        press(Qt::Key_F5);
        RunItem& run = *byLabel(desk, "A");
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
        QVERIFY(until([&] { return !desk.busy(); }));

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
        Desk desk(engines_, Threading::Threaded);
        MainWindow window(desk, preferences, MainWindow::Options{});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(desk, dataFile_);
        start(desk, 100000);
        desk.queue().driver().togglePause();
        QVERIFY(until([&] { return desk.queue().active()->state() == RunState::Paused; }));
        RunNews news;
        news.paused = true;
        news.workSeconds = seconds;  // as if it had gone on for so long
        desk.queue().active()->report(news);
        window.refreshNow();
        answered(cancelled);

        QTest::keyClick(&window, Qt::Key_F5, Qt::ShiftModifier);

        QVERIFY(asked ? until([&] { return !text_.isEmpty(); }) : stays([&] { return text_.isEmpty(); }));
        QVERIFY(!asked || text_.contains("Give up 1"));
        QVERIFY(until([&] { return desk.busy() != cancelled; }));
        QCOMPARE(byLabel(desk, "A")->state(), cancelled ? RunState::Cancelled : RunState::Paused);
    }

    void aDeletedRunComesBackByUndo() {
        const QString study = newStudy();
        Program program(engines_);
        Desk& desk = program.desk;
        MainWindow& window = program.window;
        QVERIFY(QTest::qWaitForWindowActive(&window));
        program.open({study});
        for (int i = 0; i < 2; ++i) {
            start(desk, i + 1);
            QVERIFY(until([&] { return !desk.busy(); }));
        }
        window.refreshNow();
        const auto bytes = [&] {
            QFile file(study + "/runs/A.h5");
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto listed = [&] {
            return Study::open(study.toStdString()).allRuns();
        };  // as the command line does
        const QByteArray before = bytes();
        const int id = byLabel(desk, "A")->id();
        QVERIFY(!before.isEmpty());

        auto* rows = window.findChild<RunRows*>("runs");
        QTest::mouseClick(rows, Qt::LeftButton, {}, QPoint(60, 20));
        QTest::keyClick(&window, Qt::Key_Delete);

        QVERIFY(byLabel(desk, "A") == nullptr);
        QVERIFY(!QFile::exists(study + "/runs/A.h5"));
        QCOMPARE(listed(), std::vector<std::string>{"B"});
        QVERIFY2(window.notice().sentence().contains("Undo"), qPrintable(window.notice().sentence()));
        // Killed now, it would be gone for the command line and for whoever opens the study, and whole on
        // disk.
        QCOMPARE(QFileInfo(study + "/deleted/A.h5").size(), before.size());

        QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);

        QVERIFY(byLabel(desk, "A") != nullptr);
        QCOMPARE(byLabel(desk, "A")->id(), id);
        QCOMPARE(desk.runs().indexOf(id), 0);
        QCOMPARE(desk.runs().selectedId(), id);
        QCOMPARE(bytes(), before);
        QCOMPARE(listed(), (std::vector<std::string>{"A", "B"}));
        QVERIFY(!QFileInfo::exists(study + "/deleted"));

        QTest::keyClick(&window, Qt::Key_Y, Qt::ControlModifier);
        QVERIFY(byLabel(desk, "A") == nullptr);
        QVERIFY(window.commands().trigger("file.close"));
        QVERIFY(until([&] { return desk.isEmpty(); }));
        QVERIFY(!QFileInfo::exists(study + "/deleted") && !QFile::exists(study + "/runs/A.h5"));
        QCOMPARE(listed(), std::vector<std::string>{"B"});
    }

    void anInterruptedRunComesBackWithItsCheckpoint() {
        const QString study = newStudy();
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        start(desk, 100000);
        QVERIFY(until([&] { return byLabel(desk, "A")->lastIterate() >= 1; }));
        desk.close();
        open(desk, study);
        QCOMPARE(byLabel(desk, "A")->state(), RunState::Interrupted);
        const QString checkpoint = study + "/runs/A.ckpt";
        QVERIFY(QFile::exists(checkpoint));

        deleteRun(desk.queue(), desk.rois().undo(), desk.messages(), byLabel(desk, "A")->id());
        QVERIFY(!QFile::exists(checkpoint));
        QVERIFY(Study::open(study.toStdString()).allRuns().empty());
        desk.rois().undo().undo();

        QVERIFY(QFile::exists(checkpoint));
        QCOMPARE(Study::open(study.toStdString()).interruptedRuns(), std::vector<std::string>{"A"});
        QVERIFY(desk.queue().whyNotContinue(*byLabel(desk, "A")).isEmpty());
    }

    /// The real program, killed while `Ctrl+Z` would have brought the run back.
    void aProgramKilledAfterDeletingLosesNothing() {
        const QString program = inBuild("bin/tofscope");
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            for (int i = 0; i < 2; ++i) {
                start(desk, i + 1);
                QVERIFY(until([&] { return !desk.busy(); }));
            }
        }
        const auto bytes = [&](const char* name) {
            QFile file(study + "/runs/" + name);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray a = bytes("A.h5");
        const QByteArray b = bytes("B.h5");
        QVERIFY(!a.isEmpty() && !b.isEmpty());

        QProcess process;
        process.start(program,
                      {study, "--fresh", "--save", "--wait", "--select", "A", "--command", "run.remove"});
        QVERIFY(until([&] { return QFile::exists(study + "/deleted/A.h5"); }));
        QVERIFY(!QFile::exists(study + "/runs/A.h5"));
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(10000));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);

        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        QVERIFY(until([&] { return !desk.busy() && byLabel(desk, "A") != nullptr; }));
        QVERIFY(until([&] { return byLabel(desk, "A")->volume() != nullptr; }));  // read when it is looked at
        QVERIFY(byLabel(desk, "B") != nullptr);
        QVERIFY(!byLabel(desk, "A")->figures().empty());
        QCOMPARE(bytes("A.h5"), a);
        QCOMPARE(bytes("B.h5"), b);
        QVERIFY(!QFileInfo::exists(study + "/deleted"));
        const auto& said = desk.messages().all();
        QVERIFY(std::any_of(said.begin(), said.end(),
                            [](const Message& m) { return m.text.contains("back in the list: A"); }));
    }

    void aRunThatComesBackTakesNobodysLetter() {
        const QString study = newStudy();
        QDir().mkpath(study + "/deleted");
        QDir().mkpath(study + "/runs");
        const auto write = [&](const QString& name, const char* text) {
            QFile file(study + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("/deleted/A.h5", "deleted");
        write("/deleted/A.ckpt", "its checkpoint");
        write("/runs/A.h5", "another one");

        QCOMPARE(bringFilesBack(Study::open(study.toStdString())), QStringList{"B"});

        QCOMPARE(QFileInfo(study + "/runs/A.h5").size(), qint64(11));
        QCOMPARE(QFileInfo(study + "/runs/B.h5").size(), qint64(7));
        QCOMPARE(QFileInfo(study + "/runs/B.ckpt").size(), qint64(14));
        QVERIFY(!QFileInfo::exists(study + "/deleted"));
        QVERIFY(bringFilesBack(Study::open(study.toStdString())).isEmpty());
    }

    void aRunInMemoryAndOneThatWaitsComeBack() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, dataFile_);
        start(desk, 1);
        QVERIFY(until([&] { return !desk.busy(); }));
        const auto image = byLabel(desk, "A")->volume();
        deleteRun(desk.queue(), desk.rois().undo(), desk.messages(), byLabel(desk, "A")->id());
        QVERIFY(desk.runs().items().empty());
        desk.rois().undo().undo();
        QCOMPARE(byLabel(desk, "A")->volume(), image);

        start(desk, 100000);
        start(desk, 1);
        QCOMPARE(waiting(desk), QString("C"));
        deleteRun(desk.queue(), desk.rois().undo(), desk.messages(), byLabel(desk, "C")->id());
        QCOMPARE(waiting(desk), QString());
        desk.rois().undo().undo();
        QCOMPARE(waiting(desk), QString("C"));
        QVERIFY(byLabel(desk, "C")->held());
        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));
    }

    void theTimeOfAContinuedRunIsThatOfAllItsParts() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, newStudy());
        start(desk, 3);
        QVERIFY(until([&] { return !desk.busy(); }));
        RunItem& run = *byLabel(desk, "A");
        const double first = run.seconds();
        QVERIFY(first > 0);

        desk.queue().continueRun(run.id(), 3);
        QVERIFY(until([&] { return !desk.busy(); }));

        double iterations = 0;
        for (const StoredIterate& iterate : run.timing()) {
            iterations += iterate.seconds;
        }
        QVERIFY(run.seconds() > first);
        QVERIFY(run.seconds() >= 0.5 * iterations);  // the first block of each part is not in its clock
    }

    void theTooltipNamesTheChangedSettings() {
        Program program(engines_);
        program.open({dataFile_});
        program.reconstruct(1);
        const RunItem& run = *byLabel(program.desk, "A");
        const auto* rows = program.window.findChild<RunRows*>("runs");
        QVERIFY(!rows->tip(run).contains("next"));

        program.desk.settings().set("relaxation", "0.25");
        program.desk.settings().set("kernel", "variant2");

        QVERIFY2(rows->tip(run).contains("0.03 here, 0.25 next"), qPrintable(rows->tip(run)));
        QVERIFY2(rows->tip(run).contains("invariant here, variant2 next"), qPrintable(rows->tip(run)));
        QVERIFY(rows->tip(run).contains(run.engine()));
    }

    void memoryIsShownWhileThereIsAny() {
        const QString study = newStudy();
        Program program(engines_);
        program.open({study});
        const auto visible = [&](const char* row) {
            program.window.refreshNow();
            return program.window.findChild<ValueRow*>(row)->isVisible();
        };
        start(program.desk, 100000);
        QVERIFY(until([&] { return byLabel(program.desk, "A")->lastIterate() >= 1; }));
        QVERIFY(visible("run.time") && visible("run.memory") && visible("run.peak"));
        program.desk.queue().driver().finish();
        QVERIFY(until([&] { return !program.desk.busy(); }));
        QVERIFY(visible("run.time") && !visible("run.memory") && visible("run.peak"));

        program.open({study});  // once more: what the file says
        QVERIFY(visible("run.time") && !visible("run.memory") && !visible("run.peak"));
        QVERIFY(program.window.findChild<ValueRow*>("run.time")->value() !=
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
    static void open(Desk& desk, const QString& path) {
        desk.open({path});
        QVERIFY(until([&] { return !desk.tasks().busy() && desk.study().histo() != nullptr; }));
    }
    static void start(Desk& desk, int iterations) {
        desk.settings().set("iterations", std::to_string(iterations));
        desk.settings().set("kernel", "invariant");
        QVERIFY(desk.queue().start() != 0);
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
    QString text_;  ///< the last question
    std::unique_ptr<QTimer> answering_;
};

QTEST_MAIN(RunQueueTest)

}  // namespace run_queue_test
#include "run_queue_test.moc"
