// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/desk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <memory>
#include <utility>

#include "recon/base/error.h"
#include "recon/phantom/phantom.h"
#include "recon/study/study_lock.h"
#include "recon/work/open.h"
#include "recon/work/read_measurement.h"
#include "recon/work/resume.h"
#include "recon/work/systems.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr std::uint64_t kDemoEvents = 430000000;  ///< as in the study of paper 000

/// The phantom that data name, where it is one of shapes; else null.
std::shared_ptr<const Phantom> truthOf(const std::string& phantom) {
    try {
        return phantom.empty() ? nullptr
                               : std::make_shared<const Phantom>(Phantom::fromNameOrText(phantom, "phantom"));
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

/// What a task has read, handed to the window's thread.
struct Desk::Loaded {
    QString path;
    std::optional<ListBinning> binning;
    VolumeReadOptions choice;
    FormTable forms = builtInForms();
    QString name;  ///< name of a volume that was chosen among several
    Opened what;
    QStringList notes;
    bool locks = false;  ///< a study is locked before it is read, so that nobody changes what was read
    std::unique_ptr<StudyLock> lock;
    std::string heldBy;  ///< why there is no lock

    /// What the window will want to know of the images and the data.
    void prepare(ImageFacts& facts) const {
        if (what.data != nullptr) {
            static_cast<void>(what.data->hash());  // another thread may be at it
        }
        if (what.volume != nullptr) {
            facts.range(what.volume);
        }
        for (const StoredRun& run : what.runs) {
            if (run.last != nullptr) {
                facts.range(run.last);
            }
        }
    }

    void read(TaskControl& control) {
        TaskProgress progress(control, {{"deposit", 0.4}, {"corrections", 0.6}, {"attenuation", 1}});
        const auto request = binning ? std::optional<BinRequest>(binning->requestFor(path)) : std::nullopt;
        if (locks && fileKind(path.toStdString()) == FileKind::Study) {
            takeLock();
        }
        what = openPath(path.toStdString(), request, progress.pool(0, Priority::Background), progress, choice,
                        forms);
        notes << progress.notes();
        if (what.kind == FileKind::Unknown) {
            throw BadInput(Text::tr("%1: not a study, data, list-mode, run or volume that Tofscope can read; "
                                    "see docs/formats.md")
                               .arg(path)
                               .toStdString());
        }
        for (const std::string& note : what.notes) {
            notes << QString::fromStdString(note);
        }
    }

  private:
    void takeLock() {
        const Study study = Study::open(path.toStdString());  // what is no study gets no lock
        try {
            lock = std::make_unique<StudyLock>(study.folder(), StudyLock::Use::Writes);
            discardLeftovers(study);
        } catch (const CannotWrite& fault) {
            heldBy = fault.what();
        }
    }
};

Desk::Desk(const EngineRegistry& engines, Threading threading, QObject* parent)
    : QObject(parent),
      engines_(engines),
      tasks_(threading),
      curves_(runs_, rois_, threading, facts_),
      screen_(view_, runs_, rois_, study_, uptakes_, calibrations_, tasks_, facts_),
      queue_({engines_, study_, settings_, runs_, rois_, messages_}, threading),
      sessions_({engines_, study_, settings_, runs_, rois_, messages_}, queue_),
      live_({engines_, study_, settings_, runs_, rois_, messages_}, queue_, threading),
      watch_(study_, runs_, threading, [this](const StoredRun& run) { followRun(run); }) {
    queue_.driver().setFacts(facts_);
    live_.setFacts(facts_);
    connect(&tasks_, &TaskQueue::failed, this, [this](const QString& title, const QString& sentence) {
        messages_.add(Severity::Error, title + ": " + sentence);
    });
    connect(&tasks_, &TaskQueue::cancelled, this, [this](const QString& title) {
        messages_.add(Severity::Note, tr("%1: cancelled, nothing of it is kept").arg(title));
    });
    connect(&curves_, &RoiCurves::failed, this, [this](const QString& sentence) {
        messages_.add(Severity::Warning, tr("The curves do not follow the ROIs: %1").arg(sentence));
    });
    connect(&study_, &OpenStudy::draftsFailed, this, [this](const QString& sentence) {
        messages_.add(Severity::Warning,
                      tr("Runs of data without a study would not survive a crash: %1").arg(sentence));
    });
    const auto refreshUnits = [this] {
        screen_.refresh();
        runs_.touch();
    };
    connect(&uptakes_, &Uptakes::changed, this, refreshUnits);
    connect(&calibrations_, &Calibrations::changed, this, refreshUnits);
    Session& parts = sessions_.parts();
    parts.add("view", view_);
    parts.add("images", madeImages_);  // before the runs: the list may name one of them as selected
    parts.add("layers", layers_);
    parts.add("uptakes", uptakes_);
    parts.add("calibration", calibrations_);
    parts.add("annotations", annotations_);
    parts.add({"runs", [this] { return runsToJson(runs_); },
               [this](const nlohmann::json& saved) { runsFromJson(runs_, saved); }});
}

Desk::~Desk() {
    shutdown();
}

void Desk::shutdown() {
    tasks_.stop();
    live_.stop();
    if (!std::exchange(ended_, true)) {
        Q_EMIT aboutToClose();
    }
    curves_.stop();
    screen_.stop();
    queue_.stop();
    sessions_.saveStudy();
}

bool Desk::busy() const {
    return tasks_.busy() || queue_.busy() || live_.busy() || curves_.busy() || screen_.busy();
}

bool Desk::settingsChanged() {
    const RunItem* item = runs_.selected();
    return item == nullptr || item->isVolume() || !settings_.changedSince(*item).empty();
}

// ---- opening ----

void Desk::open(const QStringList& paths) {
    for (const QString& path : paths) {
        openOne(QFileInfo(path).absoluteFilePath(), listBinning_, volumeChoice_,
                QString::fromStdString(volumeChoice_.series));
    }
}

void Desk::openSeries(const QString& path, const VolumeReadOptions& choice, const QString& name) {
    openOne(QFileInfo(path).absoluteFilePath(), listBinning_, choice, name);
}

void Desk::openList(const QString& path, const ListBinning& binning) {
    openOne(QFileInfo(path).absoluteFilePath(), binning);
}

void Desk::openOne(const QString& path, const std::optional<ListBinning>& binning,
                   const VolumeReadOptions& choice, const QString& name) {
    auto loaded = std::make_shared<Loaded>();
    loaded->path = path;
    loaded->binning = binning;
    loaded->choice = choice;
    loaded->forms = study_.forms();
    loaded->name = name;
    loaded->locks = studyWrites_ != StudyWrites::Nothing;
    tasks_.add(
        tr("Opening %1").arg(QFileInfo(path).fileName()),
        [loaded, facts = facts_](TaskControl& control) {
            loaded->read(control);
            loaded->prepare(*facts);
            control.checkpoint();  // what has no steps of its own is not adopted either
        },
        [this, loaded] { adopt(loaded); });
}

void Desk::adopt(const std::shared_ptr<Loaded>& loaded) {
    if (loaded->what.kind == FileKind::List && !loaded->binning) {
        ListBinning usual;
        usual.form = loaded->what.list->form;
        Q_EMIT listFound(loaded->path, usual, QString::fromStdString(loaded->what.list->missing));
        return;
    }
    if (!loaded->what.series.empty()) {
        if (askForSeries_) {
            Q_EMIT seriesFound(loaded->path, loaded->what.series);
            return;
        }
        QStringList names;
        for (const VolumeSeries& one : loaded->what.series) {
            names << QString::fromStdString(one.name) +
                         (one.frames > 1 ? tr(", %1 frames").arg(one.frames) : "");
        }
        messages_.add(Severity::Error, tr("%1: holds several series or frames; choose one (--series): %2")
                                           .arg(loaded->path, names.join("; ")));
        return;
    }
    const bool replaces = loaded->what.study || loaded->what.data != nullptr;
    if (askBeforeReplacing_ && replaces && queue_.active() != nullptr) {  // what waits stays in its queue
        replacement_ = loaded;
        Q_EMIT replacing(loaded->path);
        return;
    }
    if (isOpen(*loaded)) {
        openAgain(*loaded);
        return;
    }
    const QString base = QFileInfo(loaded->path).completeBaseName();
    if (replaces) {
        close();
        study_.setSource(loaded->path, loaded->what.kind == FileKind::List ? loaded->binning : std::nullopt);
    }
    if (loaded->what.study) {
        study_.setFolder(*loaded->what.study);
        study_.setName(base);
        lockStudy(*loaded);
        if (!loaded->what.runs.empty()) {
            rois_.setTruth(truthOf(loaded->what.runs.front().summary.phantom));
        }
        rois_.reset(loaded->what.study->rois);
        settingsOutside_ = settings_.current();
        settings_.setAll(loaded->what.study->settings);
        readStudyData();
    } else if (loaded->what.data != nullptr) {
        useData(loaded->what.data, RoiSet{}, base);
    }
    for (const StoredRun& run : loaded->what.runs) {
        adoptRun(run);
    }
    if (loaded->what.study && !heldElsewhere_) {  // else they are going on, or wait, in the other window
        queue_.adopt(loaded->what.study->queue);
    }
    if (loaded->what.volume != nullptr) {
        adoptVolume(*loaded);
    }
    for (const QString& note : loaded->notes) {
        messages_.add(Severity::Warning, note);
    }
    const bool firstLattice = view_.lattice().voxels() == 0;
    screen_.refresh();
    if (firstLattice) {
        showFirstSphere();
    }
    if (loaded->what.study && !loaded->what.study->viewJson.empty()) {
        sessions_.restore(parsedJson(loaded->what.study->viewJson));
    }
    study_.addFile(loaded->path);
    Q_EMIT opened(loaded->path);
    Q_EMIT study_.changed();
}

void Desk::adoptVolume(const Loaded& loaded) {
    const QString own = loaded.what.volumeName.empty() ? QFileInfo(loaded.path).completeBaseName()
                                                       : QString::fromStdString(loaded.what.volumeName);
    const QString called = loaded.name.isEmpty() ? own : loaded.name;
    const QString name =
        loaded.choice.frame > 0 ? tr("%1, frame %2").arg(called).arg(loaded.choice.frame) : called;
    const int id = runs_.addVolume(name, loaded.what.volume);
    RunItem& item = *runs_.find(id);
    if (loaded.what.frames) {
        item.openFrames(*loaded.what.frames, loaded.choice);
    }
    item.setFile(loaded.path, item.imagesOnDisk());
    item.setStatedFactor(loaded.what.statedFactor);
    madeImages_.remember(item.label(), loaded.choice);
    if (loaded.what.uptake) {
        uptakes_.found(item, *loaded.what.uptake);
    }
    runs_.select(id);
    if (study_.name().isEmpty()) {
        study_.setName(own);
    }
}

bool Desk::isOpen(const Loaded& loaded) const {
    return loaded.what.study && study_.folder() != nullptr &&
           loaded.what.study->folder() == study_.folder()->folder();
}

void Desk::openAgain(const Loaded& loaded) {
    close();  // only now the folder has everything
    openOne(loaded.path, loaded.binning);
}

void Desk::replaceNow() {
    const auto loaded = std::exchange(replacement_, nullptr);
    if (loaded != nullptr && isOpen(*loaded)) {
        openAgain(*loaded);
    } else if (loaded != nullptr) {
        close();
        adopt(loaded);
    }
}

void Desk::keepWhatIsOpen() {
    replacement_.reset();
}

void Desk::lockStudy(Loaded& loaded) {
    heldElsewhere_ = false;
    if (!loaded.locks) {
        study_.keepNoDraft();
        return;
    }
    if (loaded.lock != nullptr) {
        study_.setLock(std::move(loaded.lock));
        bringRunsBack();
        return;
    }
    heldElsewhere_ = true;
    messages_.add(Severity::Warning,
                  tr("%1. Until then nothing that is done here is kept in the study: runs are kept beside it")
                      .arg(QString::fromStdString(loaded.heldBy)));
    Q_EMIT heldElsewhere(QString::fromStdString(loaded.heldBy));
}

void Desk::bringRunsBack() {
    const QStringList back = bringFilesBack(*study_.folder());
    if (back.isEmpty()) {
        return;
    }
    messages_.add(Severity::Warning,
                  tr("The program ended while deleting could still be undone; back in the list: %1")
                      .arg(back.join(", ")));
    const auto again = std::make_shared<Loaded>();
    again->path = QString::fromStdString(study_.folder()->folder());
    tasks_.add(
        tr("Reading %1").arg(back.join(", ")),
        [again, facts = facts_](TaskControl& control) {
            again->read(control);
            again->prepare(*facts);
        },
        [this, again, back] {
            if (study_.folder() == nullptr ||
                QString::fromStdString(study_.folder()->folder()) != again->path) {
                return;  // closed meanwhile
            }
            for (const StoredRun& run : again->what.runs) {
                const QString letter = QString::fromStdString(run.name);
                if (back.contains(letter) && runs_.find(letter) == nullptr) {
                    adoptRun(run);
                }
            }
        });
}

void Desk::readStudyData() {
    const auto data = std::make_shared<std::shared_ptr<const Measurement>>();
    tasks_.add(
        tr("Reading the data of %1").arg(study_.name()),
        [data, file = study_.folder()->dataFile()](TaskControl& control) {
            *data = readMeasurement(file, [&control] { control.checkpoint(); });
            static_cast<void>((*data)->hash());  // another thread may be at it, and the window would wait
        },
        [this, data, folder = study_.folder()->folder()] {
            if (study_.folder() == nullptr || study_.folder()->folder() != folder) {
                return;  // closed meanwhile
            }
            const bool nothingShown = view_.lattice().voxels() == 0 || runs_.items().empty();
            if (nothingShown) {
                useData(*data, rois_.set(), study_.name());
            } else {
                study_.setMeasurement(*data);
            }
            sessions_.restoreRest(nothingShown ? Sessions::Rest::All : Sessions::Rest::OfData);
            screen_.refresh();  // what the data say of units
            Q_EMIT study_.changed();
        });
}

RunItem& Desk::addRun(const QString& label, const StoredRun& run) {
    RunItem& item = runs_.add(RunKind::Reconstruction,
                              QString::fromStdString(runName(run.made.settings, run.made.system)), label);
    item.open(run);
    return item;
}

void Desk::adoptRun(const StoredRun& run) {
    const QString label = QString::fromStdString(run.name);
    RunItem& item = addRun(label, run);
    if (run.interrupted) {
        measureLast(item);
        if (!run.summary.savedImages.empty()) {
            item.setFile(QString::fromStdString(study_.folder()->runFile(run.name)), run.summary.savedImages);
        }
        messages_.add(Severity::Warning,
                      tr("Run %1 was interrupted after iteration %2 of %3: Run > Continue goes on from there")
                          .arg(label)
                          .arg(item.lastIterate())
                          .arg(item.progress().iterations));
        return;
    }
    if (study_.measurement() == nullptr && rois_.isEmpty()) {
        placeRois(run.summary.phantom);
    }
    item.setRoiRevision(screen_.figuresAreOfRois(item) ? rois_.revision() : 0);
    if (study_.name().isEmpty()) {
        study_.setName(QFileInfo(item.file()).completeBaseName());
    }
    runs_.select(item.id());
}

void Desk::followRun(const StoredRun& run) {
    const QString label = QString::fromStdString(run.name);
    if (run.queued) {
        return;  // it waits in the other program
    }
    RunItem* item = runs_.find(label);
    if (item == nullptr) {
        item = &runs_.add(RunKind::Reconstruction,
                          QString::fromStdString(runName(run.made.settings, run.made.system)), label);
    }
    item->follow(run);
    const bool unmeasured =
        run.last != nullptr && item->figuresOf(run.lastIteration) == nullptr && !rois_.isEmpty();
    const auto measured = unmeasured ? screen_.measure(run.lastIteration, *run.last) : std::nullopt;
    if (measured) {
        item->measured(*measured, rois_.revision());
    } else if (unmeasured) {
        item->setRoiRevision(0);  // the curves bring them
    } else {
        item->setRoiRevision(screen_.figuresAreOfRois(*item) ? rois_.revision() : 0);
    }
    runs_.touch();
    runs_.trim();
    screen_.refresh();
}

/// Figures of the one image of a run that was interrupted, where it has none.
void Desk::measureLast(RunItem& item) {
    if (item.figures().empty() && !rois_.isEmpty() && !item.images().empty()) {
        const auto& [iteration, image] = *item.images().begin();
        if (const auto measured = screen_.measure(iteration, *image)) {
            item.setFigures({*measured}, 0);
        }
    }
    const bool truthComes = screen_.busy();
    item.setRoiRevision(!truthComes && screen_.figuresAreOfRois(item) ? rois_.revision() : 0);
}

QString Desk::adoptRecovered(const Study& draft, const StoredRun& run) {
    Study& store = study_.store();
    const QString letter = QString::fromStdString(run.name);
    const bool taken =
        runs_.find(letter) != nullptr || QFile::exists(QString::fromStdString(store.runFile(run.name)));
    RunItem& item = addRun(taken ? QString() : letter, run);
    const QString file = QString::fromStdString(store.runFile(item.label().toStdString()));
    const std::vector<std::string> from = draft.filesOf(run.name);
    const std::vector<std::string> to = store.filesOf(item.label().toStdString());
    for (std::size_t i = 0; i < from.size(); ++i) {
        QFile::rename(QString::fromStdString(from[i]), QString::fromStdString(to[i]));
    }
    if (!run.summary.savedImages.empty()) {
        item.setFile(file, run.summary.savedImages);
    }
    measureLast(item);
    if (!run.interrupted && item.lastIterate() >= item.progress().iterations) {
        item.recovered();
    }
    runs_.rename(item.id(), QString::fromStdString(draft.givenName(run.name)));
    runs_.select(item.id());
    return item.label();
}

QStringList Desk::unsavedRuns() const {
    QStringList letters;
    for (const auto& item : runs_.items()) {
        const bool unsaved =
            item->file().isEmpty() ? !item->images().empty() : study_.isInDraft(item->file());
        if (!study_.writes() && !item->isVolume() && !item->isLive() && unsaved &&
            item->state() != RunState::Interrupted) {
            letters << item->label();
        }
    }
    return letters;
}

void Desk::openSaved(const QString& folder, const std::vector<std::string>& runs) {
    study_.draftSaved(runs);
    open({folder});
}

void Desk::placeRois(const std::string& phantom) {
    rois_.setTruth(truthOf(phantom));
    rois_.reset({});
    study_.setPhantom(phantom);
    if (phantom.empty()) {
        return;
    }
    try {
        rois_.reset(autoRois(phantom));
    } catch (const Error& fault) {
        messages_.add(Severity::Note, tr("No ROIs were placed: %1").arg(QString(fault.what())));
    }
}

void Desk::useData(std::shared_ptr<const Measurement> data, const RoiSet& rois, const QString& name) {
    const Lattice lattice = data->lattice();
    study_.setMeasurement(std::move(data));
    const UsualLook look = study_.form() != nullptr ? study_.form()->usualLook : UsualLook();
    if (look.plane != planeAlone_) {
        planeAlone_ = look.plane;
        view_.setLayout(look.plane ? Layout::Single : Layout::Main);
        view_.setActivePlane(look.plane.value_or(Plane::Transverse));
        view_.setProfileAxis(look.profileAxis);
    }
    study_.setName(name);
    if (rois.rois.empty()) {
        placeRois(study_.phantom());
    } else {
        rois_.setTruth(truthOf(study_.phantom()));
        rois_.reset(rois);
    }
    view_.setLattice(lattice);
    showFirstSphere();
}

void Desk::showFirstSphere() {
    for (int i = 0; i < rois_.count(); ++i) {
        if (rois_.at(i)->role == Roi::Role::Sphere) {
            view_.selectRoi(i);
            view_.setCursor(rois_.at(i)->centre);
            return;
        }
    }
}

void Desk::close() {
    Q_EMIT aboutToClose();
    queue_.stop();
    live_.stop();
    sessions_.saveStudy();
    layers_.clear();
    madeImages_.clear();
    uptakes_.clear();
    calibrations_.clear();
    annotations_.clear();
    placeHandles_.release();
    runs_.clear();
    const OpenStudy::Left left = study_.clear();
    screen_.clear();
    rois_.setTruth(nullptr);
    rois_.reset({});
    if (settingsOutside_) {
        settings_.setAll(*std::exchange(settingsOutside_, {}));
    }
    sessions_.forget();
    Q_EMIT study_.changed();
    if (left == OpenStudy::Left::Runs) {
        Q_EMIT runsLeft();
    }
}

void Desk::simulate(const SimulationRequest& request) {
    const QString title =
        tr("Simulating %1 events").arg(millionsText(static_cast<double>(request.settings.events)));
    for (int i = 0; i < std::max(1, request.replicates); ++i) {
        const bool last = i + 1 >= request.replicates;
        tasks_.add(
            request.replicates > 1 ? tr("%1, seed %2 of %3").arg(title).arg(i + 1).arg(request.replicates)
                                   : title,
            [request, i, &engines = engines_](TaskControl& control) {
                simulateStudy(request, i, engines, control);
            },
            [this, request, last] {
                if (last) {
                    openSimulated(request);
                }
            });
        tasks_.markWork();
    }
}

/// Opens the first of them, with its settings. What somebody works on stays open: then it is offered.
void Desk::openSimulated(const SimulationRequest& request) {
    const QString first = request.folderOf(0);
    const bool working = !isEmpty() && !request.firstRun;
    if (request.replicates > 1) {
        const QString made =
            working ? tr("%1 studies were made, of the seeds %2 to %3; the first one can be opened")
                    : tr("%1 studies were made, of the seeds %2 to %3; the first one is open");
        messages_.add(Severity::Note,
                      made.arg(request.replicates)
                          .arg(request.settings.seed)
                          .arg(request.settings.seed + static_cast<std::uint64_t>(request.replicates) - 1),
                      first);
    } else if (working) {
        messages_.add(Severity::Note, tr("%1 is simulated").arg(QFileInfo(first).completeBaseName()), first);
    }
    if (working) {
        return;
    }
    open({first});
    if (!request.firstRun) {
        return;
    }
    tasks_.then([this, run = *request.firstRun] {
        settings_.set("iterations", textOf(run.iterations, {}));
        settings_.set("relaxation", textOf(run.relaxation, {}));
        if (queue_.whyNoRun().isEmpty()) {
            queue_.start();
        }
    });
}

namespace {

/// Puts the truth beside the demo's run; what somebody looks at meanwhile stays.
void presentDemo(Desk& desk, const RunItem& run) {
    const int id = run.id();
    if (!desk.madeImages().whyNot(MadeImages::Kind::Truth).isEmpty()) {
        return;
    }
    desk.madeImages().make(MadeImages::Kind::Truth, {run.label()});
    desk.tasks().then([&desk, id] { desk.runs().select(id); });
}

}  // namespace

/// Presents the demo once its first run has ended.
void Desk::presentWhenDone(const QString& folder) {
    disconnect(demoEnds_);
    demoEnds_ = connect(&runs_, &RunList::changed, this, [this, folder] {
        RunItem* run = runs_.selected();
        const bool shown = study_.folder() != nullptr &&
                           QString::fromStdString(study_.folder()->folder()) == folder && run != nullptr &&
                           run->state() == RunState::Done && run->volume() != nullptr && !run->showsWork();
        if (shown) {
            disconnect(demoEnds_);
            presentDemo(*this, *run);
        }
    });
}

void Desk::openDemo() {
    const QString folder =
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tofscope/demo.tofstudy";
    if (QDir(folder + "/runs").isEmpty()) {
        view_.setFlag(ViewModel::Flag::Interpolation, true);
        presentWhenDone(folder);
    }
    if (QFileInfo::exists(folder + "/study.json")) {
        open({folder});
        return;
    }
    // Expected counts, as two cores make in a minute: the spheres stand out of the noise in the first
    // picture.
    SimulationRequest request;
    request.folder = folder;
    request.settings.events = kDemoEvents;
    request.scanner = "labr3";
    request.analytic = true;
    request.background = true;
    request.firstRun = {5, 0.1};
    simulate(request);
}

void Desk::openLastSession(const std::string& text) {
    const nlohmann::json saved = parsedJson(text);
    QStringList files;
    for (const QString& path : savedIn<std::vector<QString>>(saved, "files")) {
        if (QFileInfo::exists(path)) {
            files << path;
        } else {
            messages_.add(Severity::Warning, tr("%1: is not there any more").arg(path));
        }
    }
    if (files.isEmpty()) {
        return;
    }
    for (const QString& file : files) {
        const auto binning =
            file == files.front() ? binningFromJson(savedIn(saved, "binning")) : std::nullopt;
        const auto [choice, name] =
            MadeImages::choiceIn(savedIn(savedIn(saved, "session"), "images", nlohmann::json::array()), file);
        openOne(file, binning ? binning : listBinning_, choice, name);
    }
    tasks_.then([this, saved] {
        sessions_.restoreLast(saved);
        Q_EMIT study_.changed();
    });
}

}  // namespace tof::ui
