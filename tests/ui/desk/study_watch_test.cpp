// SPDX-License-Identifier: Apache-2.0
// The window follows runs that another program makes in the open study: the real tofscope-cli beside it.
#include "ui/desk/study_watch.h"

#include <QFile>
#include <QProcess>
#include <QTest>

#include "recon/io/format_table.h"
#include "recon/study/study.h"
#include "tests/cli/cli_process.h"
#include "tests/ui/fixture.h"
#include "ui/pages/run_rows.h"

namespace study_watch_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class StudyWatchTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { data_ = writeSmallData(); }

  private slots:
    void aRunOfAnotherProgramIsFollowedToItsEnd() {
        const QString folder = study("followed");
        QProcess other;
        startOther(other, folder, "C", 300);
        QVERIFY(until([&] { return QFile::exists(folder + "/runs/C.ckpt"); }));
        open(folder);
        QVERIFY(until([&] {
            const RunItem* const run = desk_->runs().find("C");
            return run != nullptr && run->elsewhere();
        }));
        const RunItem& run = *desk_->runs().find("C");
        const int first = run.lastIterate();
        QVERIFY(first > 0 && run.volume() != nullptr);
        window_->refreshNow();
        QCOMPARE(RunRows::stateText(run), QString("in work elsewhere, %1 of 300").arg(run.lastIterate()));
        QVERIFY(until([&] { return run.lastIterate() > first; }));
        QVERIFY(run.figures().size() > 1);  // the curve grows, too
        QCOMPARE(run.figures().back().iteration, run.lastIterate());
        QVERIFY(!desk_->queue().whyNotContinue(run).isEmpty());

        QVERIFY(until([&] { return run.state() == RunState::Opened; }));
        QVERIFY(until([&] { return other.state() == QProcess::NotRunning; }));
        QCOMPARE(other.exitCode(), 0);
        QVERIFY(!run.elsewhere());
        QCOMPARE(RunRows::stateText(run), QString("300 done"));
        QCOMPARE(run.file(), folder + "/runs/C.h5");
        desk_->runs().select(run.id());
        QVERIFY(until([&] { return desk_->runs().image() != nullptr && run.shownIterate() == 300; }));
        QVERIFY(
            until([&] { return desk_->runs().image()->data == readVolume(run.file().toStdString()).data; }));
    }

    void aRunThatStopsIsInterruptedAfterAWhile() {
        const QString folder = study("stopped");
        QProcess other;
        startOther(other, folder, "D", 100000);
        QVERIFY(until([&] { return QFile::exists(folder + "/runs/D.ckpt"); }));
        open(folder);
        QVERIFY(until([&] {
            const RunItem* const run = desk_->runs().find("D");
            return run != nullptr && run->elsewhere();
        }));
        const RunItem& run = *desk_->runs().find("D");
        other.kill();
        other.waitForFinished();
        QVERIFY(run.elsewhere());

        desk_->watch().setPatience(std::chrono::milliseconds(1));
        QVERIFY(until([&] { return !run.elsewhere(); }));
        QVERIFY(RunRows::stateText(run).startsWith("interrupted"));
        QVERIFY(desk_->queue().whyNotContinue(run).isEmpty());
    }

    void ownRunsAreLeftAlone() {
        const QString folder = study("own");
        open(folder);
        reconstruct(3);
        const RunItem& run = *desk_->runs().items().front();
        QVERIFY(QFile::exists(folder + "/runs/A.h5"));
        desk_->watch().look();
        QVERIFY(!desk_->watch().busy());
        QCOMPARE(run.state(), RunState::Done);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
    }

  private:
    QString study(const QString& name) {
        const QString folder = folder_.filePath(name + ".tofstudy");
        static_cast<void>(Study::create(folder.toStdString(), data_.toStdString()));
        return folder;
    }
    /// As a person beside the window: the study is the other program's, and the window reads along.
    static void startOther(QProcess& other, const QString& folder, const QString& run, int iterations) {
        other.start(test::kProgram, {"reconstruct", folder, "--out", run, "--engine", "cpu", "--threads", "1",
                                     "--kernel", "invariant", "--iterations", QString::number(iterations),
                                     "--checkpoint-every", "0", "--save-every", "100"});
    }

    QString data_;
};

QTEST_MAIN(StudyWatchTest)

}  // namespace study_watch_test
#include "study_watch_test.moc"
