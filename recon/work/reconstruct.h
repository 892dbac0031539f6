// SPDX-License-Identifier: Apache-2.0
// Reconstruction: from data and settings to image and run file, anew or from where a run has stopped.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "recon/base/log.h"
#include "recon/base/parallel.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/sources/data_hold.h"
#include "recon/sources/sensitivity_cache.h"
#include "recon/systems/measurement.h"
#include "recon/work/frame_run.h"
#include "recon/work/job_listener.h"
#include "recon/work/resume.h"
#include "recon/work/run_files.h"

namespace tof {

struct ReconstructRequest {
    std::shared_ptr<const Measurement> data;
    RunSettings settings;
    RunFiles files{};
    std::optional<RoiSet> rois{};                ///< for figures of merit
    std::optional<ResumeFrom> from{};            ///< none: a new run
    std::string startFile{};                     ///< start image of a new run, or empty
    std::shared_ptr<const Volume> startImage{};  ///< or the image itself, on the lattice of the run
    int replicates = 0;  ///< further reconstructions, of resampled counts (replicates.h), after the run
    std::optional<FramesAsked> frames{};   ///< made after the sum, where data are cut by time
    Priority priority = Priority::Normal;  ///< that of compute threads; Background: a window stays responsive
    std::shared_ptr<SensitivityCache> sensitivities{};  ///< kept between runs of one program; null: none
    std::shared_ptr<DataHold> placedData{};  ///< likewise; the caller clears it when memory is wanted
    /// Those that make the run together, each with the same request. Files are the first rank's.
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
    /// Told of the settings, and after that of the engine, the iterations and the time, or of why there is no
    /// result.
    std::shared_ptr<Log> log = std::make_shared<NoLog>();
    std::string dataNote{};  ///< what was assumed of the data, or done to them, when they were read; or empty
};

struct ReconstructResult {
    int lastIteration = 0;
    /// The last whole iterate, or the start image; on ranks but the first what the rank has of it.
    std::shared_ptr<const Volume> image;
    std::string engine;  ///< the one that ran, with its device: "cpu, 2 threads"
    bool finishedEarly = false;
    double replicateSeconds = 0;  ///< wall time of the replicates
    int frames = 0;               ///< frames that the run file has
    double frameSeconds = 0;      ///< wall time of those that were made now
};

/// Runs in the caller's thread and knows of no other: engine, projector, source, algorithm, figures of merit,
/// checkpoints. Throws BadInput, WrongUse, Unavailable, CannotWrite, and Cancelled from `listener`, leaving
/// the checkpoint of the last whole iterate (if one was asked for) and no run file.
[[nodiscard]] ReconstructResult reconstruct(const ReconstructRequest& request, const EngineRegistry& engines,
                                            JobListener& listener);

/// The data for the image that the settings ask for: the same where they ask for none, or their system has
/// one lattice alone. Throws WrongUse.
[[nodiscard]] std::shared_ptr<const Measurement> onImageLattice(
    const std::shared_ptr<const Measurement>& data, const RunSettings& settings);

/// The data in parts that the blocks of an algorithm can be made of, where theirs cannot.
[[nodiscard]] std::shared_ptr<const Measurement> inBlocks(const std::shared_ptr<const Measurement>& data,
                                                          const AlgorithmSettings& settings);

/// The lattice of the image that such a run will make; the data's own where the settings are such that the
/// run is going to refuse them.
[[nodiscard]] Lattice latticeOfRun(const Measurement& data, const RunSettings& settings);

/// The subsets of a run of these data in so many parts: those that are set, or what the algorithm takes by
/// itself for their counts.
[[nodiscard]] int subsetsOfRun(const Measurement& data, const AlgorithmSettings& settings, std::size_t parts,
                               const Communicator& ranks);

/// Every setting with its value, in one line without names: a kernel that is no preset of the program is "*".
[[nodiscard]] std::string settingsWithoutNames(const RunSettings& settings);

}  // namespace tof
