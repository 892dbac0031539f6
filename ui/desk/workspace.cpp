// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/workspace.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <cmath>

#include "recon/base/error.h"
#include "recon/binning/binning.h"
#include "recon/io/file_kind.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/list_io.h"
#include "recon/io/volume_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/study/continuation.h"
#include "recon/work/read_measurement.h"
#include "recon/work/systems.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr int kPollMs = 66;
constexpr double kAcross_mm = 576;
constexpr double kAlong_mm = 192;

/// Events to histo-images with corrections.
HistoData binEvents(const EventList& events, const ListBinning& binning, const ThreadPool& pool,
                    TaskControl& control, double from) {
    const Scanner scanner = Scanner::fromJson(events.scannerJson, "scanner of the list-mode");
    BinningSettings settings;
    settings.azimuths = binning.azimuths;
    settings.tilts = binning.tilts;
    const auto voxels = [&](double mm) { return static_cast<int>(std::lround(mm / binning.voxel_mm)); };
    const double v = binning.voxel_mm;
    settings.lattice =
        Lattice::centred({voxels(kAcross_mm), voxels(kAcross_mm), voxels(kAlong_mm)}, {v, v, v});
    const auto progress = [&](double low, double high) {
        return [&control, low, high](double share) {
            control.checkpoint();
            control.report(low + (high - low) * share);
        };
    };
    HistoData data = depositEvents(events, scanner, settings, pool, progress(from, from + 0.4 * (1 - from)));
    std::optional<Volume> attenuation;
    if (!events.phantom.empty()) {
        const Phantom phantom =
            Phantom::fromNameOrText(events.phantom, "phantom of the list-mode", readVolume);
        attenuation = phantom.wholeAttenuation(settings.lattice);
    }
    computeMult(data, scanner, attenuation ? &*attenuation : nullptr, pool,
                progress(from + 0.4 * (1 - from), 1.0));
    data.phantom = events.phantom;
    data.duration_s = events.duration_s;
    return data;
}

/// As the run file describes it; defaults where the text is of another version, so that the run is still
/// shown.
RunDescription describedRun(const RunSummary& summary, const QString& file) {
    try {
        return describedBy(summary.settingsJson, file.toStdString());
    } catch (const Error&) {
        return {};
    }
}

/// Letter of the run that was selected when the study was left; empty when it does not say.
std::string selectedRun(const std::string& session) {
    const QJsonObject o = QJsonDocument::fromJson(QByteArray::fromStdString(session)).object();
    return o["runs"].toObject()["selected"].toString().toStdString();
}

}  // namespace

/// What a task has read, handed to the window's thread.
struct Workspace::Loaded {
    struct Run {
        QString label;
        QString file;
        RunSummary summary;
        std::shared_ptr<const Volume> last;
    };
    QString path;
    std::optional<ListBinning> binning;
    FileKind kind = FileKind::Unknown;
    std::optional<Study> study;
    std::shared_ptr<const Measurement> data;
    std::vector<Run> runs;
    std::shared_ptr<const Volume> volume;
    struct Interrupted {
        QString label;
        InterruptedRun run;
        std::optional<RunSummary> whole;  ///< of its run file, when it was being continued
    };
    std::vector<Interrupted> interrupted;
    QStringList notes;

    enum class Image { Read, Later };
    void readRun(const QString& file, const QString& label, Image image = Image::Read) {
        Run run{label, file, readRunSummary(file.toStdString()), nullptr};
        if (image == Image::Read && !run.summary.savedImages.empty()) {
            run.last = std::make_shared<const Volume>(
                readIterate(file.toStdString(), run.summary.savedImages.back()));
        }
        runs.push_back(std::move(run));
    }

    void readStudy() {
        study = Study::open(path.toStdString());
        const std::vector<std::string> broken = study->interruptedRuns();
        for (const std::string& name : broken) {
            readBroken(name);
        }
        // The picture first: the run that was on screen; the others and the data follow.
        std::vector<std::string> names = study->runs();
        names.erase(std::remove_if(
                        names.begin(), names.end(),
                        [&](const auto& n) { return std::binary_search(broken.begin(), broken.end(), n); }),
                    names.end());
        std::string first = selectedRun(study->viewJson);
        if (std::find(names.begin(), names.end(), first) == names.end() && !names.empty()) {
            first = names.back();
        }
        for (const std::string& name : names) {
            try {
                readRun(QString::fromStdString(study->runFile(name)), QString::fromStdString(name),
                        name == first ? Image::Read : Image::Later);
            } catch (const BadInput& fault) {
                notes << fault.what();  // one damaged run does not close the study
            }
        }
    }

    void readBroken(const std::string& name) {
        try {
            Interrupted found{QString::fromStdString(name), readInterrupted(study->checkpointFile(name)), {}};
            if (QFile::exists(QString::fromStdString(study->runFile(name)))) {
                found.whole = readRunSummary(study->runFile(name));
            }
            interrupted.push_back(std::move(found));
        } catch (const BadInput& fault) {
            notes << fault.what();
        }
    }

    void readList(TaskControl& control) {
        if (!binning) {
            return;  // somebody is asked first
        }
        ListReadOptions options;
        options.partial = binning->partial;
        const ListReadResult list = readEvents(path.toStdString(), options);
        if (!list.note.empty()) {
            notes << QString::fromStdString(list.note);
        }
        const ThreadPool pool(0, Priority::Background);
        data = std::make_shared<const HistoMeasurement>(binEvents(list.events, *binning, pool, control, 0));
    }

    void read(TaskControl& control) {
        const std::string file = path.toStdString();
        kind = fileKind(file);
        switch (kind) {
            case FileKind::Study: readStudy(); break;
            case FileKind::Data: data = readMeasurement(file); break;
            case FileKind::List: readList(control); break;
            case FileKind::Run: readRun(path, {}); break;
            case FileKind::Volume: volume = std::make_shared<const Volume>(readVolume(file)); break;
            case FileKind::Checkpoint: {
                volume = readCheckpoint(file).image;
                break;
            }
            case FileKind::Unknown:
                throw BadInput(
                    Text::tr("%1: not a study, data, list-mode, run or volume that Tofscope can read; "
                             "see docs/formats.md")
                        .arg(path)
                        .toStdString());
        }
    }
};

Workspace::Workspace(const EngineRegistry& engines, Threading threading, QObject* parent)
    : QObject(parent),
      engines_(engines),
      tasks_(threading),
      driver_(engines, runs_, threading, kPollMs),
      curves_(runs_, rois_, threading),
      live_(*this, threading) {
    connect(&driver_, &RunDriver::ended, this, &Workspace::runEnded);
    connect(&tasks_, &TaskQueue::failed, this, [this](const QString& title, const QString& sentence) {
        messages_.add(Severity::Error, title + ": " + sentence);
    });
    session_.add({"view", [this] { return QJsonDocument::fromJson(view_.toJson().toUtf8()).object(); },
                  [this](const QJsonObject& saved) {
                      view_.fromJson(QString::fromUtf8(QJsonDocument(saved).toJson()));
                  }});
    session_.add({"runs", [this] { return runsToJson(runs_); },
                  [this](const QJsonObject& saved) { runsFromJson(runs_, saved); }});
    connect(&curves_, &RoiCurves::failed, this, [this](const QString& sentence) {
        messages_.add(Severity::Warning, tr("The curves do not follow the ROIs: %1").arg(sentence));
    });
    connect(&runs_, &RunList::changed, this, [this] {
        fetchShown();
        syncView();
    });
}

Workspace::~Workspace() {
    shutdown();
}

// ---- opening ----

void Workspace::open(const QStringList& paths) {
    for (const QString& path : paths) {
        openOne(QFileInfo(path).absoluteFilePath(), listBinning_);
    }
}

void Workspace::openList(const QString& path, const ListBinning& binning) {
    openOne(QFileInfo(path).absoluteFilePath(), binning);
}

void Workspace::openOne(const QString& path, const std::optional<ListBinning>& binning) {
    auto loaded = std::make_shared<Loaded>();
    loaded->path = path;
    loaded->binning = binning;
    tasks_.add(
        tr("Opening %1").arg(QFileInfo(path).fileName()),
        [loaded](TaskControl& control) { loaded->read(control); }, [this, loaded] { adopt(loaded); });
}

void Workspace::adopt(const std::shared_ptr<Loaded>& loaded) {
    if (loaded->kind == FileKind::List && !loaded->binning) {
        Q_EMIT listFound(loaded->path);
        return;
    }
    if (askBeforeReplacing_ && replacesWork(*loaded)) {
        replacement_ = loaded;
        Q_EMIT replacing(loaded->path);
        return;
    }
    if (isOpen(*loaded)) {
        openAgain(*loaded);
        return;
    }
    const QString base = QFileInfo(loaded->path).completeBaseName();
    if (loaded->study || loaded->data) {
        closeStudy();
        dataPath_ = loaded->path;
        dataBinning_ = loaded->kind == FileKind::List ? loaded->binning : std::nullopt;
    }
    if (loaded->study) {
        study_ = loaded->study;
        name_ = base;
        lockStudy();
        rois_.reset(study_->rois);
        setSettings(study_->settings);
        readStudyData();
    } else if (loaded->data) {
        useData(loaded->data, RoiSet{}, base);
    }
    adoptRun(*loaded);
    adoptInterrupted(*loaded);
    if (loaded->study) {
        adoptQueue(std::vector(study_->queue));
    }
    if (loaded->volume != nullptr) {
        const int id = addVolume(base, loaded->volume);
        runs_.find(id)->setFile(loaded->path, {});
        runs_.select(id);
        if (name_.isEmpty()) {
            name_ = base;
        }
    }
    for (const QString& note : loaded->notes) {
        messages_.add(Severity::Warning, note);
    }
    const bool firstLattice = view_.lattice().voxels() == 0;
    syncView();
    if (firstLattice) {
        showFirstSphere();
    }
    if (loaded->study && !study_->viewJson.empty()) {
        restoring_ = QJsonDocument::fromJson(QByteArray::fromStdString(study_->viewJson)).object();
        session_.restore(restoring_);
    }
    openFiles_.removeAll(loaded->path);
    openFiles_ << loaded->path;
    Q_EMIT opened(loaded->path);
    Q_EMIT studyChanged();
}

bool Workspace::replacesWork(const Loaded& loaded) {
    return (loaded.study || loaded.data) && activeRun() != nullptr;  // what waits stays in its queue
}

bool Workspace::isOpen(const Loaded& loaded) const {
    return loaded.study && study_ && loaded.study->folder() == study_->folder();
}

void Workspace::openAgain(const Loaded& loaded) {
    closeStudy();  // only now the folder has everything
    openOne(loaded.path, loaded.binning);
}

void Workspace::replaceNow() {
    const auto loaded = std::exchange(replacement_, nullptr);
    if (loaded != nullptr && isOpen(*loaded)) {
        openAgain(*loaded);
    } else if (loaded != nullptr) {
        closeStudy();
        adopt(loaded);
    }
}

void Workspace::keepWhatIsOpen() {
    replacement_.reset();
}

void Workspace::readStudyData() {
    const auto data = std::make_shared<std::shared_ptr<const Measurement>>();
    tasks_.add(
        tr("Reading the data of %1").arg(name_),
        [data, file = study_->dataFile()](TaskControl&) { *data = readMeasurement(file); },
        [this, data, folder = study_->folder()] {
            if (!study_ || study_->folder() != folder) {
                return;  // closed meanwhile
            }
            const bool nothingShown = view_.lattice().voxels() == 0 || runs_.items().empty();
            if (nothingShown) {
                useData(*data, rois_.set(), name_);
            } else {
                measurement_ = *data;
                phantom_ = measurement_->phantom();
            }
            QJsonObject saved = restoring_;
            restoring_ = {};
            if (!nothingShown) {
                // What needs data could not come back with the rest.
                const QString page = saved["window"].toObject()["page"].toString();
                saved = {{"data", saved["data"]}};
                if (page == "page.data") {
                    saved["window"] = QJsonObject{{"page", page}};
                }
            }
            session_.restore(saved);
            syncView();  // what the data say of units
            Q_EMIT studyChanged();
        });
}

int Workspace::addVolume(const QString& name, std::shared_ptr<const Volume> volume) {
    RunItem& item = runs_.add(RunKind::Volume, name);
    item.open(std::move(volume));
    return item.id();
}

void Workspace::adoptRun(Loaded& loaded) {
    for (Loaded::Run& run : loaded.runs) {
        const RunDescription made = describedRun(run.summary, run.file);
        RunItem& item = runs_.add(RunKind::Reconstruction,
                                  QString::fromStdString(runName(made.settings, made.system)), run.label);
        item.open(made, run.summary, run.file);
        if (run.last != nullptr) {
            item.addImage(run.summary.savedImages.back(), run.last);
        }
        if (!measurement_ && rois_.isEmpty()) {
            placeRois(run.summary.phantom);
        }
        item.setRoiRevision(figuresAreOfRois(item) ? rois_.revision() : 0);
        if (name_.isEmpty()) {
            name_ = QFileInfo(run.file).completeBaseName();
        }
        runs_.select(item.id());
    }
}

void Workspace::adoptInterrupted(Loaded& loaded) {
    for (auto& [label, run, whole] : loaded.interrupted) {
        RunItem& item = addInterrupted(label, run);
        if (whole) {
            item.setFile(QString::fromStdString(study_->runFile(label.toStdString())), whole->savedImages);
        }
        messages_.add(Severity::Warning, tr("Run %1 was interrupted after iteration %2 of %3: Run > "
                                            "Continue goes on from there")
                                             .arg(label)
                                             .arg(item.lastIterate())
                                             .arg(item.progress().iterations));
    }
}

bool Workspace::figuresAreOfRois(const RunItem& item) {
    if (item.figures().empty() || item.images().empty() || rois_.isEmpty()) {
        return rois_.isEmpty();
    }
    const auto& [iteration, volume] = *item.images().rbegin();
    const Figures* stored = item.figuresOf(iteration);
    if (stored == nullptr) {
        return false;
    }
    const Figures now = evaluator(volume->lattice).evaluate(iteration, volume->data.data());
    const auto near = [](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6 * std::abs(b);
    };
    return near(now.crc, stored->crc) && near(now.noise, stored->noise) && near(now.nsr, stored->nsr) &&
           std::equal(now.rois.begin(), now.rois.end(), stored->rois.begin(), stored->rois.end(),
                      [&](const RoiFigures& a, const RoiFigures& b) {
                          return a.name == b.name && near(a.statistics.mean, b.statistics.mean) &&
                                 near(a.statistics.sd, b.statistics.sd);
                      });
}

void Workspace::placeRois(const std::string& phantom) {
    rois_.reset({});
    phantom_ = phantom;
    if (phantom.empty()) {
        return;
    }
    try {
        rois_.reset(autoRois(phantom));
    } catch (const Error& fault) {
        messages_.add(Severity::Note, tr("No ROIs were placed: %1").arg(QString(fault.what())));
    }
}

void Workspace::useData(std::shared_ptr<const Measurement> data, const RoiSet& rois, const QString& name) {
    measurement_ = std::move(data);
    name_ = name;
    if (rois.rois.empty()) {
        placeRois(measurement_->phantom());
    } else {
        rois_.reset(rois);
        phantom_ = measurement_->phantom();
    }
    view_.setLattice(measurement_->lattice());
    showFirstSphere();
}

void Workspace::showFirstSphere() {
    for (int i = 0; i < rois_.count(); ++i) {
        if (rois_.at(i)->role == Roi::Role::Sphere) {
            view_.selectRoi(i);
            view_.setCursor(rois_.at(i)->centre);
            return;
        }
    }
}

void Workspace::closeStudy() {
    Q_EMIT aboutToClose();
    stopRuns();
    live_.stop();
    saveStudy();
    runs_.clear();
    study_.reset();
    lock_.reset();
    measurement_.reset();
    evaluator_.reset();
    evaluated_.reset();
    rois_.reset({});
    phantom_.clear();
    name_.clear();
    dataPath_.clear();
    dataBinning_.reset();
    openFiles_.clear();
    restoring_ = {};
    view_.resetRange();
    Q_EMIT studyChanged();
}

void Workspace::saveStudy() {
    if (!writesStudy() || !measurement_) {
        return;  // what is restored with the data is not there yet
    }
    study_->settings = settings_;
    study_->viewJson = QJsonDocument(session_.toJson()).toJson(QJsonDocument::Compact).toStdString();
    study_->rois = rois_.set();
    study_->queue = queueToKeep();
    savedState_ = studyState();
    try {
        study_->save();
    } catch (const CannotWrite& fault) {
        messages_.add(Severity::Warning,
                      tr("The study's view and settings were not saved: %1").arg(QString(fault.what())));
    }
}

void Workspace::simulate(const SimulationRequest& request) {
    tasks_.add(
        tr("Simulating %1 M events").arg(static_cast<double>(request.events) / 1e6),
        [request](TaskControl& control) {
            const Scanner scanner = Scanner::find(request.scanner.toStdString());
            const Phantom phantom = Phantom::find(request.phantom.toStdString(), readVolume);
            SimulationSettings settings;
            settings.events = request.events;
            settings.seed = request.seed;
            const ThreadPool pool(0, Priority::Background);
            const EventList events = tof::simulate(scanner, phantom, settings, pool, [&](std::uint64_t made) {
                control.checkpoint();
                control.report(0.6 * static_cast<double>(made) / static_cast<double>(request.events));
            });
            const HistoData data = binEvents(events, ListBinning(), pool, control, 0.6);
            QDir().mkpath(QFileInfo(request.folder).absolutePath());
            const std::string temporary = (request.folder + ".data.h5").toStdString();
            writeData(temporary, data);
            try {
                static_cast<void>(Study::create(request.folder.toStdString(), temporary));
            } catch (...) {
                QFile::remove(QString::fromStdString(temporary));
                throw;
            }
            QFile::remove(QString::fromStdString(temporary));
        },
        [this, folder = request.folder] { open({folder}); });
}

void Workspace::openDemo() {
    const QString folder =
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tofscope/demo.tofstudy";
    if (QFileInfo::exists(folder + "/study.json")) {
        open({folder});
        return;
    }
    SimulationRequest request;
    request.folder = folder;
    simulate(request);
}

// ---- settings ----

void Workspace::setSetting(const std::string& key, const std::string& value) {
    // A setting means the same to whoever reads it, with or without the user's presets.
    const std::string plain = key == "kernel" ? kernels_.setting(value) : value;
    if (settings_.get(key) != plain) {
        settings_.set(key, plain);
        Q_EMIT settingsEdited();
    }
}

void Workspace::setKernelFolder(const QString& folder) {
    kernels_ = KernelLibrary(folder.toStdString());
    Q_EMIT kernelsChanged();
}

void Workspace::saveKernel(const QString& name, const KernelSpec& kernel) {
    kernels_.save(name.toStdString(), kernel);
    Q_EMIT kernelsChanged();
}

void Workspace::deleteKernel(const QString& name) {
    kernels_.remove(name.toStdString());
    Q_EMIT kernelsChanged();
}

void Workspace::setSettings(const RunSettings& settings) {
    settings_ = settings;
    Q_EMIT settingsEdited();
}

std::vector<std::string> Workspace::changedSettings(const RunItem& item) const {
    std::vector<std::string> changed;
    for (const SettingInfo& info : settingsTable()) {
        const bool own = item.isLive() && info.key == "iterations";  // live tuning has its own number
        if (!item.isVolume() && !own && item.settings().get(info.key) != settings_.get(info.key)) {
            changed.push_back(info.key);
        }
    }
    return changed;
}

bool Workspace::settingsChanged() const {
    const auto& items = runs_.items();
    const auto it = std::find_if(items.begin(), items.end(),
                                 [&](const auto& item) { return item->id() == runs_.selectedId(); });
    return it == items.end() || (*it)->isVolume() || !changedSettings(**it).empty();
}

// ---- runs ----

QString Workspace::whyNoRun() const {
    if (!measurement_) {
        return study_ ? tr("The data of the study are not read yet")
                      : tr("Open a study, data or list-mode first");
    }
    return {};
}

int Workspace::startRun() {
    return startRun(settings_);
}

int Workspace::startRun(const RunSettings& settings) {
    if (!whyNoRun().isEmpty()) {
        return 0;
    }
    RunItem& item =
        runs_.add(RunKind::Reconstruction, QString::fromStdString(runName(settings, measurement_->system())));
    item.plan(settings);
    enqueue(item);
    const int id = item.id();
    if (activeRun() == nullptr) {
        runs_.select(id);
    }
    pump();
    return id;
}

void Workspace::pump() {
    if (driver_.busy()) {
        return;
    }
    const std::vector<RunItem*> waiting = queue();
    const auto next =
        std::find_if(waiting.begin(), waiting.end(), [](const RunItem* each) { return !each->held(); });
    if (next == waiting.end()) {
        return;
    }
    RunItem* item = *next;
    item->begin(measurement_->hash(), measurement_->lattice(), rois_.revision());
    renumberQueue();
    runs_.select(item->id());
    keepCheckpoint_ = false;
    const JobOutput output = outputOf(*item);
    driver_.start(*item, {measurement_, item->settings(), output, rois_.set(), rois_.revision(),
                          preparationOf(*item, output)});
}

void Workspace::runEnded(int id, const std::exception_ptr& fault, const JobOutput& output) {
    if (RunItem* item = runs_.find(id); item != nullptr && fault != nullptr) {
        runFailed(*item, fault, output);
    }
    saveQueue();
    runs_.touch();
    pump();
}

void Workspace::runFailed(RunItem& item, const std::exception_ptr& fault, const JobOutput& output) {
    const bool cancelled = isCancelled(fault);
    if (cancelled && keepCheckpoint_ && !item.resumes() && item.timing().empty()) {
        item.putBack();  // nothing of it is there yet
        renumberQueue();
        return;
    }
    // What was there before this run began, or went on, is never lost; nor what came since, unless the user
    // has cancelled it.
    const bool byUser = cancelled && !keepCheckpoint_;
    const bool hadEnded = item.resumes() && item.before() > 0;
    const bool wentOn = !item.timing().empty() && item.timing().back().iteration > item.before();
    if ((byUser && !item.resumes()) || (hadEnded && (byUser || !wentOn))) {
        discardContinuation(output);
    }
    if (cancelled) {
        item.cancel();
        return;
    }
    item.fail(sentence(fault));
    messages_.add(Severity::Error, tr("Run %1: %2").arg(item.label(), item.error()));
}

void Workspace::cancelRun() {
    holdQueue();
    driver_.cancel();
    runs_.touch();
}

void Workspace::stopRuns() {
    keepCheckpoint_ = true;
    cancelRun();
    driver_.join();
}

void Workspace::removeRun(int id) {
    RunItem* item = runs_.find(id);
    if (item == nullptr || isActive(item->state())) {
        return;
    }
    if (item->state() == RunState::Queued && item->resumes()) {
        item->withdraw();
        renumberQueue();
        saveQueue();
        runs_.touch();
        return;
    }
    if (writesStudy() && !item->isVolume() && !item->file().isEmpty() &&
        item->file().startsWith(QString::fromStdString(study_->folder()))) {
        QFile::remove(item->file());
    }
    if (writesStudy() && (item->state() == RunState::Interrupted || item->state() == RunState::Failed)) {
        discardContinuation(outputOf(*item));
    }
    runs_.remove(id);
    renumberQueue();
    saveQueue();
    Q_EMIT runRemoved(id);
}

void Workspace::shutdown() {
    tasks_.stop();
    live_.stop();
    if (!std::exchange(ended_, true)) {
        Q_EMIT aboutToClose();
    }
    curves_.stop();
    stopRuns();
    saveStudy();
}

QStringList Workspace::runsInMemory() const {
    QStringList labels;
    for (const auto& item : runs_.items()) {
        if (!item->isVolume() && !item->isLive() && item->file().isEmpty() && !item->images().empty() &&
            item->state() != RunState::Interrupted) {
            labels << item->label();
        }
    }
    return labels;
}

bool Workspace::busy() const {
    return tasks_.busy() || driver_.busy() || live_.busy() || curves_.busy();
}

// ---- what is on screen ----

DisplayUnit Workspace::unitOf(const RunItem& item) const {
    const double measured_s = measurement_ ? measurement_->duration_s() : 0;
    const bool known =
        measured_s > 0 && std::all_of(runs_.items().begin(), runs_.items().end(), [&](const auto& i) {
            return i->volume() == nullptr || i->units() != item.units() ||
                   i->dataHash() == measurement_->hash();
        });
    return displayUnit(item.units(), item.lattice(), known ? measured_s : 0, unitsShown_);
}

DisplayUnit Workspace::unitOnScreen() {
    const RunItem* item = runs_.selected();
    return item != nullptr ? unitOf(*item) : DisplayUnit{};
}

void Workspace::setUnitsShown(UnitsShown units) {
    if (units != unitsShown_) {
        unitsShown_ = units;
        syncView();
        runs_.touch();
    }
}

void Workspace::syncView() {
    RunItem* item = runs_.selected();
    if (item == nullptr) {
        return;
    }
    if (item->lattice().voxels() > 0) {
        view_.setUnit(unitOf(*item));
    }
    const auto volume = item->volume();
    if (volume != nullptr) {
        view_.setLattice(volume->lattice);
        // The first picture of a run is a nearly uniform start image: its range would be wrong for all that
        // follow.
        const bool settled = item->isVolume() || item->lastIterate() > 0 || !isActive(item->state());
        if (item->isLive() && item->liveRounds() > 0) {
            view_.offer(*volume,
                        QString::number(item->id()) + " settled");  // its brightness does not flicker
            return;
        }
        const QString key = QString::number(item->id()) + (settled ? "" : " start") +
                            (item->lastIterate() > 3 || !isActive(item->state()) ? " settled" : "");
        view_.offer(*volume, key);
    }
}

void Workspace::fetchShown() {
    const auto missing = [](const RunItem* item) { return item != nullptr && item->missingImage() > 0; };
    RunItem* item = runs_.selected();
    if (!missing(item)) {
        // Compare and profiles show the others, too.
        const auto& items = runs_.items();
        const auto other =
            std::find_if(items.begin(), items.end(), [&](const auto& i) { return missing(i.get()); });
        item = other != items.end() && fetching_ == std::pair{0, 0} ? other->get() : nullptr;
    }
    if (item == nullptr) {
        return;
    }
    const std::pair<int, int> wanted{item->id(), item->missingImage()};
    if (fetching_ == wanted) {
        return;
    }
    fetching_ = wanted;
    const auto volume = std::make_shared<Volume>();
    tasks_.add(
        tr("Reading iterate %1").arg(wanted.second),
        [volume, file = item->file().toStdString(), wanted](TaskControl&) {
            *volume = readIterate(file, wanted.second);
        },
        [this, volume, wanted] {
            fetching_ = {0, 0};
            if (RunItem* target = runs_.find(wanted.first)) {
                target->addImage(wanted.second, volume);
                runs_.trim();
                runs_.touch();
            }
        });
}

const FigureEvaluator& Workspace::evaluator(const Lattice& lattice) {
    const bool otherLattice = evaluator_ == nullptr || !(evaluator_->lattice() == lattice);
    if (otherLattice) {
        evaluator_ = std::make_unique<FigureEvaluator>(rois_.set(), lattice);
    } else if (evaluatorRevision_ != rois_.revision()) {
        evaluator_ = std::make_unique<FigureEvaluator>(rois_.set(), *evaluator_);
    }
    evaluatorRevision_ = rois_.revision();
    return *evaluator_;
}

Figures Workspace::figuresOnScreen(const RunItem& item) {
    const auto volume = item.volume();
    if (volume == nullptr || rois_.isEmpty()) {
        return {};
    }
    if (volume != evaluated_ || evaluatedRevision_ != rois_.revision()) {
        evaluatedFigures_ = evaluator(volume->lattice).evaluate(item.shownIterate(), volume->data.data());
        evaluated_ = volume;
        evaluatedRevision_ = rois_.revision();
    }
    return evaluatedFigures_;
}

}  // namespace tof::ui
