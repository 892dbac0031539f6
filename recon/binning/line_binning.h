// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/data/line_data.h"
#include "recon/motion/pose_steps.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Counts events in the sinograms of `michelogram`. With `scanner` the crystals of the list are taken to the
/// nearest place of the nearest ring, seen from the axis; without it they are numbered as RingScanner's. Sets
/// counts, kept and rejected, and mult to the number of crystal pairs that a bin adds up.
/// Throws BadInput when an event names a crystal that is not there, or a crystal lies off every ring; `first`
/// is the number of the first event in its list then. `cells`, unless null, gets the bin of every event
/// behind what it has, kNoCell (recon/data/framed_counts.h) where there is none.
[[nodiscard]] SinogramData binEvents(const EventList& events, const Scanner* scanner,
                                     std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice,
                                     std::uint64_t first = 0, std::vector<std::uint32_t>* cells = nullptr);

/// Counts more events in sinograms that binEvents() has made, as it does.
void countEvents(const EventList& events, const Scanner* scanner, SinogramData& data, std::uint64_t first = 0,
                 std::vector<std::uint32_t>* cells = nullptr);

/// Adds lines with counts (mult and add too) to the sinograms of `michelogram`, each by its crystal pair of
/// `crystals`, which `scanner` numbers; bins that no line belongs to have mult 0. Throws BadInput.
[[nodiscard]] SinogramData binLines(const LineData& lines,
                                    const std::vector<std::array<std::uint32_t, 2>>& crystals,
                                    const Scanner& scanner, std::shared_ptr<const Michelogram> michelogram,
                                    const Lattice& lattice);

/// The lines of events between ring crystals, each on its own line whatever the bins of `michelogram` add up;
/// those that no bin holds are counted and left out. `scanner` as for binEvents(). `corrections`: sinograms
/// of the same bins, whose mult and add every event takes its share of, and all lines their mult. Throws
/// BadInput. Without corrections, `scanner` gives every pair its share of the emissions. `cells`, unless
/// null, gets the number of every event's line, kNoCell where it is left out.
[[nodiscard]] LineData listLines(const EventList& events, const Scanner* scanner,
                                 std::shared_ptr<const Michelogram> michelogram, const Lattice& lattice,
                                 const SinogramData* corrections = nullptr,
                                 std::vector<std::uint32_t>* cells = nullptr,
                                 const ThreadPool& pool = ThreadPool());

/// The lines of events between the crystals of any scanner, with the mult and add that the list has. Possible
/// are all pairs whose line passes through the scanner's field of view within its acceptance, each with its
/// share of the emissions unless the list has add; events on others are counted and left out. `tof` are the
/// time bins; count 0: times are not used. `cells` as above. With `steps` lines are those of the reference
/// pose: both ends of an event, which must have times, are moved back by the pose of its time. Throws
/// BadInput.
[[nodiscard]] LineData listLines(const EventList& events, const Scanner& scanner, const TofBins& tof,
                                 const Lattice& lattice, std::vector<std::uint32_t>* cells = nullptr,
                                 const PoseSteps* steps = nullptr, const ThreadPool& pool = ThreadPool());

/// Events that were recorded as bins of `michelogram`, each on the mean line of its bin; mult is the bin's
/// number of crystal pairs. For bins between crystals; throws WrongUse for arc-corrected ones.
[[nodiscard]] LineData linesOfBins(std::shared_ptr<const Michelogram> michelogram,
                                   const std::vector<std::uint32_t>& bins, const Lattice& lattice);

/// Time bins of half a sigma that hold all times possible in a scanner. Throws WrongUse when it states no
/// resolution.
[[nodiscard]] TofBins timeBinsFor(const Scanner& scanner);

}  // namespace tof
