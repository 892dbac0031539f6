// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "gpu/histo/tile_plan.h"
#include "recon/kernel/frame.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// Planes of z that the column kernel takes at a time.
inline constexpr int kFewPlanes = 16;
inline constexpr int kManyPlanes = 48;

/// Shapes of a block that the column kernel may take.
inline constexpr std::array<PlanShape, 12> kPlanShapes{
    PlanShape{2, 3, 2}, PlanShape{3, 2, 2}, PlanShape{1, 6, 2}, PlanShape{2, 2, 2},
    PlanShape{1, 3, 2}, PlanShape{1, 2, 2}, PlanShape{1, 1, 2}, PlanShape{2, 3, 4},
    PlanShape{3, 2, 4}, PlanShape{6, 1, 4}, PlanShape{2, 2, 4}, PlanShape{2, 1, 4}};

/// A view's plan with what the choice of its shape rests on.
struct ViewPlan {
    TilePlan plan;
    std::vector<std::array<std::int16_t, 2>> blocks;
    std::array<int, 2> mostRows{};  ///< distinct ids of a block at most: by target, by source
    double cost = std::numeric_limits<double>::infinity();
};

/// What a card allows.
struct PlanLimits {
    std::size_t sharedBytes = 0;  ///< of a block
    std::size_t sharedBytesPerProcessor = 0;
    int processors = 1;
};

/// Makes a view's plans and takes the one that promises to be fastest on a card.
class PlanChooser {
  public:
    /// `model` and `frame` outlive it.
    PlanChooser(const DirectModel& model, const KernelFrame& frame, const PlanLimits& limits);

    /// Of every tap in a row of the table of values, the same for all plans; negative: not stored.
    [[nodiscard]] const std::vector<int>& positions() const { return table_.position; }
    /// The cheapest plan among `shapes` that the card can run; an infinite cost when there is none.
    [[nodiscard]] ViewPlan best(std::span<const PlanShape> shapes);

  private:
    [[nodiscard]] int sizeA() const { return model_.lattice.size[line_.alongY ? 1 : 0]; }
    [[nodiscard]] int sizeB() const { return model_.lattice.size[line_.alongY ? 0 : 1]; }
    [[nodiscard]] TilePlanner& plannerFor(int lines) const;
    /// Without the numbers of ids, so the cost is a lower bound; infinite when it cannot be used.
    [[nodiscard]] ViewPlan make(PlanShape shape);
    void countRows(ViewPlan& view) const;
    /// Sectors of memory that one plane of some pixels touches, in the mean over where they begin.
    [[nodiscard]] double sectorsOf(const std::vector<TilePlan::Pixel>& pixels) const;
    /// Clocks that a projection takes, roughly: whole waves of blocks, each with a fixed part, the filling of
    /// its tile and the multiplications of its groups. Only compares shapes.
    [[nodiscard]] double costOf(const ViewPlan& view) const;

    const DirectModel& model_;
    const KernelFrame& frame_;
    PlanLimits limits_;
    PlanLine line_;
    PlanForm form_ = PlanForm::AllTaps;
    PlanTable table_;
    std::vector<std::unique_ptr<TilePlanner>> planners_;  ///< for 2 and for 4 lines
};

}  // namespace tof
