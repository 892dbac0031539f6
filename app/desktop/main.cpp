// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "app/engines.h"
#include "app/exit_code.h"
#include "app/log_file.h"
#include "app/process_start.h"
#include "recon/base/plain_text.h"
#include "ui/application.h"
#ifdef TOFSCOPE_EXPERIMENTS
#include "app/experiment/report.h"
#include "ui/experiments/experiments_wing.h"
#endif
#ifdef TOFSCOPE_MEASURE
#include "ui/measure/measure_wing.h"
#endif

namespace {

/// Known before parsing, so that the log is open when something goes wrong there.
tof::Verbosity verbose(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](const char* word) { return std::string("--verbose") == word; })
               ? tof::Verbosity::Verbose
               : tof::Verbosity::Silent;
}

/// Parts that the program can be built without, as far as this one was built with them.
std::vector<tof::ui::Wing> desktopWings() {
    return {
#ifdef TOFSCOPE_EXPERIMENTS
        tof::ui::experimentsWing(tof::writeReport),
#endif
#ifdef TOFSCOPE_MEASURE
        tof::ui::measureWing(),
#endif
    };
}

}  // namespace

int main(int argc, char** argv) {
    tof::startProcess();
    const auto log = tof::openLog("tofscope", verbose(argc, argv));
    try {
        const tof::EngineRegistry engines = tof::makeEngineRegistry(log);
        tof::ui::runDesktop(argc, argv, engines, desktopWings(), log);
        return 0;
    } catch (...) {
        const tof::Failure failure = tof::failureOf(std::current_exception());
        log->write(tof::LogLevel::Error, tof::withoutNames(failure.sentence()));
        std::fprintf(stderr, "tofscope: %s\n", tof::shownLine(failure.sentence()).c_str());
        return tof::exitCode(failure.kind);
    }
}
