// SPDX-License-Identifier: Apache-2.0
#include "ui/window/script.h"
#include "ui/window/command_line.h"

#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/error.h"
#include "recon/study/study_lock.h"
#include "tests/support/places.h"
#include "tests/ui/fixture.h"
#include "ui/measure/measure_wing.h"
#include "ui/measure/responsiveness.h"

namespace script_test {

using namespace tof;
using namespace tof::ui;
using tof::test::inBuild;
using tof::test::until;

class ScriptTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, ThemeKind::Dark);
        dataFile_ = test::writeSmallData(folder_);
    }

    void actionsKeepTheirOrder() {
        const CommandLine line =
            CommandLine::parse({"a.h5", "--size", "800x600", "--cursor=1,2,3", "--run", "b.h5",
                                "--screenshot", "x.png", "--theme", "light", "--renderer", "cpu"});

        QStringList names;
        for (const auto& action : line.actions) {
            names << action.name + ":" + action.value;
        }
        QCOMPARE(names, (QStringList{"open:a.h5", "cursor:1,2,3", "run:", "open:b.h5", "screenshot:x.png"}));
        QCOMPARE(line.size, QSize(800, 600));
        QCOMPARE(line.preferences["theme"], QString("light"));
        QCOMPARE(line.renderer, QString("cpu"));
        QVERIFY(line.screenshot);
        QVERIFY(!line.remember);
    }

    void valuesAreTakenAsTheyAre() {
        const CommandLine line = CommandLine::parse(
            {"a.h5", "--cursor", "-1,2,3", "--roi", R"([{"name": "[a]"}])", "--roi", "{}", "--rename", "",
             "--rename=", "--set=pad=1,2,3", "b.h5", "--run", "c.h5", "--run", "--select", "--run"});

        QStringList steps;
        for (const ScriptStep& step : line.actions) {
            steps << step.name + ":" + step.value;
        }
        QCOMPARE(steps, (QStringList{"open:a.h5", "cursor:-1,2,3", R"(roi:[{"name": "[a]"}])", "roi:{}",
                                     "rename:", "rename:", "set:pad=1,2,3", "open:b.h5", "run:", "open:c.h5",
                                     "run:", "select:--run"}));
    }

    void wrongOptionsAreNamed_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("unknown") << QStringList{"--sceenshot"} << "sceenshot";
        QTest::newRow("size") << QStringList{"--size", "0x10"} << "0x10";
        QTest::newRow("missing value") << QStringList{"--cursor"} << "X,Y,Z";
        QTest::newRow("theme") << QStringList{"--theme", "pink"} << "pink";
    }

    void wrongOptionsAreNamed() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        try {
            static_cast<void>(CommandLine::parse(arguments));
            QFAIL("was accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains(named), fault.what());
        }
    }

    void aScriptOpensRunsMovesAndTakesAPicture() {
        const QString png = folder_.filePath("out.png");
        test::Program program(engines_, {.size = {1200, 800}});
        Desk& desk = program.desk;
        Script script(program.window, desk,
                      CommandLine::parse({dataFile_, "--set", "iterations=3", "--run", "--wait", "--cursor",
                                          "8,4,2", "--wl", "0,5", "--layout", "row", "--map", "inferno",
                                          "--iterate", "2", "--screenshot", png, "--exit"})
                          .actions);
        QSignalSpy finished(&script, &Script::finished);

        script.start();
        QVERIFY(until([&] { return finished.count() == 1; }));

        QVERIFY(!script.fault());
        QCOMPARE(script.exits(), true);
        QCOMPARE(desk.runs().selected()->shownIterate(), 2);
        QCOMPARE(desk.view().cursor().x, 8.0);
        QCOMPARE(desk.view().range(), (DisplayRange{0, 5}));
        QCOMPARE(desk.view().layout(), Layout::Row);
        QCOMPARE(QImage(png).size(), QSize(1200, 800));
    }

    void aScriptStopsAtTheFirstFault() {
        test::Program program(engines_);
        Script script(program.window, program.desk, CommandLine::parse({"/no/such/file", "--run"}).actions);
        QSignalSpy finished(&script, &Script::finished);

        script.start();
        QVERIFY(until([&] { return finished.count() == 1; }));

        QVERIFY(script.fault() && QString(script.fault()->what()).contains("/no/such/file"));
        QVERIFY(QString(script.fault()->what()).contains("left out after that: --run"));
        QCOMPARE(script.fault()->kind(), ErrorKind::BadInput);
    }

    void aScriptStopsAtARunThatFails() {
        test::Program program(engines_);
        const QString missing = folder_.filePath("missing.nii");
        Script script(program.window, program.desk,
                      CommandLine::parse({dataFile_, "--set", "algorithm=bsrem", "--set", "beta=0.1", "--set",
                                          "anatomy=" + missing, "--run", "--wait", "--exit"})
                          .actions);
        QSignalSpy finished(&script, &Script::finished);

        script.start();
        QVERIFY(until([&] { return finished.count() == 1; }));

        QVERIFY(script.fault());
        const QString told = script.fault()->what();
        QVERIFY2(told.startsWith("Run A: ") && told.contains(missing), qPrintable(told));
        QCOMPARE(script.fault()->kind(), ErrorKind::BadInput);
    }

    void helpNamesEveryOption() {
        const QString help = helpText(measureWing().options);
        for (const char* option :
             {"--screenshot", "--run", "--set", "--wait", "--cursor", "--measure-responsiveness"}) {
            QVERIFY2(help.contains(option), option);
        }
    }

    void gapsOfTheEventLoopAreMeasured() {
        LoopGaps gaps;
        gaps.start();
        QVERIFY(until([&] { return gaps.summary().seconds >= 0.05; }));
        QThread::msleep(120);  // a window that does not answer
        QVERIFY(until([&] { return gaps.summary().seconds >= 0.2; }));
        gaps.stop();

        const LoopGaps::Summary summary = gaps.summary();

        QVERIFY(summary.maxMs >= 119);
        QVERIFY(summary.medianMs < 60);
        QVERIFY(summary.seconds >= 0.2);
    }

    void picturesAndMeasurementsLeaveTheStudyAsItWas_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<bool>("writes");
        const QString png = folder_.filePath("left.png");
        const QStringList changes{
            "--cursor",
            "22,2,6",
            "--layout",
            "row",
            "--set",
            "iterations=1",
            "--roi",
            R"({"rois": [{"name": "mine", "shape": "circle", "centre_mm": [8, 4, 2], "radius_mm": 9}]})"};
        QTest::newRow("picture") << changes + QStringList{"--screenshot", png} << false;
        QTest::newRow("run and picture")
            << changes + QStringList{"--run", "--wait", "--screenshot", png} << false;
        QTest::newRow("exit in the middle of a run")
            << changes + QStringList{"--set", "iterations=500", "--run", "--until-iterate", "2", "--exit"}
            << false;
        QTest::newRow("responsiveness") << changes + QStringList{"--measure-responsiveness", "1"} << false;
        QTest::newRow("mixed work") << changes + QStringList{"--measure-responsiveness", "3", "--mixed-work"}
                                    << false;
        QTest::newRow("cycles") << changes + QStringList{"--measure-cycles", "2"} << false;
        QTest::newRow("asked to save")
            << changes + QStringList{"--run", "--wait", "--save", "--exit"} << true;
    }

    void picturesAndMeasurementsLeaveTheStudyAsItWas() {
        QFETCH(QStringList, arguments);
        QFETCH(bool, writes);
        const QString program = inBuild("bin/tofscope");
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString study = folder_.filePath(QString("s%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(study.toStdString(), dataFile_.toStdString()));
        const auto before = contents(study);

        QProcess process;
        process.start(program, QStringList{study} + arguments);
        QVERIFY(process.waitForFinished(120000));

        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const auto after = contents(study);
        if (!writes) {
            QCOMPARE(after.keys(), before.keys());
            QVERIFY(after == before);
            return;
        }
        QVERIFY(after.contains("runs/A.h5"));
        QVERIFY(after["study.json"].contains("mine"));
        QVERIFY(after["study.json"].contains("22"));
    }

    void whatCannotBeSavedIsNotBegun() {
        const QString program = inBuild("bin/tofscope");
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString study = folder_.filePath(QString("s%1.tofstudy").arg(++studies_));
        static_cast<void>(Study::create(study.toStdString(), dataFile_.toStdString()));
        const StudyLock ours(study.toStdString(), StudyLock::Use::Writes);
        const auto before = contents(study);

        QProcess process;
        process.start(program, {study, "--fresh", "--run", "--wait", "--save", "--exit"});
        QVERIFY(process.waitForFinished(120000));

        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 5, said);
        QVERIFY2(said.contains("the study is open in"), said);
        QVERIFY2(said.contains("left out after that: --run, --wait"), said);
        QVERIFY(contents(study) == before);
    }

    void theProgramRunsUnderARealXServer() {
        const QString xvfb = QStandardPaths::findExecutable("xvfb-run");
        const QString program = inBuild("bin/tofscope");
        if (xvfb.isEmpty()) {
            QSKIP("xvfb-run is not installed");
        }
        if (!QFile::exists(program)) {
            QSKIP("the program tofscope was not built");
        }
        const QString png = folder_.filePath("x.png");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "xcb");
        // libxkbcommon copies names that do not end by strndup(), which is right and not what strict checks
        // want.
        environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":strict_string_checks=0");
        process.setProcessEnvironment(environment);

        process.start(
            xvfb, {"-a", "-s", "-screen 0 1280x1000x24", program, dataFile_, "--set", "iterations=1", "--run",
                   "--wait", "--size", "1200x800", "--screenshot", png, "--exit"});
        QVERIFY(process.waitForFinished(120000));

        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QCOMPARE(QImage(png).size(), QSize(1200, 800));
    }

  private:
    /// Every file of a folder by its path there.
    static QMap<QString, QByteArray> contents(const QString& folder) {
        QMap<QString, QByteArray> all;
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly)) {
                all[QDir(folder).relativeFilePath(file.fileName())] = file.readAll();
            }
        }
        return all;
    }

    const EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    QString dataFile_;
    int studies_ = 0;
};

QTEST_MAIN(ScriptTest)

}  // namespace script_test
#include "script_test.moc"
