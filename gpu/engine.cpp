// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gpu/cuda_engine.h"
#include "gpu/cuda_strategies.h"
#include "gpu/cufft/cufft_filter.h"
#include "gpu/cufft/cufft_projector.h"
#include "gpu/joined/cuda_warps.h"
#include "gpu/lines/cuda_line_projector.h"
#include "gpu/panel/cuda_panel_projector.h"
#include "gpu/panel/panel_builder.h"
#include "gpu/scatter/cuda_scatter.h"
#include "gpu/simulate/cuda_simulator.h"
#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_space.h"
#include "recon/base/error.h"
#include "recon/seam/device_kernel.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

std::shared_ptr<Space> makeCudaSpace(const std::shared_ptr<CudaDevice>& first, const EngineOptions& options) {
    auto device = options.device == 0 ? first : std::make_shared<CudaDevice>(options.device);
    return std::make_shared<FilteringCudaSpace>(std::move(device), options.memoryLimitBytes, options.threads);
}

int cudaDevices() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "count the devices");
    return count;
}

template <class Rows>
std::vector<Strategy> strategiesOf(const Rows& rows) {
    return {rows.begin(), rows.end()};
}

/// A system that the engine `cuda` can project.
struct CudaSystem {
    const char* name;
    std::vector<Strategy> (*strategies)(const CudaStrategies& all);
    ProjectorOrWhyNot (*make)(const CudaStrategies& all, const SystemModel& model,
                              std::shared_ptr<CudaSpace> space, const std::string& strategy);
};

const CudaSystem kSystems[] = {
    {DirectModel::kSystem, [](const CudaStrategies& all) { return strategiesOf(all.histo); },
     [](const CudaStrategies& all, const SystemModel& model, std::shared_ptr<CudaSpace> space,
        const std::string& strategy) {
         return makeHistoProjector(all.histo, *model.as<DirectModel>(), std::move(space), strategy);
     }},
    {LineModel::kSystem, [](const CudaStrategies& all) { return strategiesOf(all.lines); },
     [](const CudaStrategies& all, const SystemModel& model, std::shared_ptr<CudaSpace> space,
        const std::string& strategy) {
         return makeLineProjector(all.lines, *model.as<LineModel>(), std::move(space), strategy);
     }},
    {PanelModel::kSystem, [](const CudaStrategies& all) { return strategiesOf(all.panel); },
     [](const CudaStrategies& all, const SystemModel& model, std::shared_ptr<CudaSpace> space,
        const std::string& strategy) {
         return makePanelProjector(all.panel, *model.as<PanelModel>(), std::move(space), strategy);
     }},
};

const CudaSystem* systemNamed(const std::string& name) {
    const auto* const found = std::find_if(std::begin(kSystems), std::end(kSystems),
                                           [&](const CudaSystem& known) { return known.name == name; });
    return found != std::end(kSystems) ? found : nullptr;
}

/// The engine's own strategies and those that it was given.
CudaStrategies withMore(const std::shared_ptr<const CudaStrategies>& more) {
    CudaStrategies all{histoStrategies(), cudaLineStrategies(), cudaPanelStrategies()};
    if (more != nullptr) {
        all.histo.insert(all.histo.end(), more->histo.begin(), more->histo.end());
        all.lines.insert(all.lines.end(), more->lines.begin(), more->lines.end());
        all.panel.insert(all.panel.end(), more->panel.begin(), more->panel.end());
    }
    return all;
}

DeviceKernel attributesOf(const CudaDevice& device, const std::string& strategy,
                          const StrategyKernel& kernel) {
    cudaFuncAttributes a{};
    check(cudaFuncGetAttributes(&a, kernel.function), "read a kernel's attributes");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.function, kernel.threads,
                                                        kernel.dynamicShared),
          "read a kernel's occupancy");
    return {strategy,
            kernel.projection,
            static_cast<double>(a.constSizeBytes),
            static_cast<double>(a.localSizeBytes),
            static_cast<double>(a.sharedSizeBytes + kernel.dynamicShared),
            kernel.threads,
            a.numRegs,
            static_cast<double>(blocks) * kernel.threads / device.properties().maxThreadsPerMultiProcessor};
}

class CudaEngine : public Engine,
                   public MakesSlices,
                   public SumsScatter,
                   public MakesPanelKernels,
                   public WarpsImages,
                   public TellsKernels {
  public:
    explicit CudaEngine(const std::shared_ptr<const CudaStrategies>& more)
        : first_(std::make_shared<CudaDevice>(0)), strategies_(withMore(more)) {}

    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        const CudaSystem* const known = systemNamed(system);
        return known != nullptr ? known->strategies(strategies_) : std::vector<Strategy>();
    }
    [[nodiscard]] DeviceInfo device() const override {
        return {static_cast<const char*>(first_->properties().name), first_->describe()};
    }
    [[nodiscard]] int devices() const override { return cudaDevices(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return makeCudaSpace(first_, options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        auto cuda = std::dynamic_pointer_cast<CudaSpace>(space);
        if (cuda == nullptr) {
            throw InternalError("the cuda engine was given another engine's space");
        }
        const CudaSystem* const known = systemNamed(model.system());
        if (known == nullptr) {
            return Unsupported{"it has no projector for this system"};
        }
        return known->make(strategies_, model, std::move(cuda), options.strategy);
    }
    [[nodiscard]] SliceMaker slices(int process) const override { return cudaSlices(process); }
    [[nodiscard]] ScatterSummer scatterSums(int device) const override { return cudaScatter(device); }
    [[nodiscard]] std::unique_ptr<DeviceWarps> warps(const std::shared_ptr<Space>& space) const override {
        return cudaWarps(space);
    }
    [[nodiscard]] PanelKernelMaker panelKernels(const EngineOptions& options) const override {
        return [first = first_, options](const PanelMatrix& plan, std::span<const int> wanted,
                                         PanelKernelSink& sink) {
            const auto space = makeCudaSpace(first, options);
            makePanelKernels(plan, wanted, dynamic_cast<CudaSpace&>(*space), sink);
        };
    }
    [[nodiscard]] std::vector<DeviceKernel> kernels() const override {
        std::vector<DeviceKernel> all;
        const auto add = [&](const CudaStrategy& row) {
            for (const StrategyKernel& kernel :
                 row.kernels != nullptr ? row.kernels(*first_) : std::vector<StrategyKernel>()) {
                all.push_back(attributesOf(*first_, row.name, kernel));
            }
        };
        std::for_each(strategies_.histo.begin(), strategies_.histo.end(), add);
        std::for_each(strategies_.lines.begin(), strategies_.lines.end(), add);
        std::for_each(strategies_.panel.begin(), strategies_.panel.end(), add);
        return all;
    }

  private:
    std::shared_ptr<CudaDevice> first_;
    CudaStrategies strategies_;
};

class CufftEngine : public Engine {
  public:
    CufftEngine() : first_(std::make_shared<CudaDevice>(0)), library_(CufftLibrary::open()) {}

    [[nodiscard]] std::string name() const override { return "cufft"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return fourierStrategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override {
        return {fmt::format("{}, cuFFT {}", static_cast<const char*>(first_->properties().name),
                            library_->version()),
                {{"cuFFT", library_->version()}}};
    }
    [[nodiscard]] int devices() const override { return cudaDevices(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return makeCudaSpace(first_, options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        const auto usable = fourierModel(model, options);
        if (const auto* why = std::get_if<Unsupported>(&usable)) {
            return *why;
        }
        const auto* direct = std::get<const DirectModel*>(usable);
        auto cuda = std::dynamic_pointer_cast<CudaSpace>(space);
        if (cuda == nullptr) {
            throw InternalError("the cufft engine was given another engine's space");
        }
        const auto make = direct->kernel.invariant() ? makeCufftProjector : makeLowRankCufftProjector;
        return make(*direct, std::move(cuda), library_, options);
    }

  private:
    std::shared_ptr<CudaDevice> first_;
    std::shared_ptr<const CufftLibrary> library_;
};

}  // namespace

std::shared_ptr<const Engine> loadCudaEngine(const std::shared_ptr<const CudaStrategies>& more) {
    return std::make_shared<CudaEngine>(more);
}
std::shared_ptr<const Engine> loadCufftEngine() {
    return std::make_shared<CufftEngine>();
}

}  // namespace tof
