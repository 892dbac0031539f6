// SPDX-License-Identifier: Apache-2.0
// The engine cpu, which fails in the middle of a run as a device does that is unplugged.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "recon/base/error.h"
#include "recon/seam/engine.h"

namespace tof::test {

/// Counts back projections of discrepancies and fails behind the last one allowed.
struct Fuse {
    std::atomic<long> left{-1};  ///< negative: nothing fails

    void use() {
        if (left == 0) {
            throw Unavailable("the device has gone");
        }
        if (left > 0) {
            --left;
        }
    }
};

class FailingProjector : public Projector {
  public:
    FailingProjector(std::unique_ptr<Projector> inner, std::shared_ptr<Fuse> fuse)
        : inner_(std::move(inner)), fuse_(std::move(fuse)) {}
    [[nodiscard]] Space& space() override { return inner_->space(); }
    [[nodiscard]] std::size_t imageSize() const override { return inner_->imageSize(); }
    [[nodiscard]] std::size_t parts() const override { return inner_->parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t part) const override { return inner_->dataSize(part); }
    [[nodiscard]] std::size_t memoryBytes() const override { return inner_->memoryBytes(); }
    void forward(std::size_t part, ConstView x, MutableView p) override { inner_->forward(part, x, p); }
    void back(std::size_t part, ConstView p, MutableView x, Write write) override {
        inner_->back(part, p, x, write);
    }
    [[nodiscard]] bool attenuates() const override { return inner_->attenuates(); }
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override {
        inner_->backAttenuated(part, att, p, x, write);
    }
    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override {
        fuse_->use();
        inner_->backDiscrepancy(part, data, kind, seen, scratch, out, write);
    }

  private:
    std::unique_ptr<Projector> inner_;
    std::shared_ptr<Fuse> fuse_;
};

class FailingEngine : public Engine {
  public:
    FailingEngine(std::shared_ptr<const Engine> inner, std::shared_ptr<Fuse> fuse)
        : inner_(std::move(inner)), fuse_(std::move(fuse)) {}
    [[nodiscard]] std::string name() const override { return inner_->name(); }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return inner_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return inner_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return inner_->makeSpace(options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        return std::make_unique<FailingProjector>(requireProjector(*inner_, model, std::move(space), options),
                                                  fuse_);
    }

  private:
    std::shared_ptr<const Engine> inner_;
    std::shared_ptr<Fuse> fuse_;
};

/// A registry with `cpu` alone, behind the fuse. `engines` outlives it.
inline EngineRegistry failingEngines(const EngineRegistry& engines, std::shared_ptr<Fuse> fuse) {
    EngineRegistry failing;
    failing.add(
        "cpu",
        [&engines, fuse] { return std::make_shared<const FailingEngine>(engines.require("cpu"), fuse); }, 1);
    return failing;
}

}  // namespace tof::test
