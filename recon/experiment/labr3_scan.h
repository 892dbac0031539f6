// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "recon/data/histo_data.h"
#include "recon/experiment/experiment.h"
#include "recon/phantom/phantom.h"

namespace tof {

inline constexpr std::uint64_t kLabr3ScanSeed = 1;

/// The phantom `spheres`, cut short where the lattice is shorter: activity beyond the lattice's ends would
/// take most of the events and be smeared into its outer slices.
[[nodiscard]] Phantom spheresWithin(const Lattice& lattice);

/// The scan of paper 000, section 6.1: 430 million prompts (or the context's `events`) of the spheres in the
/// LaBr3 scanner, with scatter and randoms and the corrections of both, 40 x 3 views of 144 x 144 x 48 voxels
/// of 4 mm. `from` and `to` are the shares of the context's progress that it spans.
[[nodiscard]] std::shared_ptr<const HistoData> labr3Scan(const ExperimentContext& context, double from,
                                                         double to);

}  // namespace tof
