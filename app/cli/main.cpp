// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/engines.h"
#include "app/exit_code.h"
#include "app/log_file.h"
#include "app/process_start.h"
#include "recon/io/bytes/named_file.h"
#include "recon/ranks/loader/deadline.h"
#include "recon/ranks/loader/mpi_loader.h"
#include "recon/settings/version.h"

namespace {

/// Runs a command line and tells the log of it; what goes wrong is thrown. The exit code: 1 where the command
/// found that something does not hold.
int run(const std::vector<std::string>& words, const std::shared_ptr<tof::Log>& log,
        const std::shared_ptr<tof::Communicator>& ranks) {
    std::vector<tof::CommandInfo> commands = tof::commandTable();
    for (tof::CommandInfo& command : tof::wingCommands()) {
        commands.push_back(std::move(command));
    }
    const tof::CommandLine line = tof::parseCommandLine(words, commands);
    tof::Console console({.json = line.json, .quiet = line.quiet, .silent = !ranks->first()});
    if (line.command == nullptr) {
        console.result(line.text);
        return 0;
    }
    if (!ranks->alone() && !line.overRanks) {
        throw tof::WrongUse("'{}' runs in one process; start it without mpirun", line.name);
    }
    tof::installInterruptHandler();
    const tof::EngineRegistry engines = tof::makeEngineRegistry(log);
    std::vector<std::string> known = engines.names();
    for (const tof::CommandInfo& command : commands) {
        known.push_back(command.name);
    }
    log->write(tof::LogLevel::Info,
               fmt::format("version {}: {}", tof::kVersion, tof::withoutNames(words, known)));
    tof::CommandContext context{console, engines, log, commands};
    context.ranks = ranks;
    const auto start = std::chrono::steady_clock::now();
    line.command->run(context);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    log->write(tof::LogLevel::Info, fmt::format("done in {:.3f} s", took.count()));
    return context.failed ? 1 : 0;
}

/// How long ranks are waited for at the start: the slowest of a cluster may have a file system to wake.
std::chrono::seconds joiningPatience() {
    const char* const given = std::getenv("TOFSCOPE_JOIN_SECONDS");
    const int seconds = given != nullptr ? std::atoi(given) : 0;
    return std::chrono::seconds(seconds > 0 ? seconds : 120);
}

/// This process and those that were started together with it, all of one version.
/// A rank that never joins would let all wait for ever: then one of each machine says so and they end.
std::shared_ptr<tof::Communicator> joinOthers(const tof::Launched& launched, tof::Console& console) {
    if (launched.apart > 1 && launched.localRank == 0) {
        console.note(
            fmt::format("srun started {} tasks apart, of which each does the whole; 'srun "
                        "--mpi=pmix' joins them",
                        launched.apart));
    }
    if (!launched.several) {
        return tof::communicatorOfOne();
    }
    const std::chrono::seconds patience = joiningPatience();
    // The others end after the one that speaks: mpirun ends all with the first.
    const std::chrono::seconds later(launched.localRank == 0 ? 0 : 1);
    const tof::Deadline deadline(patience + later, [&] {
        if (launched.localRank == 0) {
            console.error(
                tof::ErrorKind::Unavailable,
                fmt::format("not all processes that were started have joined within {} s; look what became "
                            "of the others, or give them longer by TOFSCOPE_JOIN_SECONDS",
                            patience.count()));
        }
        std::_Exit(tof::exitCode(tof::ErrorKind::Unavailable));
    });
    return tof::joinRanks();
}

/// Leaves the others, which have all said that they are done: one that dies now is not waited for.
void leaveOthers(std::shared_ptr<tof::Communicator>& ranks, int code) {
    if (!ranks->alone()) {
        const tof::Deadline deadline(std::chrono::seconds(10), [code] { std::_Exit(code); });
        ranks.reset();
    }
}

bool given(const std::vector<std::string>& words, const char* option) {
    return std::find(words.begin(), words.end(), option) != words.end();
}

}  // namespace

int main(int argc, char** argv) {
    tof::startProcess();
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // Known before parsing, so that a mistake on the command line is reported in the form asked for.
    tof::Console console({.json = given(words, "--json"), .quiet = false});
    const tof::Launched launched = tof::launched();
    std::shared_ptr<tof::Communicator> ranks = tof::communicatorOfOne();
    std::shared_ptr<tof::Log> log = std::make_shared<tof::NoLog>();
    try {
        ranks = joinOthers(launched, console);
        if (ranks->first()) {
            log = tof::openLog("tofscope-cli",
                               given(words, "--verbose") ? tof::Verbosity::Verbose : tof::Verbosity::Silent);
        }
        ranks->requireSame("version of tofscope-cli", tof::kVersion);
        std::optional<tof::OutsideAllowed> outside;
        if (given(words, "--allow-outside")) {
            outside.emplace();
        }
        const int code = run(words, log, ranks);
        ranks->barrier();  // hears of those that failed late
        leaveOthers(ranks, code);
        return code;
    } catch (...) {
        const tof::Failure failure = tof::failureOf(std::current_exception());
        // Who has not joined the others is still alone, like them: one of a machine speaks.
        const bool speaks = ranks->leave(failure.kind) && (!ranks->alone() || launched.localRank == 0);
        if (!speaks) {
            leaveOthers(ranks, tof::exitCode(failure.kind));
            return tof::exitCode(failure.kind);
        }
        log->write(tof::LogLevel::Error, fmt::format("exit {}: {}", tof::exitCode(failure.kind),
                                                     tof::withoutNames(failure.sentence())));
        console.error(failure.kind, failure.sentence());
        leaveOthers(ranks, tof::exitCode(failure.kind));
        return tof::exitCode(failure.kind);
    }
}
