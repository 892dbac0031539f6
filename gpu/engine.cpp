// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpu/cuda_engine.h"
#include "gpu/direct/column_float_kernels.h"
#include "gpu/direct/cuda_projector.h"
#include "gpu/direct/texture_kernels.h"
#include "gpu/ring/ring_projector.h"
#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_space.h"
#include "recon/core/error.h"

namespace tof {

namespace {

class CudaEngine : public Engine {
  public:
    CudaEngine() : first_(std::make_shared<CudaDevice>(0)) {}

    [[nodiscard]] std::string name() const override { return "cuda"; }
    [[nodiscard]] std::vector<std::string> strategies() const override {
        return {"column", "column-fp32", "ilp", "tlp"};
    }
    [[nodiscard]] std::vector<std::string> lineStrategies() const override { return ringStrategies(); }
    [[nodiscard]] DeviceInfo device() const override {
        return {static_cast<const char*>(first_->properties().name), first_->describe()};
    }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        auto device = options.device == 0 ? first_ : std::make_shared<CudaDevice>(options.device);
        return std::make_shared<CudaSpace>(std::move(device), options.memoryLimitBytes, options.threads);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        auto cuda = std::dynamic_pointer_cast<CudaSpace>(space);
        if (cuda == nullptr) {
            throw InternalError("the cuda engine was given another engine's space");
        }
        if (const auto* ring = std::get_if<RingModel>(&model)) {
            return makeRingProjector(*ring, std::move(cuda), options.strategy);
        }
        const auto* direct = std::get_if<DirectModel>(&model);
        if (direct == nullptr) {
            return Unsupported{"it has no projector for this system"};
        }
        const std::string strategy = options.strategy.empty() ? "column" : options.strategy;
        if (strategy == "tlp" || strategy == "ilp") {
            return makeTextureProjector(*direct, std::move(cuda),
                                        strategy == "tlp" ? TextureKernel::Tlp : TextureKernel::Ilp);
        }
        if (strategy == "column-fp32") {
            return makeColumnFloatProjector(*direct, std::move(cuda));
        }
        if (strategy == "column") {
            return makeColumnProjector(*direct, std::move(cuda));
        }
        return Unsupported{
            fmt::format("it has no strategy '{}'; strategies: {}", strategy, fmt::join(strategies(), ", "))};
    }

  private:
    std::shared_ptr<CudaDevice> first_;
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
    throw Unavailable("the cuFFT engine is not part of this version");
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
        all.push_back(attributesOf(device, "column-fp32", what, device::columnFloatFunction(gather),
                                   device::kColumnThreads, 0));
    }
    return all;
}

}  // namespace tof
