// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace tof {

/// What a run has made so far, beside a checkpoint (RunJournal).
[[nodiscard]] inline std::string journalOf(const std::string& checkpointFile) {
    return checkpointFile + ".kept";
}

/// What a run writes.
struct RunFiles {
    std::string runFile{};  ///< empty: keep nothing on disk
    /// Empty: none; else rewritten after a whole iterate when the interval has passed, and when the run is
    /// interrupted; removed at a good end.
    std::string checkpointFile{};
    std::chrono::milliseconds checkpointInterval{5000};
    int saveEvery = 1;  ///< keep every n-th iterate in the run file, and the last

    /// Holds the iterates of the ended run that this one goes on from.
    [[nodiscard]] std::string suspendedFile() const { return runFile + ".suspended"; }
};

}  // namespace tof
