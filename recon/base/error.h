// SPDX-License-Identifier: Apache-2.0
// The one exception family. Libraries throw, never print; app/ turns an error into an exit code or a message.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace tof {

enum class ErrorKind { WrongUse, BadInput, Unavailable, CannotWrite, Cancelled, Internal };

/// Base of every error this project throws. what() is one sentence for a person.
class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

/// A request that makes no sense: unknown option, value out of range, options that exclude each other.
struct WrongUse : Error {
    explicit WrongUse(const std::string& sentence) : Error(ErrorKind::WrongUse, sentence) {}
};

/// A file or description that cannot be used. The sentence names file, field and remedy.
struct BadInput : Error {
    explicit BadInput(const std::string& sentence) : Error(ErrorKind::BadInput, sentence) {}
};

/// An engine, device or amount of memory that is not there, or that failed while in use.
struct Unavailable : Error {
    explicit Unavailable(const std::string& sentence) : Error(ErrorKind::Unavailable, sentence) {}
};

/// An output that cannot be written; what was there before is untouched.
struct CannotWrite : Error {
    explicit CannotWrite(const std::string& sentence) : Error(ErrorKind::CannotWrite, sentence) {}
};

/// The user cancelled. Carries no message worth showing.
struct Cancelled : Error {
    Cancelled() : Error(ErrorKind::Cancelled, "cancelled") {}
};

/// An invariant of ours is broken: a defect in this program, not in its input.
struct InternalError : Error {
    explicit InternalError(const std::string& sentence) : Error(ErrorKind::Internal, sentence) {}
};

/// Who threw: this project, the allocator, or a library.
enum class Thrower { Ours, Memory, Foreign };

/// Whatever was thrown, for programs and for people.
struct Failure {
    ErrorKind kind;  ///< no memory is Unavailable, a library's exception Internal
    Thrower thrower;
    std::string said;  ///< what() of the exception; empty when it has none

    /// One sentence in English.
    [[nodiscard]] std::string sentence() const;
};
[[nodiscard]] Failure failureOf(const std::exception_ptr& thrown);

}  // namespace tof
