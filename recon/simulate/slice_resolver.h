// SPDX-License-Identifier: Apache-2.0
// What a scanner's electronics make of the photons of a slice of time.
#pragma once

#include <cstdint>
#include <vector>

#include "recon/data/crystal_singles.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/photon_lists.h"
#include "recon/simulate/pile_up.h"
#include "recon/simulate/simulation.h"
#include "recon/simulate/slices.h"

namespace tof {

class LutetiumDecays;

/// What one slice of time gave.
struct Slice {
    std::vector<TimedPhoton> photons;  ///< ascending in time
    std::vector<PhotonCoincidence> prompts;
    std::vector<PhotonCoincidence> delayeds;
    SimulationReport report;
    std::uint64_t index = 0;  ///< among all slices of the scan
};

/// Dead blocks, pile-up, coincidences, the policy for multiples and the system's limit, in this order.
/// Immutable; share between threads. Refers to the model.
///
/// Blocks are dead by Knoll, Radiation Detection and Measurement, section 4.VII; the limit of coincidences is
/// a dead time without a buffer. Both go round the circle of a slice, so that no slice begins idle.
class SliceResolver {
  public:
    /// `length_ps`: of a slice. `physics` switches parts off. `own` are decays in the crystals; null: none.
    SliceResolver(const PairModel& model, const Detection& detection, const Physics& physics,
                  double length_ps, const LutetiumDecays* own = nullptr);
    SliceResolver(const SliceResolver&) = delete;
    SliceResolver& operator=(const SliceResolver&) = delete;

    /// Takes the slice's index, photons of decays in the phantom in any order and the report of what became
    /// of pairs until they were read out; fills in the rest: the coincidences that are recorded, and what
    /// became of every pair.
    void resolve(Slice& slice) const;
    /// Adds the singles of a resolved slice.
    void count(const Slice& slice, CrystalSingles& singles) const;

    /// Whether it does what devices do not: decays in the crystals, the system's limit.
    [[nodiscard]] bool needsHost() const { return own_ != nullptr || perCoincidence_ps_ > 0; }
    /// Whether blocks do more than be dead without being prolonged, or windows more than take all pairs.
    [[nodiscard]] bool losesMore() const;
    [[nodiscard]] bool paralysable() const { return paralysable_; }
    [[nodiscard]] Detection::Multiples multiples() const { return multiples_; }
    /// Refers to this object.
    [[nodiscard]] const PileUp& pileUp() const { return pileUp_; }
    /// Dead time of a block as it acts, ps; photons that pile up are lost, too.
    [[nodiscard]] double dead_ps() const { return dead_ps_; }
    [[nodiscard]] double window_ps() const { return window_ps_; }
    [[nodiscard]] double delay_ps() const { return delay_ps_; }

  private:
    /// What became of a pair of photons that were read out.
    enum class Fate : std::uint8_t {
        Unread,
        OneRead,
        Late,
        Dead,
        PiledUp,
        Beyond,
        Multiple,
        Throttled,
        Counted
    };
    void markDead(std::vector<TimedPhoton>& photons) const;
    void addPiledUp(std::vector<TimedPhoton>& photons) const;
    /// A photon that got what light of `extra` came before the end of its integration.
    void join(TimedPhoton& photon, const TimedPhoton& extra) const;
    [[nodiscard]] std::vector<Fate> judged(const Slice& slice,
                                           const std::vector<PhotonCoincidence>& pairs) const;
    /// Leaves of the pairs that may count those that do. A pair of the delayed window counts where it would
    /// among the prompt ones of the window that its first photon opens.
    void choose(const Slice& slice, std::vector<Fate>& prompts, std::vector<Fate>& delayeds) const;
    void throttle(const Slice& slice, std::vector<Fate>& prompts, std::vector<Fate>& delayeds) const;
    static void settle(Slice& slice, const std::vector<Fate>& prompts);

    const PairModel& model_;
    const LutetiumDecays* own_;
    double length_ps_;
    double window_ps_;
    double delay_ps_;
    double dead_ps_ = 0;
    PileUp pileUp_;
    double perCoincidence_ps_ = 0;
    bool paralysable_ = false;
    bool triggers_ = false;
    Detection::Multiples multiples_ = Detection::Multiples::All;
    std::vector<CrystalCell> cells_;  ///< places of crystals; empty without pile-up
};

enum class Delayeds : std::uint8_t { Counted, Listed };
/// Puts a resolved slice behind those of a batch; `length_ps` is that of a slice. Coincidences of the delayed
/// window come as events or in number alone.
void appendSlice(const Slice& slice, double length_ps, Delayeds delayeds, SliceBatch& batch);

}  // namespace tof
