// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "recon/io/hdf5/run_io.h"
#include "recon/seam/engine.h"
#include "recon/settings/settings.h"
#include "recon/systems/measurement.h"
#include "recon/work/job_listener.h"

namespace tof {

/// One reconstruction from data to run file: engine, projector, source, algorithm, metrics, checkpoints. Runs
/// in the caller's thread and knows of no other. Both runners (inline and threaded) call run().
class ReconstructionJob {
  public:
    /// Throws nothing yet; all checks are in run().
    ReconstructionJob(std::shared_ptr<const Measurement> data, RunSettings settings,
                      const EngineRegistry& engines, JobOutput output, std::optional<RoiSet> rois);

    struct Result {
        int lastIteration = 0;
        std::shared_ptr<const Volume> image;  ///< the last whole iterate, or the start image
        std::string engine;                   ///< the one that ran, with its device: "cpu, 2 threads"
        bool finishedEarly = false;
    };
    /// Throws Cancelled, leaving the checkpoint of the last whole iterate (if one was asked for) and no run
    /// file.
    [[nodiscard]] Result run(JobListener& listener);

  private:
    [[nodiscard]] Result run(JobListener& listener, const Engine& engine, PlacedData& placed);
    [[nodiscard]] EngineOptions engineOptions() const;

    std::shared_ptr<const Measurement> data_;
    RunSettings settings_;
    const EngineRegistry& engines_;
    JobOutput output_;
    std::optional<RoiSet> rois_;
};

}  // namespace tof
