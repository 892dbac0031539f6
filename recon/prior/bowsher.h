// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"

namespace tof {

/// Which of its 26 neighbours count for each voxel of a prior: the `kept` whose values in other images of
/// the same lattice (a CT, an MR, a label map), one or more, are nearest to its own; of equal ones those that
/// are nearer, then those before it (J. E. Bowsher and others, IEEE NSS Conf. Rec. (2004) 2488-2492,
/// doi:10.1109/NSSMIC.2004.1462760). As PenaltyTerms::chosen takes it. Of several
/// images the differences are added up, each in standard deviations of its image. `kept` is 1..26.
[[nodiscard]] std::vector<float> bowsherChoice(const std::vector<const Volume*>& anatomies, int kept,
                                               const ThreadPool& pool);

}  // namespace tof
