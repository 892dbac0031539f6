// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/io/hdf5/run_io.h"
#include "recon/work/reconstruction_job.h"
#include "recon/work/run_description.h"

namespace tof {

/// Lets a job with `output.resume` go on where a run that has ended stopped: writes output.checkpointFile
/// from the last iterate in `runFile`, and offers its iterates to the new run file. `runFile` itself stays as
/// it is until the job ends well. Throws BadInput when it has no iterate or does not name its data,
/// CannotWrite.
void prepareContinuation(const std::string& runFile, const JobOutput& output);

/// Forgets what an interrupted job, or prepareContinuation(), has left beside the run file.
void discardContinuation(const JobOutput& output);

/// What a checkpoint says of its run beside the image.
struct InterruptedRun {
    RunDescription made;
    int iteration = 0;  ///< the last whole one
    std::shared_ptr<const Volume> image;
    std::vector<StoredIterate> history;
    std::string metricsJson;  ///< as in a run file, or empty
};
/// Throws BadInput.
[[nodiscard]] InterruptedRun readInterrupted(const std::string& checkpointFile);

}  // namespace tof
