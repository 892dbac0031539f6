// SPDX-License-Identifier: Apache-2.0
// The form of a new simulated study: switches of the physics, panels, what it refuses, what it makes.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <numeric>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/work/simulated_study.h"
#include "tests/ui/fixture.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/theme.h"
#include "ui/pictures/scanner_picture.h"
#include "ui/window/simulation_dialog.h"

namespace simulation_form_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

namespace {

/// Into the folder of TOF_TEST_PICTURES, to be looked at.
void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
    if (!folder.isEmpty()) {
        QApplication::processEvents();
        widget.grab().save(folder + "/" + name + ".png");
    }
}

/// A form that is on screen, with its fields by name.
struct Dialog {
    explicit Dialog(const QString& whyNoDevice = {}) : dialog(Threading::Threaded, whyNoDevice) {
        dialog.show();
    }

    template <typename W>
    W* field(const QString& name) {
        return dialog.findChild<W*>("simulate." + name);
    }
    QCheckBox* box(const QString& name) { return field<QCheckBox>(name); }
    void choose(const QString& list, const QString& value) {
        auto* combo = field<QComboBox>(list);
        QVERIFY2(combo->findData(value) >= 0, qPrintable(value));
        combo->setCurrentIndex(combo->findData(value));
    }
    void type(const QString& name, const QString& text) {
        auto* edit = field<QLineEdit>(name);
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    void press(const QString& name) { QTest::mouseClick(field<QPushButton>(name), Qt::LeftButton); }

    SimulationDialog dialog;
};

}  // namespace

class SimulationFormTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyTheme(*qApp, ThemeKind::Dark); }

    void everyPartOfThePhysicsHasItsSwitch() {
        Dialog form;
        for (const auto& [name, member] : Physics::switches()) {
            auto* box = form.box(QString("physics.") + name);
            QVERIFY2(box != nullptr && !box->isEnabled() && !box->isChecked(), name);
            QVERIFY(box->toolTip().contains("does not say how it detects"));
        }
        QVERIFY(!form.dialog.request().settings.physics);

        form.choose("scanner", "quadra");

        QVERIFY(form.dialog.request().settings.physics == std::optional(Physics()));
        keepPicture(form.dialog, "form-quadra");
        QVERIFY2(form.dialog.sizeHint().height() <= 700,
                 qPrintable(QString("%1 pixels are more than a small screen has room for")
                                .arg(form.dialog.sizeHint().height())));
        for (const auto& [name, member] : Physics::switches()) {
            auto* box = form.box(QString("physics.") + name);
            if (!box->isVisibleTo(&form.dialog)) {  // the scanner does not have it
                QVERIFY2(name == std::string("bandwidth") && !box->toolTip().isEmpty(), name);
                continue;
            }
            const bool begins = Physics().*member;
            QVERIFY2(box->isEnabled() && box->isChecked() == begins && !box->toolTip().isEmpty(), name);
            QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
            const std::optional<Physics> now = form.dialog.request().settings.physics;
            QVERIFY2(now && (*now).*member != begins, name);
            QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        }
        QVERIFY(form.dialog.request().settings.physics == std::optional(Physics()));
    }

    void aScannerWithoutPhysicsSaysWhy() {
        Dialog form;
        const auto* text = form.field<QLabel>("physics.text");
        QVERIFY(text != nullptr && text->isVisible() && text->text().contains("labr3-ideal"));
        form.choose("scanner", "labr3");
        QVERIFY(!text->isVisible());
    }

    void deadTimeAndPileUpGoWithTheRandoms() {
        Dialog form;
        form.choose("scanner", "labr3");
        form.box("physics.randoms")->setChecked(false);

        for (const char* name : {"physics.dead-time", "physics.pile-up", "physics.multiples"}) {
            QVERIFY(!form.box(name)->isEnabled());
        }
        QVERIFY(!form.dialog.request().settings.physics->deadTime);
        QVERIFY(!form.dialog.request().settings.physics->pileUp);
        QVERIFY(!form.box("correct.randoms")->isEnabled());
        QVERIFY(form.box("correct.scatter")->isEnabled());
    }

    void isotopeActivityAndTimesAreTaken() {
        Dialog form;
        form.choose("scanner", "labr3");
        form.choose("isotope", "Ga-68");
        form.type("activity", "40");
        QVERIFY(!form.dialog.request().timingByRate);
        form.box("timing-by-rate")->setChecked(true);
        form.type("timing", "1 M: 375, 20 M: 430");

        const SimulationRequest request = form.dialog.request();
        QCOMPARE(request.settings.physics->isotope, std::string("Ga-68"));
        QCOMPARE(request.settings.activity_MBq, 40.0);
        const std::vector<std::array<double, 2>> table{{1e6, 375}, {2e7, 430}};
        QVERIFY(request.timingByRate == std::optional(table));
    }

    void whatCannotBeIsSaidAtItsField_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("no activity") << "activity"
                                     << "0";
        QTest::newRow("no number") << "activity"
                                   << "much";
        QTest::newRow("rates that fall") << "timing"
                                         << "20 M: 430, 1 M: 375";
        QTest::newRow("no times") << "timing"
                                  << "1 M";
    }
    void whatCannotBeIsSaidAtItsField() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        const QTemporaryDir folder;
        Dialog form;
        form.choose("scanner", "labr3");
        form.box("timing-by-rate")->setChecked(true);
        form.field<QLineEdit>("folder")->setText(folder.filePath("new"));
        form.type(name, text);
        form.press("ok");

        QVERIFY(form.dialog.isVisible());
        QVERIFY(form.field<QLabel>(name + ".fault")->isVisible());
        QCOMPARE(form.dialog.focusWidget(), form.field<QWidget>(name));
    }

    void panelsAreOfferedWithTheirPhantoms() {
        Dialog form;
        for (const std::string& name : computedPhantoms()) {
            QVERIFY(form.field<QComboBox>("phantom")->findData(QString::fromStdString(name)) >= 0);
        }
        form.choose("scanner", "small-panel");
        QVERIFY(form.field<QLabel>("scanner.text")->text().contains("two heads"));
        // A cylinder for people has no room between heads 6 cm apart.
        QVERIFY(form.field<QLabel>("phantom.fault")->isVisible());
        form.press("ok");
        QVERIFY(form.dialog.isVisible());
        form.choose("phantom", "small-derenzo");
        QVERIFY(!form.field<QLabel>("phantom.fault")->isVisible());
        QCOMPARE(form.field<ScannerPicture>("picture")->scene()->modules.size(), std::size_t{2});
        QVERIFY(!form.field<ScannerPicture>("picture")->scene()->phantom.voxels.empty());
        QVERIFY(form.field<QComboBox>("way")->currentData() == "events");
        keepPicture(form.dialog, "form-panel");
        QVERIFY(!form.box("correct.scatter")->isEnabled());
    }

    void imagesOfAPhantomAreReadAwayFromTheWindow() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("own.h5");
        writeVolume(file.toStdString(), Volume(Lattice::centred({20, 20, 10}, {10, 10, 10}), 1));
        Dialog form;
        form.field<QLineEdit>("folder")->setText(folder.filePath("new"));
        form.field<QComboBox>("phantom")->addItem("own", file);
        form.choose("phantom", file);

        const auto* text = form.field<QLabel>("phantom.text");
        const auto* fault = form.field<QLabel>("phantom.fault");
        QVERIFY2(text->text().contains("reading"), qPrintable(text->text()));
        form.press("ok");
        QVERIFY(form.dialog.isVisible() && fault->isVisible());
        QVERIFY2(fault->text().contains("still being read"), qPrintable(fault->text()));
        QVERIFY(until([&] { return !text->text().contains("reading"); }));
        QVERIFY(!fault->isVisible());
        QCOMPARE(form.field<ScannerPicture>("picture")->scene()->phantom.voxels.size(), std::size_t{4000});
        form.choose("scanner", "small-panel");  // the image reaches 95 mm, its heads stand at 30
        QVERIFY(fault->isVisible());
        QVERIFY2(fault->text().contains("95 mm"), qPrintable(fault->text()));
    }

    void theLastPhantomAskedForCounts() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("own.h5").toStdString();
        writeVolume(file, Volume(Lattice::centred({20, 20, 10}, {10, 10, 10}), 1));
        PhantomFinder finder(Threading::Threaded);
        int found = 0;
        connect(&finder, &PhantomFinder::found, &finder, [&found] { ++found; });
        finder.find(file, "test");
        QVERIFY(finder.busy() && !finder.outline());
        finder.find("spheres", "test");
        QVERIFY(!finder.busy());
        QCOMPARE(finder.outline()->shapes.size(), std::size_t{7});
        finder.find(file, "test");  // while the worker still holds what nobody wants
        QVERIFY(finder.busy() && !finder.outline());
        QVERIFY(until([&] { return !finder.busy(); }));
        QCOMPARE(finder.outline()->voxels.size(), std::size_t{4000});
        finder.find("sphere", "test");
        QVERIFY(!finder.outline());
        QVERIFY2(finder.fault().contains("spheres"), qPrintable(finder.fault()));
        QCOMPARE(found, 3);
    }

    void countsFromChordsHaveNoPhysicsButMayBeWithoutNoise() {
        Dialog form;
        form.choose("scanner", "labr3");
        QVERIFY(!form.box("noise-free")->isEnabled());

        form.choose("way", "chords");

        QVERIFY(form.dialog.request().analytic);
        QVERIFY(!form.dialog.request().settings.physics);
        QVERIFY(!form.box("physics.scatter")->isEnabled());
        QVERIFY(!form.box("correct.randoms")->isEnabled());
        form.box("noise-free")->setChecked(true);
        QVERIFY(form.dialog.request().noiseFree);
        QVERIFY(!form.dialog.request().background);
        form.box("background")->setChecked(true);
        QVERIFY(form.dialog.request().background);
        form.choose("scanner", "labr3-ideal");  // it does not say how it detects
        QVERIFY(!form.box("background")->isEnabled());
        QVERIFY(!form.dialog.request().background);
        form.choose("scanner", "labr3");
        QVERIFY(form.dialog.request().background);
        form.choose("way", "events");
        QVERIFY(!form.dialog.request().noiseFree);
        QVERIFY(!form.dialog.request().background);
    }

    void aDeviceIsOfferedForScansInTimeAlone() {
        Dialog there;
        there.choose("scanner", "labr3");
        there.choose("engine", "cuda");
        QCOMPARE(there.dialog.request().engine, std::string("cuda"));
        there.box("physics.randoms")->setChecked(false);
        QCOMPARE(there.dialog.request().engine, std::string("cpu"));
    }

    void timeAndSizeAreEstimated() {
        Dialog form;
        const auto text = [&form] { return form.field<QLabel>("estimate")->text(); };
        form.type("events", "2 G");
        QVERIFY2(text().contains("GB of memory"), qPrintable(text()));
        form.choose("scanner", "labr3");
        form.type("events", "1 M");
        QVERIFY(until([&] { return text().contains("about"); }));
        QVERIFY2(text().contains("980 MB"), qPrintable(text()));
        form.box("correct.randoms")->setChecked(true);
        QVERIFY2(text().contains("1.5 GB"), qPrintable(text()));
    }

    void whatIsAskedForIsMade() {
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("takes some minutes: 120 views of crystals that are followed; TOFSCOPE_FULL=1 runs it");
        }
        const QTemporaryDir folder;
        const EngineRegistry engines = makeEngineRegistry();
        test::Program program(engines);
        SimulationRequest request;
        request.scanner = "labr3";
        request.phantom = "uniform-cylinder";
        request.settings.events = 1500;
        request.settings.activity_MBq = 300;
        request.settings.physics = Physics::fromText("scatter,energy,position,randoms");
        request.timingByRate = std::vector<std::array<double, 2>>(1, {1e6, 500});
        request.correctRandoms = true;
        request.folder = folder.filePath("made.tofstudy");
        program.desk.simulate(request);
        QVERIFY(until([&] { return !program.desk.busy() && !program.desk.isEmpty(); }, 240000));

        const auto data = program.desk.study().histo();
        QVERIFY(data != nullptr);
        const double randoms = std::accumulate(data->add.begin(), data->add.end(), 0.0);
        QVERIFY2(randoms > 1 && randoms < 1500, qPrintable(QString::number(randoms)));
        const Scanner scanner = Scanner::fromJson(data->scannerJson, "data");
        QCOMPARE(scanner.detection->timingByRate.front()[1], 500.0);
        // 300 MBq of the isotope make the decays of the scan in its time.
        QVERIFY(std::abs(data->decays / data->duration_s / 300e6 - 0.969) < 0.001);
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 1);
    }

    void expectedCountsMakeAStudyToo() {
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP("takes four minutes: chords through a whole ring; TOFSCOPE_FULL=1 runs it");
        }
        const QTemporaryDir folder;
        const EngineRegistry engines = makeEngineRegistry();
        SimulateRequest scan;
        scan.scanner = "labr3-ideal";
        scan.phantom = "spheres";
        StudyRecipe recipe;
        AnalyticSettings& chords = recipe.analytic.emplace();
        chords.azimuths = 4;
        chords.tilts = 1;
        chords.lattice = Lattice::centred({36, 36, 12}, {16, 16, 16});
        chords.counts = 1e6;
        chords.noiseFree = true;
        TaskControl control;
        TaskProgress progress(control, {{"attenuation", 0.1}, {"chords", 0.9}});
        const QString made = folder.filePath("chords.tofstudy");
        createSimulatedStudy(made.toStdString(), scan, recipe, ThreadPool(0), progress);
        recipe.scatter = true;
        QVERIFY_EXCEPTION_THROWN(createSimulatedStudy(folder.filePath("no.tofstudy").toStdString(), scan,
                                                      recipe, ThreadPool(0), progress),
                                 WrongUse);
        test::Program program(engines);
        program.open({made});

        const auto data = program.desk.study().histo();
        QVERIFY(data != nullptr && !data->att.empty());
        const double counts = std::accumulate(data->counts.begin(), data->counts.end(), 0.0);
        QVERIFY2(std::abs(counts / 1e6 - 1) < 1e-3, qPrintable(QString::number(counts)));
    }
};

QTEST_MAIN(SimulationFormTest)

}  // namespace simulation_form_test
#include "simulation_form_test.moc"
