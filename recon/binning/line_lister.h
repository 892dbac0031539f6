// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/binning/crystal_places.h"
#include "recon/binning/line_binning.h"

namespace tof {

/// Makes the lines of a list that comes in parts: what listLines() makes of the whole one. Not thread-safe;
/// works by all threads of its pool.
class LineLister {
  public:
    /// Lines between ring crystals. `scan`: what is known of the list beside its events. All else is as for
    /// listLines(). Keeps references to `corrections`, `pool`. Throws BadInput, WrongUse.
    LineLister(const EventList& scan, const Scanner* scanner, std::shared_ptr<const Michelogram> michelogram,
               const Lattice& lattice, const SinogramData* corrections, const ThreadPool& pool);
    /// Lines between the crystals of any scanner; `tof` of count 0: times are not used. Keeps references to
    /// `steps`, `pool`.
    LineLister(const EventList& scan, const Scanner& scanner, const TofBins& tof, const Lattice& lattice,
               const PoseSteps* steps, const ThreadPool& pool);

    /// Throws BadInput, about the first of them, where events name crystals that are not there; `first` is
    /// the number of the first event in its list.
    void requireKnown(const EventList& events, std::uint64_t first) const;
    /// Finds room for the lines of so many events, without which it grows.
    void reserve(std::size_t events);
    /// Adds the lines of events whose crystals are known. `cells`, unless null, gets the number of every
    /// event's line behind what it has, kNoCell where it is left out.
    void add(const EventList& events, std::vector<std::uint32_t>* cells);
    [[nodiscard]] LineData take();

  private:
    void addOnRings(const EventList& events, std::vector<std::uint32_t>* cells);
    void addFree(const EventList& events, std::vector<std::uint32_t>* cells);

    LineData data_;
    std::shared_ptr<LineEvents> lines_ = std::make_shared<LineEvents>();
    const ThreadPool& pool_;
    std::uint32_t crystals_ = 0;  ///< in one pose

    // On rings.
    std::unique_ptr<const CrystalPlaces> places_;
    std::shared_ptr<const Michelogram> michelogram_;
    const SinogramData* corrections_ = nullptr;
    std::vector<float> pairs_;  ///< how many each bin adds up, for corrections
    Lattice asked_;             ///< the image that was asked for

    // Free.
    const PoseSteps* steps_ = nullptr;
};

}  // namespace tof
