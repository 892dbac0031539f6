// SPDX-License-Identifier: Apache-2.0
#include "recon/work/logged_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "recon/base/error.h"

namespace tof {

std::string settingsWithoutNames(const RunSettings& settings) {
    const std::vector<std::string> presets = KernelSpec::presetNames();
    std::string line;
    for (const SettingInfo& info : settingsTable()) {
        const std::string value = info.read(settings);
        const bool named =
            info.key == "kernel" && std::find(presets.begin(), presets.end(), value) == presets.end();
        if (!value.empty()) {
            line += fmt::format("{}{} {}", line.empty() ? "" : ", ", info.key, named ? "*" : value);
        }
    }
    return line;
}

ReconstructionJob::Result runLogged(ReconstructionJob& job, const RunSettings& settings,
                                    JobListener& listener, Log& log) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    log.write(LogLevel::Info, "run begins: " + settingsWithoutNames(settings));
    try {
        ReconstructionJob::Result result = job.run(listener);
        log.write(LogLevel::Info,
                  fmt::format("run ends: iteration {}{} by {} in {:.3f} s", result.lastIteration,
                              result.finishedEarly ? ", finished early," : "", result.engine, seconds()));
        return result;
    } catch (...) {
        const Failure failure = failureOf(std::current_exception());
        log.write(failure.kind == ErrorKind::Cancelled ? LogLevel::Info : LogLevel::Error,
                  fmt::format("run ends after {:.3f} s: {}", seconds(), withoutNames(failure.sentence())));
        throw;
    }
}

}  // namespace tof
