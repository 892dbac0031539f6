// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/experiment.h"

#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <thread>

#include "recon/settings/version.h"

namespace tof {

namespace {

std::string processorName() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown processor";
}

std::string now() {
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&time, &parts);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min);
}

}  // namespace

Provenance provenanceHere(const EngineRegistry& engines) {
    Provenance here;
    here.date = now();
    here.version = kVersion;
    here.machine = fmt::format("{}, {} threads", processorName(), std::thread::hardware_concurrency());
    for (const std::string& name : engines.names()) {
        const auto found = engines.find(name);
        const auto* const absent = std::get_if<Unsupported>(&found);
        here.engines.emplace_back(name, absent != nullptr
                                            ? "not there: " + absent->why
                                            : std::get<std::shared_ptr<const Engine>>(found)->device().name);
    }
    return here;
}

}  // namespace tof
