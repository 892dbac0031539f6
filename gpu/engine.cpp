// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gpu/cuda_engine.h"
#include "gpu/cufft/cufft_projector.h"
#include "gpu/cufft/low_rank_cufft.h"
#include "gpu/histo/column_float_kernels.h"
#include "gpu/histo/column_kernels.h"
#include "gpu/histo/histo_strategies.h"
#include "gpu/histo/list_kernels.h"
#include "gpu/histo/stream_kernels.h"
#include "gpu/histo/texture_kernels.h"
#include "gpu/histo/two_stage_kernels.h"
#include "gpu/lines/cuda_line_projector.h"
#include "gpu/panel/cuda_panel_projector.h"
#include "gpu/panel/panel_builder.h"
#include "gpu/panel/panel_kernels.h"
#include "gpu/panel/published_kernels.h"
#include "gpu/scatter/cuda_scatter.h"
#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_space.h"
#include "recon/base/error.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

std::shared_ptr<Space> makeCudaSpace(const std::shared_ptr<CudaDevice>& first, const EngineOptions& options) {
    auto device = options.device == 0 ? first : std::make_shared<CudaDevice>(options.device);
    return std::make_shared<CudaSpace>(std::move(device), options.memoryLimitBytes, options.threads);
}

int cudaDevices() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "count the devices");
    return count;
}

/// A system that the engine `cuda` can project.
struct CudaSystem {
    const char* name;
    std::vector<std::string> (*strategies)();
    ProjectorOrWhyNot (*make)(const SystemModel& model, std::shared_ptr<CudaSpace> space,
                              const std::string& strategy);
};

const CudaSystem kSystems[] = {
    {DirectModel::kSystem, histoStrategies,
     [](const SystemModel& model, std::shared_ptr<CudaSpace> space, const std::string& strategy) {
         return makeHistoProjector(*model.as<DirectModel>(), std::move(space), strategy);
     }},
    {LineModel::kSystem, cudaLineStrategies,
     [](const SystemModel& model, std::shared_ptr<CudaSpace> space, const std::string& strategy) {
         return makeLineProjector(*model.as<LineModel>(), std::move(space), strategy);
     }},
    {PanelModel::kSystem, cudaPanelStrategies,
     [](const SystemModel& model, std::shared_ptr<CudaSpace> space, const std::string& strategy) {
         return makePanelProjector(*model.as<PanelModel>(), std::move(space), strategy);
     }},
};

const CudaSystem* systemNamed(const std::string& name) {
    const auto* const found = std::find_if(std::begin(kSystems), std::end(kSystems),
                                           [&](const CudaSystem& known) { return known.name == name; });
    return found != std::end(kSystems) ? found : nullptr;
}

class CudaEngine : public Engine {
  public:
    CudaEngine() : first_(std::make_shared<CudaDevice>(0)) {}

    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::vector<std::string> strategies(const std::string& system) const override {
        const CudaSystem* const known = systemNamed(system);
        return known != nullptr ? known->strategies() : std::vector<std::string>();
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
        return known->make(model, std::move(cuda), options.strategy);
    }
    [[nodiscard]] std::any maker(const std::string& system, const EngineOptions& options) const override {
        if (system == kScatterMaker) {
            return cudaScatter(options.device);
        }
        if (system != PanelModel::kSystem) {
            return {};
        }
        return PanelKernelMaker([first = first_, options](const PanelMatrix& plan,
                                                          std::span<const int> wanted,
                                                          PanelKernelSink& sink) {
            const auto space = makeCudaSpace(first, options);
            makePanelKernels(plan, wanted, dynamic_cast<CudaSpace&>(*space), sink);
        });
    }

  private:
    std::shared_ptr<CudaDevice> first_;
};

class CufftEngine : public Engine {
  public:
    CufftEngine() : first_(std::make_shared<CudaDevice>(0)), library_(CufftLibrary::open()) {}

    [[nodiscard]] std::string name() const override { return "cufft"; }
    [[nodiscard]] std::vector<std::string> strategies(const std::string& system) const override {
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

CudaKernelAttributes attributesOf(const CudaDevice& device, const char* strategy, const char* kernel,
                                  const void* function, int threads, std::size_t dynamicShared) {
    cudaFuncAttributes a{};
    check(cudaFuncGetAttributes(&a, function), "read a kernel's attributes");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamicShared),
          "read a kernel's occupancy");
    return {strategy,
            kernel,
            a.constSizeBytes,
            a.localSizeBytes,
            a.sharedSizeBytes + dynamicShared,
            threads,
            a.numRegs,
            static_cast<double>(blocks) * threads / device.properties().maxThreadsPerMultiProcessor};
}

}  // namespace

std::shared_ptr<const Engine> loadCudaEngine() {
    return std::make_shared<CudaEngine>();
}
std::shared_ptr<const Engine> loadCufftEngine() {
    return std::make_shared<CufftEngine>();
}

std::vector<CudaKernelAttributes> cudaKernelAttributes() {
    const CudaDevice device(0);
    std::vector<CudaKernelAttributes> all;
    for (const auto& [gather, what] :
         {std::pair{device::Gather::BySource, "forward"}, std::pair{device::Gather::ByTarget, "back"}}) {
        all.push_back(
            attributesOf(device, "tlp", what, device::tlpFunction(gather), device::kTextureThreads[0], 0));
        all.push_back(
            attributesOf(device, "ilp", what, device::ilpFunction(gather), device::kTextureThreads[1], 0));
        all.push_back(attributesOf(device, "shared-list", what, device::sharedListFunction(gather),
                                   device::kListThreads, 0));
        all.push_back(attributesOf(device, "texture-reduce", what, device::textureReduceFunction(gather),
                                   device::kReduceThreads, 0));
        all.push_back(attributesOf(device, "column-fp32", what, device::columnFloatFunction(gather),
                                   device::kColumnThreads, 0));
    }
    if (device.capability() >= 80) {
        // A block takes what its view needs, up to nearly all of a multiprocessor's; the most is shown.
        const std::size_t most = device::columnSharedLimit(device.properties());
        device::prepareColumn(most);
        for (const auto& [gather, what] :
             {std::pair{device::Gather::BySource, "forward"}, std::pair{device::Gather::ByTarget, "back"}}) {
            all.push_back(attributesOf(device, "column", what, device::columnFunction(gather),
                                       32 * device::kColumnWarps, most));
        }
    }
    if (device.capability() == 90 && device::streamBuilt()) {
        const std::size_t most = device::streamSharedLimit(device.properties());
        device::prepareStream(most);
        for (const auto& [gather, what] :
             {std::pair{device::Gather::BySource, "forward"}, std::pair{device::Gather::ByTarget, "back"}}) {
            all.push_back(attributesOf(device, "stream", what, device::streamFunction(gather),
                                       device::streamThreads(), most));
        }
    }
    all.push_back(attributesOf(device, "panel", "forward", device::panelForwardFunction(),
                               device::kPanelForwardThreads, 0));
    all.push_back(
        attributesOf(device, "panel", "back", device::panelBackFunction(), device::kPanelBackThreads, 0));
    for (const auto& [how, name] :
         {std::pair{device::Published::Lor, "lor"}, std::pair{device::Published::Symmetric, "symmetric"},
          std::pair{device::Published::SymmetricShared, "symmetric-shared"}}) {
        all.push_back(attributesOf(device, name, "forward", device::publishedForwardFunction(how),
                                   device::kPublishedThreads, 0));
        all.push_back(attributesOf(device, name, "back", device::publishedBackFunction(how),
                                   device::kPublishedThreads, 0));
    }
    all.push_back(attributesOf(device, "two-stage", "convolution", device::convolveFunction(),
                               device::kTwoStageThreads, 0));
    return all;
}

}  // namespace tof
