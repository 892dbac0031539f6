// SPDX-License-Identifier: Apache-2.0
// Two projections of the same view and what sets them apart: what the kernel lab shows and
// `tofscope-cli project` writes.
#pragma once

#include <array>

#include "recon/lab/view_projection.h"
#include "recon/metrics/profile.h"

namespace tof {

/// One side of a comparison.
struct ComparedProjection {
    std::shared_ptr<const Volume> volume;  ///< null where whyNot says why
    std::string where;                     ///< as Projection::where
    std::string note;                      ///< as Projection::note
    std::string whyNot;
    double prepare_ms = 0;
    double project_ms = 0;
};

struct ProjectionComparison {
    std::array<ComparedProjection, 2> sides;
    std::shared_ptr<const Volume> difference;  ///< first - second; null unless both are there
    std::optional<DifferenceFigures> figures;  ///< figures of the difference
    double peak = 0;                           ///< largest value of the first
};

/// Projects by both ways and takes their difference. `checkpoint` is called between the steps and may throw.
[[nodiscard]] ProjectionComparison compareProjections(ViewProjections& projections,
                                                      const std::array<Projecting, 2>& ways,
                                                      const ProjectionInput& input, View view,
                                                      const ViewProjections::Checkpoint& checkpoint);

/// One way of projecting points for a picture that cannot wait.
struct QuickProjecting {
    ProjectionKind kind = ProjectionKind::Forward;
    std::shared_ptr<const KernelOutline> kernel;  ///< null: this side is left out
};

/// Compares points through QuickPoints, whatever engines are asked for: to the rounding of single
/// precision what they will give. Where both sides are the same but for their engines there is no difference:
/// it would be nothing but rounding. Nothing for an image, and for kernels that would take too long.
[[nodiscard]] std::optional<ProjectionComparison> quickComparison(
    const std::array<QuickProjecting, 2>& ways, const ProjectionInput& input,
    const ViewProjections::Checkpoint& checkpoint);

}  // namespace tof
