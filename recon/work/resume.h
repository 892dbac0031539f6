// SPDX-License-Identifier: Apache-2.0
// What an interrupted run leaves behind, and how a run goes on from it or from one that has ended.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "recon/io/hdf5/run_io.h"
#include "recon/systems/measurement.h"
#include "recon/work/run_files.h"

namespace tof {

class Study;

/// What a run goes on from: a checkpoint file, a run file, or the last iterate of a run that is in memory.
using ResumeFrom = std::variant<std::string, Checkpoint>;

/// Writes files.checkpointFile, unless it is what the run goes on from. The iterates of a run file are
/// offered to the new one; that file itself stays as it is until the run ends well. Throws BadInput when it
/// has no iterate or does not name its data, CannotWrite, and what `heed` throws while an image is read.
void prepareToResume(const ResumeFrom& from, const RunFiles& files, const std::function<void()>& heed = {});

/// The checkpoint that a run of these data with these settings goes on from. Throws BadInput when there is
/// none, or when it is of other data or of settings that may not differ.
[[nodiscard]] Checkpoint checkpointToResume(const std::string& path, const Measurement& data,
                                            const RunSettings& settings);

/// Forgets what programs that were killed have left beside a study's whole runs: temporaries, and checkpoints
/// that the run file has come up with. What another program is making stays.
void discardLeftovers(const Study& study);

/// Forgets what an interrupted run, or prepareToResume(), has left beside the run file.
void discardCheckpoint(const RunFiles& files);

}  // namespace tof
