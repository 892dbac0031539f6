// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recon/io/hdf5/run_io.h"
#include "recon/study/study.h"
#include "recon/work/run_description.h"

namespace tof {

/// A run on disk.
struct StoredRun {
    std::string name;  ///< in a study: its letter
    std::string file;  ///< run file, or the checkpoint of an interrupted run; empty while it has neither
    bool interrupted = false;
    bool queued = false;  ///< waits to be started, or to go on
    RunDescription made;
    /// What an interrupted run's checkpoint says.
    RunSummary summary;
    int lastIteration = 0;               ///< number of `last`
    std::shared_ptr<const Volume> last;  ///< its newest image; null: not read from a run file

    /// Wall time of all iterates.
    [[nodiscard]] double seconds() const;
};

/// What a run file or a checkpoint says. Throws BadInput.
[[nodiscard]] StoredRun describeRun(const std::string& file);
/// Describes a run of a study. Throws BadInput when there is no such run.
[[nodiscard]] StoredRun describeRun(const Study& study, const std::string& run);

}  // namespace tof
