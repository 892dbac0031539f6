// SPDX-License-Identifier: Apache-2.0
// What the experiments with single points of paper 000, section 5, have in common.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/lab/view_projection.h"

namespace tof {

// Tails from near the edge leave the lattice, as in Fig. 5; from well inside hardly any does.
inline constexpr double kNearEdge_mm = 208;
inline constexpr double kWellInside_mm = 152;
inline constexpr std::array<Plane, 3> kPlanes{Plane::Transverse, Plane::Sagittal, Plane::Coronal};

/// The papers' lattice, or one of an eighth of its edges for tests.
[[nodiscard]] Lattice paperLattice(const ExperimentContext& context);
/// Three equal points along y in the middle slice, as in Figs. 5 to 7; the outer ones `reach_mm` away.
[[nodiscard]] std::vector<VoxelIndex> pointsAlongY(const Lattice& lattice, double reach_mm);

/// White at 0, black from `peak`.
[[nodiscard]] Tone upTo(double peak);
[[nodiscard]] double peakOf(const Volume& volume);

/// Milliseconds per projection, the mean of the medians of forward and back at 30 degrees; kMissing where the
/// engine does not project it. `whyNot` gets the reason.
[[nodiscard]] double projectionTime_ms(ViewProjections& projections, const std::string& engine,
                                       const KernelSpec& kernel, const ProjectionInput& input, int runs,
                                       const ViewProjections::Checkpoint& checkpoint,
                                       const std::string& strategy = {}, std::string* whyNot = nullptr);

}  // namespace tof
