// SPDX-License-Identifier: Apache-2.0
// Runs that are continued, resumed after an end of the program, duplicated, renamed and deleted.
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "recon/core/error.h"
#include "recon/io/data_io.h"
#include "recon/io/run_io.h"
#include "tests/ui/fixture.h"
#include "ui/main_window.h"
#include "ui/theme.h"

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class RunManagementTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = folder_.filePath("small.h5");
        writeData(dataFile_.toStdString(), test::smallData());
        static_cast<void>(
            Study::create(folder_.filePath("reference.tofstudy").toStdString(), dataFile_.toStdString()));
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, dataFile_);
        run(workspace, 4);
        whole_ = workspace.runs().items().front()->volume();
        QVERIFY(whole_ != nullptr);
    }

    void aContinuedRunEqualsOneThatWasNeverStopped_data() {
        QTest::addColumn<bool>("study");
        QTest::newRow("in memory") << false;
        QTest::newRow("in a study") << true;
    }

    void aContinuedRunEqualsOneThatWasNeverStopped() {
        QFETCH(bool, study);
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study ? newStudy() : dataFile_);
        run(workspace, 2);
        RunItem& item = *workspace.runs().items().front();
        QVERIFY(item.volume()->data != whole_->data);

        workspace.continueRun(item.id, 2);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(item.state, RunState::Done);
        QVERIFY(item.volume()->data == whole_->data);
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(item.figures.size(), std::size_t{4});
        QCOMPARE(item.timing.size(), std::size_t{4});
        QCOMPARE(item.settings.integer("iterations"), 4);
        if (study) {
            const RunSummary summary = readRunSummary(item.file.toStdString());
            QCOMPARE(summary.savedImages, (std::vector<int>{1, 2, 3, 4}));
            QCOMPARE(QFileInfo(item.file).dir().entryList(QDir::Files), QStringList{"A.h5"});
        }
    }

    void aRunOpenedFromItsStudyIsContinued() {
        const QString study = newStudy();
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            run(workspace, 3);
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        RunItem& item = *workspace.runs().items().front();
        QCOMPARE(item.state, RunState::Opened);

        workspace.continueRun(item.id, 1);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QVERIFY(item.volume()->data == whole_->data);
    }

    void aCancelledContinuationLeavesTheRunAsItWas() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, newStudy());
        run(workspace, 2);
        RunItem& item = *workspace.runs().items().front();
        const auto before = item.volume();

        workspace.continueRun(item.id, 500);
        QVERIFY(until([&] { return item.lastIterate() >= 4; }));
        workspace.cancelRun();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(item.state, RunState::Finished);
        QVERIFY(item.volume()->data == before->data);
        QCOMPARE(item.figures.size(), std::size_t{2});
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2}));
        QCOMPARE(readRunSummary(item.file.toStdString()).savedImages, (std::vector<int>{1, 2}));
        QCOMPARE(QFileInfo(item.file).dir().entryList(QDir::Files), QStringList{"A.h5"});
    }

    void aRunThatTheProgramEndedIsOfferedAndResumedToTheSameBits() {
        const QString study = newStudy();
        int reached = 0;
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            workspace.setSetting("iterations", "4");
            workspace.setSetting("kernel", "invariant");
            QVERIFY(workspace.startRun() != 0);
            RunItem& item = *workspace.runs().items().front();
            workspace.togglePause();
            QVERIFY(until([&] { return item.state == RunState::Paused; }));
            for (int i = 0; i < 2; ++i) {
                workspace.stepIteration();
                QVERIFY(until([&] { return item.lastIterate() == i + 1; }));
            }
            reached = item.lastIterate();
            QCOMPARE(reached, 2);
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        QCOMPARE(workspace.runs().items().size(), std::size_t{1});
        RunItem& item = *workspace.runs().items().front();
        QCOMPARE(item.state, RunState::Interrupted);
        QCOMPARE(item.lastIterate(), reached);
        QVERIFY(workspace.messages().all().back().text.contains("interrupted"));

        workspace.continueRun(item.id, 0);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(item.state, RunState::Done);
        QVERIFY(item.volume()->data == whole_->data);
        QCOMPARE(readRunSummary(item.file.toStdString()).savedImages, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(QFileInfo(item.file).dir().entryList(QDir::Files), QStringList{"A.h5"});
    }

    void anInterruptedRunThatIsCancelledStaysInterrupted() {
        const QString study = newStudy();
        {
            Workspace workspace(engines_, Threading::Threaded);
            open(workspace, study);
            workspace.setSetting("iterations", "500");
            QVERIFY(workspace.startRun() != 0);
            QVERIFY(until([&] { return workspace.runs().items().front()->lastIterate() >= 1; }));
        }
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        RunItem& item = *workspace.runs().items().front();
        const int reached = item.lastIterate();
        workspace.continueRun(item.id, 0);
        QVERIFY(until([&] { return item.lastIterate() > reached; }));
        workspace.cancelRun();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(item.state, RunState::Interrupted);
        QVERIFY(QFileInfo::exists(study + "/runs/A.ckpt"));
        workspace.removeRun(item.id);
        QVERIFY(!QFileInfo::exists(study + "/runs/A.ckpt"));
    }

    void cancelOfANewRunKeepsNothingOnDisk() {
        const QString study = newStudy();
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, study);
        workspace.setSetting("iterations", "500");
        QVERIFY(workspace.startRun() != 0);
        QVERIFY(until([&] { return workspace.runs().items().front()->lastIterate() >= 1; }));

        workspace.cancelRun();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
    }

    void whatCannotBeContinuedSaysWhy() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace, dataFile_);
        run(workspace, 1);
        RunItem& item = *workspace.runs().items().front();

        QVERIFY(workspace.whyNotContinue(item).isEmpty());
        QVERIFY_EXCEPTION_THROWN(workspace.continueRun(item.id, 0), WrongUse);
        QVERIFY_EXCEPTION_THROWN(workspace.continueRun(99, 1), WrongUse);
        RunItem volume;
        volume.isVolume = true;
        QVERIFY(workspace.whyNotContinue(volume).contains("volume"));
    }

    void theKeysContinueRenameAndDuplicate() {
        test::Desk desk(engines_);
        QVERIFY(QTest::qWaitForWindowExposed(&desk.window));
        desk.open({dataFile_});
        desk.reconstruct(1);
        Workspace& workspace = desk.workspace;
        MainWindow& window = desk.window;
        RunItem& item = *workspace.runs().items().front();

        answer([](QWidget* dialog) { dialog->findChild<QLineEdit*>()->setText("my kernel"); });
        QTest::keyClick(&window, Qt::Key_F2);
        QCOMPARE(item.name, QString("my kernel"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));

        answer([](QWidget* dialog) { qobject_cast<QInputDialog*>(dialog)->setIntValue(3); });
        QTest::keyClick(&window, Qt::Key_F8);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2, 3, 4}));
        QVERIFY(item.volume()->data == whole_->data);
        window.refreshNow();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));

        answer([](QWidget* dialog) {
            dialog->findChild<QLineEdit*>("settings.dialog.iterations")->setText("2");
        });
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QCOMPARE(workspace.runs().items().size(), std::size_t{2});
        QCOMPARE(workspace.runs().items().back()->lastIterate(), 2);
        QCOMPARE(item.settings.integer("iterations"), 4);
        QCOMPARE(workspace.settings().integer("iterations"), 1);
    }

  private:
    static void open(Workspace& workspace, const QString& path) {
        workspace.open({path});
        QVERIFY(until([&] { return !workspace.tasks().busy() && workspace.data() != nullptr; }));
    }
    static void run(Workspace& workspace, int iterations) {
        workspace.setSetting("iterations", std::to_string(iterations));
        workspace.setSetting("kernel", "invariant");
        QVERIFY(workspace.startRun() != 0);
        QVERIFY(until([&] { return !workspace.busy(); }));
    }
    /// Does something with the dialog that comes next and accepts it.
    static void answer(std::function<void(QWidget*)> what) {
        QTimer::singleShot(100, [what] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            what(dialog);
            QTest::keyClick(dialog->focusWidget() != nullptr ? dialog->focusWidget() : dialog,
                            Qt::Key_Return);
        });
    }
    QString newStudy() {
        const QString path = folder_.filePath(QString("study%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(path.toStdString(), dataFile_.toStdString()));
        return path;
    }

    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
    std::shared_ptr<const Volume> whole_;
    int studies_ = 0;
};

QTEST_MAIN(RunManagementTest)
#include "run_management_test.moc"
