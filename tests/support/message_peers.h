// SPDX-License-Identifier: Apache-2.0
// Spaces of ranks on the host as if each were on a device of its own: arrays go through the ranks' messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recon/engines/cpu/cpu_engine.h"
#include "recon/ranks/communicator.h"
#include "recon/seam/element_math.h"
#include "recon/seam/host_space.h"

namespace tof::test {

class MessagePeers : public SpacePeers {
  public:
    MessagePeers(Communicator& ranks, Space& space) : ranks_(ranks), space_(space) {}
    void sum(MutableView x) override { ranks_.sum(std::span(x.data, x.size)); }
    void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
        std::vector<tof::Sent> leaving;
        std::vector<tof::Received> arriving;
        for (const auto& [to, data] : sent) {
            leaving.push_back({to, data.data, data.size * sizeof(float)});
        }
        for (const auto& [from, data] : received) {
            arriving.push_back({from, data.data, data.size * sizeof(float)});
        }
        ++exchanges;
        ranks_.exchange(leaving, arriving);
    }
    void discrepancy(const PartData& data, Discrepancy kind, double whole, MutableView p,
                     const Halo& halo) override {
        const double expected = ranks_.sum(p.size > 0 ? space_.expect(data, p) : 0.0);
        if (p.size > 0) {
            space_.discrepancyAbove(data, kind, expectedFloor(expected, whole), p);
        }
        if (halo.p.size > 0) {
            exchange(halo.sent, halo.received);
        }
    }
    int exchanges = 0;

  private:
    Communicator& ranks_;
    Space& space_;
};

/// The cpu engine of a rank, with such spaces.
class PeeredEngine : public Engine {
  public:
    explicit PeeredEngine(std::shared_ptr<Communicator> ranks) : ranks_(std::move(ranks)) {}
    [[nodiscard]] std::string name() const override { return cpu_->name(); }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return cpu_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<PeeredSpace>(ranks_, options);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        return cpu_->makeProjector(model, std::move(space), options);
    }

  private:
    class PeeredSpace : public HostSpace {
      public:
        PeeredSpace(std::shared_ptr<Communicator> ranks, const EngineOptions& options)
            : HostSpace(options.threads), ranks_(std::move(ranks)) {}
        [[nodiscard]] std::string peerName() const override {
            return "device " + std::to_string(ranks_->rank());
        }
        [[nodiscard]] std::string peerKey() const override { return "key"; }
        [[nodiscard]] std::unique_ptr<SpacePeers> joinPeers(const std::string& key, int rank,
                                                            int size) override {
            if (key != "key" || rank != ranks_->rank() || size != ranks_->size()) {
                throw InternalError("other peers");
            }
            return std::make_unique<MessagePeers>(*ranks_, *this);
        }

      private:
        std::shared_ptr<Communicator> ranks_;
    };

    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();
    std::shared_ptr<Communicator> ranks_;
};

}  // namespace tof::test
