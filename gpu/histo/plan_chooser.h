// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gpu/histo/tile_plan.h"
#include "recon/base/parallel.h"
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

/// What is the same for views that are mirror images of each other.
struct PlanLists {
    std::vector<std::uint16_t> sources;  ///< as in TilePlan
    std::vector<std::uint16_t> weights;  ///< as in TilePlan
};

/// A view's plan with what the choice of its shape rests on.
struct ViewPlan {
    TilePlan plan;          ///< without sources and weights
    std::size_t lists = 0;  ///< which of ModelPlans::lists it takes
    /// Where every tap of the view stands in a row of the table of values; negative: not stored.
    std::vector<int> positions;
    std::vector<std::array<std::int16_t, 2>> blocks;
    std::array<int, 2> mostRows{};  ///< distinct ids of a block at most: by target, by source
    double cost = std::numeric_limits<double>::infinity();
};

/// The plans of all views of a model.
struct ModelPlans {
    std::vector<PlanLists> lists;
    std::vector<ViewPlan> views;
    /// False when a view has no plan that the card can run; nothing else may be used then.
    [[nodiscard]] bool usable() const;
};

/// What a card allows.
struct PlanLimits {
    std::size_t sharedBytes = 0;  ///< what a block needs
    std::size_t sharedBytesPerProcessor = 0;
    int processors = 1;
};

/// What plans may multiply by: whatever takes the fewest products, or every tap, so that the same plans serve
/// kernels of fewer taps.
enum class PlanForms { Fewest, AllTaps };

/// Makes plans and takes for every view the one that promises to be fastest on a card: one for all views
/// whose taps are the same but for mirrors and an exchange of x and y, of which 120 views have 22. `frames`:
/// of all views of the model. `shapes` is what blocks are chosen from.
[[nodiscard]] ModelPlans choosePlans(const DirectModel& model, const std::vector<KernelFrame>& frames,
                                     const PlanLimits& limits, const ThreadPool& pool,
                                     std::span<const PlanShape> shapes, PlanForms forms = PlanForms::Fewest);

}  // namespace tof
