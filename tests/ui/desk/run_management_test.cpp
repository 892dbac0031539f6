// SPDX-License-Identifier: Apache-2.0
// Runs that are continued, resumed after an end of the program, duplicated, renamed and deleted.
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "recon/base/error.h"
#include "recon/io/hdf5/run_io.h"
#include "tests/ui/fixture.h"
#include "ui/kit/theme.h"
#include "ui/window/main_window.h"

namespace run_management_test {

using namespace tof;
using namespace tof::ui;
using tof::test::stays;
using tof::test::until;

class RunManagementTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
        static_cast<void>(
            Study::create(folder_.filePath("reference.tofstudy").toStdString(), dataFile_.toStdString()));
        Desk desk(engines_, Threading::Threaded);
        open(desk, dataFile_);
        run(desk, 4);
        whole_ = desk.runs().items().front()->volume();
        QVERIFY(whole_ != nullptr);
    }

    void aContinuedRunEqualsOneThatWasNeverStopped_data() {
        QTest::addColumn<bool>("study");
        QTest::newRow("in memory") << false;
        QTest::newRow("in a study") << true;
    }

    void aContinuedRunEqualsOneThatWasNeverStopped() {
        QFETCH(bool, study);
        Desk desk(engines_, Threading::Threaded);
        open(desk, study ? newStudy() : dataFile_);
        run(desk, 2);
        RunItem& item = *desk.runs().items().front();
        QVERIFY(item.volume()->data != whole_->data);

        desk.queue().continueRun(item.id(), 2);
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(item.state(), RunState::Done);
        QVERIFY(item.volume()->data == whole_->data);
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(item.figures().size(), std::size_t{4});
        QCOMPARE(item.timing().size(), std::size_t{4});
        QCOMPARE(item.settings().iterations, 4);
        if (study) {
            const RunSummary summary = readRunSummary(item.file().toStdString());
            QCOMPARE(summary.savedImages, (std::vector<int>{1, 2, 3, 4}));
            QCOMPARE(QFileInfo(item.file()).dir().entryList(QDir::Files), QStringList{"A.h5"});
        }
    }

    void aRunOpenedFromItsStudyIsContinued() {
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            run(desk, 3);
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        RunItem& item = *desk.runs().items().front();
        QCOMPARE(item.state(), RunState::Opened);

        desk.queue().continueRun(item.id(), 1);
        QVERIFY(until([&] { return !desk.busy(); }));

        QVERIFY(item.volume()->data == whole_->data);
    }

    void aCancelledContinuationLeavesTheRunAsItWas() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, newStudy());
        run(desk, 2);
        RunItem& item = *desk.runs().items().front();
        const auto before = item.volume();

        desk.queue().continueRun(item.id(), 500);
        QVERIFY(until([&] { return item.lastIterate() >= 4; }));
        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(item.state(), RunState::Finished);
        QVERIFY(item.volume()->data == before->data);
        QCOMPARE(item.figures().size(), std::size_t{2});
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2}));
        QCOMPARE(readRunSummary(item.file().toStdString()).savedImages, (std::vector<int>{1, 2}));
        QCOMPARE(QFileInfo(item.file()).dir().entryList(QDir::Files), QStringList{"A.h5"});
    }

    void aRunThatTheProgramEndedIsOfferedAndResumedToTheSameBits() {
        const QString study = newStudy();
        int reached = 0;
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            desk.settings().set("iterations", "4");
            desk.settings().set("kernel", "invariant");
            QVERIFY(desk.queue().start() != 0);
            RunItem& item = *desk.runs().items().front();
            desk.queue().driver().togglePause();
            QVERIFY(until([&] { return item.state() == RunState::Paused; }));
            for (int i = 0; i < 2; ++i) {
                desk.queue().driver().stepIteration();
                QVERIFY(until([&] { return item.lastIterate() == i + 1; }));
            }
            reached = item.lastIterate();
            QCOMPARE(reached, 2);
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        QCOMPARE(desk.runs().items().size(), std::size_t{1});
        RunItem& item = *desk.runs().items().front();
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.lastIterate(), reached);
        QVERIFY(desk.messages().all().back().text.contains("interrupted"));

        desk.queue().continueRun(item.id(), 0);
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(item.state(), RunState::Done);
        QVERIFY(item.volume()->data == whole_->data);
        QCOMPARE(readRunSummary(item.file().toStdString()).savedImages, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(QFileInfo(item.file()).dir().entryList(QDir::Files), QStringList{"A.h5"});
    }

    void anInterruptedRunThatIsCancelledStaysInterrupted() {
        const QString study = newStudy();
        {
            Desk desk(engines_, Threading::Threaded);
            open(desk, study);
            desk.settings().set("iterations", "500");
            QVERIFY(desk.queue().start() != 0);
            QVERIFY(until([&] { return desk.runs().items().front()->lastIterate() >= 1; }));
        }
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        RunItem& item = *desk.runs().items().front();
        const int reached = item.lastIterate();
        desk.queue().continueRun(item.id(), 0);
        QVERIFY(until([&] { return item.lastIterate() > reached; }));
        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(item.state(), RunState::Interrupted);
        QVERIFY(QFileInfo::exists(study + "/runs/A.ckpt"));
        desk.queue().remove(item.id());
        QVERIFY(!QFileInfo::exists(study + "/runs/A.ckpt"));
    }

    void cancelOfANewRunKeepsNothingOnDisk() {
        const QString study = newStudy();
        Desk desk(engines_, Threading::Threaded);
        open(desk, study);
        desk.settings().set("iterations", "500");
        QVERIFY(desk.queue().start() != 0);
        QVERIFY(until([&] { return desk.runs().items().front()->lastIterate() >= 1; }));

        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(QDir(study + "/runs").entryList(QDir::Files), QStringList{});
    }

    void whatCannotBeContinuedSaysWhy() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, dataFile_);
        run(desk, 1);
        RunItem& item = *desk.runs().items().front();

        QVERIFY(desk.queue().whyNotContinue(item).isEmpty());
        QVERIFY_EXCEPTION_THROWN(desk.queue().continueRun(item.id(), 0), WrongUse);
        QVERIFY_EXCEPTION_THROWN(desk.queue().continueRun(99, 1), WrongUse);
        const RunItem volume(0, RunKind::Volume, "A", "volume");
        QVERIFY(desk.queue().whyNotContinue(volume).contains("volume"));
    }

    void theKeysContinueRenameAndDuplicate() {
        test::Program program(engines_);
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        program.open({dataFile_});
        program.reconstruct(1);
        Desk& desk = program.desk;
        MainWindow& window = program.window;
        RunItem& item = *desk.runs().items().front();

        answer([](QWidget* dialog) { dialog->findChild<QLineEdit*>()->setText("my kernel"); });
        QTest::keyClick(&window, Qt::Key_F2);
        QCOMPARE(item.name(), QString("my kernel"));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));

        answer([](QWidget* dialog) { qobject_cast<QInputDialog*>(dialog)->setIntValue(3); });
        QTest::keyClick(&window, Qt::Key_F8);
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(item.iterates(), (std::vector<int>{1, 2, 3, 4}));
        QVERIFY(item.volume()->data == whole_->data);
        window.refreshNow();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));

        answer([](QWidget* dialog) {
            dialog->findChild<QLineEdit*>("settings.dialog.iterations")->setText("2");
        });
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(desk.runs().items().size(), std::size_t{2});
        QCOMPARE(desk.runs().items().back()->lastIterate(), 2);
        QCOMPARE(item.settings().iterations, 4);
        QCOMPARE(desk.settings().current().iterations, 1);
    }

    void theQueueIsReorderedByKeysAndMouse() {
        test::Program program(engines_);
        QVERIFY(QTest::qWaitForWindowActive(&program.window));
        program.open({dataFile_});
        Desk& desk = program.desk;
        desk.settings().set("iterations", "100000");
        QVERIFY(desk.queue().start() != 0);
        QVERIFY(until(
            [&] { return desk.queue().active() != nullptr && desk.queue().active()->lastIterate() > 0; }));
        desk.settings().set("iterations", "1");
        for (int i = 0; i < 3; ++i) {
            QVERIFY(desk.queue().start() != 0);
        }
        const auto letters = [&] {
            QString all;
            for (const RunItem* item : desk.queue().waiting()) {
                all += item->label();
            }
            return all;
        };
        QCOMPARE(letters(), QString("BCD"));
        const auto select = [&](const QString& label) {
            for (const auto& item : desk.runs().items()) {
                if (item->label() == label) {
                    desk.runs().select(item->id());
                }
            }
            program.window.refreshNow();
        };

        select("D");
        QTest::keyClick(&program.window, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(letters(), QString("BDC"));
        program.window.refreshNow();
        QTest::keyClick(&program.window, Qt::Key_Up, Qt::ControlModifier);
        program.window.refreshNow();
        QTest::keyClick(&program.window, Qt::Key_Up, Qt::ControlModifier);  // is the first already
        QCOMPARE(letters(), QString("DBC"));
        QCOMPARE(desk.runs().items()[1]->label(), QString("D"));
        QVERIFY(RunRows::stateText(*desk.runs().items()[1]).contains("next"));

        // Row D is dragged below row C, the last of four.
        auto* rows = program.window.findChild<RunRows*>("runs");
        const int height = rows->height() / 4;
        QTest::mousePress(rows, Qt::LeftButton, {}, QPoint(60, height + 20));
        const QPointF to(60, 3 * height + 20);
        QMouseEvent move(QEvent::MouseMove, to, rows->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(rows, &move);
        QTest::mouseRelease(rows, Qt::LeftButton, {}, to.toPoint());
        QCOMPARE(letters(), QString("BCD"));

        // One that waits is taken out; the others go, in their order, once the first one has ended.
        select("C");
        QVERIFY(program.window.commands().trigger("run.remove"));
        QCOMPARE(letters(), QString("BD"));
        desk.queue().driver().finish();
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(desk.runs().items().size(), std::size_t{3});
        for (const auto& item : desk.runs().items()) {
            QVERIFY(item->state() == RunState::Done || item->state() == RunState::Finished);
        }
    }

    void aContinuationTakenOutOfTheQueueLeavesItsRun() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, newStudy());
        run(desk, 2);
        RunItem& first = *desk.runs().items().front();
        desk.settings().set("iterations", "100000");
        QVERIFY(desk.queue().start() != 0);
        desk.queue().continueRun(first.id(), 3);
        QCOMPARE(first.state(), RunState::Queued);

        desk.queue().remove(first.id());

        QCOMPARE(first.state(), RunState::Finished);
        QVERIFY(QFileInfo::exists(first.file()));
        QVERIFY(desk.queue().waiting().empty());
        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));
    }

    void aRunSaysWhatMemoryItHolds() {
        Desk desk(engines_, Threading::Threaded);
        open(desk, dataFile_);
        run(desk, 2);
        const RunItem& item = *desk.runs().items().front();

        // Counts of 8 views, and at least image, sensitivity and work space beside them.
        const std::size_t image = std::size_t{60} * 60 * 8 * sizeof(float);
        QVERIFY(item.peak().host >= 8 * image + 3 * image);
        QVERIFY(item.peak().host < std::size_t{1} << 30U);
        QCOMPARE(item.peak().device, std::size_t{0});
    }

    void openingOtherDataAsksOnceWhileARunGoesOn_data() {
        QTest::addColumn<bool>("yes");
        QTest::newRow("yes") << true;
        QTest::newRow("no") << false;
    }

    void openingOtherDataAsksOnceWhileARunGoesOn() {
        QFETCH(bool, yes);
        Preferences preferences{QString()};
        Desk desk(engines_, Threading::Threaded);
        MainWindow window(desk, preferences, MainWindow::Options{});
        window.show();
        const QString study = newStudy();
        open(desk, study);
        desk.settings().set("iterations", "100000");
        QVERIFY(desk.queue().start() != 0);
        QVERIFY(until([&] { return desk.queue().active()->lastIterate() >= 1; }));
        int asked = 0;
        QTimer answering;
        connect(&answering, &QTimer::timeout, &window, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                ++asked;
                box->button(yes ? QMessageBox::Yes : QMessageBox::No)->click();
            }
        });
        answering.start(20);

        desk.open({dataFile_});
        QVERIFY(until([&] { return asked > 0 && (!yes || desk.study().path() == dataFile_); }));

        QVERIFY(stays([&] { return asked == 1; }));
        QCOMPARE(desk.study().path(), yes ? dataFile_ : study);
        QCOMPARE(desk.queue().active() != nullptr, !yes);
        if (yes) {
            QVERIFY(QFileInfo::exists(study + "/runs/A.ckpt"));  // and can be continued
        }
        desk.queue().cancel();
        QVERIFY(until([&] { return !desk.busy(); }));
    }

  private:
    static void open(Desk& desk, const QString& path) {
        desk.open({path});
        QVERIFY(until([&] { return !desk.tasks().busy() && desk.study().histo() != nullptr; }));
    }
    static void run(Desk& desk, int iterations) {
        desk.settings().set("iterations", std::to_string(iterations));
        desk.settings().set("kernel", "invariant");
        QVERIFY(desk.queue().start() != 0);
        QVERIFY(until([&] { return !desk.busy(); }));
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

}  // namespace run_management_test
#include "run_management_test.moc"
