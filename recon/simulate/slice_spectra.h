// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/data/crystal_singles.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/photon_lists.h"

namespace tof {

/// Spectra of the photons of a slice before its blocks are dead or anything piles up: both photons of a decay
/// stand beside each other, as they are followed.
[[nodiscard]] BlockSpectra spectraOf(const std::vector<TimedPhoton>& photons, const PairModel& model);

}  // namespace tof
