// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "recon/binning/binning.h"
#include "recon/binning/cell_finder.h"
#include "recon/binning/interaction_points.h"

namespace tof {

/// The grid of views that events are sorted into.
[[nodiscard]] ViewGrid viewGridOf(const Scanner& scanner, const BinningSettings& settings);

/// Where events lie on a lattice by their crystals and times, as depositEvents() has it. Immutable; share
/// between threads.
class EventPlaces {
  public:
    /// What becomes of an event.
    enum class Fate {
        Kept,
        Outside,  ///< it lies beyond the lattice
        Rejected  ///< its line is beyond the acceptance
    };

    EventPlaces(const Scanner& scanner, const BinningSettings& settings, const ThreadPool& pool);

    /// The view of a line of any length.
    [[nodiscard]] std::size_t cell(Vec3 line) const { return finder_.nearest(line); }
    /// Throws BadInput where something moved and the list says no times of its events.
    void requireMoments(const EventList& events) const;

    /// Finds events of a list, of which one thread asks; it is fastest in their order.
    class Walk {
      public:
        /// `first`: the number of events' first one in the whole list. All must outlive it.
        Walk(const EventPlaces& places, const EventList& events, std::uint64_t first);

        /// Throws BadInput where the event names a crystal that the scanner does not have.
        [[nodiscard]] Fate find(std::size_t i);
        /// Whether find() would say Kept: of most events that is known from their crystals' reference points.
        [[nodiscard]] bool keeps(std::size_t i);
        /// The line between the end points of the event found last, mm, where it was not rejected.
        [[nodiscard]] Vec3 line() const { return line_; }
        /// The continuous voxel index of that event's most likely point.
        [[nodiscard]] Vec3 at() const { return at_; }

      private:
        const EventPlaces* places_;
        const EventList* events_;
        std::uint64_t first_;
        std::optional<RigidMotion::Walk> poses_;
        Vec3 line_;
        Vec3 at_;
    };

  private:
    void requireCrystals(std::uint64_t event, std::uint32_t c1, std::uint32_t c2) const;
    [[nodiscard]] bool inside(Vec3 at) const;
    enum class Side { Inside, Outside, Near };
    [[nodiscard]] Side sideOf(Vec3 at, double reach_mm) const;

    Lattice lattice_;
    std::shared_ptr<const RigidMotion> motion_;
    CellFinder finder_;
    InteractionPoints interactions_;
    FaceSpread spread_;
    double farthest_mm_;  ///< that end points lie from reference points, at most
};

}  // namespace tof
