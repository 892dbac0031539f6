// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace tof {

/// What a run writes.
struct RunFiles {
    std::string runFile{};  ///< empty: keep nothing on disk
    /// Empty: none; else rewritten after a whole iterate when the interval has passed, and when the run is
    /// interrupted; removed at a good end.
    std::string checkpointFile{};
    std::chrono::milliseconds checkpointInterval{5000};
    int saveEvery = 1;  ///< keep every n-th iterate in the run file, and the last

    /// Holds the iterates of an interrupted run beside its checkpoint.
    [[nodiscard]] std::string suspendedFile() const { return runFile + ".suspended"; }
};

}  // namespace tof
