// SPDX-License-Identifier: Apache-2.0
// Randoms that data are expected to hold, from rates of singles.
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Singles per second of every crystal, from coincidences of a delayed window that lasted `duration_s`: those
/// of groups of 3 x 4 neighbours, fitted to the sums over all their partners (Casey and Hoffman, J. Comput.
/// Assist. Tomogr. 10 (1986) 845), and shared evenly within a group. Each pair expects 2 tau s_i s_j randoms
/// per second. Throws WrongUse where the scanner states no coincidence window or there are no delayeds.
[[nodiscard]] std::vector<double> ratesOfDelayeds(const EventList& delayeds, const Scanner& scanner,
                                                  double duration_s, const ThreadPool& pool);

/// How many randoms of `duration_s` the data's lattice holds: 2 tau s_i s_j over all pairs within acceptance
/// and field of view, by the place that binning would give them; from two million pairs drawn, right to
/// 0.2 %.
[[nodiscard]] double randomsKept(const std::vector<double>& rates, const Scanner& scanner,
                                 const Lattice& lattice, double duration_s, const ThreadPool& pool);

/// Events of a list that lie on the lattice, as binning counts them.
[[nodiscard]] double eventsKept(const EventList& events, const Scanner& scanner, const Lattice& lattice,
                                const ThreadPool& pool);

/// Expected randoms of every view and voxel, in the order of data.counts, `total` in all: products of rates
/// over the directions of each view's cell, the same at every time. The same for any number of threads.
[[nodiscard]] std::vector<float> randomsOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                                const HistoData& data, double total, const ThreadPool& pool);

}  // namespace tof
