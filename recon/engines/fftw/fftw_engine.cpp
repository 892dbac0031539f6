// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/engines/fftw/fftw_projector.h"
#include "recon/engines/fftw/low_rank_projector.h"
#include "recon/systems/histo/host_estimates.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

namespace {

class FftwEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return "fftw"; }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return fourierStrategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override {
        const std::string threads = fmt::format("{}", ThreadPool().threads());
        return {fmt::format("{} threads, {}", threads, fftwVersion()),
                {{"threads", threads}, {"library", fftwVersion()}}};
    }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<HostSpace>(options.threads, options.priority, options.memoryLimitBytes);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        const auto usable = fourierModel(model, options);
        if (const auto* why = std::get_if<Unsupported>(&usable)) {
            return *why;
        }
        const auto* direct = std::get<const DirectModel*>(usable);
        auto host = std::dynamic_pointer_cast<HostSpace>(space);
        if (host == nullptr) {
            throw InternalError("the fftw engine was given another engine's space");
        }
        if (!direct->kernel.invariant()) {
            return std::unique_ptr<Projector>(
                std::make_unique<LowRankProjector>(*direct, std::move(host), options));
        }
        return std::unique_ptr<Projector>(std::make_unique<FftwProjector>(*direct, std::move(host), options));
    }
    [[nodiscard]] double projectionEstimate_ms(const SystemModel& model,
                                               const EngineOptions& options) const override {
        const auto usable = fourierModel(model, options);
        const auto* const direct = std::get_if<const DirectModel*>(&usable);
        return direct == nullptr
                   ? 0
                   : fourierEstimate_ms(**direct, options, ThreadPool(options.threads).threads());
    }
};

}  // namespace

}  // namespace tof

/// The module's one symbol; see recon/engines/fftw/loader.
extern "C" __attribute__((visibility("default"))) void tofscopeMakeFftwEngine(
    std::shared_ptr<const tof::Engine>* engine) {
    *engine = std::make_shared<tof::FftwEngine>();
}
