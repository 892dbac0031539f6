// SPDX-License-Identifier: Apache-2.0
// Runs of data without a study outlive the program: one that is killed, one that is closed, and data that are
// replaced.
#include "ui/desk/run_rescue.h"

#include <QDirIterator>
#include <QProcess>
#include "recon/study/study.h"

#include "recon/io/hdf5/data_io.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"

namespace run_rescue_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inBuild;
using tof::test::Program;
using tof::test::until;

class RunRescueTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override { dataFile_ = writeSmallData(); }

  private slots:
    void aRunOfAKilledProgramIsRecoveredAndGoesOn() {
        const QString executable = inBuild("bin/tofscope");
        if (!QFile::exists(executable)) {
            QSKIP("the program tofscope was not built");
        }
        const QString config = folder_.filePath("killed");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", config);
        process.setProcessEnvironment(environment);
        process.start(executable,
                      {dataFile_, "--set", "iterations=100000", "--set", "kernel=invariant", "--run"});
        const QString recovery = config + "/tofscope/recovery";
        QVERIFY(until([&] { return !checkpoints(recovery).isEmpty(); }));

        process.kill();  // SIGKILL: nothing can be written any more
        QVERIFY(process.waitForFinished());
        Program program(engines_, {.preferencesFile = config + "/tofscope/tofscope.ini"});

        QVERIFY(program.desk.messages().all().back().text.contains("Recover runs"));
        QVERIFY(program.window.commands().trigger("file.recover"));
        program.settle();
        QCOMPARE(program.desk.study().files(), QStringList{dataFile_});
        QCOMPARE(program.desk.runs().items().size(), std::size_t{1});
        RunItem& item = *program.desk.runs().items().front();
        QCOMPARE(item.state(), RunState::Interrupted);
        QCOMPARE(item.label(), QString("A"));
        const int reached = item.lastIterate();
        QVERIFY(reached >= 1);
        QCOMPARE(item.figures().size(), static_cast<std::size_t>(reached));
        program.desk.queue().continueRun(item.id(), 2);
        QVERIFY(until([&] { return !program.desk.busy(); }));
        QCOMPARE(item.state(), RunState::Done);
        const auto continued = item.volume();

        program.desk.close();
        program.open({dataFile_});
        program.reconstruct(reached + 2);
        QVERIFY(program.desk.runs().items().front()->volume()->data == continued->data);
    }

    void aFinishedRunOutlivesTheWindowUntilItIsDeleted() {
        const QString preferences = folder_.filePath("closed/tofscope.ini");
        {
            Program program(engines_, {.preferencesFile = preferences});
            program.open({dataFile_});
            program.reconstruct(2);
            program.desk.runs().rename(program.desk.runs().items().front()->id(), "mine");
            program.window.close();
        }
        std::shared_ptr<const Volume> image;
        {
            Program program(engines_, {.preferencesFile = preferences});
            QVERIFY(program.window.commands().trigger("file.recover"));
            program.settle();
            const RunItem& item = *program.desk.runs().items().front();
            QCOMPARE(item.state(), RunState::Done);
            QCOMPARE(item.name(), QString("mine"));
            QCOMPARE(item.figures().size(), std::size_t{2});
            QCOMPARE(item.timing().size(), std::size_t{2});
            QVERIFY(!program.window.rescue().whyNot().isEmpty());

            program.desk.queue().remove(item.id());
        }
        Program program(engines_, {.preferencesFile = preferences});
        QVERIFY(!program.window.commands().trigger("file.recover"));
    }

    void figuresThatCameBeforeTheirImageAreNotKept() {
        const QString preferences = folder_.filePath("early/tofscope.ini");
        {
            Program program(engines_, {.preferencesFile = preferences});
            program.open({dataFile_});
            program.reconstruct(2);
            RunItem& item = *program.desk.runs().items().front();
            Figures early;
            early.iteration = 3;
            item.measured(early, 0);
            item.rename("early");
            program.window.close();
        }
        Program program(engines_, {.preferencesFile = preferences});
        QVERIFY(program.window.commands().trigger("file.recover"));
        program.settle();

        const RunItem& item = *program.desk.runs().items().front();
        QCOMPARE(item.name(), QString("early"));
        QCOMPARE(item.lastIterate(), 2);
        QCOMPARE(item.figures().size(), std::size_t{2});
    }

    void runsOfDataThatWereReplacedComeBack() {
        const QString preferences = folder_.filePath("replaced/tofscope.ini");
        Program program(engines_, {.preferencesFile = preferences});
        program.open({dataFile_});
        program.reconstruct(1);
        const QString other = folder_.filePath("other.h5");
        HistoData data = test::smallData();
        data.counts[5] += 1;
        writeData(other.toStdString(), data);

        program.open({other});
        QVERIFY(program.desk.runs().items().empty());
        QVERIFY(program.window.commands().trigger("file.recover"));
        program.settle();

        QCOMPARE(program.desk.study().path(), dataFile_);
        QCOMPARE(program.desk.runs().items().size(), std::size_t{1});
    }

    void dataThatHaveChangedRefuseTheirOldRuns() {
        const QString preferences = folder_.filePath("changed/tofscope.ini");
        const QString file = folder_.filePath("changing.h5");
        HistoData data = test::smallData();
        writeData(file.toStdString(), data);
        Program program(engines_, {.preferencesFile = preferences});
        program.open({file});
        program.reconstruct(1);
        program.desk.close();
        data.counts[5] += 1;
        writeData(file.toStdString(), data);

        // The window says what can be done now in the event loop's next turn.
        QTRY_VERIFY(program.window.commands().trigger("file.recover"));
        program.settle();

        QVERIFY(program.desk.runs().items().empty());
        QVERIFY(program.desk.messages().all().back().text.contains("other data"));
        QCOMPARE(keptRuns(folder_.filePath("changed/recovery")), 1);
    }

    void whatWasCancelledIsNotKept() {
        const QString preferences = folder_.filePath("cancelled/tofscope.ini");
        Program program(engines_, {.preferencesFile = preferences});
        program.open({dataFile_});
        program.desk.settings().set("iterations", "100000");
        QVERIFY(program.desk.queue().start() != 0);
        QVERIFY(until([&] { return program.desk.runs().items().front()->lastIterate() >= 1; }));
        QCOMPARE(keptRuns(folder_.filePath("cancelled/recovery")), 1);

        program.desk.queue().cancel();
        QVERIFY(until([&] { return !program.desk.busy(); }));
        program.desk.close();

        QCOMPARE(keptRuns(folder_.filePath("cancelled/recovery")), 0);
    }

  private:
    /// How many runs all drafts have, those that wait as well.
    static int keptRuns(const QString& folder) {
        int runs = 0;
        QDirIterator all(folder, QDir::Dirs | QDir::NoDotAndDotDot);
        while (all.hasNext()) {
            const QString draft = all.next();
            if (QFile::exists(draft + "/source.json")) {
                runs += static_cast<int>(
                    Study::open(draft.toStdString(), Study::Data::ComeLater).allRuns().size());
            }
        }
        return runs;
    }

    static QStringList checkpoints(const QString& folder) {
        QStringList files;
        QDirIterator all(folder, {"*.ckpt"}, QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            files << all.next();
        }
        return files;
    }

    QString dataFile_;
};

QTEST_MAIN(RunRescueTest)

}  // namespace run_rescue_test
#include "run_rescue_test.moc"
