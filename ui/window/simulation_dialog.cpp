// SPDX-License-Identifier: Apache-2.0
#include "ui/window/simulation_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStorageInfo>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/scanner/panel_geometry.h"
#include "recon/simulate/monte_carlo.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/engineering.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pictures/scanner_picture.h"
#include "ui/window/physics_form.h"

namespace tof::ui {

namespace {

constexpr double kMostEvents = 4294967296.0;  // SimulationSettings::events
constexpr std::uint64_t kTimedEvents = 20000;
constexpr std::uint64_t kTimedPhysics = 1500;  ///< with physics, events are a hundred times as dear
// Binning into the usual 40 x 3 views of 144 x 144 x 48 voxels: a second and a half of one core per million
// events, and the files of such a study whatever the number of events (docs/performance.md).
constexpr double kBinning_s = 1.5e-6;
constexpr double kCorrections_s = 8;
constexpr double kStudyBytes = 9.8e8;
constexpr double kCorrectedBytes = 4.8e8;  ///< of add, which corrections make
constexpr double kEventBytes = 23;         ///< in memory, until it is counted
constexpr double kScatter_s = 60;          ///< of one core, of the scatter's estimate
const char* const kRings = "ge-ste";

/// Of what is built in, in the user's language; of a file what it says itself.
QString aboutOf(const QString& name, const std::string& json) {
    const std::pair<const char*, QString> known[] = {
        {"labr3", Text::tr("whole-body LaBr3 scanner as it is: energies, scatter, randoms, 5.8 mm; slow")},
        {"labr3-ideal",
         Text::tr("whole-body LaBr3 scanner of ideal crystals, a ring of 24 flat modules; list-mode")},
        {"ge-ste-blocks", Text::tr("GE Discovery STE by its 70 blocks of 8 x 24 BGO crystals; list-mode")},
        {"clinical-214ps", Text::tr("clinical LSO scanner of 214 ps; list-mode")},
        {"long-axial", Text::tr("LSO scanner with a field of view of a metre along the axis; list-mode")},
        {"nema-scatter", Text::tr("scatter phantom of NEMA NU 2: polyethylene, line source at 45 mm")},
        {"nema-line", Text::tr("line source of 700 mm on the axis")},
        {"spheres", Text::tr("water cylinder with six hot spheres of 10 mm, 6:1")},
        {"nema-iq", Text::tr("like NEMA NU 2: four hot spheres, two cold ones, cold insert")},
        {"points", Text::tr("39 point sources in air, for measuring kernels")},
        {"uniform-cylinder", Text::tr("uniform water cylinder of 200 mm")},
        {"hrrt-panel", Text::tr("two HRRT heads 6 cm apart for small animals; lines, a large matrix")},
        {"small-panel", Text::tr("a quarter of it along each side: a first look at two panels")},
        {"micro-derenzo", Text::tr("hot rods of 2.4 to 0.75 mm, for two panels")},
        {"small-derenzo", Text::tr("the three thickest of them, for the small panels")},
        {"rat", Text::tr("rat of 200 mm with organs that emit and attenuate")},
        {"rat-head", Text::tr("the same rat with its head in the middle")},
        {"brain", Text::tr("head with a folded cortex, 4:1 over white matter, and a skull")}};
    for (const auto& [builtIn, about] : known) {
        if (name == builtIn) {
            return about;
        }
    }
    return QString::fromStdString(savedIn<std::string>(parsedJson(json), "about", ""));
}

QLabel* caption(const char* name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setFont(smallFont());
    label->setStyleSheet("font-size: 11px;");
    return label;
}

void number(QSpinBox& box, const char* name, int low, int high, int value) {
    box.setObjectName(name);
    box.setRange(low, high);
    box.setValue(value);
    box.setButtonSymbols(QAbstractSpinBox::NoButtons);
    box.setAlignment(Qt::AlignRight);
}

}  // namespace

SimulationDialog::SimulationDialog(Threading threading, const QString& whyNoDevice, QWidget* parent)
    : QDialog(parent), whyNoDevice_(whyNoDevice), timing_(threading) {
    setWindowTitle(tr("New simulated study"));
    setObjectName("simulate.dialog");
    estimate_ = new QLabel;
    estimate_->setObjectName("simulate.estimate");
    estimate_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    simulate_ = buttons->button(QDialogButtonBox::Ok);
    simulate_->setText(tr("Simulate"));
    simulate_->setObjectName("simulate.ok");
    connect(buttons, &QDialogButtonBox::accepted, this, &SimulationDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(24);
    sides->addLayout(makeLeft(), 1);
    sides->addLayout(makeRight());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(sides, 1);
    column->addWidget(estimate_);
    column->addWidget(buttons);
    setMinimumWidth(960);

    for (QComboBox* list : {static_cast<QComboBox*>(scanner_), static_cast<QComboBox*>(phantom_),
                            static_cast<QComboBox*>(way_)}) {
        connect(list, &QComboBox::currentIndexChanged, this, &SimulationDialog::refresh);
    }
    connect(events_, &QLineEdit::textChanged, this, &SimulationDialog::showEstimate);
    connect(folder_, &QLineEdit::textChanged, this, [this] { folderFault_->hide(); });
    connect(seed_, &QSpinBox::valueChanged, this, &SimulationDialog::showEstimate);
    connect(replicates_, &QSpinBox::valueChanged, this, &SimulationDialog::showEstimate);
    connect(engine_, &QComboBox::currentIndexChanged, this, &SimulationDialog::showEstimate);
    for (const QCheckBox* box : {correctRandoms_, correctScatter_}) {
        connect(box, &QCheckBox::toggled, this, &SimulationDialog::showEstimate);
    }
    connect(physics_, &PhysicsForm::changed, this, [this] {
        enableFields();
        calibrate();
        showEstimate();
    });
    refresh();
}

/// What is measured with what, how much, and where it goes.
QLayout* SimulationDialog::makeLeft() {
    scanner_ = new ChoiceList;
    scanner_->setObjectName("simulate.scanner");
    scanner_->setAccessibleName(tr("Scanner"));
    std::vector<ChoiceList::Choice> scanners;
    for (const BuiltIn& one : builtInScanners()) {
        const QString name = QString::fromStdString(one.name);
        scanners.push_back({name, name, aboutOf(name, one.text)});
    }
    scanners.push_back({kRings, kRings, Text::tr("GE Discovery STE, 24 rings of 560 crystals; sinograms")});
    scanner_->setChoices(scanners);
    scanner_->setCurrentIndex(std::max(0, scanner_->findData(SimulationRequest{}.scanner)));
    phantom_ = new ChoiceList;
    phantom_->setObjectName("simulate.phantom");
    phantom_->setAccessibleName(tr("Phantom"));
    std::vector<ChoiceList::Choice> phantoms;
    for (const BuiltIn& one : builtInPhantoms()) {
        const QString name = QString::fromStdString(one.name);
        phantoms.push_back({name, name, aboutOf(name, one.text)});
    }
    for (const std::string& computed : computedPhantoms()) {
        const QString name = QString::fromStdString(computed);
        phantoms.push_back({name, name, aboutOf(name, {})});
    }
    phantom_->setChoices(phantoms);
    phantom_->setCurrentIndex(std::max(0, phantom_->findData("spheres")));
    picture_ = new ScannerPicture;
    picture_->setObjectName("simulate.picture");
    picture_->setFixedHeight(230);
    scannerText_ = caption("simulate.scanner.text");
    phantomText_ = caption("simulate.phantom.text");

    events_ = new QLineEdit(engineeringText(5e6));
    events_->setObjectName("simulate.events");
    events_->setAccessibleName(tr("Events"));
    events_->setToolTip(tr("Coincidences to be detected: 20 M, 2e6, 500 k"));
    events_->setAlignment(Qt::AlignRight);
    seed_ = new QSpinBox;
    number(*seed_, "simulate.seed", 0, 2147483647, 1);
    seed_->setAccessibleName(tr("First seed"));
    replicates_ = new QSpinBox;
    number(*replicates_, "simulate.replicates", 1, 100, 1);
    replicates_->setAccessibleName(tr("Replicates"));
    replicates_->setToolTip(
        tr("So many studies of seeds in a row: their spread is the noise, their mean the bias"));
    seeds_ = caption("simulate.seeds");
    folder_ = new QLineEdit;
    folder_->setObjectName("simulate.folder");
    folder_->setAccessibleName(tr("Study folder"));
    folder_->setMinimumWidth(300);

    const auto button = [&](const QString& help, const char* name, const std::function<void()>& run) {
        auto* made = new QToolButton;
        made->setText(tr("Browse…"));
        made->setAccessibleName(help);
        made->setToolTip(help);
        made->setObjectName(name);
        made->setProperty("kind", "button");
        made->setFocusPolicy(Qt::TabFocus);
        connect(made, &QToolButton::clicked, this, run);
        return made;
    };
    const auto beside = [](QWidget* field, QWidget* other) {
        auto* row = new QWidget;
        auto* line = makeRow(row, {});
        line->addWidget(field, 1);
        line->addWidget(other);
        return row;
    };
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->addRow(tr("Scanner"),
                 withFault(beside(scanner_, button(tr("A scanner of one's own: a JSON description"),
                                                   "simulate.scanner.browse",
                                                   [this] {
                                                       browse(*scanner_, tr("Scanner description"),
                                                              tr("Scanners (*.json);;All files (*)"));
                                                   })),
                           scannerFault_, "simulate.scanner.fault"));
    form->addRow(QString(), scannerText_);
    form->addRow(
        tr("Phantom"),
        withFault(
            beside(
                phantom_,
                button(tr("A phantom of one's own: a JSON description, or an emission and an "
                          "attenuation volume"),
                       "simulate.phantom.browse",
                       [this] {
                           browse(
                               *phantom_, tr("Phantom"),
                               tr("Phantoms and volumes (*.json *.h5 *.nii *.nii.gz *.hv);;All files (*)"));
                       })),
            phantomFault_, "simulate.phantom.fault"));
    form->addRow(QString(), phantomText_);
    form->addRow(QString(), picture_);
    form->addRow(tr("Events"), withFault(events_, eventsFault_, "simulate.events.fault"));
    form->addRow(tr("First seed"), seed_);
    form->addRow(tr("Replicates"), replicates_);
    form->addRow(QString(), seeds_);
    form->addRow(tr("Study folder"),
                 withFault(beside(folder_, button(tr("Chooses where the study is made"),
                                                  "simulate.folder.browse", [this] { browseFolder(); })),
                           folderFault_, "simulate.folder.fault"));
    return form;
}

/// How counts come about, and what is known of them afterwards.
QLayout* SimulationDialog::makeRight() {
    way_ = new ChoiceList;
    way_->setObjectName("simulate.way");
    way_->setAccessibleName(tr("How counts are made"));
    physics_ = new PhysicsForm;
    physics_->setObjectName("simulate.physics");
    blur_ = new QLineEdit;
    blur_->setObjectName("simulate.blur");
    blur_->setAccessibleName(tr("Blur"));
    blur_->setText(tr("the scanner's"));
    blur_->setAlignment(Qt::AlignRight);
    noiseFree_ = new QCheckBox(tr("without noise"));
    noiseFree_->setObjectName("simulate.noiseFree");
    background_ = new QCheckBox(tr("with scatter and randoms"));
    background_->setObjectName("simulate.background");
    attenuate_ = new QCheckBox(tr("attenuated by the phantom"));
    attenuate_->setObjectName("simulate.attenuate");
    correctRandoms_ = new QCheckBox(tr("randoms, from delayed coincidences"));
    correctRandoms_->setObjectName("simulate.correct.randoms");
    correctScatter_ = new QCheckBox(tr("scatter, from the data's own image"));
    correctScatter_->setObjectName("simulate.correct.scatter");
    engine_ = new ChoiceList;
    engine_->setObjectName("simulate.engine");
    engine_->setAccessibleName(tr("Engine"));
    engine_->setToolTip(tr("Where photons are followed"));
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->addRow(tr("Counts"), way_);
    form->addRow(tr("Physics"), physics_);
    form->addRow(tr("Blur"), withFault(blur_, blurFault_, "simulate.blur.fault"));
    form->addRow(tr("Expected"), noiseFree_);
    form->addRow(QString(), background_);
    form->addRow(QString(), attenuate_);
    form->addRow(tr("Corrections"), correctRandoms_);
    form->addRow(QString(), correctScatter_);
    form->addRow(tr("Engine"), withFault(engine_, engineFault_, "simulate.engine.fault"));
    return form;
}

SimulationDialog::~SimulationDialog() {
    *unwanted_ = true;
    timing_.join();
}

QWidget* SimulationDialog::withFault(QWidget* field, QLabel*& fault, const char* name) {
    auto* both = new QWidget;
    auto* column = makeColumn(both);
    column->addWidget(field);
    fault = caption(name);
    fault->hide();
    column->addWidget(fault);
    return both;
}

void SimulationDialog::browse(ChoiceList& list, const QString& title, const QString& filter) {
    QStringList files = QFileDialog::getOpenFileNames(this, title, QString(), filter);
    if (files.isEmpty()) {
        return;
    }
    files = files.mid(0, 2);  // an emission and an attenuation volume
    QStringList names;
    for (const QString& file : files) {
        names << QFileInfo(file).fileName();
    }
    list.addItem(names.join(", "), files.join(","));
    list.setCurrentIndex(list.count() - 1);
}

void SimulationDialog::browseFolder() {
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Study folder"), folder_->text(), tr("Studies (*.tofstudy)"),
                                     nullptr, QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty()) {
        folder_->setText(file);
    }
}

bool SimulationDialog::rings() const {
    return bins_.has_value();
}

void SimulationDialog::showScanner() {
    const std::string name = scanner_->currentData().toString().toStdString();
    scannerFault_->hide();
    bins_.reset();
    modules_.reset();
    picture_->clear();
    scannerText_->clear();
    try {
        if (MichelogramSpec::describes(name)) {
            const MichelogramSpec spec = MichelogramSpec::find(name);
            const Michelogram michelogram(spec);
            bins_ = static_cast<double>(michelogram.bins());
            picture_->take(viz::ScannerScene::of(spec.scanner));
            scannerText_->setText(
                tr("%1: %2 rings of %3 crystals, radius %4 mm; %5 bins of sinograms, %6")
                    .arg(QString::fromStdString(spec.scanner.name))
                    .arg(spec.scanner.rings)
                    .arg(spec.scanner.crystalsPerRing)
                    .arg(numberText(spec.scanner.radius_mm, 1), millionsText(*bins_),
                         spec.tof.count > 0 ? tr("TOF %1 ps").arg(spec.tof.fwhm_ps) : tr("no TOF")));
            return;
        }
        const Scanner& scanner = modules_.emplace(Scanner::find(name));
        picture_->take(viz::ScannerScene::of(scanner));
        if (const auto panels = PanelGeometry::of(scanner)) {
            scannerText_->setText(
                tr("two heads of %1 x %2 crystals at a pitch of %3 mm, %4 mm apart; %5 lines "
                   "of response, time resolution not used")
                    .arg(panels->crystals[0])
                    .arg(panels->crystals[1])
                    .arg(panels->pitch_mm[0])
                    .arg(panels->separation_mm)
                    .arg(millionsText(static_cast<double>(panels->lors()))));
            return;
        }
        scannerText_->setText(
            tr("%1 crystals of %2 x %3 x %4 mm, time resolution %5 ps, field of view %6 mm; list-mode, "
               "sorted into 40 x 3 views")
                .arg(countText(static_cast<double>(scanner.crystals.size())))
                .arg(scanner.crystalSize_mm[0])
                .arg(scanner.crystalSize_mm[1])
                .arg(scanner.crystalSize_mm[2])
                .arg(scanner.timing_fwhm_ps)
                .arg(numberText(2 * scanner.fovRadius_mm, 0)));
    } catch (const Error& fault) {
        scannerFault_->setText(fault.what());
        scannerFault_->show();
    }
}

void SimulationDialog::showPhantom() {
    phantomFault_->hide();
    phantomText_->clear();
    object_.reset();
    try {
        const Phantom& phantom =
            object_.emplace(Phantom::find(phantom_->currentData().toString().toStdString(), readVolume));
        viz::ScannerScene scene = picture_->scene().value_or(viz::ScannerScene());
        scene.place(phantom);
        picture_->take(std::move(scene));
        const QString about = aboutOf(phantom_->currentData().toString(), phantom.description);
        phantomText_->setText(about.isEmpty() ? tr("%n shapes", "", static_cast<int>(phantom.shapes.size()))
                                              : about);
        const QString large = whyTooLarge();
        phantomFault_->setText(large);
        phantomFault_->setVisible(!large.isEmpty());
    } catch (const Error& fault) {
        phantomFault_->setText(fault.what());
        phantomFault_->show();
    }
}

bool SimulationDialog::analytic() const {
    return way_->currentData().toString() == "chords";
}

QString SimulationDialog::whyNoCorrections() const {
    if (rings()) {
        return tr("Sinograms of rings are made without scatter and randoms");
    }
    if (modules_ && PanelGeometry::of(*modules_)) {
        return tr("Lines of panels are not corrected yet");
    }
    if (analytic()) {
        return tr("Expected counts bring their scatter and randoms with them");
    }
    return modules_ && !modules_->detection ? tr("The scanner does not say how it detects: it has none")
                                            : QString();
}

QString SimulationDialog::whyTooLarge() const {
    if (!object_ || !modules_) {
        return {};
    }
    const auto panels = PanelGeometry::of(*modules_);
    double inner = panels ? panels->separation_mm / 2 : HUGE_VAL;
    if (!panels) {
        for (const Crystal& crystal : modules_->crystals) {
            inner = std::min(inner, std::hypot(crystal.front.x, crystal.front.y));
        }
    }
    const auto reach = [&panels](Vec3 p) { return panels ? std::abs(p.x) : std::hypot(p.x, p.y); };
    double outer = 0;
    for (const PhantomShape& shape : object_->shapes) {
        const Vec3 half = shape.halfExtent();
        const double own = panels                                  ? half.x
                           : shape.kind == PhantomShape::Kind::Box ? std::hypot(half.x, half.y)
                                                                   : half.x;
        outer = std::max(outer, reach(shape.centre) + own);
    }
    if (object_->emission) {
        const Lattice& lattice = object_->emission->lattice;
        lattice.forEachVoxel([&](int x, int y, int z) {
            if (object_->emission->at(x, y, z) > 0) {
                outer = std::max(outer, reach(lattice.centre(x, y, z)));
            }
        });
    }
    return outer < inner
               ? QString()
               : tr("The phantom reaches %1 mm from the axis, the scanner's crystals begin at %2 mm")
                     .arg(numberText(outer, 0), numberText(inner, 0));
}

void SimulationDialog::fillEngines() {
    const QString why = !physics_->inTime() || analytic() || rings()
                            ? tr("Devices follow scans in time: a scanner with randoms switched on")
                            : whyNoDevice_;
    engine_->setChoices({{tr("this machine's cores"), "cpu", tr("every core, below other programs")},
                         {"cuda", "cuda", tr("the same photons on a GPU"), why}});
    if (!why.isEmpty()) {
        engine_->setCurrentIndex(0);
    }
}

void SimulationDialog::enableFields() {
    const bool panels = modules_ && PanelGeometry::of(*modules_);
    const QString noChords = rings()  ? tr("Sinograms of rings are made from chords anyway")
                             : panels ? tr("Lines of panels are made of events alone")
                                      : QString();
    const QSignalBlocker quiet(way_);
    way_->setChoices({{rings() ? tr("from chords") : tr("photon by photon"), "events",
                       rings() ? tr("expected counts through the phantom, then Poisson noise")
                               : tr("events of a Monte Carlo simulation, sorted into data")},
                      {tr("from chords"), "chords",
                       tr("expected counts through the phantom, then Poisson noise; no events"), noChords}});
    if (!noChords.isEmpty() || way_->currentIndex() < 0) {
        way_->setCurrentIndex(0);
    }
    physics_->setDetection(
        modules_ && !analytic() ? modules_->detection : std::nullopt,
        rings() || analytic()
            ? tr("Of events alone; counts from chords have no physics beyond blur and attenuation")
            : tr("The scanner does not say how it detects; labr3 is labr3-ideal with all of this"));
    const auto enable = [](QWidget* field, const QString& why, const QString& help) {
        field->setEnabled(why.isEmpty());
        field->setToolTip(why.isEmpty() ? help : why);
    };
    const QString ringsAlone =
        rings() ? QString() : tr("Of ring scanners alone; others blur and attenuate by themselves");
    enable(blur_, ringsAlone,
           tr("FWHM of the detectors' blur across lines of response, mm; \"none\", or \"the scanner's\""));
    enable(attenuate_, ringsAlone, tr("Lines lose what the phantom attenuates"));
    enable(noiseFree_,
           rings() || analytic() ? QString() : tr("Of counts from chords alone; events have their noise"),
           tr("Counts are those expected, without Poisson noise"));
    const bool background = analytic() && modules_ && modules_->detection;
    enable(background_,
           background   ? QString()
           : analytic() ? tr("The scanner does not say how it detects: it has none")
                        : tr("Of counts from chords alone; events have what physics gives them"),
           tr("What is expected of both at 100 MBq is counted, too, and corrected"));
    const QString why = whyNoCorrections();
    enable(correctRandoms_,
           !why.isEmpty()        ? why
           : !physics_->inTime() ? tr("Randoms are switched off")
                                 : QString(),
           tr("Expected randoms go with the data, found from the delayed window as a scanner does"));
    enable(correctScatter_, why,
           tr("Expected scatter goes with the data, by single scatter simulation with times of flight"));
    fillEngines();
}

QString SimulationDialog::suggestedFolder() const {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const auto part = [](const QComboBox& list) {
        return QFileInfo(list.currentText().section(',', 0, 0)).completeBaseName();
    };
    const QString stem =
        (documents.isEmpty() ? QDir::homePath() : documents) + "/" + part(*phantom_) + "-" + part(*scanner_);
    QString name = stem;
    for (int i = 2; QFileInfo::exists(name + ".tofstudy"); ++i) {
        name = stem + "-" + QString::number(i);
    }
    return name + ".tofstudy";
}

void SimulationDialog::refresh() {
    showScanner();
    showPhantom();
    enableFields();
    if (folder_->text().isEmpty() || folder_->text() == suggested_) {
        suggested_ = suggestedFolder();
        folder_->setText(suggested_);
    }
    calibrate();
    showEstimate();
}

void SimulationDialog::calibrate() {
    const std::optional<Physics> physics = physics_->physics();
    const double activity = physics_->activity_MBq().value_or(100);
    QString what = scanner_->currentData().toString() + "\n" + phantom_->currentData().toString();
    if (physics) {
        what += "\n" + QString::fromStdString(physics->toText()) + "\n" + QString::number(activity);
    }
    if (what == timed_ || timing_.busy()) {
        return;
    }
    timed_ = what;
    secondsPerEvent_.reset();
    if (rings() || !scannerFault_->isHidden() || !phantomFault_->isHidden()) {
        return;
    }
    const std::uint64_t events = physics && *physics != Physics::none() ? kTimedPhysics : kTimedEvents;
    const auto took = std::make_shared<double>(0);
    const std::string scanner = scanner_->currentData().toString().toStdString();
    const std::string phantom = phantom_->currentData().toString().toStdString();
    timing_.start(
        [took, scanner, phantom, physics, activity, events, unwanted = unwanted_] {
            const Scanner s = Scanner::find(scanner);
            const Phantom p = Phantom::find(phantom, readVolume);
            const ThreadPool pool(0, Priority::Background);
            SimulationSettings settings;
            settings.events = events;
            settings.physics = physics;
            settings.activity_MBq = activity;
            QElapsedTimer clock;
            clock.start();
            const auto wanted = [&unwanted](std::uint64_t) {
                if (*unwanted) {
                    throw Cancelled();
                }
            };
            static_cast<void>(simulate(s, p, settings, pool, wanted));
            *took = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        },
        [dialog = QPointer<SimulationDialog>(this), took, events](const std::exception_ptr& fault) {
            if (dialog != nullptr) {
                dialog->secondsPerEvent_ =
                    fault == nullptr ? std::optional(*took / static_cast<double>(events)) : std::nullopt;
                dialog->calibrate();  // another may have been chosen meanwhile
                dialog->showEstimate();
            }
        });
}

void SimulationDialog::showEstimate() {
    const int n = replicates_->value();
    seeds_->setText(n == 1 ? tr("one study, seed %1").arg(seed_->value())
                           : tr("%1 studies NAME-seedS.tofstudy, seeds %2 to %3")
                                 .arg(n)
                                 .arg(seed_->value())
                                 .arg(seed_->value() + n - 1));
    const auto events = engineeringNumber(events_->text());
    eventsFault_->setVisible(!events || *events < 1 || *events > kMostEvents);
    if (!eventsFault_->isHidden()) {
        eventsFault_->setText(!events
                                  ? tr("\"%1\" is no number; 20 M, 2e6 and 500 k are").arg(events_->text())
                                  : tr("1 to 4.2 G events are possible"));
        estimate_->clear();
        return;
    }
    const double bytes = n * studyBytes();
    const QString size = bytes >= 1e9 ? tr("%1 GB").arg(numberText(bytes / 1e9, 1))
                                      : tr("%1 MB").arg(numberText(bytes / 1e6, 0));
    QString time;
    const double threads = static_cast<double>(ThreadPool(0, Priority::Background).threads());
    const double corrections = correctScatter_->isEnabled() && correctScatter_->isChecked() ? kScatter_s : 0;
    if (engine_->currentData().toString() == "cuda") {
        time = tr("as fast as the device is, some million events a second");
    } else if (analytic()) {
        time = tr("time grows with the views, not with the events");
    } else if (secondsPerEvent_) {
        const double seconds = n * (*events * *secondsPerEvent_ +
                                    (*events * kBinning_s + kCorrections_s + corrections) / threads);
        time = tr("about %1 on this computer")
                   .arg(durationText(seconds < 60 ? std::ceil(seconds) : 60 * std::ceil(seconds / 60)));
    } else {
        time = rings() ? tr("time grows with the bins, not with the events")
                       : tr("measuring how long it takes…");
    }
    QString text = tr("%1 events: %2, %3 on disk").arg(millionsText(n * *events), time, size);
    const double memory = rings() || analytic() ? 0 : *events * kEventBytes;
    if (memory >= 1e9) {
        text += tr("; %1 GB of memory meanwhile").arg(numberText(memory / 1e9, 1));
    }
    estimate_->setText(text);
}

double SimulationDialog::studyBytes() const {
    if (rings()) {
        return 4 * *bins_;
    }
    if (modules_) {
        if (const auto panels = PanelGeometry::of(*modules_)) {
            return 2 * 4 * static_cast<double>(panels->lors());  // counts and mult
        }
    }
    const bool add = (correctRandoms_->isEnabled() && correctRandoms_->isChecked()) ||
                     (correctScatter_->isEnabled() && correctScatter_->isChecked()) ||
                     (background_->isEnabled() && background_->isChecked());
    return kStudyBytes + (add ? kCorrectedBytes : 0);
}

QWidget* SimulationDialog::check() {
    showEstimate();
    QWidget* first = nullptr;
    const auto note = [&first](QWidget* field, const QLabel* fault) {
        if (!fault->isHidden() && first == nullptr) {
            first = field;
        }
    };
    note(scanner_, scannerFault_);
    note(phantom_, phantomFault_);
    note(events_, eventsFault_);
    if (QWidget* wrong = physics_->check(); wrong != nullptr && first == nullptr) {
        first = wrong;
    }
    const QString blur = blur_->text().trimmed();
    const auto blur_mm = engineeringNumber(blur.chopped(blur.endsWith("mm") ? 2 : 0));
    const bool word = blur.isEmpty() || blur == tr("the scanner's") || blur == tr("none");
    blurFault_->setVisible(rings() && !word && !(blur_mm && *blur_mm >= 0 && *blur_mm <= 100));
    blurFault_->setText(tr("A width of 0 to 100 mm, \"none\" or \"the scanner's\""));
    note(blur_, blurFault_);
    SimulationRequest wanted = request();
    QString fault;
    for (int i = 0; i < wanted.replicates && fault.isEmpty(); ++i) {
        const QFileInfo made(wanted.folderOf(i));
        QFileInfo parent(made.absolutePath());
        while (!parent.exists() && parent.absolutePath() != parent.absoluteFilePath()) {
            parent = QFileInfo(parent.absolutePath());
        }
        fault = folder_->text().trimmed().isEmpty() ? tr("A name is needed")
                : made.exists() ? tr("%1 exists already; choose another name").arg(made.fileName())
                : !parent.isDir() || !parent.isWritable()
                    ? tr("%1 cannot be written").arg(parent.absoluteFilePath())
                    : QString();
        const double room = static_cast<double>(QStorageInfo(parent.absoluteFilePath()).bytesAvailable());
        const double needed = wanted.replicates * studyBytes();
        if (fault.isEmpty() && room >= 0 && room < needed) {
            fault = tr("%1 GB are needed there, %2 GB are free")
                        .arg(numberText(needed / 1e9, 1), numberText(room / 1e9, 1));
        }
    }
    folderFault_->setText(fault);
    folderFault_->setVisible(!fault.isEmpty());
    note(folder_, folderFault_);
    return first;
}

void SimulationDialog::accept() {
    if (QWidget* wrong = check()) {
        wrong->setFocus();
        return;
    }
    QDialog::accept();
}

SimulationRequest SimulationDialog::request() const {
    SimulationRequest request;
    request.scanner = scanner_->currentData().toString();
    request.phantom = phantom_->currentData().toString();
    request.events = static_cast<std::uint64_t>(std::llround(engineeringNumber(events_->text()).value_or(0)));
    request.seed = static_cast<std::uint64_t>(seed_->value());
    request.replicates = replicates_->value();
    if (rings()) {
        const QString blur = blur_->text().trimmed();
        if (blur == tr("none")) {
            request.blur_mm = 0;
        } else {
            request.blur_mm = engineeringNumber(blur.chopped(blur.endsWith("mm") ? 2 : 0));
        }
        request.attenuate = attenuate_->isChecked();
    }
    request.analytic = analytic();
    request.noiseFree = noiseFree_->isEnabled() && noiseFree_->isChecked();
    request.background = background_->isEnabled() && background_->isChecked();
    request.physics = physics_->physics();
    request.activity_MBq = physics_->activity_MBq().value_or(request.activity_MBq);
    request.timingByRate = physics_->timingByRate();
    request.correctRandoms = correctRandoms_->isEnabled() && correctRandoms_->isChecked();
    request.correctScatter = correctScatter_->isEnabled() && correctScatter_->isChecked();
    request.engine = engine_->currentData().toString().toStdString();
    request.folder = folder_->text().trimmed();
    if (!request.folder.endsWith(".tofstudy")) {
        request.folder += ".tofstudy";
    }
    return request;
}

std::optional<SimulationRequest> askForSimulation(QWidget* parent, Threading threading,
                                                  const QString& whyNoDevice) {
    SimulationDialog dialog(threading, whyNoDevice, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.request()) : std::nullopt;
}

}  // namespace tof::ui
