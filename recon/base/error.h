// SPDX-License-Identifier: Apache-2.0
// The one exception family. Libraries throw, never print; app/ turns an error into an exit code or a message.
#pragma once

#include <stdexcept>
#include <string>

namespace tof {

/// Exit codes of the command line (design section 8).
enum class ExitCode : int {
    Done = 0,
    Internal = 1,
    WrongUse = 2,
    BadInput = 3,
    Unavailable = 4,
    CannotWrite = 5,
    Interrupted = 130
};

/// Base of every error this project throws. what() is one sentence for a person.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
    [[nodiscard]] ExitCode exitCode() const noexcept { return code_; }

  private:
    ExitCode code_;
};

/// A request that makes no sense: unknown option, value out of range, options that exclude each other.
struct WrongUse : Error {
    explicit WrongUse(const std::string& sentence) : Error(ExitCode::WrongUse, sentence) {}
};

/// A file or description that cannot be used. The sentence names file, field and remedy.
struct BadInput : Error {
    explicit BadInput(const std::string& sentence) : Error(ExitCode::BadInput, sentence) {}
};

/// An engine, device or amount of memory that is not there, or that failed while in use.
struct Unavailable : Error {
    explicit Unavailable(const std::string& sentence) : Error(ExitCode::Unavailable, sentence) {}
};

/// An output that cannot be written; what was there before is untouched.
struct CannotWrite : Error {
    explicit CannotWrite(const std::string& sentence) : Error(ExitCode::CannotWrite, sentence) {}
};

/// The user cancelled. Carries no message worth showing.
struct Cancelled : Error {
    Cancelled() : Error(ExitCode::Interrupted, "cancelled") {}
};

/// An invariant of ours is broken: a defect in this program, not in its input.
struct InternalError : Error {
    explicit InternalError(const std::string& sentence) : Error(ExitCode::Internal, sentence) {}
};

}  // namespace tof
