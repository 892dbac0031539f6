// SPDX-License-Identifier: Apache-2.0
// Live tuning: what starts it, what ends it, what it leaves.
#include "ui/desk/live_tuning.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <string>

#include "recon/base/error.h"
#include "tests/ui/fixture.h"
#include "ui/window/main_window.h"

namespace live_tuning_test {

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
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.settings().set("iterations", "2");
        desk.queue().start();
        QVERIFY(until([&] { return !desk.busy(); }));
        QVERIFY(!desk.settingsChanged());

        desk.settings().set("kernel", "variant2");

        QVERIFY(stays([&] { return !desk.busy(); }));
        QVERIFY(desk.settingsChanged());
        QCOMPARE(desk.runs().items().size(), std::size_t{1});
        QCOMPARE(desk.live().started(), 0);
    }

    void aChangeReconstructsAsAnOrdinaryRunWould() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true, LiveTuning::Begins::WithTheNextChange);
        QVERIFY(stays([&] { return desk.live().started() == 0; }));  // a study that remembers the switch

        desk.settings().set("kernel", "variant2");
        QVERIFY(until([&] { return !desk.busy() && desk.live().times(); }));
        desk.live().setOn(false);
        desk.settings().set("iterations", "3");
        desk.queue().start();
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(desk.runs().items().size(), std::size_t{2});
        const RunItem& live = *desk.runs().items()[0];
        const RunItem& ordinary = *desk.runs().items()[1];
        QCOMPARE(live.state(), RunState::Done);
        QCOMPARE(live.lastIterate(), 3);
        QCOMPARE(live.figures().size(), std::size_t{3});
        QCOMPARE(live.volume()->data, ordinary.volume()->data);
        QVERIFY(desk.live().times()->firstImage_ms > 0 && desk.live().times()->done_ms > 0);
    }

    void theFirstRunSaysItsOwnIterations() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setIterations(7);
        desk.live().setOn(true);
        QVERIFY(until([&] { return !desk.runs().items().empty(); }));

        const RunItem& live = *desk.runs().items()[0];

        QCOMPARE(live.settings().iterations, 7);
        QVERIFY(RunRows::stateText(live) != "0 of 20");
        QVERIFY(desk.settings().changedSince(live).empty());
        desk.live().setOn(false);
        QVERIFY(until([&] { return !desk.busy(); }));
    }

    void theSwitchBeginsUnlessWhatIsShownHasTheSettings() {
        test::Program program(engines_);
        Desk& desk = program.desk;
        MainWindow& window = program.window;
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        program.open({dataFile_});
        program.reconstruct(2, "invariant");
        window.viewer().pane(Plane::Transverse)->setFocus();

        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
        QVERIFY(desk.live().on());
        QVERIFY(stays([&] { return desk.live().started() == 0; }));
        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);
        desk.settings().set("relaxation", "0.07");
        QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier);

        QVERIFY(until([&] { return !desk.busy() && desk.live().started() == 1; }));
        const RunItem& live = *desk.runs().items()[1];
        QVERIFY(live.isLive());
        QCOMPARE(live.settings().get("relaxation"), std::string("0.07"));
        QCOMPARE(desk.runs().selectedId(), live.id());
    }

    void switchedOffItKeepsTheIteratesThereAre() {
        test::Program program(engines_);
        Desk& desk = program.desk;
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        program.open({dataFile_});
        desk.live().setIterations(100);
        QTest::keyClick(&program.window, Qt::Key_L, Qt::ControlModifier);
        QVERIFY(until(
            [&] { return !desk.runs().items().empty() && desk.runs().items()[0]->lastIterate() >= 1; }));

        QTest::keyClick(&program.window, Qt::Key_L, Qt::ControlModifier);
        QVERIFY(until([&] { return !desk.busy(); }));

        const RunItem& live = *desk.runs().items()[0];
        QCOMPARE(live.state(), RunState::Finished);
        QVERIFY(!live.showsWork() && live.volume() == live.images().rbegin()->second);
        QCOMPARE(RunRows::stateText(live), QString("%1 kept").arg(live.lastIterate()));
    }

    void switchedOffBeforeAnImageItLeavesNoRow() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        QVERIFY(until([&] { return desk.live().started() == 1; }));
        RunItem& live = *desk.runs().items()[0];
        QVERIFY(live.images().empty());

        desk.live().setOn(false);

        QVERIFY(until([&] { return !desk.busy(); }));
        // A machine so fast that the first iterate was there in between keeps it.
        QVERIFY(desk.runs().items().empty() || !desk.runs().items()[0]->images().empty());
    }

    void theNewestSettingsWinAndNothingQueues() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setIterations(100);
        desk.live().setOn(true);

        for (int i = 0; i < 12; ++i) {
            desk.settings().set("relaxation", QString::number(0.02 + 0.001 * i).toStdString());
            QVERIFY(until([&] { return desk.live().started() == i + 1; }));
            for (const auto& item : desk.runs().items()) {
                QVERIFY(item->state() != RunState::Queued);
            }
        }
        desk.live().setIterations(2);
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(desk.runs().items().size(), std::size_t{1});
        const RunItem& live = *desk.runs().items()[0];
        QCOMPARE(live.settings().get("relaxation"), std::string("0.031"));
        QCOMPARE(live.lastIterate(), 2);
        QCOMPARE(static_cast<int>(live.figures().size()), 2);
        QVERIFY(desk.live().abandoned() >= 1);
        // Every one that was begun was given up, but for the last.
        QCOMPARE(desk.live().started(), desk.live().abandoned() + 1);
        QVERIFY(!desk.settingsChanged());
    }

    void workInFlightIsGivenUpAtOnce() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setIterations(100);
        desk.live().setOn(true);
        desk.settings().set("relaxation", "0.02");
        QVERIFY(until(
            [&] { return !desk.runs().items().empty() && desk.runs().items()[0]->lastIterate() >= 1; }));

        // A block of this study takes less than a millisecond; the rest is for a machine that others use as
        // well.
        int changes = 0;
        qint64 best_ms = 1000000;
        constexpr qint64 kMost_ms = 200 * kSlower;
        while (changes < 5 && best_ms > kMost_ms) {
            QVERIFY(until([&] { return desk.runs().items()[0]->state() == RunState::Running; }));
            QElapsedTimer clock;
            clock.start();
            desk.settings().set("relaxation", std::to_string(0.05 + 0.01 * changes++));
            QVERIFY(until([&] { return desk.live().abandoned() == changes; }));
            best_ms = std::min(best_ms, clock.elapsed());
        }
        QVERIFY2(best_ms <= kMost_ms, qPrintable(QString::number(best_ms)));
        desk.live().setOn(false);
        QVERIFY(until([&] { return !desk.busy(); }));
        QCOMPARE(desk.live().abandoned(), changes + 1);
    }

    void theOlderImageStaysUntilTheFirstNewOne() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        desk.settings().set("kernel", "variant2");
        QVERIFY(until([&] { return !desk.busy(); }));
        RunItem& live = *desk.runs().items()[0];
        const auto older = live.volume();
        bool always = true;
        const auto watch = connect(&desk.runs(), &RunList::changed, this,
                                   [&] { always = always && live.volume() != nullptr; });

        desk.settings().set("kernel", "invariant");
        QVERIFY(until([&] { return !desk.busy(); }));

        disconnect(watch);
        QVERIFY(always);
        QVERIFY(live.volume() != older);
        QVERIFY(live.name().contains("invariant"));
    }

    void anOrdinaryRunGoesFirst() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        desk.live().setIterations(2);
        desk.settings().set("iterations", "40");
        desk.queue().start();
        QVERIFY(until([&] { return desk.queue().active() != nullptr; }));

        desk.settings().set("kernel", "variant3");
        bool waited = true;
        QVERIFY(until([&] {
            waited = waited && (desk.queue().active() == nullptr || desk.live().started() == 0);
            return !desk.busy() && desk.live().started() == 1;
        }));

        QVERIFY(waited);
        QCOMPARE(desk.runs().items()[0]->lastIterate(), 40);
        QCOMPARE(desk.runs().items()[0]->settings().kernelText, std::string("variant1"));
        QCOMPARE(desk.runs().items()[1]->settings().kernelText, std::string("variant3"));
    }

    void openingAnotherStudyChangesNothingByItself() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        desk.settings().set("kernel", "variant2");
        QVERIFY(until([&] { return !desk.busy(); }));
        const int before = desk.live().started();

        open(desk);

        QVERIFY(stays([&] { return desk.live().started() == before; }));
        QVERIFY(desk.runs().items().empty());
    }

    void aStrategyThatIsNotThereFailsInItsRow() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);

        desk.settings().set("strategy", "no-such");
        QVERIFY(until([&] { return !desk.busy(); }));

        const RunItem& live = *desk.runs().items()[0];
        QCOMPARE(live.state(), RunState::Failed);
        QVERIFY(!live.error().isEmpty());
        QVERIFY_EXCEPTION_THROWN(desk.live().setIterations(0), WrongUse);
    }

    void aFailingSettingIsSaidOnceAndKeepsThePicture_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("no time resolution") << "kernel"
                                            << R"({"tof_ps":0,"axial_mm":5,"radial_mm":5})";
        QTest::newRow("a file that is not there") << "kernel"
                                                  << "missing.json";
        QTest::newRow("an engine that cannot") << "strategy"
                                               << "no-such";
    }

    void aFailingSettingIsSaidOnceAndKeepsThePicture() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        desk.settings().set("kernel", "variant2");
        QVERIFY(until([&] { return !desk.busy(); }));
        const RunItem& live = *desk.runs().items()[0];
        const auto older = live.volume();
        const std::string strategy = desk.settings().current().get("strategy");
        const auto told = [&] { return desk.messages().all().size(); };
        const auto before = told();

        desk.settings().set(key.toStdString(), value.toStdString());
        QVERIFY(until([&] { return !desk.busy(); }));
        desk.settings().set("relaxation", "0.04");
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(live.state(), RunState::Failed);
        QVERIFY(live.volume() == older);
        QVERIFY(live.name().contains("variant2"));
        QCOMPARE(told(), before + 1);
        QVERIFY2(desk.live().sentence().contains(live.error()), qPrintable(desk.live().sentence()));
        QVERIFY2(desk.live().sentence().contains("variant2"), qPrintable(desk.live().sentence()));

        desk.settings().set("strategy", strategy);
        desk.settings().set("kernel", "variant1");
        QVERIFY(until([&] { return !desk.busy(); }));

        QCOMPARE(live.state(), RunState::Done);
        QVERIFY(live.error().isEmpty());
        QVERIFY(live.name().contains("variant1"));
    }

    void thePictureSaysThatItIsOfTheSettingsBefore() {
        Desk desk(engines_, Threading::Threaded);
        open(desk);
        desk.live().setOn(true);
        desk.settings().set("kernel", "variant2");
        QVERIFY(until([&] { return !desk.busy(); }));
        bool said = false;
        bool honest = true;
        const auto watch = connect(&desk.runs(), &RunList::changed, this, [&] {
            const bool older = desk.live().sentence().contains("settings before");
            said = said || older;
            honest = honest && (!older || desk.runs().items()[0]->name().contains("variant2"));
        });

        desk.settings().set("kernel", "invariant");
        QVERIFY(until([&] { return !desk.busy(); }));

        disconnect(watch);
        QVERIFY(said && honest);
        QVERIFY(!desk.live().sentence().contains("settings before"));
    }

    void theSwitchOfTheToolBarAndTheLabDriveIt() {
        test::Program program(engines_);
        Desk& desk = program.desk;
        MainWindow& window = program.window;
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        program.open({dataFile_});
        auto* button = window.findChild<Switch*>("toolbar.live");

        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(12, button->height() / 2));
        QVERIFY(desk.live().on());
        QVERIFY(until([&] { return !desk.busy() && desk.live().started() == 1; }));
        QVERIFY(window.commands().trigger("page.lab"));
        QVERIFY(stays([&] { return desk.live().started() == 1; }));  // looking is no change
        window.labPage().lab().setNumber("tof", 350);
        QVERIFY(until([&] { return !desk.busy() && desk.live().started() == 2; }));

        QCOMPARE(desk.settings().current().kernel().tof_ps, 350.0);
        QCOMPARE(desk.runs().items()[0]->settings().kernel().tof_ps, 350.0);
        QVERIFY2(window.status().sentence().startsWith("Live tuning: 3 iterations of run A"),
                 qPrintable(window.status().sentence()));
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(12, button->height() / 2));
        window.labPage().lab().setNumber("tof", 300);
        QVERIFY(stays([&] { return desk.settings().current().kernel().tof_ps == 350.0 && !desk.busy(); }));
    }

  private:
    void open(Desk& desk) {
        desk.open({dataFile_});
        QVERIFY(until([&] { return !desk.tasks().busy() && desk.study().histo() != nullptr; }));
    }

    EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
};

QTEST_MAIN(LiveTuningTest)

}  // namespace live_tuning_test
#include "live_tuning_test.moc"
