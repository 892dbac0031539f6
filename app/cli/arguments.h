// SPDX-License-Identifier: Apache-2.0
// Options and arguments of commands. The parsing library stays behind this header.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/command_form.h"
#include "recon/base/request_row.h"

namespace tof {

/// Declares what a command takes. Values are checked here, in the C locale, so every mistake is one sentence
/// that names the option, the value and what is allowed. A target keeps its value as the default until
/// parsed.
class Arguments {
  public:
    struct Impl;
    explicit Arguments(Impl& impl) : impl_(impl) {}

    /// An argument by position; `name` in capitals. Those that may be left out come last.
    void positional(const std::string& name, std::string& target, const std::string& help,
                    Need need = Need::Required);
    /// Options are written --name VALUE; `name` comes without the dashes.
    void text(const std::string& name, std::string& target, const std::string& help,
              Need need = Need::Optional);
    void choice(const std::string& name, std::string& target, std::vector<std::string> choices,
                const std::string& help, Need need = Need::Optional);
    void integer(const std::string& name, int& target, int low, int high, const std::string& help,
                 Need need = Need::Optional);
    void integer(const std::string& name, std::uint64_t& target, std::uint64_t low, std::uint64_t high,
                 const std::string& help, Need need = Need::Optional);
    void number(const std::string& name, double& target, double low, double high, const std::string& help,
                Need need = Need::Optional);
    void flag(const std::string& name, bool& target, const std::string& help);
    /// A value handed on as text to `apply` when given, which throws WrongUse; `fallback` is shown in the
    /// help.
    void custom(const std::string& name, const std::string& valueName, const std::string& fallback,
                std::function<void(const std::string&)> apply, const std::string& help);
    /// The options of those rows that commands show.
    void rows(const std::vector<BoundRow>& rows);

  private:
    Impl& impl_;
};

/// A command line after parsing: a command ready to run, or a text to print instead (help, version).
struct CommandLine {
    std::unique_ptr<Command> command;
    std::string name;        ///< name of that command
    bool overRanks = false;  ///< CommandInfo's
    std::string text;
    bool json = false;
    bool quiet = false;
};

/// Throws WrongUse, with "did you mean" for unknown commands and options.
[[nodiscard]] CommandLine parseCommandLine(const std::vector<std::string>& words,
                                           const std::vector<CommandInfo>& commands);

/// The program, its commands and their options, as parseCommandLine() understands them.
[[nodiscard]] ProgramForm programForm(const std::vector<CommandInfo>& commands);

}  // namespace tof
