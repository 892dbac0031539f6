// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <exception>

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/engines.h"
#include "app/exit_code.h"

namespace {

void run(const std::vector<std::string>& words) {
    const tof::CommandLine line = tof::parseCommandLine(words, tof::commandTable());
    tof::Console console({.json = line.json, .quiet = line.quiet});
    if (line.command == nullptr) {
        console.result(line.text);
        return;
    }
    tof::installInterruptHandler();
    const tof::EngineRegistry engines = tof::makeEngineRegistry();
    tof::CommandContext context{console, engines};
    line.command->run(context);
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
    try {
        run(words);
        return 0;
    } catch (...) {
        const tof::Failure failure = tof::failureOf(std::current_exception());
        console.error(failure.kind, failure.sentence());
        return tof::exitCode(failure.kind);
    }
}
