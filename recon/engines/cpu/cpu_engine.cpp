// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/cpu/cpu_engine.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/cpu_histo_projector.h"
#include "recon/systems/lines/cpu_line_projector.h"

namespace tof {

namespace {

class CpuEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return "cpu"; }
    [[nodiscard]] std::vector<std::string> strategies() const override { return {"column"}; }
    [[nodiscard]] std::vector<std::string> lineStrategies() const override { return {"siddon", "joseph"}; }
    [[nodiscard]] DeviceInfo device() const override {
        const std::string threads = fmt::format("{}", ThreadPool().threads());
        const std::string set = instructionSetName(availableInstructionSets().back());
        return {fmt::format("{} threads, {}", threads, set),
                {{"threads", threads}, {"instruction set", set}}};
    }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<HostSpace>(options.threads, options.background, options.memoryLimitBytes);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        auto host = std::dynamic_pointer_cast<HostSpace>(space);
        if (host == nullptr) {
            throw InternalError("the cpu engine was given another engine's space");
        }
        // Each system brings its own makeCpuProjector.
        return std::visit([&](const auto& system) { return makeCpuProjector(system, host, options); }, model);
    }
};

}  // namespace

std::shared_ptr<const Engine> makeCpuEngine() {
    return std::make_shared<CpuEngine>();
}

}  // namespace tof
