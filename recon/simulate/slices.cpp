// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/slices.h"

#include <fmt/ranges.h>

#include "recon/base/error.h"
#include "recon/seam/engine.h"

namespace tof {

namespace {

std::vector<std::string> namesThatSimulate(const EngineRegistry& engines) {
    std::vector<std::string> names = engines.names();
    std::erase_if(names, [&](const std::string& name) {
        const auto found = engines.find(name);
        const auto* const engine = std::get_if<std::shared_ptr<const Engine>>(&found);
        return engine == nullptr || (*engine)->offers<MakesSlices>() == nullptr;
    });
    return names;
}

}  // namespace

SliceMaker slicesBy(const EngineRegistry& engines, const std::string& engine, int process) {
    const auto found = engines.find(engine);
    if (const auto* const absent = std::get_if<Unsupported>(&found)) {
        throw Unavailable(absent->why);
    }
    const auto* const maker = std::get<std::shared_ptr<const Engine>>(found)->offers<MakesSlices>();
    if (maker == nullptr) {
        throw WrongUse("engine '{}' does not simulate; give {}", engine,
                       fmt::join(namesThatSimulate(engines), " or "));
    }
    return maker->slices(process);
}

}  // namespace tof
