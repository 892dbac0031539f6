// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTemporaryDir>
#include <deque>
#include <memory>
#include <optional>

#include "recon/metrics/figures_of_merit.h"
#include "recon/seam/engine.h"
#include "recon/settings/kernel_library.h"
#include "recon/settings/settings.h"
#include "recon/study/continuation.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "recon/systems/histo/histo_measurement.h"
#include "ui/desk/display_unit.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_driver.h"
#include "ui/desk/run_list.h"
#include "ui/desk/session.h"
#include "ui/desk/tasks.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// A study to be simulated.
struct SimulationRequest {
    QString scanner = "labr3";
    QString phantom = "spheres";
    std::uint64_t events = 2000000;
    std::uint64_t seed = 1;
    QString folder;  ///< NAME.tofstudy to be made
};

/// How list-mode becomes histo-images; the lattice keeps 576 x 576 x 192 mm.
struct ListBinning {
    int azimuths = 40;
    int tilts = 3;
    double voxel_mm = 4;
    bool partial = false;  ///< take a file that ends too early as far as it goes
};

[[nodiscard]] QJsonObject binningToJson(const ListBinning& binning);
/// Empty where there is none.
[[nodiscard]] std::optional<ListBinning> binningFromJson(const QJsonValue& saved);

/// Whether what is done with an open study is written into its folder.
enum class StudyWrites {
    Kept,    ///< runs, and view, settings and ROIs as they change
    Nothing  ///< the folder stays as it is and runs are in memory only: pictures and measurements by scripts
};

/// What is open and what is being done with it: the window without its widgets.
///
/// Owns the models, the task queue and the one running reconstruction. All calls come from the window's
/// thread; nothing here waits for work. Failures end up in messages() or in the run they belong to.
class Workspace : public QObject {
    Q_OBJECT

  public:
    /// `engines` outlives the workspace.
    Workspace(const EngineRegistry& engines, Threading threading, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] ViewModel& view() { return view_; }
    [[nodiscard]] RunList& runs() { return runs_; }
    [[nodiscard]] Messages& messages() { return messages_; }
    [[nodiscard]] TaskQueue& tasks() { return tasks_; }
    [[nodiscard]] LiveTuning& live() { return live_; }
    [[nodiscard]] const EngineRegistry& engines() const { return engines_; }
    /// What a study remembers; the window adds its parts.
    [[nodiscard]] Session& session() { return session_; }

    // What is open.
    [[nodiscard]] bool isEmpty() const { return !measurement_ && runs_.items().empty() && !study_; }
    /// What the next run reconstructs; null when no data are open.
    [[nodiscard]] const std::shared_ptr<const Measurement>& measurement() const { return measurement_; }
    /// The open data where they are histo-images, else null.
    [[nodiscard]] std::shared_ptr<const HistoData> data() const { return histoData(measurement_.get()); }
    /// Name or JSON of the phantom that the data or run were made of; empty when none is known.
    [[nodiscard]] const std::string& phantom() const { return phantom_; }
    [[nodiscard]] QString studyName() const { return name_; }
    [[nodiscard]] const RoiSet& rois() const { return rois_.set(); }
    [[nodiscard]] RoiModel& roiModel() { return rois_; }
    /// Says when figures of all iterates follow an edited ROI.
    [[nodiscard]] RoiCurves& curves() { return curves_; }
    [[nodiscard]] bool hasFolder() const { return study_.has_value(); }
    /// True while runs, queue, view and settings go into the folder of the study.
    [[nodiscard]] bool writesStudy() const { return study_ && lock_ != nullptr; }
    /// Opens study folders, data, list, run and volume files, told apart by content; returns at once. A study
    /// or data replaces what is open; runs and volumes are added.
    void open(const QStringList& paths);
    /// What the open data were read from: a data file, list-mode or a study folder; empty when none are open.
    [[nodiscard]] const QString& dataPath() const { return dataPath_; }
    /// How that was binned, where it is list-mode.
    [[nodiscard]] const std::optional<ListBinning>& dataBinning() const { return dataBinning_; }
    [[nodiscard]] Threading threading() const { return driver_.threading(); }
    /// Whether replacing() is asked before a run that is going on is stopped by opening something else.
    void setAskBeforeReplacing(bool ask) { askBeforeReplacing_ = ask; }
    /// The answers to replacing().
    void replaceNow();
    void keepWhatIsOpen();
    /// Opens list-mode with these settings; returns at once.
    void openList(const QString& path, const ListBinning& binning);
    /// What open() does with list-mode: bins it with these settings, or, without any, asks through
    /// listFound().
    void setListBinning(const std::optional<ListBinning>& binning) { listBinning_ = binning; }
    /// Holds for whatever is opened; StudyWrites::Kept at the start.
    void setStudyWrites(StudyWrites writes) { studyWrites_ = writes; }
    /// Simulates, bins and opens a study; returns at once.
    void simulate(const SimulationRequest& request);
    /// Opens the demo study, simulating it first where it is missing.
    void openDemo();
    void closeStudy();
    /// Paths that are open, in the order they were opened.
    [[nodiscard]] const QStringList& openFiles() const { return openFiles_; }
    /// Writes view, settings and ROIs into the study when they have changed since.
    void autosave();
    /// Everything about what is open, for openLastSession(): files, settings, ROIs, session.
    [[nodiscard]] QJsonObject lastSession() const;
    /// Opens the files of an earlier session and puts everything back as it was; returns at once.
    void openLastSession(const QJsonObject& saved);

    // Settings of the next run.
    [[nodiscard]] const RunSettings& settings() const { return settings_; }
    /// Throws WrongUse naming the setting and what is allowed.
    void setSetting(const std::string& key, const std::string& value);
    void setSettings(const RunSettings& settings);
    /// Kernels by name: the program's, and the user's own.
    [[nodiscard]] const KernelLibrary& kernels() const { return kernels_; }
    /// Where the user's own are; none before this is called.
    void setKernelFolder(const QString& folder);
    /// Throws WrongUse, BadInput or CannotWrite, as KernelLibrary does.
    void saveKernel(const QString& name, const KernelSpec& kernel);
    void deleteKernel(const QString& name);
    /// Keys of the settings that the next run would have otherwise than this one; none for a volume.
    [[nodiscard]] std::vector<std::string> changedSettings(const RunItem& item) const;
    /// True when the selected run was made with other settings than the next one would be.
    [[nodiscard]] bool settingsChanged() const;

    // Runs.
    /// Empty when a run can start, else the reason.
    [[nodiscard]] QString whyNoRun() const;
    /// Adds a run with the current settings behind those that wait. Returns its id, 0 when whyNoRun().
    int startRun();
    /// The same with settings of its own.
    int startRun(const RunSettings& settings);
    /// Empty when a run can go on, else the reason.
    [[nodiscard]] QString whyNotContinue(const RunItem& item) const;
    /// Queues a run that has ended or was interrupted to go on for `more` iterations beyond its last one; 0
    /// goes on to the number it was to have. Throws WrongUse when whyNotContinue().
    void continueRun(int id, int more);
    /// Puts an image beside the runs, as a volume of its own that lasts until it is closed; returns its id.
    int addVolume(const QString& name, std::shared_ptr<const Volume> volume);
    /// Adds a run that is in memory only as an earlier session has left it; returns its id.
    int adoptRecovered(const QString& label, const QString& name, InterruptedRun run);
    /// The same for one that had not begun; it waits until the queue is started.
    int adoptWaiting(const QString& label, const QString& name, const RunSettings& settings);
    /// Runs that wait, the next one first.
    [[nodiscard]] std::vector<RunItem*> queue() const;
    /// Gives a run that waits another place in the queue, 0 being the next.
    void moveInQueue(int id, int place);
    /// Empty when startQueue() has something to do, else the reason.
    [[nodiscard]] QString whyNotStartQueue() const;
    /// Lets the runs begin that wait until somebody says so: those of an earlier session, or left by a
    /// cancelled run.
    void startQueue();
    /// Takes every run that waits out of the queue, as removeRun() does.
    void clearQueue();
    [[nodiscard]] RunItem* activeRun() { return driver_.item(); }
    /// Resumes when paused, else pauses.
    void togglePause() { driver_.togglePause(); }
    void stepBlock() { driver_.stepBlock(); }
    void stepIteration() { driver_.stepIteration(); }
    void finishNow() { driver_.finish(); }
    /// Ends the run in work and keeps nothing of it. Those that wait stay, and are held.
    void cancelRun();
    /// Removes a run from the list (and from disk when it has a file in the study). One that waits to go on
    /// is only taken out of the queue.
    void removeRun(int id);
    /// Stops whatever is going on and waits for it; runs of a study can be continued, those that wait stay in
    /// its queue.
    void shutdown();
    /// Letters of runs that have an image and are in memory only.
    [[nodiscard]] QStringList runsInMemory() const;
    /// True while a task or a run is going on or waits.
    [[nodiscard]] bool busy() const;

    /// How the values of a run or volume are shown. Bq/ml only where every reconstruction in the list was
    /// made from the open data and these say how long was measured: values side by side have one unit.
    [[nodiscard]] DisplayUnit unitOf(const RunItem& item) const;
    /// Of the selected one.
    [[nodiscard]] DisplayUnit unitOnScreen();
    /// In what values are shown from now on; per voxel at the start.
    void setUnitsShown(UnitsShown units);

    /// Figures of what is on screen of a run: those of the whole iterate, or evaluated for a volume or an
    /// iterate in work. Empty rois when there is no image.
    [[nodiscard]] Figures figuresOnScreen(const RunItem& item);
    /// Takes news from the run; called by a timer, and by tests.
    void drain() { driver_.drain(); }

  Q_SIGNALS:
    void studyChanged();
    void settingsEdited();
    /// A preset of the user's own was saved or deleted.
    void kernelsChanged();
    /// List-mode was to be opened and somebody has to say how: openList() goes on.
    void listFound(const QString& path);
    /// Something else was read while a run is going on: replaceNow() or keepWhatIsOpen().
    void replacing(const QString& path);
    /// What is open goes; runs are still as they are.
    void aboutToClose();
    void runRemoved(int id);
    /// A file was opened, for the list of recent ones.
    void opened(const QString& path);

  private:
    struct Loaded;
    void openOne(const QString& path, const std::optional<ListBinning>& binning);
    void adopt(const std::shared_ptr<Loaded>& loaded);
    [[nodiscard]] bool replacesWork(const Loaded& loaded);
    [[nodiscard]] bool isOpen(const Loaded& loaded) const;
    void openAgain(const Loaded& loaded);
    void adoptRun(Loaded& loaded);
    void enqueue(RunItem& item);
    void renumberQueue();
    void holdQueue();
    void stopRuns();
    void lockStudy();
    void adoptQueue(const std::vector<QueuedRun>& waitingRuns);
    [[nodiscard]] bool adoptQueued(const QueuedRun& waiting);
    [[nodiscard]] std::vector<QueuedRun> queueToKeep();
    void saveQueue();
    RunItem& addInterrupted(const QString& label, InterruptedRun& run);
    void useData(std::shared_ptr<const Measurement> data, const RoiSet& rois, const QString& name);
    void readStudyData();
    void showFirstSphere();
    void placeRois(const std::string& phantom);
    void pump();
    void runEnded(int id, const std::exception_ptr& fault, const JobOutput& output);
    void runFailed(RunItem& item, const std::exception_ptr& fault, const JobOutput& output);
    [[nodiscard]] JobOutput outputOf(const RunItem& item);
    [[nodiscard]] std::function<void()> preparationOf(const RunItem& item, const JobOutput& output) const;
    void adoptInterrupted(Loaded& loaded);
    void syncView();
    void fetchShown();
    void saveStudy();
    [[nodiscard]] QByteArray studyState() const;
    /// True when the figures read with a run are those of the present ROIs.
    [[nodiscard]] bool figuresAreOfRois(const RunItem& item);
    [[nodiscard]] const FigureEvaluator& evaluator(const Lattice& lattice);

    const EngineRegistry& engines_;
    ViewModel view_;
    RunList runs_;
    Messages messages_;
    TaskQueue tasks_;
    RunDriver driver_;
    std::optional<ListBinning> listBinning_ = ListBinning{};
    StudyWrites studyWrites_ = StudyWrites::Kept;
    Session session_;
    QStringList openFiles_;
    QJsonObject restoring_;  ///< session of a study whose data are being read
    QByteArray savedState_;  ///< of the study, as last written
    std::optional<Study> study_;
    std::unique_ptr<StudyLock> lock_;  ///< on the study's folder, while it is written
    std::shared_ptr<const Measurement> measurement_;
    std::shared_ptr<SensitivityCache> sensitivities_ = std::make_shared<SensitivityCache>();
    QString name_;
    QString dataPath_;
    std::optional<ListBinning> dataBinning_;
    bool askBeforeReplacing_ = false;
    bool ended_ = false;                   ///< by shutdown()
    std::shared_ptr<Loaded> replacement_;  ///< waits for the answer to replacing()
    std::string phantom_;
    RoiModel rois_{view_};
    RoiCurves curves_;
    std::unique_ptr<FigureEvaluator> evaluator_;
    std::uint64_t evaluatorRevision_ = 0;      ///< of the ROIs that evaluator_ has
    std::shared_ptr<const Volume> evaluated_;  ///< the volume that evaluatedFigures_ belong to
    std::uint64_t evaluatedRevision_ = 0;      ///< and the ROIs
    Figures evaluatedFigures_;
    RunSettings settings_;
    KernelLibrary kernels_{std::string()};

    UnitsShown unitsShown_ = UnitsShown::PerVoxel;
    bool keepCheckpoint_ = false;                 ///< the run in work ends with the program, not by the user
    std::unique_ptr<QTemporaryDir> checkpoints_;  ///< of runs that are in memory only
    std::pair<int, int> fetching_{0, 0};          ///< run and iterate being read from disk
    LiveTuning live_;                             ///< last: it looks at everything above
};

}  // namespace tof::ui
