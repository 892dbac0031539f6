// SPDX-License-Identifier: Apache-2.0
#include "ui/window/simulation_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QStandardPaths>
#include <QStorageInfo>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/scanner/panel_geometry.h"
#include "recon/scanner/scanner_surroundings.h"
#include "recon/simulate/lutetium.h"
#include "recon/simulate/monte_carlo.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/request_form.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"
#include "ui/pictures/scanner_picture.h"

namespace tof::ui {

namespace {

constexpr std::uint64_t kTimedEvents = 20000;
constexpr std::uint64_t kTimedPhysics = 1500;  ///< with physics, events are a hundred times as dear
// Binning into the usual 40 x 3 views of 144 x 144 x 48 voxels: a second and a half of one core per million
// events, and the files of such a study whatever the number of events (docs/performance.md).
constexpr double kBinning_s = 1.5e-6;
constexpr double kCorrections_s = 8;
constexpr double kStudyBytes = 9.8e8;
constexpr double kCorrectedBytes = 4.8e8;  ///< those of add, which corrections make
constexpr double kEventBytes = 23;         ///< in memory, until it is counted
constexpr double kScatter_s = 60;          ///< time of one core for the scatter's estimate

constexpr std::pair<const char*, Surrounding::Part> kSurroundingParts[] = {
    {"physics.covers", Surrounding::Part::Cover},
    {"physics.shields", Surrounding::Part::Shield},
    {"physics.bed", Surrounding::Part::Bed}};

/// Rows of what the scanner is made of stand with the scanner.
bool isOfScanner(const std::string& key) {
    return key == "physics.lutetium" ||
           std::any_of(std::begin(kSurroundingParts), std::end(kSurroundingParts),
                       [&](const auto& one) { return key == one.first; });
}

/// The scanner, what it is made of, everything else.
int placeOf(const std::string& key) {
    return key == "scanner" ? 0 : isOfScanner(key) ? 1 : 2;
}

bool hasPart(const Scanner& scanner, Surrounding::Part part) {
    const std::vector<Surrounding> all = surroundingsOf(scanner);
    return std::any_of(all.begin(), all.end(), [part](const Surrounding& one) { return one.part == part; });
}

/// So low that the rows below it end where those beside it do.
constexpr int kPicture_px = 110;

QLabel* caption(const char* name) {
    QLabel* label = makeSmallText({});
    label->setObjectName(name);
    label->setFont(smallFont());
    return label;
}

}  // namespace

SimulationDialog::SimulationDialog(Threading threading, const QString& whyNoDevice, QWidget* parent)
    : QDialog(parent), whyNoDevice_(whyNoDevice), timing_(threading), phantom_(threading) {
    setWindowTitle(tr("New simulated study"));
    setObjectName("simulate.dialog");
    asked_.settings.events = 5000000;
    left_ = new RequestForm("simulate");
    right_ = new RequestForm("simulate");
    std::vector<BoundRow> rows = simulationRequestRows(asked_);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const BoundRow& a, const BoundRow& b) { return placeOf(a.key) < placeOf(b.key); });
    for (const BoundRow& row : rows) {
        // Either side is short enough for a small screen then.
        const bool left =
            row.group == kObjectGroup || row.key.starts_with("correct.") || isOfScanner(row.key);
        (left ? left_ : right_)->add(row);
    }
    scannerText_ = caption("simulate.scanner.text");
    phantomText_ = caption("simulate.phantom.text");
    seeds_ = caption("simulate.seeds");
    physicsText_ = caption("simulate.physics.text");
    picture_ = new ScannerPicture;
    picture_->setObjectName("simulate.picture");
    picture_->setFixedHeight(kPicture_px);
    left_->addBelow("scanner", scannerText_);
    left_->addBelow("phantom", picture_);
    left_->addBelow("phantom", phantomText_);
    left_->addBelow("replicates", seeds_);
    left_->addBelow("scanner", physicsText_);
    estimate_ = new QLabel;
    estimate_->setObjectName("simulate.estimate");
    estimate_->setWordWrap(true);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(24);
    sides->addWidget(left_, 1);
    sides->addWidget(right_);
    QVBoxLayout* column = dialogColumn(*this);
    column->addLayout(sides, 1);
    column->addWidget(estimate_);
    column->addWidget(makeAnswers(*this, tr("Simulate"), [this] { return check(); }));
    setMinimumWidth(960);
    connect(left_, &RequestForm::changed, this, [this](const std::string& key) {
        if (key == "scanner") {
            refresh();
        } else if (key == "phantom") {
            findPhantom();
            refresh();
        } else {
            showEstimate();
        }
    });
    connect(right_, &RequestForm::changed, this, [this](const std::string& key) {
        if (key == "way") {
            refresh();
            return;
        }
        enableFields();
        calibrate();
        showEstimate();
    });
    findPhantom();
    refresh();
    connect(&phantom_, &PhantomFinder::found, this, [this] {
        showPhantom();
        calibrate();
    });
}

SimulationDialog::~SimulationDialog() {
    wish_.end();
    timing_.join();
}

RequestForm& SimulationDialog::formOf(const std::string& key) const {
    return left_->has(key) ? *left_ : *right_;
}

bool SimulationDialog::rings() const {
    return bins_.has_value();
}

bool SimulationDialog::inTime() const {
    return detection_ && asked_.settings.physics && asked_.settings.physics->randoms;
}

/// The scanner's description, its picture and a line about it.
void SimulationDialog::showScanner() {
    noScanner_.clear();
    bins_.reset();
    modules_.reset();
    picture_->clear();
    scannerText_->clear();
    try {
        if (MichelogramSpec::describes(asked_.scanner)) {
            const MichelogramSpec spec = MichelogramSpec::find(asked_.scanner);
            bins_ = static_cast<double>(Michelogram(spec).bins());
            picture_->take(viz::ScannerScene::of(spec.scanner));
            scannerText_->setText(ringsText(spec));
        } else {
            const Scanner& scanner = modules_.emplace(Scanner::find(asked_.scanner));
            picture_->take(viz::ScannerScene::of(scanner));
            scannerText_->setText(modulesText(scanner));
        }
    } catch (const Error& fault) {
        noScanner_ = fault.what();
    }
    left_->setFault("scanner", noScanner_);
}

QString SimulationDialog::ringsText(const MichelogramSpec& spec) const {
    return tr("%1: %2 rings of %3 crystals, radius %4 mm; %5 bins of sinograms, %6")
        .arg(QString::fromStdString(spec.scanner.name))
        .arg(spec.scanner.rings)
        .arg(spec.scanner.crystalsPerRing)
        .arg(numberText(spec.scanner.radius_mm, 1), millionsText(*bins_),
             spec.tof.count > 0 ? tr("TOF %1 ps").arg(spec.tof.fwhm_ps) : tr("no TOF"));
}

QString SimulationDialog::modulesText(const Scanner& scanner) {
    if (const auto panels = PanelGeometry::of(scanner)) {
        return tr("two heads of %1 x %2 crystals at a pitch of %3 mm, %4 mm apart; %5 lines of response, "
                  "time resolution not used")
            .arg(panels->crystals[0])
            .arg(panels->crystals[1])
            .arg(panels->pitch_mm[0])
            .arg(panels->separation_mm)
            .arg(millionsText(static_cast<double>(panels->lors())));
    }
    return tr("%1 crystals of %2 x %3 x %4 mm, time resolution %5 ps, field of view %6 mm; list-mode, sorted "
              "into 40 x 3 views")
        .arg(countText(static_cast<double>(scanner.crystals.size())))
        .arg(scanner.crystalSize_mm[0])
        .arg(scanner.crystalSize_mm[1])
        .arg(scanner.crystalSize_mm[2])
        .arg(scanner.timing_fwhm_ps)
        .arg(numberText(2 * scanner.fovRadius_mm, 0));
}

void SimulationDialog::findPhantom() {
    noPhantom_.clear();
    phantomText_->setText(tr("reading its images…"));
    phantom_.find(asked_.phantom, "phantom");
}

void SimulationDialog::showPhantom() {
    if (phantom_.busy()) {
        return;
    }
    phantomText_->clear();
    noPhantom_ = phantom_.fault();
    if (phantom_.outline()) {
        viz::ScannerScene scene = picture_->scene().value_or(viz::ScannerScene());
        scene.place(*phantom_.outline());
        picture_->take(std::move(scene));
        const QString about = word(aboutPhantom(asked_.phantom));
        phantomText_->setText(about.isEmpty()
                                  ? tr("%n shapes", "", static_cast<int>(phantom_.outline()->shapes.size()))
                                  : about);
        noPhantom_ = whyTooLarge();
    }
    left_->setFault("phantom", noPhantom_);
}

QString SimulationDialog::whyNoCorrections() const {
    if (rings()) {
        return tr("Sinograms of rings are made without scatter and randoms");
    }
    if (modules_ && PanelGeometry::of(*modules_)) {
        return tr("Lines of panels are not corrected yet");
    }
    if (asked_.analytic) {
        return tr("Expected counts bring their scatter and randoms with them");
    }
    return modules_ && !modules_->detection ? tr("The scanner does not say how it detects: it has none")
                                            : QString();
}

QString SimulationDialog::whyTooLarge() const {
    if (!phantom_.outline() || !modules_) {
        return {};
    }
    const auto panels = PanelGeometry::of(*modules_);
    double inner = panels ? panels->separation_mm / 2 : HUGE_VAL;
    if (!panels) {
        for (const Crystal& crystal : modules_->crystals) {
            inner = std::min(inner, std::hypot(crystal.front.x, crystal.front.y));
        }
    }
    const double outer = panels ? phantom_.outline()->alongX_mm : phantom_.outline()->fromAxis_mm;
    return outer < inner
               ? QString()
               : tr("The phantom reaches %1 mm from the axis, the scanner's crystals begin at %2 mm")
                     .arg(numberText(outer, 0), numberText(inner, 0));
}

/// The two ways to make counts, and who follows photons, as the scanner has them.
void SimulationDialog::fillWays() {
    const bool panels = modules_ && PanelGeometry::of(*modules_);
    const QString noChords = rings()  ? tr("Sinograms of rings are made from chords anyway")
                             : panels ? tr("Lines of panels are made of events alone")
                                      : QString();
    auto* way = qobject_cast<ChoiceList*>(right_->field("way"));
    const QSignalBlocker quiet(way);
    way->setChoices({{rings() ? tr("from chords") : tr("photon by photon"), "events",
                      rings() ? tr("expected counts through the phantom, then Poisson noise")
                              : tr("events of a Monte Carlo simulation, sorted into data")},
                     {tr("from chords"), "chords",
                      tr("expected counts through the phantom, then Poisson noise; no events"), noChords}});
    asked_.analytic = asked_.analytic && noChords.isEmpty();
    way->setCurrentIndex(asked_.analytic ? 1 : 0);
}

void SimulationDialog::fillEngines() {
    const QString why = !inTime() || asked_.analytic || rings()
                            ? tr("Devices follow scans in time: a scanner with randoms switched on")
                            : whyNoDevice_;
    auto* engine = qobject_cast<ChoiceList*>(right_->field("engine"));
    engine->setChoices({{tr("this machine's cores"), "cpu", tr("every core, below other programs")},
                        {"cuda", "cuda", tr("the same photons on a GPU"), why}});
    if (!why.isEmpty()) {
        engine->setCurrentIndex(0);
    }
}

/// Another scanner has all of the physics that it describes.
void SimulationDialog::takeDetection() {
    const auto now = modules_ && !asked_.analytic ? modules_->detection : std::nullopt;
    if (now == detection_) {
        return;
    }
    detection_ = now;
    Physics physics = now ? Physics() : Physics::none();
    physics.isotope = asked_.settings.physics.value_or(physics).isotope;
    if (now && !(now->coincidence_ns > 0)) {
        physics.leaveOutRates();
    }
    asked_.settings.physics = physics;
    asked_.timingByRate = now ? now->timingByRate : std::vector<std::array<double, 2>>();
    left_->refresh();
    right_->refresh();
}

void SimulationDialog::enablePhysics() {
    const QString none =
        detection_ ? QString()
        : rings() || asked_.analytic
            ? tr("Of events alone; counts from chords have no physics beyond blur and attenuation")
            : tr("The scanner does not say how it detects; labr3 is labr3-ideal with all of this");
    const QString timeless = detection_ && !(detection_->coincidence_ns > 0)
                                 ? tr("The scanner's description has no coincidence window")
                                 : none;
    const QString still = tr("Only where decays are followed in time: switch randoms on");
    for (const auto& [name, member] : Physics::switches()) {
        const std::string key = std::string("physics.") + name;
        formOf(key).setWhyNot(key, member == &Physics::randoms ? timeless : none);
    }
    // Rows of what a scanner does not have would make the dialog longer than a small screen.
    const Detection has = detection_.value_or(Detection());
    const std::pair<const char*, bool> losses[] = {{"dead-time", true},
                                                   {"pile-up", has.integration_ns > 0},
                                                   {"multiples", has.multiples != Detection::Multiples::All},
                                                   {"bandwidth", has.bandwidth_Mcps > 0},
                                                   {"lutetium", lutetiumPerCm3(has.material) > 0}};
    for (const auto& [name, described] : losses) {
        const std::string key = std::string("physics.") + name;
        if (described) {
            formOf(key).setWhyNot(key, timeless.isEmpty() && !inTime() ? still : timeless);
        } else {
            formOf(key).setWhyNot(
                key, timeless.isEmpty() ? tr("The scanner's description has nothing of it") : timeless,
                RequestForm::Unusable::Hidden);
        }
    }
    for (const auto& [key, part] : kSurroundingParts) {
        if (!modules_ || !hasPart(*modules_, part)) {
            left_->setWhyNot(key, none.isEmpty() ? tr("The scanner's description has nothing of it") : none,
                             RequestForm::Unusable::Hidden);
        }
    }
    right_->setWhyNot("isotope", none);
    physicsText_->setText(none);
    physicsText_->setVisible(!none.isEmpty());
    right_->setWhyNot("timing-by-rate", inTime() ? QString() : still);
    right_->setWhyNot("timing", inTime() ? QString() : still);
}

void SimulationDialog::enableFields() {
    fillWays();
    takeDetection();
    enablePhysics();
    const QString ringsAlone =
        rings() ? QString() : tr("Of ring scanners alone; others blur and attenuate by themselves");
    // Fields of another way of counting would be longer than a small screen.
    constexpr auto hidden = RequestForm::Unusable::Hidden;
    right_->setWhyNot("blur", ringsAlone, hidden);
    right_->setWhyNot("attenuate", ringsAlone, hidden);
    right_->setWhyNot(
        "noise-free",
        rings() || asked_.analytic ? QString() : tr("Of counts from chords alone; events have their noise"),
        hidden);
    const bool background = asked_.analytic && modules_ && modules_->detection;
    right_->setWhyNot("background",
                      background ? QString()
                      : asked_.analytic
                          ? tr("The scanner does not say how it detects: it has none")
                          : tr("Of counts from chords alone; events have what physics gives them"),
                      hidden);
    const QString why = whyNoCorrections();
    left_->setWhyNot("correct.randoms", !why.isEmpty() || inTime() ? why : tr("Randoms are switched off"));
    left_->setWhyNot("correct.scatter", why);
    fillEngines();
}

QString SimulationDialog::suggestedFolder() const {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const auto part = [this](const char* key) {
        const auto* list = qobject_cast<const QComboBox*>(left_->field(key));
        return QFileInfo(list->currentText().section(',', 0, 0)).completeBaseName();
    };
    const QString stem =
        (documents.isEmpty() ? QDir::homePath() : documents) + "/" + part("phantom") + "-" + part("scanner");
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
    if (asked_.folder.isEmpty() || asked_.folder == suggested_) {
        suggested_ = suggestedFolder();
        asked_.folder = suggested_;
        left_->refresh();
    }
    calibrate();
    showEstimate();
}

void SimulationDialog::calibrate() {
    const SimulationRequest wanted = request();
    QString what = QString::fromStdString(wanted.scanner + "\n" + wanted.phantom);
    if (wanted.settings.physics) {
        what += "\n" + QString::fromStdString(wanted.settings.physics->toText()) + "\n" +
                QString::number(wanted.settings.activity_MBq);
    }
    if (what == timed_ || timing_.busy() || phantom_.busy()) {
        return;
    }
    timed_ = what;
    secondsPerEvent_.reset();
    if (rings() || !noScanner_.isEmpty() || !noPhantom_.isEmpty()) {
        return;
    }
    SimulationSettings settings = wanted.settings;
    settings.events = settings.physics && *settings.physics != Physics::none() ? kTimedPhysics : kTimedEvents;
    const auto took = std::make_shared<double>(0);
    timing_.start(
        [took, settings, scanner = wanted.scanner, phantom = wanted.phantom, wish = wish_] {
            const Scanner s = Scanner::find(scanner);
            const Phantom p = Phantom::find(phantom, volumeReader(wish));
            const ThreadPool pool(0, Priority::Background, wish);
            QElapsedTimer clock;
            clock.start();
            static_cast<void>(simulate(s, p, settings, pool, [&wish](std::uint64_t) { wish(); }));
            *took = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
        },
        [dialog = QPointer<SimulationDialog>(this), took, events = settings.events](const auto& fault) {
            if (dialog != nullptr) {
                dialog->secondsPerEvent_ =
                    fault == nullptr ? std::optional(*took / static_cast<double>(events)) : std::nullopt;
                dialog->calibrate();  // another may have been chosen meanwhile
                dialog->showEstimate();
            }
        });
}

/// How long all studies take together, in words.
QString SimulationDialog::timeText(const SimulationRequest& wanted) const {
    if (wanted.engine == "cuda") {
        return tr("as fast as the device is, some million events a second");
    }
    if (wanted.analytic) {
        return tr("time grows with the views, not with the events");
    }
    if (!secondsPerEvent_) {
        return rings() ? tr("time grows with the bins, not with the events")
                       : tr("measuring how long it takes…");
    }
    const double threads = static_cast<double>(ThreadPool(0, Priority::Background).threads());
    const auto events = static_cast<double>(wanted.settings.events);
    const double inParallel = events * kBinning_s + kCorrections_s + (wanted.correctScatter ? kScatter_s : 0);
    const double seconds = wanted.replicates * (events * *secondsPerEvent_ + inParallel / threads);
    return tr("about %1 on this computer")
        .arg(durationText(seconds < 60 ? std::ceil(seconds) : 60 * std::ceil(seconds / 60)));
}

void SimulationDialog::showEstimate() {
    const SimulationRequest wanted = request();
    const int n = wanted.replicates;
    const auto seed = static_cast<int>(wanted.settings.seed);
    seeds_->setText(
        n == 1 ? tr("one study, seed %1").arg(seed)
               : tr("%1 studies NAME-seedS.tofstudy, seeds %2 to %3").arg(n).arg(seed).arg(seed + n - 1));
    if (left_->check("events") != nullptr) {
        estimate_->clear();
        return;
    }
    const auto events = static_cast<double>(wanted.settings.events);
    const double bytes = n * studyBytes(wanted);
    const QString size = bytes >= 1e9 ? tr("%1 GB").arg(numberText(bytes / 1e9, 1))
                                      : tr("%1 MB").arg(numberText(bytes / 1e6, 0));
    QString text = tr("%1 events: %2, %3 on disk").arg(millionsText(n * events), timeText(wanted), size);
    const double memory = rings() || wanted.analytic ? 0 : events * kEventBytes;
    if (memory >= 1e9) {
        text += tr("; %1 GB of memory meanwhile").arg(numberText(memory / 1e9, 1));
    }
    estimate_->setText(text);
}

double SimulationDialog::studyBytes(const SimulationRequest& wanted) const {
    if (rings()) {
        return 4 * *bins_;
    }
    if (modules_) {
        if (const auto panels = PanelGeometry::of(*modules_)) {
            return 2 * 4 * static_cast<double>(panels->lors());  // counts and mult
        }
    }
    const bool add = wanted.correctRandoms || wanted.correctScatter || wanted.background;
    return kStudyBytes + (add ? kCorrectedBytes : 0);
}

QString SimulationDialog::whyNoFolder(const SimulationRequest& wanted, int replicate) const {
    const QFileInfo made(wanted.folderOf(replicate));
    QFileInfo parent(made.absolutePath());
    while (!parent.exists() && parent.absolutePath() != parent.absoluteFilePath()) {
        parent = QFileInfo(parent.absolutePath());
    }
    if (asked_.folder.isEmpty()) {
        return tr("A name is needed");
    }
    if (made.exists()) {
        return tr("%1 exists already; choose another name").arg(made.fileName());
    }
    if (!parent.isDir() || !parent.isWritable()) {
        return tr("%1 cannot be written").arg(parent.absoluteFilePath());
    }
    const auto room = static_cast<double>(QStorageInfo(parent.absoluteFilePath()).bytesAvailable());
    const double needed = wanted.replicates * studyBytes(wanted);
    return room >= 0 && room < needed ? tr("%1 GB are needed there, %2 GB are free")
                                            .arg(numberText(needed / 1e9, 1), numberText(room / 1e9, 1))
                                      : QString();
}

QWidget* SimulationDialog::check() {
    QWidget* first = left_->check();
    const auto say = [this, &first](const char* key, const QString& sentence) {
        if (!sentence.isEmpty()) {
            left_->setFault(key, sentence);
            first = first == nullptr ? left_->field(key) : first;
        }
    };
    say("scanner", noScanner_);
    say("phantom", phantom_.busy() ? tr("Its images are still being read") : noPhantom_);
    QWidget* const wrong = right_->check();
    first = first == nullptr ? wrong : first;
    const SimulationRequest wanted = request();
    QString fault;
    for (int i = 0; i < wanted.replicates && fault.isEmpty(); ++i) {
        fault = whyNoFolder(wanted, i);
    }
    say("folder", fault);
    return first;
}

SimulationRequest SimulationDialog::request() const {
    SimulationRequest request = asked_;
    for (const BoundRow& row : simulationRequestRows(request)) {
        if (row.shown != Shown::Window && !formOf(row.key).usable(row.key)) {
            row.write(row.fallback);
        }
    }
    if (!inTime() || asked_.timingByRate == detection_->timingByRate) {
        request.timingByRate.reset();
    }
    if (!detection_) {
        request.settings.physics.reset();
    } else {
        request.settings.physics = asked_.settings.physics;
        if (!inTime()) {
            request.settings.physics->leaveOutRates();
        }
    }
    if (!request.folder.endsWith(".tofstudy")) {
        request.folder += ".tofstudy";
    }
    return request;
}

}  // namespace tof::ui
