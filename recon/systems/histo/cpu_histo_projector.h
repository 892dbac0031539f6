// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "recon/seam/engine.h"
#include "recon/seam/host_space.h"
#include "recon/systems/histo/column_dispatch.h"
#include "recon/systems/histo/histo_projector.h"
#include "recon/systems/histo/tap_columns.h"

namespace tof {

/// Space-domain DIRECT projector on host threads, every kernel family, by columns
/// (recon/systems/histo/README.md).
///
/// Each output is summed by one thread in a fixed order: the same bits for any number of threads, for one
/// instruction set. Work areas and tables are made by the constructor.
class CpuProjector : public HistoProjector {
  public:
    /// Throws Unavailable when tables and work areas do not fit into the space's memory.
    CpuProjector(const DirectModel& model, std::shared_ptr<HostSpace> space, InstructionSet set);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t memoryBytes() const override;
    [[nodiscard]] double multiplyAdds(std::size_t part) const override;
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void backAttenuated(std::size_t part, ConstView att, ConstView p, MutableView x, Write write) override;

  private:
    /// Everything of one view that the loops read.
    struct ViewPlan {
        GroupShape shape;
        ColumnStream back;
        ColumnStream forward;  // empty when the kernel is even: then it is `back`
        Array values;          // rows of weights; empty when fixed
        std::shared_ptr<const std::vector<std::int32_t>> rowStarts;
        bool filtered = false;  // reads z-filtered planes
    };
    /// Groups of a view: blocks of P along its line, each with `perBlock` groups side by side.
    struct Groups {
        int blocks;
        int firstSide;
        int perBlock;
    };

    void makePlans();
    void fillValues(const std::vector<ColumnTable>& tables);
    [[nodiscard]] Groups groupsOf(const GroupShape& shape) const;
    void project(const ViewPlan& plan, const ColumnStream& stream, Weights weights);
    void readColumns(const ViewPlan& plan, ConstView from);
    /// Times `att`, unless that is empty.
    void writeColumns(MutableView to, ConstView att, Write write);

    std::shared_ptr<HostSpace> space_;
    ColumnKernels kernels_;
    ColumnLayout layout_;
    std::vector<ViewPlan> plans_;
    std::vector<float> gains_;          // axial Gaussian at whole voxels, relative to its peak
    Array source_;                      // planes V_0, V_1, ...
    std::vector<std::uint8_t> filled_;  // by column of source_: 0 where all of it is zero
    bool sparse_ = false;               // enough of source_ is, to look before reading
    Array target_;
};

/// The cpu engine's projector for this system. Strategy: `column`, or none.
[[nodiscard]] ProjectorOrWhyNot makeCpuProjector(const DirectModel& model, std::shared_ptr<HostSpace> space,
                                                 const EngineOptions& options);

}  // namespace tof
