// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/scan_totals.h"
#include "recon/data/time_frame.h"
#include "recon/seam/run_control.h"

namespace tof {

namespace h5 {
class Reader;
}

/// One iterate in a run file.
struct StoredIterate {
    int iteration = 0;
    std::vector<double> stageSeconds;  ///< by Stage
    double seconds = 0;
    std::optional<ObjectiveValue> objective{};  ///< where the run told it
    std::optional<double> change{};             ///< Iterate::change, likewise
};

/// Everything of a run file but the images.
struct RunSummary {
    Lattice lattice;
    std::string units;
    std::string settingsJson;
    std::string phantom;  ///< as in the data it was made from
    std::string scannerJson;
    std::string metricsJson;              ///< `analyze` form, or empty
    std::vector<StoredIterate> iterates;  ///< ascending
    std::vector<int> savedImages;         ///< iterations whose image is in the file
    ScanTotals totals;                    ///< totals of the scan, as in the data
    std::string bandsJson{};              ///< figures of the replicates (docs/formats.md), or empty
};

/// Whether a run file keeps the image of an iterate, or its times alone.
enum class KeepImage { No, Yes };

/// A frame of a dynamic run.
struct RunFrame {
    int number = 0;  ///< from 1
    TimeFrame time;
    double perEmission = 0;  ///< FramedCounts::concentrationPerEmission(), or perSecond() of relative images
    double halfLife_s = 0;   ///< half life of the nuclide; 0: not stated
    std::string made;        ///< how, as text: frames made alike are alike
    int gate = 0;            ///< which gate of the frame, from 1; 0: all of it

    [[nodiscard]] bool operator==(const RunFrame&) const = default;
};

/// A frame whose iterations are not all made.
struct FrameBegun {
    RunFrame frame;
    int iteration = 0;                             ///< the last whole one
    std::shared_ptr<const Volume> image{};         ///< after it
    std::shared_ptr<const Volume> coefficients{};  ///< Iterate::coefficients, if there are any
};

/// A checkpoint: the last whole iterate and the settings it belongs to. Small, rewritten whole.
struct Checkpoint {
    std::string settingsJson;
    std::string dataHash;
    int iteration = 0;
    std::shared_ptr<const Volume> image;  ///< never null when read or written
    std::vector<StoredIterate> history;
    std::string metricsJson{};                     ///< as in a run, of the iterates so far; empty: none
    std::shared_ptr<const Volume> coefficients{};  ///< Iterate::coefficients, if there are any
    std::vector<FrameBegun> frames{};              ///< that a dynamic run was at
};

/// Writes a run file (docs/formats.md) as the run goes on: `OUT` appears, whole, when finish() renames it
/// into place; until then everything is in `OUT.part`. Not thread-safe.
class RunWriter {
  public:
    /// Throws CannotWrite at once when the folder is not writable.
    RunWriter(const std::string& path, const Lattice& lattice, const std::string& settingsJson,
              const std::string& scannerJson, const std::string& phantom, const ScanTotals& totals = {});
    ~RunWriter();
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    /// Adds an iterate; KeepImage::Yes stores it under /iterates/NNNN, and /image becomes this one, unless it
    /// is null, as that of an earlier iterate that was not kept may be.
    void addIterate(const StoredIterate& iterate, std::shared_ptr<const Volume> image, KeepImage keep);
    /// Takes over all iterates of an earlier, interrupted or shorter run.
    void continueFrom(const std::string& earlierRun);
    /// The number of the newest iterate; 0: none yet.
    [[nodiscard]] int lastIteration() const;
    void setMetrics(const std::string& metricsJson);
    /// Mean and standard deviation of the replicates' images after an iteration.
    void addReplicates(int iteration, const Volume& mean, const Volume& sd);
    /// Figures of the replicates: /replicates/bands.
    void setBands(const std::string& bandsJson);
    /// The image of a frame; each once.
    void addFrame(const RunFrame& frame, const Volume& image);
    /// Whether takeFrame() would find it.
    [[nodiscard]] bool hasFrame(const RunFrame& frame) const;
    /// Takes a frame over that the file of continueFrom() has, made alike; false where it has none. That file
    /// must still be there.
    [[nodiscard]] bool takeFrame(const RunFrame& frame);
    /// Iterate::coefficients of the last iterate; before it ends.
    void addCoefficients(const Volume& coefficients);
    /// What the prior is at the last image.
    void addPrior(const Volume& kappa, const Volume& pull);
    /// Flushes and renames into place.
    void finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The frames of a run, ascending; none where it is not dynamic. Throws BadInput.
[[nodiscard]] std::vector<RunFrame> readRunFrames(const h5::Reader& file);
/// The image of one of them, in emissions per voxel. Throws BadInput.
[[nodiscard]] Volume readRunFrame(const h5::Reader& file, int number);

[[nodiscard]] RunSummary readRunSummary(const std::string& path);
[[nodiscard]] RunSummary readRunSummary(const h5::Reader& file);
[[nodiscard]] Volume readIterate(const std::string& path, int iteration, std::function<void()> heed = {});
/// Mean (or standard deviation) of the replicates' images. Throws BadInput where the run has none of that
/// iteration.
enum class ReplicateImage { Mean, Sd };
[[nodiscard]] Volume readReplicates(const std::string& path, int iteration, ReplicateImage which);

/// An image of the run's prior: its strength by voxel, or where it pulls. Throws BadInput where it had none.
enum class StoredPrior { Kappa, Pull };
[[nodiscard]] Volume readPrior(const std::string& path, StoredPrior which, std::function<void()> heed = {});

/// Iterate::coefficients of the last iterate of a run; null where its algorithm has none.
[[nodiscard]] std::shared_ptr<const Volume> readCoefficients(const std::string& path);

void writeCheckpoint(const std::string& path, const Checkpoint& checkpoint);
[[nodiscard]] Checkpoint readCheckpoint(const std::string& path);

}  // namespace tof
