// SPDX-License-Identifier: Apache-2.0
// Where slices of time come from: host threads, or a device that follows the same photons.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/crystal_singles.h"
#include "recon/data/events.h"
#include "recon/ranks/communicator_of_one.h"
#include "recon/simulate/pair_model.h"
#include "recon/simulate/simulation.h"

namespace tof {

class EngineRegistry;
class SliceResolver;

/// Decays in one slice of time. Time is a circle within it: what happens at its end is near what happens at
/// its beginning, so that slices need not know each other and no coincidence is lost between them. With 100
/// MBq a slice is 164 us long, many thousand coincidence windows.
inline constexpr std::uint64_t kDecaysPerSlice = std::uint64_t{1} << 14U;

/// Attempts of a decay's random numbers: those below try for a place, these belong to its two photons.
inline constexpr std::uint32_t kPhotonNumbers = std::uint32_t{1} << 31U;
/// Tries of a place within the phantom's shapes.
inline constexpr std::uint32_t kPlaceTries = 1'000'000;

/// A scan in time as whoever makes slices needs it. Refers to the model, to threads and to the electronics.
struct TimedModel {
    const PairModel& model;
    const ThreadPool& pool;
    std::uint64_t seed;
    double length_ps;               ///< length of a slice
    double sigma_ps;                ///< time resolution of one photon
    const SliceResolver& resolver;  ///< what becomes of photons that are read out
    bool delayeds;          ///< the coincidences of the delayed window are wanted, not only their number
    std::uint32_t photons;  ///< per slice, in those looked at: for the size of tables
    std::uint32_t prompts;
    /// Gets the counts of all slices that the source gives, without their duration; null: nobody wants them.
    CrystalSingles* singles = nullptr;
};

/// Coincidences of consecutive slices in their order.
struct SliceEvents {
    EventList events;          ///< crystals, times, kinds, scatters, energies
    std::vector<float> share;  ///< share of its slice that had passed when the earlier photon came
    std::vector<std::uint32_t> perSlice;
};

struct SliceBatch {
    SliceEvents prompts;
    SliceEvents delayeds;                   ///< where they are wanted; the numbers per slice always
    std::vector<SimulationReport> reports;  ///< per slice: losses and singles
};

/// Which slices a source makes of those that several make together: so many from the first on, and again
/// every `step` slices.
struct SliceTurns {
    std::uint64_t first = 0;
    std::uint64_t slices = 0;
    std::uint64_t step = 0;
};

/// Makes slices; used by one thread.
class SliceSource {
  public:
    SliceSource() = default;
    SliceSource(const SliceSource&) = delete;
    SliceSource& operator=(const SliceSource&) = delete;
    virtual ~SliceSource() = default;
    /// The slices that follow the last one made, as many as suit where `wanted` events are still missing, at
    /// least one.
    virtual void next(std::uint64_t wanted, SliceBatch& batch) = 0;
    /// How many slices it can make at a time.
    [[nodiscard]] virtual std::uint64_t mostAtOnce() const = 0;
    /// Called before the first slice is made: each next() makes those of one turn, no more than mostAtOnce().
    virtual void takeTurns(const SliceTurns& turns) = 0;
};

/// Begins at slice 0. Throws Unavailable where it cannot.
using SliceMaker = std::function<std::unique_ptr<SliceSource>(const TimedModel& model)>;

/// An engine that follows photons (Engine::offers).
class MakesSlices {
  public:
    virtual ~MakesSlices() = default;
    /// For the `process`-th of those on a machine, among which devices are dealt in turn. Empty: the threads
    /// of whoever simulates.
    [[nodiscard]] virtual SliceMaker slices(int process) const = 0;
};

/// The slices of an engine. Throws WrongUse for one that does not simulate, Unavailable with the sentence why
/// it is not there.
[[nodiscard]] SliceMaker slicesBy(const EngineRegistry& engines, const std::string& engine, int process = 0);

/// What a simulation takes and tells beside its settings; all may be left out.
struct SimulationHooks {
    /// Events made so far; from one thread at a time, may throw Cancelled.
    std::function<void(std::uint64_t)> progress{};
    /// Makes the slices of scans in time; nothing: the pool's threads.
    SliceMaker slices{};
    /// Takes events as they come, in order, and empties the list.
    std::function<void(EventList& events)> take{};
    EventList* delayed = nullptr;       ///< gets the coincidences of the delayed window
    CrystalSingles* singles = nullptr;  ///< gets the crystals' singles
    /// Who makes the same list together with this process, each by its pool's threads or its own `slices`.
    /// The first of them has it in the end and takes events as they come; what the others return has no
    /// events.
    std::shared_ptr<Communicator> ranks = communicatorOfOne();
};

}  // namespace tof
