// SPDX-License-Identifier: Apache-2.0
// The one exception family. Libraries throw, never print; app/ turns an error into an exit code or a message.
#pragma once

#include <fmt/core.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

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

/// An error of one kind, from its sentence or from the parts of one: BadInput("{}: no events", path).
template <ErrorKind kKind>
struct ErrorOf : Error {
    explicit ErrorOf(const std::string& sentence) : Error(kKind, sentence) {}
    template <typename First, typename... Rest>
    explicit ErrorOf(fmt::format_string<First, Rest...> sentence, First&& first, Rest&&... rest)
        : Error(kKind, fmt::format(sentence, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

/// A request that makes no sense: unknown option, value out of range, options that exclude each other.
using WrongUse = ErrorOf<ErrorKind::WrongUse>;
/// A file or description that cannot be used. The sentence names file, field and remedy.
using BadInput = ErrorOf<ErrorKind::BadInput>;
/// An engine, device or amount of memory that is not there, or that failed while in use.
using Unavailable = ErrorOf<ErrorKind::Unavailable>;
/// An output that cannot be written; what was there before is untouched.
using CannotWrite = ErrorOf<ErrorKind::CannotWrite>;
/// An invariant of ours is broken: a defect in this program, not in its input.
using InternalError = ErrorOf<ErrorKind::Internal>;

/// The user cancelled. Carries no message worth showing.
struct Cancelled : Error {
    Cancelled() : Error(ErrorKind::Cancelled, "cancelled") {}
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
