// SPDX-License-Identifier: Apache-2.0
// Randoms that data are expected to hold, from rates of singles.
#pragma once

#include <vector>

#include "recon/base/parallel.h"
#include "recon/corrections/partner_loss.h"
#include "recon/data/crystal_singles.h"
#include "recon/data/events.h"
#include "recon/data/histo_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// tau, s: times of two photons of a coincidence differ by less. Throws WrongUse where the scanner states
/// none.
[[nodiscard]] double coincidenceWindow(const Scanner& scanner);

/// Singles per second of every crystal, from coincidences of a delayed window that lasted `duration_s`: those
/// of groups of 3 x 4 neighbours, fitted to the sums over all their partners (Casey and Hoffman, J. Comput.
/// Assist. Tomogr. 10 (1986) 845), and shared evenly within a group. Each pair expects 2 tau s_i s_j randoms
/// per second. Throws WrongUse where the scanner states no coincidence window or there are no delayeds.
[[nodiscard]] std::vector<double> ratesOfDelayeds(const EventList& delayeds, const Scanner& scanner,
                                                  double duration_s, const ThreadPool& pool);

/// Rates from the crystals' own counters, those that dead blocks missed left out, as they make no randoms:
/// 2 tau s_i s_j holds for what is recorded. Throws WrongUse where the singles are of another scanner or
/// none.
[[nodiscard]] std::vector<double> ratesOfSingles(const CrystalSingles& singles, const Scanner& scanner);

/// What each crystal's block leaves of photons that have a partner. It is the share of the time in which it
/// is alive: 1 - (photons that it took time for) x dead time, of blocks that are dead for a fixed time after
/// each; times what pile-up leaves (pile_up_survival.h) where the singles know its spectra. 1 where the
/// scanner states no dead time or the singles do not say what kept blocks busy.
[[nodiscard]] std::vector<double> aliveShares(const CrystalSingles& singles, const Scanner& scanner);

/// Share of all randoms of 2 tau s_i s_j that dead blocks leave (partner_loss.h), if coincidences of one
/// decay lie as randoms do: `coincidences` per second are those that were recorded, as `rates` are; a block
/// is busy `busyPerRecorded` times as often as it records, and misses partners while it is dead. 1 where the
/// scanner states no dead time.
[[nodiscard]] double randomsThatPartnersLeave(const std::vector<double>& rates, const Scanner& scanner,
                                              double coincidences, double busyPerRecorded);

/// How many randoms of `duration_s` the data's lattice holds: 2 tau s_i s_j over all pairs within acceptance
/// and field of view, by the place that binning would give them; from two million pairs, right to 0.1 %.
[[nodiscard]] double randomsKept(const std::vector<double>& rates, const Scanner& scanner,
                                 const Lattice& lattice, double duration_s, const ThreadPool& pool,
                                 const std::vector<WeighedPose>& poses = {});

/// The randoms without a lattice: all that the scanner records.
[[nodiscard]] double randomsAccepted(const std::vector<double>& rates, const Scanner& scanner,
                                     double duration_s);

/// Events of a list that lie on the lattice, as binning counts them. With poses each event is moved back by
/// one of them, as if it were as likely at any time.
[[nodiscard]] double eventsKept(const EventList& events, const Scanner& scanner, const Lattice& lattice,
                                const ThreadPool& pool, const std::vector<WeighedPose>& poses = {});

/// Expected randoms of every view and voxel, in the order of data.counts, `total` in all: products of rates
/// over the directions of each view's cell, the same at every time, and in the mean over the data's poses,
/// where something moved. The same for any number of threads.
[[nodiscard]] std::vector<float> randomsOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                                const HistoData& data, double total, const ThreadPool& pool);

/// The randoms of which dead blocks take some away (partner_loss.h): `total` if they took none.
/// Coincidences of one decay, `pairs`, are taken to lie where the data's counts beyond randoms are; where
/// something moved, as randoms do.
[[nodiscard]] std::vector<float> randomsLeftOfViews(const std::vector<double>& rates, const Scanner& scanner,
                                                    const HistoData& data, double total,
                                                    const DecayPairs& pairs, const ThreadPool& pool);

}  // namespace tof
