// SPDX-License-Identifier: Apache-2.0
// Corrections of sinograms, list-mode and two panels in the real window: the same parts, switches and files
// as tofscope-cli correct has.
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <functional>
#include <numeric>

#include "recon/base/constants.h"
#include "recon/binning/line_binning.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"
#include "tests/support/correct_as.h"
#include "tests/support/silent_progress.h"
#include "tests/ui/fixture.h"
#include "ui/pages/corrections_dialog.h"
#include "ui/pages/corrections_page.h"

namespace corrections_forms_test {

using namespace tof;
using namespace tof::ui;
using tof::test::correct;
using tof::test::correctPanel;
using tof::test::SilentProgress;
using tof::test::until;

namespace {

/// 4 rings of 96 crystals whose modules are dead for 1 us after a photon.
const char* const kScanner =
    R"({"name":"small","modules":{"count":24,"face_to_face_mm":304,"crystals":[4,4],"pitch_mm":[10,10]},)"
    R"("crystal_mm":[9.6,9.6,20],"attenuation_per_mm":0.0819,"acceptance_deg":20,"fov_diameter_mm":200,)"
    R"("timing_fwhm_ps":300,"detection":{"material":"LSO","energy_resolution":0.12,"window_kev":[435,650],)"
    R"("coincidence_ns":4,"dead_time_ns":1000}})";
const char* const kPanels =
    R"({"name":"two","modules":{"count":2,"face_to_face_mm":40,"crystals":[12,9],"pitch_mm":[2.4,2.4]},)"
    R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":80,)"
    R"("timing_fwhm_ps":3000,"detection":{"material":"LSO","energy_resolution":0.17,"window_kev":[250,750],)"
    R"("block":[4,3],"position":"first","coincidence_ns":6}})";
const char* const kSource =
    R"({"name":"source","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":70,"length_mm":38,)"
    R"("activity":1,"mu_per_mm":0.004}]})";
const char* const kLine =
    R"({"name":"line","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":8,"length_mm":16,)"
    R"("activity":1}]})";

/// A scan with its delayed window and counters.
struct Scan {
    EventList events;
    EventList delayeds;
    CrystalSingles singles;
};

Scan scanOf(const Scanner& scanner, const char* phantom, std::uint64_t events, double activity_MBq) {
    SimulationSettings settings;
    settings.events = events;
    settings.seed = 5;
    settings.activity_MBq = activity_MBq;
    settings.physics = Physics::fromText("energy,randoms,dead-time");
    Scan scan;
    SimulationHooks hooks;
    hooks.delayed = &scan.delayeds;
    hooks.singles = &scan.singles;
    scan.events = simulateWith(scanner, Phantom::fromJson(phantom, "test"), settings, ThreadPool(2), hooks);
    scan.events.phantom = phantom;
    return scan;
}

std::shared_ptr<const Michelogram> bins() {
    MichelogramSpec spec;
    spec.scanner = {"small", 4, 96, 160, 10, kPi / 96};
    spec.segments = segmentsOfSpan(4, 3, 3);
    spec.radialBins = 47;
    spec.mashing = 4;
    return std::make_shared<const Michelogram>(spec);
}

bool isOn(const CorrectionParts& parts, PartName name) {
    const CorrectionPart* const part = parts.find(name);
    return part != nullptr && part->on;
}

}  // namespace

class CorrectionsFormsTest : public test::WindowTest {
    Q_OBJECT

  public:
    // The smallest window that the guide speaks of.
    CorrectionsFormsTest() : WindowTest({QSize(1100, 700)}) {}

  protected:
    void makeFiles() override {
        const Scan scan = scanOf(scanner_, kSource, 20000, 25);
        scannerFile_ = folder_.filePath("small.json");
        QFile description(scannerFile_);
        QVERIFY(description.open(QIODevice::WriteOnly));
        description.write(kScanner);
        writeEvents(path("scan.h5").toStdString(), scan.events);
        writeEvents(path("late.h5").toStdString(), scan.delayeds);
        writeSingles(path("singles.h5").toStdString(), scan.singles);
        EventList nameless = scan.events;
        nameless.phantom.clear();
        writeEvents(path("nameless.h5").toStdString(), nameless);
        const Lattice lattice = Lattice::centred({20, 20, 5}, {8, 8, 8});
        SinogramData sinograms = binEvents(scan.events, &scanner_, bins(), lattice);
        weighPairs(sinograms, scanner_, ThreadPool(2));
        sinograms.phantom = kSource;
        sinograms.duration_s = scan.events.duration_s;
        writeSinogramData(path("sinograms.h5").toStdString(), sinograms);
        LineData lines = listLines(scan.events, scanner_, timeBinsFor(scanner_), lattice);
        lines.phantom = kSource;
        lines.duration_s = scan.events.duration_s;
        writeLineData(path("lines.h5").toStdString(), lines);
        const Scanner panels = Scanner::fromJson(kPanels, "test");
        const Scan between = scanOf(panels, kLine, 6000, 200);
        writePanelData(path("panels.h5").toStdString(), binPanel(between.events, panels));
        writeEvents(path("panels-late.h5").toStdString(), between.delayeds);
    }
    void begin() override {}

  private:
    using Fill = std::function<void(CorrectionsDialog&)>;

    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }
    CorrectionsPage& page() { return *window_->findChild<CorrectionsPage*>(); }
    void show(const char* file) {
        open(path(file));
        QVERIFY(window_->commands().trigger("page.corrections"));
        QVERIFY(until([this] { return !page().model().busy(); }));
        window_->refreshNow();
    }
    /// Into the folder of TOF_TEST_PICTURES, to be looked at.
    static void keepPicture(QWidget& widget, const QString& name) {
        const QString folder = qEnvironmentVariable("TOF_TEST_PICTURES");
        if (!folder.isEmpty()) {
            QApplication::processEvents();
            widget.grab().save(folder + "/" + name + ".png");
        }
    }
    static void type(CorrectionsDialog& dialog, const char* field, const QString& text) {
        dialog.findChild<QLineEdit*>(field)->setText(text);
    }
    static void tick(CorrectionsDialog& dialog, PartName part, bool on) {
        auto* box = dialog.findChild<QCheckBox*>(QString("corrections.%1.on").arg(partText(part)));
        QVERIFY2(box != nullptr && box->isEnabled(), partText(part));
        box->setChecked(on);
    }
    static void press(CorrectionsDialog& dialog) {
        QTest::mouseClick(dialog.findChild<QPushButton*>("corrections.ok"), Qt::LeftButton);
    }
    static QString fault(CorrectionsDialog& dialog, const char* field) {
        auto* label = dialog.findChild<QLabel*>(QString(field) + ".fault");
        return label->isVisible() ? label->text() : QString();
    }
    /// Opens the dialog by `ask` and fills it in; it is closed in the end whatever was pressed.
    static void answer(const std::function<void()>& ask, const Fill& fill) {
        bool seen = false;
        QTimer::singleShot(0, qApp, [&] {
            auto* dialog = qobject_cast<CorrectionsDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            seen = true;
            fill(*dialog);
            dialog->close();
        });
        ask();
        QVERIFY(seen);
    }
    void ask(const Fill& fill) {
        answer([this] { QVERIFY(window_->commands().trigger("corrections.make")); }, fill);
    }
    /// Fills the form, presses Make and waits until the study is open.
    void make(const QString& study, const Fill& fill) {
        ask([&](CorrectionsDialog& dialog) {
            fill(dialog);
            type(dialog, "corrections.folder", folder_.filePath(study + ".tofstudy"));
            press(dialog);
        });
        QVERIFY(until([&] { return !desk_->busy() && desk_->study().name() == study; }));
        window_->refreshNow();
        QVERIFY(page().isInFront());  // the page that it was asked for from
    }
    void chooseScanner(CorrectionsDialog& dialog, const QString& file) {
        auto* list = dialog.findChild<QComboBox*>("corrections.scanner");
        list->addItem(file, file);
        list->setCurrentIndex(list->count() - 1);
    }
    [[nodiscard]] CorrectionParts partsOf(const QString& study) const {
        return partsOfFile(folder_.filePath(study + ".tofstudy/data.h5").toStdString());
    }

    Scanner scanner_ = Scanner::fromJson(kScanner, "test");
    QString scannerFile_;

  private Q_SLOTS:
    void sinogramsAreCorrectedAsTheCommandCorrectsThem() {
        show("sinograms.h5");
        make("sinograms-made", [&](CorrectionsDialog& dialog) {
            type(dialog, "corrections.norm", path("scan.h5"));
            type(dialog, "corrections.singles", path("singles.h5"));
            press(dialog);  // no built-in scanner has so few crystals
            QVERIFY(fault(dialog, "corrections.scanner").contains("scanner"));
            chooseScanner(dialog, scannerFile_);
            keepPicture(dialog, "corrections-dialog-sinograms");
        });

        SinogramData expected = readSinogramData(path("sinograms.h5").toStdString());
        CorrectRequest request;
        request.norm = path("scan.h5").toStdString();
        request.singles = path("singles.h5").toStdString();
        request.switches.randoms = RandomsBy::Singles;
        SilentProgress progress;
        CorrectionParts parts;
        const CorrectResult result =
            correct(expected, scanner_, "sinograms", request, ThreadPool(0), progress, &parts);
        const auto* made = dynamic_cast<const SinogramMeasurement*>(desk_->study().measurement().get());
        QVERIFY(made != nullptr && result.randoms > 0 && result.efficiencySd > 0);
        QVERIFY(made->data()->mult == expected.mult);
        QVERIFY(made->data()->add == expected.add);
        QVERIFY(isOn(partsOf("sinograms-made"), PartName::DeadTime));
        QVERIFY(page().parts()->of(PartName::Singles)->isChecked() &&
                !page().parts()->of(PartName::Delayeds)->isChecked());
        QVERIFY2(page().parts()->text(PartName::Singles).contains("counts"),
                 qPrintable(page().parts()->text(PartName::Singles)));
        QVERIFY(until([this] { return !page().model().busy(); }));
        // Every segment has its size.
        QCOMPARE(page().model().sizes(DataQuantity::Mult).size(), made->viewTotals().size());
        keepPicture(*window_, "corrections-sinograms");
    }

    void aListIsCorrectedAndItsPartsAreSwitched() {
        show("lines.h5");
        QVERIFY(page().model().whyNot(DataQuantity::Add).contains("list"));
        make("lines-made", [&](CorrectionsDialog& dialog) {
            type(dialog, "corrections.norm", path("scan.h5"));
            type(dialog, "corrections.singles", path("singles.h5"));
            tick(dialog, PartName::Singles, false);
            keepPicture(dialog, "corrections-dialog-lines");
        });
        LineData expected = readLineData(path("lines.h5").toStdString());
        CorrectRequest request;
        request.norm = path("scan.h5").toStdString();
        request.singles = path("singles.h5").toStdString();
        request.switches.randoms = RandomsBy::Off;
        SilentProgress progress;
        CorrectionParts parts;
        static_cast<void>(correct(expected, "lines", request, ThreadPool(0), progress, &parts));
        const auto efficiencies = [this] {
            const auto* lines = dynamic_cast<const LineMeasurement*>(desk_->study().measurement().get());
            return lines != nullptr ? lines->data()->possible.efficiencies : std::vector<float>();
        };
        QCOMPARE(efficiencies(), expected.possible.efficiencies);
        QVERIFY(!expected.possible.efficiencies.empty());
        keepPicture(*window_, "corrections-lines");

        // One click asks for a study without dead time; its part stays there, off.
        answer(
            [this] {
                QTest::mouseClick(page().parts()->of(PartName::DeadTime), Qt::LeftButton, {}, {8, 8});
            },
            [&](CorrectionsDialog& dialog) {
                QVERIFY(!dialog.findChild<QCheckBox*>("corrections.dead-time.on")->isChecked());
                type(dialog, "corrections.folder", folder_.filePath("lines-alive.tofstudy"));
                press(dialog);
            });
        QVERIFY(until([&] { return !desk_->busy() && desk_->study().name() == "lines-alive"; }));
        window_->refreshNow();

        CorrectRequest off;
        off.switches.deadTime = false;
        static_cast<void>(correct(expected, "lines", off, ThreadPool(0), progress, &parts));
        QCOMPARE(efficiencies(), expected.possible.efficiencies);
        QVERIFY(partsOf("lines-alive").find(PartName::DeadTime) != nullptr &&
                !isOn(partsOf("lines-alive"), PartName::DeadTime));
        QVERIFY(!page().parts()->of(PartName::DeadTime)->isChecked());
        QVERIFY(page().parts()->text(PartName::DeadTime).contains("kept"));
    }

    void panelsTakeTheirRandomsAndSayWhatTheyCannot() {
        show("panels.h5");
        make("panels-made", [&](CorrectionsDialog& dialog) {
            for (const PartName part : {PartName::Attenuation, PartName::Efficiencies, PartName::Singles,
                                        PartName::DeadTime, PartName::Scatter}) {
                auto* box = dialog.findChild<QCheckBox*>(QString("corrections.%1.on").arg(partText(part)));
                QVERIFY2(!box->isEnabled() && box->toolTip().contains("panels"), partText(part));
            }
            type(dialog, "corrections.delayeds", path("panels-late.h5"));
            keepPicture(dialog, "corrections-dialog-panels");
        });
        PanelData expected = std::get<PanelData>(recognise(path("panels.h5").toStdString()).readData().data);
        CorrectRequest request;
        request.delayeds = path("panels-late.h5").toStdString();
        SilentProgress progress;
        const PanelRandomsTally tally = correctPanel(expected, "panels", request, progress);
        const auto* made = dynamic_cast<const PanelMeasurement*>(desk_->study().measurement().get());
        QVERIFY(made != nullptr && tally.delayeds > 100);
        QVERIFY(made->data()->add == expected.add && made->data()->counts == expected.counts);

        // Or taken from the counts.
        show("panels.h5");
        make("panels-less", [&](CorrectionsDialog& dialog) {
            type(dialog, "corrections.delayeds", path("panels-late.h5"));
            dialog.findChild<QComboBox*>("corrections.panel-way")->setCurrentIndex(1);
        });
        PanelData less = std::get<PanelData>(recognise(path("panels.h5").toStdString()).readData().data);
        request.panelRandoms = PanelRandoms::Subtract;
        static_cast<void>(correctPanel(less, "panels", request, progress));
        made = dynamic_cast<const PanelMeasurement*>(desk_->study().measurement().get());
        QVERIFY(made != nullptr && made->data()->counts == less.counts && made->data()->add.empty());
    }

    void filesThatCannotBeUsedSaySoAtTheirFields() {
        show("lines.h5");
        ask([&](CorrectionsDialog& dialog) {
            const QString folder = folder_.filePath("never.tofstudy");
            type(dialog, "corrections.folder", folder);
            type(dialog, "corrections.norm", path("nameless.h5"));
            type(dialog, "corrections.delayeds", path("singles.h5"));
            press(dialog);
            QVERIFY(dialog.isVisible());
            QVERIFY2(fault(dialog, "corrections.norm").contains("measured"),
                     qPrintable(fault(dialog, "corrections.norm")));
            QVERIFY2(fault(dialog, "corrections.delayeds").contains("list"),
                     qPrintable(fault(dialog, "corrections.delayeds")));
            QVERIFY(fault(dialog, "corrections.folder").isEmpty());

            // One of another scanner, and none.
            type(dialog, "corrections.norm", path("panels-late.h5"));
            type(dialog, "corrections.delayeds", "");
            type(dialog, "corrections.singles", path("scan.h5"));
            press(dialog);
            QVERIFY2(fault(dialog, "corrections.norm").contains("216 crystals"),
                     qPrintable(fault(dialog, "corrections.norm")));
            QVERIFY(fault(dialog, "corrections.delayeds").isEmpty());
            QVERIFY(!fault(dialog, "corrections.singles").isEmpty());

            // Ticked without a file.
            type(dialog, "corrections.norm", "");
            tick(dialog, PartName::Efficiencies, true);
            press(dialog);
            QVERIFY2(fault(dialog, "corrections.norm").contains("needed"),
                     qPrintable(fault(dialog, "corrections.norm")));
            keepPicture(dialog, "corrections-dialog-faults");
            QVERIFY(dialog.isVisible() && !QFileInfo::exists(folder));
        });
        QVERIFY(!desk_->tasks().busy());
    }

    void whatWasFoundBesideIsNotFoundAgain() {
        show("lines.h5");
        const auto norm = [&](CorrectionsDialog& dialog) {
            type(dialog, "corrections.norm", path("scan.h5"));
        };
        make("lines-corrected", norm);
        show("lines.h5");
        make("lines-corrected-2", norm);
        const auto& told = desk_->messages().all();
        QVERIFY(std::any_of(told.begin(), told.end(), [](const Message& message) {
            return message.text.contains("efficiencies is kept from before");
        }));
        QCOMPARE(partsOf("lines-corrected-2").find(PartName::Efficiencies)->values,
                 partsOf("lines-corrected").find(PartName::Efficiencies)->values);
    }

    void aCancelledListLeavesNothing() {
        show("lines.h5");
        CorrectionWish wish;
        wish.norm = path("scan.h5").toStdString();
        wish.folder = folder_.filePath("never.tofstudy");
        correctOpenData(*desk_, wish);
        QVERIFY(desk_->tasks().busy() && desk_->tasks().isWork());
        desk_->tasks().togglePause();
        desk_->tasks().cancelCurrent();
        QVERIFY(until([&] { return !desk_->tasks().busy(); }));
        QVERIFY(!QFileInfo::exists(wish.folder) && !QFileInfo::exists(wish.folder + ".data.h5"));
        QCOMPARE(desk_->study().name(), QString("lines"));
    }
};

QTEST_MAIN(CorrectionsFormsTest)

}  // namespace corrections_forms_test
#include "corrections_forms_test.moc"
