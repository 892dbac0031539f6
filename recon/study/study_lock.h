// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

/// Keeps two programs from writing one study at a time. The system frees it with the program, however that
/// ends; where the file system knows no locks it does nothing.
class StudyLock {
  public:
    enum class Use {
        Writes,   ///< study.json, the queue, deletions: nobody else
        AddsRuns  ///< new run files alone: together with others that do the same
    };
    /// Throws CannotWrite naming the program that holds the study, or saying that its folder cannot be
    /// written.
    StudyLock(const std::string& folder, Use use);
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

  private:
    std::string file_;
    int descriptor_ = -1;
};

}  // namespace tof
