// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/engine/host_space.h"
#include "recon/engine/projector.h"
#include "recon/engine/system_model.h"
#include "recon/kernel/kernel_tables.h"

namespace tof {

/// Space-domain DIRECT projector on host threads.
class CpuProjector : public Projector {
  public:
    CpuProjector(const DirectModel& model, std::shared_ptr<HostSpace> space);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const override { return model_.views.size(); }
    [[nodiscard]] std::size_t dataSize(std::size_t /*part*/) const override {
        return model_.lattice.voxels();
    }
    [[nodiscard]] std::size_t memoryBytes() const override;
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void back(std::size_t part, ConstView p, MutableView x, Write write) override;

  private:
    DirectModel model_;
    std::shared_ptr<HostSpace> space_;
    std::vector<KernelTables> tables_;
};

}  // namespace tof
