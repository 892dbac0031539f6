// SPDX-License-Identifier: Apache-2.0
// Live tuning: what starts it, what ends it, what it leaves.
#include "ui/desk/live_tuning.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/error.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

using namespace tof;
using namespace tof::ui;
using tof::test::stays;
using tof::test::until;

class LiveTuningTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
    }

    void offAChangedSettingOnlyMarksTheRun() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.setSetting("iterations", "2");
        workspace.startRun();
        QVERIFY(until([&] { return !workspace.busy(); }));
        QVERIFY(!workspace.settingsChanged());

        workspace.setSetting("kernel", "variant2");

        QVERIFY(stays([&] { return !workspace.busy(); }));
        QVERIFY(workspace.settingsChanged());
        QCOMPARE(workspace.runs().items().size(), std::size_t{1});
        QCOMPARE(workspace.live().started(), 0);
    }

    void aChangeReconstructsAsAnOrdinaryRunWould() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        QVERIFY(stays([&] { return workspace.live().started() == 0; }));  // the switch itself changes nothing

        workspace.setSetting("kernel", "variant2");
        QVERIFY(until([&] { return !workspace.busy() && workspace.live().times(); }));
        workspace.live().setOn(false);
        workspace.setSetting("iterations", "3");
        workspace.startRun();
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(workspace.runs().items().size(), std::size_t{2});
        const RunItem& live = *workspace.runs().items()[0];
        const RunItem& ordinary = *workspace.runs().items()[1];
        QCOMPARE(live.state(), RunState::Done);
        QCOMPARE(live.lastIterate(), 3);
        QCOMPARE(live.figures().size(), std::size_t{3});
        QCOMPARE(live.volume()->data, ordinary.volume()->data);
        QVERIFY(workspace.live().times()->firstImage_ms <= workspace.live().times()->done_ms);
    }

    void theNewestSettingsWinAndNothingQueues() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setIterations(100);
        workspace.live().setOn(true);

        for (int i = 0; i < 12; ++i) {
            workspace.setSetting("relaxation", QString::number(0.02 + 0.001 * i).toStdString());
            QVERIFY(until([&] { return workspace.live().started() == i + 1; }));
            for (const auto& item : workspace.runs().items()) {
                QVERIFY(item->state() != RunState::Queued);
            }
        }
        workspace.live().setIterations(2);
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(workspace.runs().items().size(), std::size_t{1});
        const RunItem& live = *workspace.runs().items()[0];
        QCOMPARE(live.settings().get("relaxation"), std::string("0.031"));
        QCOMPARE(live.lastIterate(), 2);
        QCOMPARE(static_cast<int>(live.figures().size()), 2);
        QVERIFY(workspace.live().abandoned() >= 1);
        // Every one that was begun was given up, but for the last.
        QCOMPARE(workspace.live().started(), workspace.live().abandoned() + 1);
        QVERIFY(!workspace.settingsChanged());
    }

    void workInFlightIsGivenUpAtOnce() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setIterations(100);
        workspace.live().setOn(true);
        workspace.setSetting("relaxation", "0.02");
        QVERIFY(until([&] {
            return !workspace.runs().items().empty() && workspace.runs().items()[0]->lastIterate() >= 1;
        }));

        QElapsedTimer clock;
        clock.start();
        workspace.setSetting("relaxation", "0.05");
        QVERIFY(until([&] { return workspace.live().abandoned() == 1; }));

        // A block of this study takes less than a millisecond; the rest is for a busy machine.
        QVERIFY2(clock.elapsed() <= 200, qPrintable(QString::number(clock.elapsed())));
        workspace.live().setOn(false);
        QVERIFY(until([&] { return !workspace.busy(); }));
        QCOMPARE(workspace.live().abandoned(), 2);
    }

    void theOlderImageStaysUntilTheFirstNewOne() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        workspace.setSetting("kernel", "variant2");
        QVERIFY(until([&] { return !workspace.busy(); }));
        RunItem& live = *workspace.runs().items()[0];
        const auto older = live.volume();
        bool always = true;
        const auto watch = connect(&workspace.runs(), &RunList::changed, this,
                                   [&] { always = always && live.volume() != nullptr; });

        workspace.setSetting("kernel", "invariant");
        QVERIFY(until([&] { return !workspace.busy(); }));

        disconnect(watch);
        QVERIFY(always);
        QVERIFY(live.volume() != older);
        QVERIFY(live.name().contains("invariant"));
    }

    void anOrdinaryRunGoesFirst() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        workspace.live().setIterations(2);
        workspace.setSetting("iterations", "40");
        workspace.startRun();
        QVERIFY(until([&] { return workspace.activeRun() != nullptr; }));

        workspace.setSetting("kernel", "variant3");
        bool waited = true;
        QVERIFY(until([&] {
            waited = waited && (workspace.activeRun() == nullptr || workspace.live().started() == 0);
            return !workspace.busy() && workspace.live().started() == 1;
        }));

        QVERIFY(waited);
        QCOMPARE(workspace.runs().items()[0]->lastIterate(), 40);
        QCOMPARE(workspace.runs().items()[0]->settings().kernelText, std::string("variant1"));
        QCOMPARE(workspace.runs().items()[1]->settings().kernelText, std::string("variant3"));
    }

    void openingAnotherStudyChangesNothingByItself() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        workspace.setSetting("kernel", "variant2");
        QVERIFY(until([&] { return !workspace.busy(); }));
        const int before = workspace.live().started();

        open(workspace);

        QVERIFY(stays([&] { return workspace.live().started() == before; }));
        QVERIFY(workspace.runs().items().empty());
    }

    void aKernelThatCannotBeUsedFailsInItsRow() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);

        workspace.setSetting("engine", "fftw");
        QVERIFY(until([&] { return !workspace.busy(); }));

        const RunItem& live = *workspace.runs().items()[0];
        if (std::holds_alternative<Unsupported>(engines_.find("fftw"))) {
            QSKIP("the engine is not there");
        }
        QCOMPARE(live.state(), RunState::Failed);  // variant1 has no Fourier form
        QVERIFY(!live.error().isEmpty());
        QVERIFY_EXCEPTION_THROWN(workspace.live().setIterations(0), WrongUse);
    }

    void aFailingSettingIsSaidOnceAndKeepsThePicture_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("no time resolution") << "kernel"
                                            << R"({"tof_ps":0,"axial_mm":5,"radial_mm":5})";
        QTest::newRow("a file that is not there") << "kernel"
                                                  << "missing.json";
        QTest::newRow("an engine that cannot") << "engine"
                                               << "fftw";
    }

    void aFailingSettingIsSaidOnceAndKeepsThePicture() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        workspace.setSetting("kernel", "variant2");
        QVERIFY(until([&] { return !workspace.busy(); }));
        const RunItem& live = *workspace.runs().items()[0];
        const auto older = live.volume();
        const std::string engine = workspace.settings().engine;
        const auto told = [&] { return workspace.messages().all().size(); };
        const auto before = told();

        workspace.setSetting(key.toStdString(), value.toStdString());
        QVERIFY(until([&] { return !workspace.busy(); }));
        workspace.setSetting("relaxation", "0.04");
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(live.state(), RunState::Failed);
        QVERIFY(live.volume() == older);
        QVERIFY(live.name().contains("variant2"));
        QCOMPARE(told(), before + 1);
        QVERIFY2(workspace.live().sentence().contains(live.error()), qPrintable(workspace.live().sentence()));
        QVERIFY2(workspace.live().sentence().contains("variant2"), qPrintable(workspace.live().sentence()));

        workspace.setSetting("engine", engine);
        workspace.setSetting("kernel", "variant1");
        QVERIFY(until([&] { return !workspace.busy(); }));

        QCOMPARE(live.state(), RunState::Done);
        QVERIFY(live.error().isEmpty());
        QVERIFY(live.name().contains("variant1"));
    }

    void thePictureSaysThatItIsOfTheSettingsBefore() {
        Workspace workspace(engines_, Threading::Threaded);
        open(workspace);
        workspace.live().setOn(true);
        workspace.setSetting("kernel", "variant2");
        QVERIFY(until([&] { return !workspace.busy(); }));
        bool said = false;
        bool honest = true;
        const auto watch = connect(&workspace.runs(), &RunList::changed, this, [&] {
            const bool older = workspace.live().sentence().contains("settings before");
            said = said || older;
            honest = honest && (!older || workspace.runs().items()[0]->name().contains("variant2"));
        });

        workspace.setSetting("kernel", "invariant");
        QVERIFY(until([&] { return !workspace.busy(); }));

        disconnect(watch);
        QVERIFY(said && honest);
        QVERIFY(!workspace.live().sentence().contains("settings before"));
    }

    void theSwitchOfTheToolBarAndTheLabDriveIt() {
        test::Desk desk(engines_);
        Workspace& workspace = desk.workspace;
        MainWindow& window = desk.window;
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        desk.open({dataFile_});
        auto* button = window.findChild<Switch*>("toolbar.live");

        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(12, button->height() / 2));
        QVERIFY(workspace.live().on());
        QVERIFY(window.commands().trigger("page.lab"));
        QVERIFY(stays([&] { return workspace.live().started() == 0; }));  // looking is no change
        window.labPage().lab().setNumber("tof", 350);
        QVERIFY(until([&] { return !workspace.busy() && workspace.live().times(); }));

        QCOMPARE(workspace.settings().kernel().tof_ps, 350.0);
        QCOMPARE(workspace.runs().items()[0]->settings().kernel().tof_ps, 350.0);
        QVERIFY2(window.status().sentence().startsWith("Live tuning: 3 iterations of run A"),
                 qPrintable(window.status().sentence()));
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(12, button->height() / 2));
        window.labPage().lab().setNumber("tof", 300);
        QVERIFY(stays([&] { return workspace.settings().kernel().tof_ps == 350.0 && !workspace.busy(); }));
    }

  private:
    void open(Workspace& workspace) {
        workspace.open({dataFile_});
        QVERIFY(until([&] { return !workspace.tasks().busy() && workspace.data() != nullptr; }));
    }

    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
};

QTEST_MAIN(LiveTuningTest)
#include "live_tuning_test.moc"
