// SPDX-License-Identifier: Apache-2.0
// A command of tofscope-cli, and the table of them all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recon/base/log.h"
#include "recon/ranks/communicator.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/seam/engine.h"

namespace tof {

class Arguments;
class Console;
struct CommandInfo;

/// What a command may use besides its own options.
struct CommandContext {
    Console& console;
    const EngineRegistry& engines;
    std::shared_ptr<Log> log;                  ///< not null
    const std::vector<CommandInfo>& commands;  ///< all that the program has
    /// Set by a command that has done its work and found that something does not hold: exit code 1.
    bool failed = false;
    /// Those that mpirun started together with this one.
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
};

/// One command: says which options it takes, then runs with them. Used once.
class Command {
  public:
    virtual ~Command() = default;
    /// Binds options to members; called once, before any value is known.
    virtual void describe(Arguments& arguments) = 0;
    /// Does the work. Throws an Error; its exit code becomes the program's.
    virtual void run(CommandContext& context) = 0;
};

struct CommandInfo {
    std::string name;
    std::string summary;  ///< one sentence without a full stop, for the help
    std::unique_ptr<Command> (*make)();
    bool overRanks = false;  ///< knows what to do where mpirun has started several
};

/// Every command but those of wings (app/cli/wings), in the order of the help.
[[nodiscard]] const std::vector<CommandInfo>& commandTable();
/// Those of the wings that the program was built with (app/cli/wings).
[[nodiscard]] std::vector<CommandInfo> wingCommands();

}  // namespace tof
