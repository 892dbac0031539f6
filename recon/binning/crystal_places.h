// SPDX-License-Identifier: Apache-2.0
// Crystals of events as those of a ring scanner. Internal to recon/binning.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

class CrystalPlaces {
  public:
    /// `scanner`: what the events' crystals are numbered by; null: the ring scanner itself. Throws BadInput
    /// when a crystal lies off every ring. `first`: number of the first event in its list, for messages.
    CrystalPlaces(const Scanner* scanner, const RingScanner& ring, std::uint64_t first = 0);

    /// The ring crystals of an event. Throws BadInput when it names one that is not there.
    [[nodiscard]] std::array<std::uint32_t, 2> of(const EventList& events, std::size_t event) const;
    /// Throws BadInput, about the first of them, when events name crystals that are not there.
    /// `first` as requireAllKnown() has it.
    void requireKnown(const EventList& events, const ThreadPool& pool, std::uint64_t first = 0) const;

  private:
    std::size_t known_;
    std::uint64_t first_;
    std::vector<std::uint32_t> map_;
};

/// Throws BadInput, about the first one that is wrong, unless both crystals of every event are among `known`;
/// `first` is the number of event 0.
void requireAllKnown(const EventList& events, std::size_t known, const ThreadPool& pool,
                     std::uint64_t first = 0);

/// Throws BadInput unless the list says when its events happened, which `poses` are looked up by.
void requireMoments(const EventList& events, const std::string& poses);

/// dt of an event; 0 where none was measured.
[[nodiscard]] double timeOf(const EventList& events, std::size_t event);

}  // namespace tof
