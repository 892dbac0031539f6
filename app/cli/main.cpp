// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/engines.h"

namespace {

using tof::ExitCode;

ExitCode run(const std::vector<std::string>& words) {
    const tof::CommandLine line = tof::parseCommandLine(words, tof::commandTable());
    tof::Console console({.json = line.json, .quiet = line.quiet});
    if (line.command == nullptr) {
        console.result(line.text);
        return ExitCode::Done;
    }
    tof::installInterruptHandler();
    const tof::EngineRegistry engines = tof::makeEngineRegistry();
    tof::CommandContext context{console, engines};
    line.command->run(context);
    return ExitCode::Done;
}

}  // namespace

int main(int argc, char** argv) {
    // A limit on file sizes then fails the write, which is reported and cleaned up, instead of ending the
    // program.
    std::signal(SIGXFSZ, SIG_IGN);
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // Known before parsing, so that a mistake on the command line is reported in the form asked for.
    const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
    tof::Console console({.json = json, .quiet = false});
    ExitCode code = ExitCode::Internal;
    std::string sentence;
    try {
        return static_cast<int>(run(words));
    } catch (const tof::Error& fault) {
        code = fault.exitCode();
        sentence = fault.what();
    } catch (const std::bad_alloc&) {
        code = ExitCode::Unavailable;
        sentence = "memory ran out; take a smaller grid, fewer views or fewer threads";
    } catch (const std::exception& fault) {
        sentence = fmt::format("internal error: {}", fault.what());
    }
    console.error(code, sentence);
    return static_cast<int>(code);
}
