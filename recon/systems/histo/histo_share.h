// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "recon/data/histo_data.h"
#include "recon/systems/rank_share.h"

namespace tof {

/// One rank's histo-images, and what they are of the whole.
struct HistoShare {
    HistoData own;  ///< lattice and views of the rank; arrays of their size, once they are filled
    RankDivision division;
    std::vector<std::size_t> views;  ///< views of the whole that `own` has
};

/// Whole views where every block has some for every rank, else slabs of the image; without the arrays.
/// `whole` may be without arrays, too. Throws WrongUse where data cannot be divided so.
[[nodiscard]] HistoShare histoShare(const HistoData& whole, const RankRequest& request);

/// Counts and add of the planes that are a neighbour's own become 0, so that totals count every plane once.
void leaveOutHalo(HistoShare& share);

}  // namespace tof
