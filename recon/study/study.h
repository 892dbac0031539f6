// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "recon/metrics/figures_of_merit.h"
#include "recon/settings/settings.h"

namespace tof {

/// A run that waits to be started, or to go on.
struct QueuedRun {
    std::string run;         ///< its letter
    RunSettings settings;    ///< with the iterations it is to have in the end
    bool continues = false;  ///< has a run file or a checkpoint and goes on from there

    [[nodiscard]] bool operator==(const QueuedRun&) const = default;
};

/// A study folder `NAME.tofstudy` (docs/formats.md): study.json, data.h5 (written once), runs/NAME.h5 and
/// runs/NAME.ckpt. A plain value once loaded; save() writes study.json alone.
class Study {
  public:
    /// Whether a study is one only with its data in it.
    enum class Data { Needed, ComeLater };
    /// Opens a study folder. Throws BadInput naming the folder or the field of study.json, and where a link
    /// or what is no plain file stands for a part of the study: it would be written, moved or deleted
    /// elsewhere.
    [[nodiscard]] static Study open(const std::string& folder, Data data = Data::Needed);
    /// Makes the folder of a study whose dataFile() the caller writes; throws as create().
    [[nodiscard]] static Study begin(const std::string& folder);
    /// Makes a study around a copy of a data file. Throws CannotWrite, BadInput when `folder` exists already,
    /// and what `heed` throws while the file is copied; either way it leaves no folder of its own.
    [[nodiscard]] static Study create(const std::string& folder, const std::string& dataFile,
                                      const std::function<void()>& heed = {});
    /// Makes a study of a data file beside it, which is moved into it. Throws as create().
    [[nodiscard]] static Study take(const std::string& folder, const std::string& dataFile);

    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string dataFile() const;
    /// Files of a run in `runs`. Each throws BadInput unless isRunName().
    [[nodiscard]] std::string runFile(const std::string& run) const;
    [[nodiscard]] std::string checkpointFile(const std::string& run) const;
    [[nodiscard]] std::string claimFile(const std::string& run) const;
    /// Names of the runs with a run file, sorted.
    [[nodiscard]] std::vector<std::string> runs() const;
    /// Names of runs that were interrupted: a checkpoint that goes beyond the run file, or without one.
    [[nodiscard]] std::vector<std::string> interruptedRuns() const;
    /// Both, and those that wait, sorted.
    [[nodiscard]] std::vector<std::string> allRuns() const;
    /// The place of a run in the queue, from 0; -1 when it does not wait.
    [[nodiscard]] int placeInQueue(const std::string& run) const;
    /// Throws BadInput, naming those that are there, when there is no such run.
    void requireRun(const std::string& run) const;
    /// The first of A, B, ..., Z, AA, ... that no run, checkpoint or run in the queue has and that is not in
    /// `taken`. Programs that add runs at the same time claim it (run_claim.h).
    [[nodiscard]] std::string nextRunName(const std::set<std::string>& taken = {}) const;
    /// Whether a run may be called so: one name in the folder `runs`, neither hidden nor with control
    /// characters.
    [[nodiscard]] static bool isRunName(const std::string& run);
    /// "A" of A.h5, A.ckpt and what else a run has; empty for the name of any other file.
    [[nodiscard]] static std::string runOfFile(const std::string& name);
    /// Where all files of a run stand, whether they are there or not; the run file comes
    /// last.
    [[nodiscard]] std::vector<std::string> filesOf(const std::string& run) const;

    RoiSet rois;           ///< empty: placed from the phantom when the data name one
    RunSettings settings;  ///< settings of the next run
    std::string viewJson;  ///< the window's state, opaque here; empty: none
    /// Runs that wait, the next one first. One that has begun since it was written down is left out when the
    /// study is opened.
    std::vector<QueuedRun> queue;

    /// What a run was renamed to; empty when it was not. Part of the window's state.
    [[nodiscard]] std::string givenName(const std::string& run) const;
    /// The run that was selected when the study was left; empty when it does not say.
    [[nodiscard]] std::string shownRun() const;
    /// Renames a run; save() keeps it. Throws BadInput when there is no such run.
    void rename(const std::string& run, const std::string& name);
    /// Deletes the files of a run, interrupted or not, and takes it out of the queue, which save() keeps.
    /// Throws BadInput when there is no such run, CannotWrite.
    void remove(const std::string& run);

    /// Writes study.json aside and renames it. Throws CannotWrite.
    void save() const;

  private:
    explicit Study(std::string folder) : folder_(std::move(folder)) {}
    [[nodiscard]] std::vector<std::string> namesWith(const std::string& extension) const;
    [[nodiscard]] bool hasFiles(const std::string& run) const;
    [[nodiscard]] std::string placeOf(const std::string& run, const char* extension) const;
    void readQueue(const nlohmann::json& list, const std::string& path);

    std::string folder_;
};

/// Removes the folder of a study that this program has begun, unless keep() says that it is whole: half a
/// study would stand in the way of the next attempt.
class UnfinishedStudy {
  public:
    explicit UnfinishedStudy(const Study& begun) : folder_(begun.folder()) {}
    ~UnfinishedStudy();
    UnfinishedStudy(const UnfinishedStudy&) = delete;
    UnfinishedStudy& operator=(const UnfinishedStudy&) = delete;
    void keep() { folder_.clear(); }

  private:
    std::string folder_;
};

}  // namespace tof
