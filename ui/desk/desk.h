// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>

#include "recon/seam/engine.h"
#include "recon/work/stored_run.h"
#include "ui/desk/annotations.h"
#include "ui/desk/layers.h"
#include "ui/desk/live_tuning.h"
#include "ui/desk/made_images.h"
#include "ui/desk/open_study.h"
#include "ui/desk/place_handles.h"
#include "ui/desk/roi_curves.h"
#include "ui/desk/roi_model.h"
#include "ui/desk/run_list.h"
#include "ui/desk/run_queue.h"
#include "ui/desk/screen.h"
#include "ui/desk/sessions.h"
#include "ui/desk/settings_model.h"
#include "ui/desk/simulation_request.h"
#include "ui/desk/study_watch.h"
#include "ui/desk/tasks.h"
#include "ui/desk/uptakes.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"

namespace tof::ui {

/// Whether what is done with an open study is written into its folder.
enum class StudyWrites {
    Kept,    ///< runs, and view, settings and ROIs as they change
    Nothing  ///< the folder stays as it is, and runs go when it is closed: pictures and measurements by
             ///< scripts
};

/// What is open and how it is opened: the window without its widgets.
///
/// Owns the models and everybody who works on them. All calls come from the window's thread; nothing here
/// but close() and shutdown() waits for work. Failures end up in messages() or in the run they belong to.
class Desk : public QObject {
    Q_OBJECT

  public:
    /// `engines` outlives the desk.
    Desk(const EngineRegistry& engines, Threading threading, QObject* parent = nullptr);
    ~Desk() override;

    [[nodiscard]] const EngineRegistry& engines() const { return engines_; }
    [[nodiscard]] Threading threading() const { return tasks_.threading(); }
    [[nodiscard]] Messages& messages() { return messages_; }
    [[nodiscard]] TaskQueue& tasks() { return tasks_; }
    /// The study or data that are open.
    [[nodiscard]] const OpenStudy& study() const { return study_; }
    /// Settings of the next run.
    [[nodiscard]] SettingsModel& settings() { return settings_; }
    [[nodiscard]] RunList& runs() { return runs_; }
    [[nodiscard]] ViewModel& view() { return view_; }
    [[nodiscard]] RoiModel& rois() { return rois_; }
    /// Says when figures of all iterates follow an edited ROI.
    [[nodiscard]] RoiCurves& curves() { return curves_; }
    [[nodiscard]] RunQueue& queue() { return queue_; }
    [[nodiscard]] Screen& screen() { return screen_; }
    [[nodiscard]] LiveTuning& live() { return live_; }
    /// The stack of images in the pictures.
    [[nodiscard]] LayerModel& layers() { return layers_; }
    [[nodiscard]] MadeImages& madeImages() { return madeImages_; }
    /// What other programs write into the open study.
    [[nodiscard]] StudyWatch& watch() { return watch_; }
    /// Body weight and dose, for SUV.
    [[nodiscard]] Uptakes& uptakes() { return uptakes_; }
    /// By what values are in Bq/ml.
    [[nodiscard]] Calibrations& calibrations() { return calibrations_; }
    /// Rulers, arrows and words on the pictures.
    [[nodiscard]] Annotations& annotations() { return annotations_; }
    /// They hold an image that is laid onto another one.
    [[nodiscard]] PlaceHandles& placeHandles() { return placeHandles_; }
    /// What a study and the program remember; the window adds its parts.
    [[nodiscard]] Sessions& sessions() { return sessions_; }

    /// True while there is nothing at all.
    [[nodiscard]] bool isEmpty() const { return study_.isEmpty() && runs_.items().empty(); }
    /// True while a task or a run is going on or waits.
    [[nodiscard]] bool busy() const;
    /// True when the selected run was made with other settings than the next one would be.
    [[nodiscard]] bool settingsChanged();

    /// Opens study folders, data, list, run and volume files, told apart by content; returns at once. A study
    /// or data replaces what is open; runs and volumes are added.
    void open(const QStringList& paths);
    /// Opens list-mode with these settings; returns at once.
    void openList(const QString& path, const ListBinning& binning);
    /// What open() does with list-mode: bins it with these settings, or, without any, asks through
    /// listFound().
    void setListBinning(const std::optional<ListBinning>& binning) { listBinning_ = binning; }
    /// Opens one of several volumes of a file or folder under a name (empty: the file's); returns at once.
    void openSeries(const QString& path, const VolumeReadOptions& choice, const QString& name);
    /// Whether seriesFound() is asked; else several series are an error that names them.
    void setAskForSeries(bool ask) { askForSeries_ = ask; }
    /// What open() takes of files with several volumes, from now on: for scripts.
    void setVolumeChoice(const VolumeReadOptions& choice) { volumeChoice_ = choice; }
    /// Holds for whatever is opened; StudyWrites::Kept at the start.
    void setStudyWrites(StudyWrites writes) { studyWrites_ = writes; }
    /// Whether replacing() is asked before a run that is going on is stopped by opening something else.
    void setAskBeforeReplacing(bool ask) { askBeforeReplacing_ = ask; }
    /// The answers to replacing().
    void replaceNow();
    void keepWhatIsOpen();
    /// Simulates, bins and opens a study; returns at once.
    void simulate(const SimulationRequest& request);
    /// The forms that events are binned to and data are shown in, while nothing is open.
    void setForms(FormTable forms) { study_.setForms(std::move(forms)); }
    /// Opens the demo study, simulating it first where it is missing.
    void openDemo();
    /// Opens the files of an earlier session (JSON of Sessions::last()) and puts everything back as it was;
    /// returns at once.
    void openLastSession(const std::string& text);
    /// Where runs of data without a study are kept from now on, so that they outlive the program.
    void setRecoveryFolder(const QString& folder) { study_.setDrafts(folder); }
    /// Adds a run that an earlier session has left in `draft` and moves its files to where runs of what is
    /// open go; returns its letter. Throws CannotWrite.
    QString adoptRecovered(const Study& draft, const StoredRun& run);
    /// Where runs, queue, view and settings of what is open go. Throws CannotWrite.
    [[nodiscard]] Study& store() { return study_.store(); }
    /// Letters of runs with an image that is in no folder of the user's.
    [[nodiscard]] QStringList unsavedRuns() const;
    /// Opens the study that these runs of a draft were saved in; returns at once.
    void openSaved(const QString& folder, const std::vector<std::string>& runs);
    /// Closes what is open and stops what is going on; a run of a study can be continued.
    void close();
    /// Stops whatever is going on and waits for it; runs of a study can be continued, those that wait stay in
    /// its queue.
    void shutdown();

  Q_SIGNALS:
    /// List-mode was to be opened and somebody has to say how, beginning with `usual`: openList() goes on.
    /// `missing` says what it cannot be read without, or is empty.
    void listFound(const QString& path, const ListBinning& usual, const QString& missing);
    /// A file or folder holds several volumes and somebody has to say which: openSeries() goes on.
    void seriesFound(const QString& path, const std::vector<tof::VolumeSeries>& series);
    /// Something else was read while a run is going on: replaceNow() or keepWhatIsOpen().
    void replacing(const QString& path);
    /// What is open goes; runs are still as they are.
    void aboutToClose();
    /// What was open has gone, and runs of it are left in the recovery folder.
    void runsLeft();
    /// Another program writes the study that was opened, as the sentence says: nothing is kept in it.
    void heldElsewhere(const QString& sentence);
    /// A file was opened, for the list of recent ones.
    void opened(const QString& path);

  private:
    struct Loaded;
    void openSimulated(const SimulationRequest& request);
    void presentWhenDone(const QString& folder);
    void openOne(const QString& path, const std::optional<ListBinning>& binning,
                 const VolumeReadOptions& choice = {}, const QString& name = {});
    void adoptVolume(const Loaded& loaded);
    void adopt(const std::shared_ptr<Loaded>& loaded);
    [[nodiscard]] bool isOpen(const Loaded& loaded) const;
    void openAgain(const Loaded& loaded);
    RunItem& addRun(const QString& label, const StoredRun& run);
    void adoptRun(const StoredRun& run);
    /// A run that another program has begun, gone on with or ended.
    void followRun(const StoredRun& run);
    void measureLast(RunItem& item);
    void useData(std::shared_ptr<const Measurement> data, const RoiSet& rois, const QString& name);
    void readStudyData();
    void lockStudy(Loaded& loaded);
    /// Runs whose deletion a killed program could not undo any more.
    void bringRunsBack();
    void showFirstSphere();
    void placeRois(const std::string& phantom);

    const EngineRegistry& engines_;
    Messages messages_;
    TaskQueue tasks_;
    OpenStudy study_;
    std::optional<Plane> planeAlone_;  ///< UsualLook::plane of the last data
    SettingsModel settings_;
    ViewModel view_;
    RunList runs_;
    RoiModel rois_{view_};
    Uptakes uptakes_{rois_.undo()};
    Calibrations calibrations_{rois_.undo()};
    Annotations annotations_{rois_.undo()};
    PlaceHandles placeHandles_;
    std::shared_ptr<ImageFacts> facts_ = std::make_shared<ImageFacts>();
    RoiCurves curves_;
    Screen screen_;
    LayerModel layers_{runs_, view_, screen_, rois_.undo()};
    MadeImages madeImages_{study_, runs_, view_, screen_, tasks_, rois_.undo()};
    RunQueue queue_;
    Sessions sessions_;
    LiveTuning live_;
    StudyWatch watch_;

    std::optional<ListBinning> listBinning_{std::in_place};
    bool askForSeries_ = false;
    VolumeReadOptions volumeChoice_;
    StudyWrites studyWrites_ = StudyWrites::Kept;
    QMetaObject::Connection demoEnds_;  ///< whoever waits for the first run of the demo
    bool askBeforeReplacing_ = false;
    std::optional<RunSettings> settingsOutside_;  ///< those before the open study brought its own
    std::shared_ptr<Loaded> replacement_;         ///< waits for the answer to replacing()
    bool heldElsewhere_ = false;                  ///< another program writes the open study
    bool ended_ = false;                          ///< by shutdown()
};

}  // namespace tof::ui
