// SPDX-License-Identifier: Apache-2.0
// What pile-up leaves of coincidences, by the spectra of blocks.
#pragma once

#include <array>

#include "recon/data/crystal_singles.h"
#include "recon/simulate/pile_up.h"

namespace tof {

/// Photons that a block, alive, records within `window_keV` where others follow at random, over those that it
/// would record alone: of photons with a partner, carried out of the window by the light of others or into
/// it. Above 1 where more are carried in. `perSecond`: all photons that come to the block, as deposits() are.
/// 1 where nothing piles up or no spectra are known. Exact but for bins: energies are even within a bin of
/// partners and stand in the middle of a bin of deposits.
[[nodiscard]] double pileUpSurvival(const BlockSpectra& spectra, const std::array<double, 2>& window_keV,
                                    const PileUp& pileUp, double perSecond);

}  // namespace tof
