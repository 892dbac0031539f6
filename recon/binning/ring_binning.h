// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "recon/core/parallel.h"
#include "recon/data/events.h"
#include "recon/data/ring_data.h"
#include "recon/simulate/scanner.h"

namespace tof {

/// Counts events in the sinograms of `michelogram`. With `scanner` the crystals of the list are taken to the
/// nearest place of the nearest ring, seen from the axis; without it they are numbered as RingScanner's. Sets
/// counts, kept and rejected, and mult to the number of crystal pairs that a bin adds up.
/// Throws BadInput when an event names a crystal that is not there, or a crystal lies off every ring.
[[nodiscard]] RingData binEvents(const EventList& events, const Scanner* scanner,
                                 std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice);

/// The lines of events between ring crystals, each on its own line whatever the bins of `michelogram` add up;
/// those that no bin holds are counted and left out. `scanner` as for binEvents(). Throws BadInput.
[[nodiscard]] RingListData listLines(const EventList& events, const Scanner* scanner,
                                     std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice);

/// F^T mult needs the mult of all lines that list-mode could have recorded: sinograms without counts whose
/// mult is the number of crystal pairs times exp(-line integral of the attenuation). Without time of flight,
/// over whose bins it is summed.
[[nodiscard]] RingData allLines(const RingListData& list, const ThreadPool& pool);

/// Multiplies data.mult with exp(-line integral of mu), mu in 1/mm. `progress` gets the share done and may
/// throw.
void applyAttenuation(RingData& data, const Volume& mu, const ThreadPool& pool,
                      const std::function<void(double)>& progress);

}  // namespace tof
