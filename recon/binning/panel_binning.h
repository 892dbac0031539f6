// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/data/panel_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Counts the events of two panels by their lines. The share of photons that such a scanner records goes into
/// the geometry's efficiency (recordedShare). `cells`, unless null, gets the line of every event, kNoCell
/// (recon/data/framed_counts.h) where there is none. Throws WrongUse for any other scanner.
[[nodiscard]] PanelData binPanel(const EventList& events, const Scanner& scanner,
                                 std::vector<std::uint32_t>* cells = nullptr);

/// Counts more events in data that binPanel() has made, as it does.
void countPanel(const EventList& events, PanelData& data, std::vector<std::uint32_t>* cells = nullptr);

/// How the randoms in the counts, of which coincidences of a delayed window are another sample, are dealt
/// with.
enum class PanelRandoms {
    Add,       ///< their mean goes into add, which the model expects; counts stay Poisson
    Subtract,  ///< taken from the counts line by line; what falls below zero becomes zero, which biases
               ///< upwards
};
/// What became of them.
struct PanelRandomsTally {
    double delayeds = 0;       ///< delayeds of lines between the panels
    double clippedLines = 0;   ///< that fell below zero, by `Subtract`
    double clippedCounts = 0;  ///< how much they did so: the counts that the data have too many
};
/// Mean of randoms for `Add`: lines of any two crystals of both heads meet by chance as often as the
/// crystals' own rates say, so the mean of a line is the delayeds of its one crystal times those of the other
/// over all. Throws WrongUse where the delayeds' crystals are not the panels'.
[[nodiscard]] PanelRandomsTally correctRandoms(PanelData& data, const EventList& delayeds, PanelRandoms how);

/// Multiplies mult by the share of pairs that survive `mu` (1/mm) between the reference points of the
/// crystals. `progress` gets the share done and may throw Cancelled.
void attenuatePanel(PanelData& data, const Scanner& scanner, const Volume& mu, const ThreadPool& pool,
                    const std::function<void(double)>& progress);

}  // namespace tof
