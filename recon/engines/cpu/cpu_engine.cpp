// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/cpu/cpu_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/slices.h"
#include "recon/systems/histo/cpu_histo_projector.h"
#include "recon/systems/histo/host_estimates.h"
#include "recon/systems/lines/cpu_line_projector.h"
#include "recon/systems/panel/cpu_panel_projector.h"

namespace tof {

namespace {

/// A system that this engine can project: each brings its own makeCpuProjector.
struct CpuSystem {
    const char* name;
    std::vector<Strategy> strategies;
    ProjectorOrWhyNot (*make)(const SystemModel& model, std::shared_ptr<HostSpace> space,
                              const EngineOptions& options);
};

template <class Model>
CpuSystem rowOf(std::vector<Strategy> strategies) {
    return {Model::kSystem, std::move(strategies),
            [](const SystemModel& model, std::shared_ptr<HostSpace> space, const EngineOptions& options) {
                return makeCpuProjector(*model.as<Model>(), std::move(space), options);
            }};
}

class CpuEngine : public Engine, public MakesSlices {
  public:
    [[nodiscard]] std::string name() const override { return "cpu"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        const CpuSystem* const known = find(system);
        return known != nullptr ? known->strategies : std::vector<Strategy>();
    }
    [[nodiscard]] DeviceInfo device() const override {
        const std::string threads = fmt::format("{}", ThreadPool().threads());
        const std::string set = instructionSetName(availableInstructionSets().back());
        return {fmt::format("{} threads, {}", threads, set),
                {{"threads", threads}, {"instruction set", set}}};
    }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<HostSpace>(options.threads, options.priority, options.memoryLimitBytes);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        auto host = std::dynamic_pointer_cast<HostSpace>(space);
        if (host == nullptr) {
            throw InternalError("the cpu engine was given another engine's space");
        }
        const CpuSystem* const known = find(model.system());
        if (known == nullptr) {
            return Unsupported{"it has no projector for this system"};
        }
        return known->make(model, std::move(host), options);
    }
    /// The threads of whoever simulates.
    [[nodiscard]] SliceMaker slices(int /*process*/) const override { return {}; }
    [[nodiscard]] double projectionEstimate_ms(const SystemModel& model,
                                               const EngineOptions& options) const override {
        const auto* const direct = model.as<DirectModel>();
        return direct == nullptr ? 0
                                 : columnEstimate_ms(*direct, ThreadPool(options.threads).threads(),
                                                     richestInstructionSet(options.mostInstructions));
    }

  private:
    [[nodiscard]] const CpuSystem* find(const std::string& system) const {
        const auto found = std::find_if(systems_.begin(), systems_.end(),
                                        [&](const CpuSystem& known) { return known.name == system; });
        return found != systems_.end() ? &*found : nullptr;
    }

    std::vector<CpuSystem> systems_{
        rowOf<DirectModel>(
            {{"column", toTranslate("Word", "taps column by column; the fastest that is exact")}}),
        rowOf<LineModel>(
            {{"siddon", toTranslate("Word", "each line by itself")},
             {"joseph", toTranslate("Word", "interpolation between voxels, plane by plane; smoother")}}),
        rowOf<PanelModel>({{"panel", toTranslate("Word", "a stored system matrix, kernel by kernel")}})};
};

}  // namespace

std::shared_ptr<const Engine> makeCpuEngine() {
    return std::make_shared<CpuEngine>();
}

}  // namespace tof
