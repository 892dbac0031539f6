// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/systems/measurement.h"
#include "recon/work/job_listener.h"
#include "recon/work/replicates.h"
#include "recon/work/run_files.h"
#include "recon/work/run_journal.h"

namespace tof {

/// Stands between the algorithm and the listener: figures, run file and checkpoint of every whole iterate.
class RunRecorder : public RunControl {
  public:
    /// What a run is to its recorder.
    struct About {
        std::string description;     ///< in run file and checkpoint
        int iterations = 0;          ///< the number of the last iterate
        bool besideTheNext = false;  ///< iterates may be recorded while a device makes the next one
    };
    /// `memory` is asked after each iterate. All references outlive this.
    RunRecorder(JobListener& listener, const Measurement& data, const RunFiles& files, About about,
                std::optional<FigureEvaluator> evaluator, std::function<RunMemory()> memory);

    /// Opens the run file; takes over what an interrupted run left.
    void open(const std::optional<Checkpoint>& earlier);
    /// The last whole iterate; null when there is none yet.
    [[nodiscard]] const std::shared_ptr<const Volume>& lastImage() const { return last_.image; }
    /// The image of a frame of a dynamic run; before close().
    void addFrame(const RunFrame& frame, const Volume& image);
    /// Whether takeFrame() would find it.
    [[nodiscard]] bool hasFrame(const RunFrame& frame) const;
    /// Takes a frame over that was made before the run was interrupted; false where there is none.
    [[nodiscard]] bool takeFrame(const RunFrame& frame);
    /// Where the frames at hand are, for a checkpoint that is due, and for suspend(), which is told anew
    /// before it where their images have changed.
    void setBegun(std::vector<FrameBegun> begun) {
        begun_ = std::move(begun);
        unsaved_ = true;
        saveWhenDue();
    }
    /// Where the run was in such a frame before it was interrupted; nothing: it was in others.
    [[nodiscard]] std::optional<FrameBegun> takeBegun(const RunFrame& frame) const;
    /// What replicates made of the iterates that are kept; before close().
    void addReplicates(const Replicates& replicates);
    /// What the prior is at the last image; before close().
    void addPrior(const Volume& kappa, const Volume& pull) {
        if (writer_) {
            writer_->addPrior(kappa, pull);
        }
    }
    /// The run ends well: the run file appears, the checkpoint goes.
    void close();
    /// The run was interrupted: leaves the checkpoint of the last whole iterate and the journal.
    void suspend();

    void checkpoint() override { listener_.checkpoint(); }
    void heed() override { listener_.checkpoint(); }
    bool finishRequested() override { return listener_.finishRequested(); }
    void progress(const RunProgress& progress) override { listener_.progress(progress); }
    void notice(const std::string& sentence) override { listener_.notice(sentence); }
    bool wantsSnapshot() override { return listener_.wantsSnapshot(); }
    void offer(const RunProgress& progress, std::unique_ptr<Snapshot> snapshot) override {
        listener_.offer(progress, std::move(snapshot));
    }
    [[nodiscard]] ImagesAre images() const override {
        return about_.besideTheNext && !listener_.wantsIteratesAtOnce() ? ImagesAre::HandedOverBesideTheNext
                                                                        : ImagesAre::HandedOverAtOnce;
    }
    void iterateDone(Iterate iterate) override;

  private:
    using Clock = std::chrono::steady_clock;

    void openJournal(const std::optional<Checkpoint>& earlier);
    void takeOver(const Checkpoint& earlier);
    [[nodiscard]] std::optional<Figures> figuresOf(int iteration) const;
    void saveWhenDue();
    void saveCheckpoint();
    void writeJournalAndCheckpoint();

    JobListener& listener_;
    const Measurement& data_;
    const RunFiles& files_;
    About about_;
    std::optional<FigureEvaluator> evaluator_;
    std::function<RunMemory()> memory_;
    std::optional<RunWriter> writer_;
    std::optional<RunJournal> journal_;  ///< where there is a checkpoint, too
    bool beginsAnew_ = false;            ///< until the first checkpoint of a run that goes on from none
    std::vector<Figures> figures_;       ///< those of an earlier part of the run first
    std::vector<StoredIterate> history_;
    Iterate last_;
    std::vector<FrameBegun> begun_;
    Clock::time_point saved_ = Clock::now();
    Clock::duration savingTook_{};
    bool unsaved_ = true;  ///< something has come since the last checkpoint
};

}  // namespace tof
