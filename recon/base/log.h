// SPDX-License-Identifier: Apache-2.0
// Where a program notes what it does. Libraries are handed a log and never make one; there is no global log.
#pragma once

#include <string>
#include <vector>

namespace tof {

enum class LogLevel { Debug, Info, Warning, Error };

/// A line is one sentence without names: no file but its extension, no phantom, no patient (withoutNames).
class Log {
  public:
    virtual ~Log() = default;
    /// Thread-safe; never throws and never waits for more than a disk.
    virtual void write(LogLevel level, const std::string& line) noexcept = 0;
    /// The last lines as they were written, the oldest first; some hundred at most. Thread-safe.
    [[nodiscard]] virtual std::vector<std::string> lastLines() const = 0;
};

/// A log that keeps nothing, for tests and for programs that have none.
class NoLog : public Log {
  public:
    void write(LogLevel /*level*/, const std::string& /*line*/) noexcept override {}
    [[nodiscard]] std::vector<std::string> lastLines() const override { return {}; }
};

/// A sentence of an error, fit for a log: of paths the extension stays ("*.h5"), of what stands in quotation
/// marks only a "*"; a name before the first colon goes when it has a dot or a slash.
[[nodiscard]] std::string withoutNames(const std::string& sentence);

/// The words of a command line, fit for a log: commands, options and numbers stay, of files the extension, of
/// all else a "*". Words in `known` stay, too.
[[nodiscard]] std::string withoutNames(const std::vector<std::string>& words,
                                       const std::vector<std::string>& known);

}  // namespace tof
