// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>

#include "app/engines.h"
#include "app/exit_code.h"
#include "ui/application.h"

int main(int argc, char** argv) {
    // A limit on file sizes then fails the write, which is reported and cleaned up, instead of ending the
    // program.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        const tof::EngineRegistry engines = tof::makeEngineRegistry();
        tof::ui::runDesktop(argc, argv, engines);
        return 0;
    } catch (...) {
        const tof::Failure failure = tof::failureOf(std::current_exception());
        std::fprintf(stderr, "tofscope: %s\n", failure.sentence().c_str());
        return tof::exitCode(failure.kind);
    }
}
