// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "recon/core/error.h"
#include "recon/fftw/fftw_projector.h"

namespace tof {

namespace {

class FftwEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return "fftw"; }
    [[nodiscard]] std::vector<std::string> strategies() const override { return {"fft"}; }
    [[nodiscard]] DeviceInfo device() const override {
        const std::string threads = fmt::format("{}", ThreadPool().threads());
        return {fmt::format("{} threads, {}", threads, fftwVersion()),
                {{"threads", threads}, {"library", fftwVersion()}}};
    }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<HostSpace>(options.threads, options.background, options.memoryLimitBytes);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        if (!options.strategy.empty() && options.strategy != "fft") {
            return Unsupported{
                fmt::format("it has no strategy '{}'; its one strategy is fft", options.strategy)};
        }
        auto host = std::dynamic_pointer_cast<HostSpace>(space);
        if (host == nullptr) {
            throw InternalError("the fftw engine was given another engine's space");
        }
        const auto* direct = std::get_if<DirectModel>(&model);
        if (direct == nullptr) {
            return Unsupported{"it has no projector for this system"};
        }
        if (!direct->kernel.invariant()) {
            return Unsupported{
                fmt::format("it applies one symmetric kernel everywhere and kernel '{}' is not; take an "
                            "invariant kernel, or engine cpu or cuda",
                            direct->kernel.name)};
        }
        return std::unique_ptr<Projector>(std::make_unique<FftwProjector>(*direct, std::move(host), options));
    }
};

}  // namespace

}  // namespace tof

/// The module's one symbol; see recon/fftw/loader.
extern "C" __attribute__((visibility("default"))) void tofscopeMakeFftwEngine(
    std::shared_ptr<const tof::Engine>* engine) {
    *engine = std::make_shared<tof::FftwEngine>();
}
