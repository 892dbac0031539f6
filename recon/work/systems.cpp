// SPDX-License-Identifier: Apache-2.0
#include "recon/work/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recon/forms/histo/moved_histo.h"
#include "recon/systems/histo/histo_system.h"
#include "recon/systems/lines/line_system.h"
#include "recon/systems/panel/panel_system.h"

namespace tof {

namespace {

System histoOrMoved() {
    System system = histoSystem();
    system.measure = [](const FormatFile& file) { return withFactorsOfFrames(histoSystem().measure(file)); };
    return system;
}

}  // namespace

// A new system adds its row.
std::vector<System> allSystems() {
    return {histoOrMoved(), lineSystem(), panelSystem()};
}

std::string systemOfRun(const nlohmann::json& description) {
    const std::vector<System> all = allSystems();
    const auto found = std::find_if(all.begin(), all.end(), [&](const System& system) {
        return description.contains(system.describedBy);
    });
    return found != all.end() ? found->name : all.front().name;
}

std::string runName(const RunSettings& settings, const std::string& system) {
    const std::vector<System> all = allSystems();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const System& known) { return known.name == system; });
    const std::string own = found != all.end() ? found->runName(settings) : settings.engine;
    if (settings.beta <= 0 || !isUsed(settingInfo("beta"), settings)) {
        return own;
    }
    const Prior& prior = priorNamed(settings.priorName);
    return fmt::format("{}, {} β {:g}", own, prior.shortName.empty() ? prior.name : prior.shortName,
                       settings.beta);
}

}  // namespace tof
