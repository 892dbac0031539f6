// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace tof {

class Study;

/// Keeps the name of a run for the one program that makes it, from before its data are read until its file is
/// there: an exclusively made file runs/NAME.claim. One that a killed program has left is taken over, where
/// the file system knows locks; else its letter stays unused.
class RunClaim {
  public:
    /// The first of A, B, ..., Z, AA, ... that is free and that nobody else claims. Throws CannotWrite.
    [[nodiscard]] static std::unique_ptr<RunClaim> next(const Study& study);
    /// Throws CannotWrite where another program makes the run.
    RunClaim(const Study& study, const std::string& run);
    ~RunClaim();
    RunClaim(const RunClaim&) = delete;
    RunClaim& operator=(const RunClaim&) = delete;

    [[nodiscard]] const std::string& run() const { return run_; }

  private:
    RunClaim(std::string run, std::string file, int descriptor);

    std::string run_;
    std::string file_;
    int descriptor_ = -1;
};

}  // namespace tof
