// SPDX-License-Identifier: Apache-2.0
// Three kernels follow the photons of a round, a warp the same unit of decays in each: emitKernel starts
// pairs and keeps the photons that may reach crystals, flyKernel brings them through the phantom, crossKernel
// through the crystals. Between them photons lie in the unit's queue in device memory, so that each kernel
// holds little, and its lanes take full groups of 32. What few of them need waits in shared memory until 32
// do: places that were found, photons that interact in the phantom, photons that are read out. In the
// crystals photons take different numbers of steps: each lane keeps its photon there, what most of them can
// do comes next, and lanes that are through take the next ones.
#include "gpu/simulate/photon_kernels.h"

#include <algorithm>

#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_photon_kernels {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
constexpr int kBlocksPerProcessor = 8;
constexpr int kCrystalBlocksPerProcessor = 8;
constexpr int kEnoughToChange = 8;    ///< lanes that are through, so that others take their places
constexpr int kEnoughToScatter = 18;  ///< lanes, unless no other flies
constexpr std::uint32_t kUnit = kDecaysPerUnit;
constexpr std::uint32_t kUnitsPerSlice = kDecaysPerSlice / kUnit;
constexpr std::uint32_t kFateWords = PhotonQueue::kFateWords;

// PhotonQueue::id holds: decay in the unit, bit 11 the second photon, bit 12 whether it heads for crystals,
// scatters in seven bits from bit 13.
constexpr std::uint32_t kWhich = (1U << 12U) - 1;
constexpr std::uint32_t kSecond = 1U << 11U;
constexpr std::uint32_t kHeads = 1U << 12U;
constexpr std::uint32_t kScattersFrom = 13;
constexpr std::uint32_t kMaterialFrom = 20;  ///< in InteractionStack alone

/// `Columns` has those of PhotonQueue.
template <class Columns>
__device__ void put(Columns& queue, int at, const Photon& p, std::uint32_t marks, std::uint32_t drawn,
                    std::uint32_t time) {
    queue.x[at] = p.at.x;
    queue.y[at] = p.at.y;
    queue.z[at] = p.at.z;
    queue.dx[at] = p.direction.x;
    queue.dy[at] = p.direction.y;
    queue.dz[at] = p.direction.z;
    queue.energy[at] = p.energy_keV;
    queue.path[at] = p.path_mm;
    queue.id[at] = marks | (p.scatters < 127 ? p.scatters : 127) << kScattersFrom;
    queue.drawn[at] = drawn;
    queue.time[at] = time;
}

template <class Columns>
__device__ Photon get(const Columns& queue, int at) {
    Photon p;
    p.at = {queue.x[at], queue.y[at], queue.z[at]};
    p.direction = {queue.dx[at], queue.dy[at], queue.dz[at]};
    p.energy_keV = queue.energy[at];
    p.path_mm = queue.path[at];
    p.scatters = queue.id[at] >> kScattersFrom & 127U;
    return p;
}

constexpr std::uint32_t kRing = 16;  ///< words of a lane
constexpr int kStack = 2 * kWarp;    ///< less than a warp waits when up to a warp is added

// Words that are drawn at most.
constexpr int kWordsOfPair = 10;        ///< range 5, direction 2, acollinearity 2, time
constexpr int kWordsOfInteraction = 6;  ///< in the phantom, where the first try serves
constexpr int kWordsOfAdvance = 2;      ///< in the crystals
constexpr int kTries = 2;               ///< at a scatter in the crystals, at a time
constexpr int kWordsOfScatter = 3 * kTries + 1;
constexpr int kWordsOfReading = 9;  ///< energy 2, efficiency, place 4, time 2

using RingWords = std::uint32_t[kRing][kWarp];

struct WarpMemory {
    std::uint32_t fates[kFateWords];
    RingWords words;
};

/// Places found that wait for a full warp of them, with the words that their last block still has.
struct PlaceStack {
    float x[kStack], y[kStack], z[kStack];
    std::uint32_t decay[kStack], attempt[kStack], drawn[kStack];
    std::uint32_t rest[3][kStack];
};

/// Photons that have come to an interaction in the phantom; PhotonQueue::id has the material, too.
struct InteractionStack {
    float x[kStack], y[kStack], z[kStack];
    float dx[kStack], dy[kStack], dz[kStack];
    float energy[kStack], path[kStack];
    std::uint32_t id[kStack], drawn[kStack], time[kStack];
};

/// What photons left in the block that is read out of each; their words take the place of those that fly.
struct DepositStack {
    std::uint32_t group[kStack];
    std::int32_t module[kStack];
    float energy[kStack], column[kStack], row[kStack], path[kStack];
    std::array<std::int32_t, 2> first[kStack], most[kStack];
    std::uint32_t id[kStack], drawn[kStack], time[kStack];
};

/// A word as a number in (0, 1].
__device__ float uniformReal(std::uint32_t word) {
    return (static_cast<float>(word) + 0.5F) * (1.0F / 4294967296.0F);
}

/// The words of an attempt from its first on, in registers: for few words, drawn one after the other.
class FirstWords {
  public:
    __device__ FirstWords(const PhiloxRounds& rounds, std::uint64_t event, std::uint32_t attempt)
        : rounds_(rounds), event_(event), attempt_(attempt) {}

    [[nodiscard]] __device__ std::uint32_t word() {
        if (drawn_ % 4 == 0) {
            block_ = philoxBlock(rounds_, event_, attempt_, drawn_ / 4);
        }
        return block_.words[drawn_++ % 4];
    }
    [[nodiscard]] __device__ float uniform() { return uniformReal(word()); }
    [[nodiscard]] __device__ std::uint32_t drawn() const { return drawn_; }
    [[nodiscard]] __device__ const PhiloxWords& block() const { return block_; }

  private:
    const PhiloxRounds& rounds_;
    std::uint64_t event_;
    std::uint32_t attempt_;
    std::uint32_t drawn_ = 0;
    PhiloxWords block_{};
};

/// Words of a lane in shared memory. Lanes that need some make them together (UnitWork::fill), wherever each
/// of them stands; those that are drawn have to be there.
class RingStream {
  public:
    RingStream() = default;
    __device__ RingStream(RingWords& words, int lane, std::uint32_t drawn)
        : ring_(&words[0][lane]), drawn_(drawn), made_(drawn / 4 * 4) {}

    [[nodiscard]] __device__ std::uint32_t word() { return ring_[drawn_++ % kRing * kWarp]; }
    [[nodiscard]] __device__ float uniform() { return uniformReal(word()); }
    [[nodiscard]] __device__ std::uint32_t drawn() const { return drawn_; }
    [[nodiscard]] __device__ std::uint32_t nextBlock() const { return made_ / 4; }
    [[nodiscard]] __device__ int ahead() const { return static_cast<int>(made_ - drawn_); }
    __device__ void take(const PhiloxWords& block) {
        std::uint32_t* const to = ring_ + made_ % kRing * kWarp;  // whole blocks begin at whole blocks
        for (std::uint32_t i = 0; i < 4; ++i) {
            to[i * kWarp] = block.words[i];
        }
        made_ += 4;
    }
    /// Takes the last three words of the block in which it begins.
    __device__ void resume(std::uint32_t one, std::uint32_t two, std::uint32_t three) {
        made_ = (drawn_ + 3) / 4 * 4;
        ring_[(made_ - 3) % kRing * kWarp] = one;
        ring_[(made_ - 2) % kRing * kWarp] = two;
        ring_[(made_ - 1) % kRing * kWarp] = three;
    }
    /// Others took its place in shared memory.
    __device__ void forget() { made_ = drawn_ / 4 * 4; }

  private:
    std::uint32_t* ring_ = nullptr;
    std::uint32_t drawn_ = 0;
    std::uint32_t made_ = 0;
};

__device__ int placeAmong(unsigned mask, int lane) {
    return __popc(mask & ((1U << static_cast<unsigned>(lane)) - 1U));
}

/// How many of those that wait are taken, from the end of a stack.
__device__ int takeUpToAWarp(int& waiting) {
    const int n = waiting < kWarp ? waiting : kWarp;
    waiting -= n;
    return n;
}

/// What every kernel does for its unit of decays.
class UnitWork {
  public:
    __device__ UnitWork(const PhotonTables& tables, const SliceTables& slices, WarpMemory& memory, int lane,
                        std::uint32_t slot)
        : tables_(tables),
          slices_(slices),
          memory_(memory),
          queue_(slices.queues[slot]),
          lane_(lane),
          slice_(slices.firstOfRound + slot / kUnitsPerSlice),
          firstInSlice_(slot % kUnitsPerSlice * kUnit),
          firstDecay_((slices.firstSlice + slice_) * kDecaysPerSlice + firstInSlice_) {}

  protected:
    [[nodiscard]] __device__ RingStream wordsFrom(std::uint32_t drawn) const {
        return {memory_.words, lane_, drawn};
    }
    /// The event and attempt that a photon's numbers have.
    [[nodiscard]] __device__ std::uint64_t eventOf(std::uint32_t which) const {
        return firstDecay_ + (which & (kUnit - 1));
    }
    [[nodiscard]] static __device__ std::uint32_t attemptOf(std::uint32_t which) {
        return kPhotonNumbers + ((which & kSecond) != 0 ? 1U : 0U);
    }
    /// So many words ahead at least, 13 at most.
    __device__ void fill(RingStream& random, std::uint64_t event, std::uint32_t attempt, int words) const {
        while (random.ahead() < words) {
            random.take(philoxBlock(tables_.rounds, event, attempt, random.nextBlock()));
        }
    }
    __device__ void fill(RingStream& random, std::uint32_t which, int words) const {
        fill(random, eventOf(which), attemptOf(which), words);
    }

    __device__ void lose(std::uint32_t which, PhotonFate fate) {
        const std::uint32_t decay = which & (kUnit - 1);
        const std::uint32_t shift = decay % 8 * 4 + ((which & kSecond) != 0 ? 2 : 0);
        atomicOr(&memory_.fates[decay / 8], static_cast<std::uint32_t>(fate) << shift);
    }

    __device__ void takeFates() {
        for (std::uint32_t i = static_cast<std::uint32_t>(lane_); i < kFateWords; i += kWarp) {
            memory_.fates[i] = queue_.fates[i];
        }
        __syncwarp();
    }
    __device__ void leaveFates() {
        __syncwarp();
        for (std::uint32_t i = static_cast<std::uint32_t>(lane_); i < kFateWords; i += kWarp) {
            queue_.fates[i] = memory_.fates[i];
        }
    }

    /// A photon's words, made where ready() says so: for draws of which nobody knows how many there will be.
    class Filling : public RingStream {
      public:
        __device__ Filling(const UnitWork& work, std::uint32_t which, std::uint32_t drawn)
            : RingStream(work.wordsFrom(drawn)), work_(work), which_(which) {}
        __device__ void fill(int words) { work_.fill(*this, which_, words); }
        friend __device__ void ready(Filling& random, int words) { random.fill(words); }

      private:
        const UnitWork& work_;
        std::uint32_t which_;
    };

    const PhotonTables& tables_;
    const SliceTables& slices_;
    WarpMemory& memory_;
    PhotonQueue& queue_;
    int lane_;
    std::uint32_t slice_;
    std::uint32_t firstInSlice_;
    std::uint64_t firstDecay_;
};

class Emission : public UnitWork {
  public:
    __device__ Emission(const PhotonTables& tables, const SliceTables& slices, WarpMemory& memory,
                        PlaceStack& places, int lane, std::uint32_t slot)
        : UnitWork(tables, slices, memory, lane, slot), places_(places) {}

    __device__ void run() {
        for (std::uint32_t i = static_cast<std::uint32_t>(lane_); i < kFateWords; i += kWarp) {
            memory_.fates[i] = 0;
        }
        use_ = tables_.compton == Compton::Turns ? firstUse(*tables_.cut) : 0;
        __syncwarp();
        while (true) {
            const unsigned idle = __ballot_sync(kAllLanes, !seeks_);
            if (waiting_ >= kWarp || (waiting_ > 0 && idle == kAllLanes && next_ == kUnit)) {
                startPairs();
            } else if (idle != kAllLanes || next_ < kUnit) {
                seekPlaces(idle);
            } else {
                break;
            }
            __syncwarp();
        }
        if (lane_ == 0) {
            queue_.flying = static_cast<std::uint32_t>(flying_);
        }
        leaveFates();
    }

  private:
    /// A try of every lane at a place; those that have found one take the next decay.
    __device__ void seekPlaces(unsigned idle) {
        if (!seeks_) {
            decay_ = next_ + static_cast<std::uint32_t>(placeAmong(idle, lane_));
            seeks_ = decay_ < kUnit;
            attempt_ = 0;
        }
        next_ = min(next_ + static_cast<std::uint32_t>(__popc(idle)), kUnit);
        bool found = false;
        Vec3 place;
        FirstWords random(tables_.rounds, firstDecay_ + decay_, attempt_);
        if (seeks_) {
            found = drawEmission(tables_.emission, random, place) || attempt_ + 1 == kPlaceTries;
            ++attempt_;
        }
        __syncwarp();
        const unsigned mask = __ballot_sync(kAllLanes, found);
        if (found) {
            const int at = waiting_ + placeAmong(mask, lane_);
            places_.x[at] = static_cast<float>(place.x);
            places_.y[at] = static_cast<float>(place.y);
            places_.z[at] = static_cast<float>(place.z);
            places_.decay[at] = decay_;
            places_.attempt[at] = attempt_ - 1;
            places_.drawn[at] = random.drawn();
            for (std::uint32_t i = 0; i < 3; ++i) {
                places_.rest[i][at] = random.block().words[i + 1];
            }
            seeks_ = false;
        }
        waiting_ += __popc(mask);
    }

    /// Both photons of up to 32 decays.
    __device__ void startPairs() {
        const int n = takeUpToAWarp(waiting_);
        const int at = waiting_ + lane_;
        Photon first;
        Photon second;
        std::uint32_t decay = 0;
        std::uint32_t time = 0;
        if (lane_ < n) {
            decay = places_.decay[at];
            RingStream random = wordsFrom(places_.drawn[at]);
            random.resume(places_.rest[0][at], places_.rest[1][at], places_.rest[2][at]);
            fill(random, firstDecay_ + decay, places_.attempt[at], kWordsOfPair);
            const PairPhysicsPart part{tables_.range, tables_.moves, tables_.acollinear};
            first = drawFirst(part, {places_.x[at], places_.y[at], places_.z[at]}, random);
            second = drawSecond(part, first, random);
            time = random.word();
        }
        __syncwarp();
        start(lane_ < n, first, decay, time);
        start(lane_ < n, second, decay | kSecond, time);
    }

    /// Keeps a photon that heads for crystals or may be turned there.
    __device__ void start(bool mine, const Photon& photon, std::uint32_t which, std::uint32_t time) {
        bool kept = false;
        bool heads = false;
        std::uint32_t drawn = 0;
        if (mine) {
            heads = headsForCrystals(tables_.crystals, photon);
            kept = heads;
            if (!heads && use_ > 0) {  // as mayBeTurned() draws it
                FirstWords random(tables_.rounds, eventOf(which), attemptOf(which));
                kept = use_ > 1 || random.uniform() < use_;
                drawn = random.drawn();
            }
            if (!kept) {
                lose(which, PhotonFate::Missed);
            }
        }
        __syncwarp();
        const unsigned mask = __ballot_sync(kAllLanes, kept);
        if (kept) {
            put(queue_, flying_ + placeAmong(mask, lane_), photon, which | (heads ? kHeads : 0U), drawn,
                time);
        }
        flying_ += __popc(mask);
    }

    struct PairPhysicsPart {
        const PositronRange& range;
        bool moves;
        bool acollinear;
    };

    PlaceStack& places_;
    float use_ = 0;  ///< share of photons that a scatter may leave enough
    int waiting_ = 0;
    int flying_ = 0;
    std::uint32_t next_ = 0;
    bool seeks_ = false;
    std::uint32_t decay_ = 0;
    std::uint32_t attempt_ = 0;
};

/// Takes photons from the end of those that fly; what enters crystals is kept from the queue's end downwards.
/// A photon taken leaves room for the one that it becomes.
class Flight : public UnitWork {
  public:
    __device__ Flight(const PhotonTables& tables, const SliceTables& slices, WarpMemory& memory,
                      InteractionStack& interactions, int lane, std::uint32_t slot)
        : UnitWork(tables, slices, memory, lane, slot), interactions_(interactions) {}

    __device__ void run() {
        takeFates();
        flying_ = static_cast<int>(queue_.flying);
        while (flying_ > 0 || waiting_ > 0) {
            if (waiting_ >= kWarp || flying_ == 0) {
                interactThose();
            } else {
                fly();
            }
            __syncwarp();
        }
        if (lane_ == 0) {
            queue_.entering = static_cast<std::uint32_t>(entering_);
        }
        leaveFates();
    }

  private:
    /// Flies up to 32 photons to their next interaction in the phantom or out of it.
    __device__ void fly() {
        const int n = takeUpToAWarp(flying_);
        Photon photon;
        std::int32_t material = -1;
        bool enters = false;
        std::uint32_t marks = 0;
        std::uint32_t time = 0;
        std::uint32_t drawn = 0;
        if (lane_ < n) {
            const int at = flying_ + lane_;
            photon = get(queue_, at);
            marks = queue_.id[at] & (kWhich | kHeads);
            time = queue_.time[at];
            Filling random(*this, marks & kWhich, queue_.drawn[at]);
            material = reachInteraction(tables_.medium, photon, random);
            drawn = random.drawn();
            enters = material < 0 && (marks & kHeads) != 0;
            if (material < 0 && !enters) {
                lose(marks & kWhich, PhotonFate::Missed);
            }
        }
        __syncwarp();
        const unsigned interacting = __ballot_sync(kAllLanes, material >= 0);
        const unsigned entered = __ballot_sync(kAllLanes, enters);
        if (material >= 0) {
            put(interactions_, waiting_ + placeAmong(interacting, lane_), photon,
                marks | static_cast<std::uint32_t>(material) << kMaterialFrom, drawn, time);
        }
        if (enters) {
            put(queue_, PhotonQueue::kRoom - 1 - entering_ - placeAmong(entered, lane_), photon, marks, drawn,
                time);
        }
        waiting_ += __popc(interacting);
        entering_ += __popc(entered);
    }

    /// Up to 32 interactions in the phantom; photons that may still be of use fly on.
    __device__ void interactThose() {
        const int n = takeUpToAWarp(waiting_);
        Photon photon;
        bool again = false;
        std::uint32_t marks = 0;
        std::uint32_t time = 0;
        std::uint32_t drawn = 0;
        if (lane_ < n) {
            const int at = waiting_ + lane_;
            photon = get(interactions_, at);
            const std::uint32_t id = interactions_.id[at];
            marks = id & kWhich;
            time = interactions_.time[at];
            Filling random(*this, marks, interactions_.drawn[at]);
            random.fill(kWordsOfInteraction);
            const FlightEnd end = interact(
                tables_.medium, static_cast<std::int32_t>(id >> kMaterialFrom), photon, tables_.compton,
                (id & kHeads) != 0 ? PhotonAim::Crystals : PhotonAim::Elsewhere, *tables_.cut, random);
            if (end == FlightEnd::Scattered) {
                const bool heads = headsForCrystals(tables_.crystals, photon);
                again = heads || mayBeTurned(tables_.compton, *tables_.cut, photon, random);
                marks |= heads ? kHeads : 0U;
            }
            if (!again) {
                lose(marks & kWhich,
                     end == FlightEnd::Scattered ? PhotonFate::Missed : PhotonFate::Attenuated);
            }
            drawn = random.drawn();
        }
        __syncwarp();
        const unsigned scattered = __ballot_sync(kAllLanes, again);
        if (again) {
            put(queue_, flying_ + placeAmong(scattered, lane_), photon, marks, drawn, time);
        }
        flying_ += __popc(scattered);
    }

    InteractionStack& interactions_;
    int flying_ = 0;
    int waiting_ = 0;
    int entering_ = 0;
};

/// `everyBlock`: Readout::everyBlock.
template <bool everyBlock>
class Crossing : public UnitWork {
  public:
    __device__ Crossing(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
                        WarpMemory& memory, DepositStack& stack, int lane, std::uint32_t slot)
        : UnitWork(tables, slices, memory, lane, slot), times_(times), stack_(stack) {}

    /// Whatever most lanes can do together comes next.
    __device__ void run() {
        takeFates();
        entering_ = static_cast<int>(queue_.entering);
        InCrystals mine;
        CrystalDeposits deposits;
        while (true) {
            change(mine, deposits);
            const int flying = __popc(__ballot_sync(kAllLanes, mine.state == Lane::Flies));
            const int scattering = __popc(__ballot_sync(kAllLanes, mine.state == Lane::Scatters));
            if (waiting_ >= kWarp || (waiting_ > 0 && flying + scattering == 0)) {
                readOutWaiting();
                mine.random.forget();
            } else if (scattering >= kEnoughToScatter || (flying == 0 && scattering > 0)) {
                scatter(mine, deposits);
            } else if (flying > 0) {
                advance(mine, deposits);
            } else if (!__any_sync(kAllLanes, mine.state == Lane::Through)) {
                break;  // those that were through as they came are let go by the next change()
            }
            __syncwarp();
        }
        __syncwarp();
        count();
    }

  private:
    enum class Lane : std::uint8_t { Idle, Flies, Scatters, Through };

    /// A photon on its way through the crystals.
    struct InCrystals {
        Lane state = Lane::Idle;
        Photon photon;
        CrystalWay way;
        std::uint32_t which = 0;
        std::uint32_t time = 0;
        RingStream random;
    };

    /// Once they are some, photons that are through go and those that wait take their lanes.
    __device__ void change(InCrystals& mine, CrystalDeposits& deposits) {
        const unsigned through = __ballot_sync(kAllLanes, mine.state == Lane::Through);
        const unsigned idle = __ballot_sync(kAllLanes, mine.state == Lane::Idle) | through;
        const int n = min(__popc(idle), entering_);
        if (__popc(idle) < kEnoughToChange && idle != kAllLanes) {
            return;
        }
        if (through != 0) {
            letGo(mine, deposits);
        }
        const int place = placeAmong(idle, lane_);
        if (mine.state == Lane::Idle && place < n) {
            const int at = PhotonQueue::kRoom - entering_ + place;
            mine.photon = get(queue_, at);
            mine.way.reach = enterCrystals(tables_.crystals, mine.photon);
            mine.way.module = -1;
            mine.state = mine.way.reach > 0 ? Lane::Flies : Lane::Through;
            mine.which = queue_.id[at] & kWhich;
            mine.time = queue_.time[at];
            mine.random = wordsFrom(queue_.drawn[at]);
            deposits.count = 0;
        }
        entering_ -= n;
        __syncwarp();
    }

    __device__ void letGo(InCrystals& mine, const CrystalDeposits& deposits) {
        const bool through = mine.state == Lane::Through;
        if (through) {
            mine.state = Lane::Idle;
            if (deposits.count == 0) {
                lose(mine.which, PhotonFate::Missed);
            }
        }
        const bool left = through && deposits.count > 0;
        if constexpr (everyBlock) {
            readOutAll(left, mine, deposits);
        } else {
            letWait(left, mine, deposits);
        }
    }

    /// A step of every photon that flies.
    __device__ void advance(InCrystals& mine, CrystalDeposits& deposits) {
        if (mine.state == Lane::Flies) {
            fill(mine.random, mine.which, kWordsOfAdvance);
            switch (advanceInCrystals(tables_.crystals, mine.photon, mine.way, tables_.crystalCompton,
                                      mine.random, deposits)) {
                case CrystalStep::Flies: break;
                case CrystalStep::Through: mine.state = Lane::Through; break;
                case CrystalStep::Scatters: mine.state = Lane::Scatters; break;
            }
        }
    }

    /// Scatters those that are accepted within some tries; others try again with the next ones.
    __device__ void scatter(InCrystals& mine, CrystalDeposits& deposits) {
        if (mine.state == Lane::Scatters) {
            fill(mine.random, mine.which, kWordsOfScatter);
            ComptonScatter after;
            bool accepted = false;
            for (int k = 0; k < kTries && !accepted; ++k) {
                accepted = tryCompton(mine.photon.energy_keV, mine.random, after);
            }
            if (accepted) {
                mine.way.reach = scatterInCrystals(tables_.crystals, mine.way.place, after, mine.photon,
                                                   mine.random, deposits);
                mine.state = mine.way.reach > 0 ? Lane::Flies : Lane::Through;
            }
        }
    }

    /// Keeps what photons left until a warp of them is read out.
    __device__ void letWait(bool left, const InCrystals& mine, const CrystalDeposits& deposits) {
        const unsigned mask = __ballot_sync(kAllLanes, left);
        if (left) {
            const int at = waiting_ + placeAmong(mask, lane_);
            const GroupDeposit most = largestOf(deposits);
            stack_.group[at] = most.group;
            stack_.module[at] = most.module;
            stack_.energy[at] = most.energy_keV;
            stack_.column[at] = most.column;
            stack_.row[at] = most.row;
            stack_.path[at] = most.path_mm;
            stack_.first[at] = most.first;
            stack_.most[at] = most.most;
            stack_.id[at] = mine.which | (mine.photon.scatters < 127 ? mine.photon.scatters : 127U)
                                             << kScattersFrom;
            stack_.drawn[at] = mine.random.drawn();
            stack_.time[at] = mine.time;
        }
        waiting_ += __popc(mask);
    }

    /// What one photon was, where it is read out.
    struct WasPhoton {
        std::uint32_t which;
        std::uint32_t scatters;
        std::uint32_t time;
    };

    __device__ void readOutWaiting() {
        const int n = takeUpToAWarp(waiting_);
        const int at = waiting_ + lane_;
        bool busy = false;
        DevicePhoton record{};
        Single single;
        if (lane_ < n) {
            GroupDeposit most;
            most.group = stack_.group[at];
            most.module = stack_.module[at];
            most.energy_keV = stack_.energy[at];
            most.column = stack_.column[at];
            most.row = stack_.row[at];
            most.path_mm = stack_.path[at];
            most.first = stack_.first[at];
            most.most = stack_.most[at];
            const std::uint32_t id = stack_.id[at];
            const WasPhoton was{id & kWhich, id >> kScattersFrom, stack_.time[at]};
            RingStream random = wordsFrom(stack_.drawn[at]);
            busy = read(most, was, 0U, random, single, record);
        }
        keep(busy, record, single.group);
    }

    /// Reads out a block; whether it is busy, and the record of it. A photon that is not recorded there is
    /// lost.
    __device__ bool read(const GroupDeposit& deposit, const WasPhoton& was, std::uint32_t bits,
                         RingStream& random, Single& single, DevicePhoton& record) {
        fill(random, was.which, kWordsOfReading);
        const bool inWindow = readBlock(tables_.crystals, tables_.readout, deposit, random, single);
        if (!inWindow && bits == 0) {
            lose(was.which, PhotonFate::OutsideWindow);
        }
        const bool busy = single.energy_keV >= tables_.readout.trigger_keV;
        if (busy) {
            record = recordOf(was, single, bits | (inWindow ? kWindowBit : 0U), random);
        }
        return busy;
    }

    /// Reads out every block where photons left something: the one with the most first.
    __device__ void readOutAll(bool left, InCrystals& mine, const CrystalDeposits& deposits) {
        const WasPhoton was{mine.which, mine.photon.scatters, mine.time};
        DevicePhoton record{};
        Single single;
        bool busy = left && read(largestOf(deposits), was, 0U, mine.random, single, record);
        keep(busy, record, single.group);
        for (std::int32_t i = 0; i < CrystalDeposits::kGroups; ++i) {
            Single part;
            busy = left && i < deposits.count && deposits[i].group != single.group &&
                   read(deposits[i], was, kPartBit, mine.random, part, record);
            keep(busy, record, part.group);
        }
    }

    /// A block that a photon made busy, and when.
    [[nodiscard]] __device__ DevicePhoton recordOf(const WasPhoton& was, const Single& single,
                                                   std::uint32_t bits, RingStream& random) {
        constexpr float kPsPerMm = static_cast<float>(1 / (2 * kMmPerPs));
        const double late = static_cast<double>(single.path_mm * kPsPerMm) * times_.ticksPerPs +
                            static_cast<double>(times_.sigmaTicks * drawNormal(random));
        DevicePhoton record{};
        record.time = was.time + static_cast<std::uint32_t>(static_cast<std::int64_t>(rint(late)));
        record.crystal = single.crystal;
        record.energy_keV = single.energy_keV;
        record.what = (firstInSlice_ + (was.which & (kUnit - 1))) |
                      ((was.which & kSecond) != 0 ? kSecondBit : 0U) | bits |
                      (single.unrecorded ? kUnrecordedBit : 0U) |
                      (was.scatters < 127 ? was.scatters : 127U) << kScatterShift;
        return record;
    }

    /// Puts the records of those lanes that have one behind those of the slice.
    __device__ void keep(bool busy, const DevicePhoton& record, std::uint32_t group) {
        __syncwarp();
        const unsigned mask = __ballot_sync(kAllLanes, busy);
        std::uint32_t base = 0;
        if (lane_ == 0 && mask != 0) {
            base = atomicAdd(&slices_.counts[slice_].photons, static_cast<std::uint32_t>(__popc(mask)));
        }
        base = __shfl_sync(kAllLanes, base, 0);
        const std::uint32_t place = base + static_cast<std::uint32_t>(placeAmong(mask, lane_));
        if (busy && place < slices_.photonRoom) {
            const std::size_t to = static_cast<std::size_t>(slice_) * slices_.photonRoom + place;
            slices_.photons[to] = record;
            slices_.groups[to] = group;
        }
    }

    /// What became of the unit's pairs: of the first photon, else of the second.
    __device__ void count() {
        std::uint32_t attenuated = 0;
        std::uint32_t missed = 0;
        std::uint32_t outside = 0;
        for (std::uint32_t i = static_cast<std::uint32_t>(lane_); i < kFateWords; i += kWarp) {
            const std::uint32_t fates = memory_.fates[i];
            const std::uint32_t first = fates & 0x33333333U;
            const std::uint32_t second = (fates >> 2U) & 0x33333333U;
            const std::uint32_t lostFirst = (first | first >> 1U) & 0x11111111U;
            const std::uint32_t lost = first | (second & ~(lostFirst * 3U));
            attenuated += __popc(lost & ~(lost >> 1U) & 0x11111111U);
            missed += __popc(~lost & (lost >> 1U) & 0x11111111U);
            outside += __popc(lost & (lost >> 1U) & 0x11111111U);
        }
        for (int step = kWarp / 2; step > 0; step /= 2) {
            attenuated += __shfl_xor_sync(kAllLanes, attenuated, step);
            missed += __shfl_xor_sync(kAllLanes, missed, step);
            outside += __shfl_xor_sync(kAllLanes, outside, step);
        }
        if (lane_ == 0) {
            atomicAdd(&slices_.counts[slice_].attenuated, attenuated);
            atomicAdd(&slices_.counts[slice_].missed, missed);
            atomicAdd(&slices_.counts[slice_].outside, outside);
        }
    }

    const SliceTimes& times_;
    DepositStack& stack_;
    int entering_ = 0;
    int waiting_ = 0;
};

__global__ void __launch_bounds__(kThreads, kBlocksPerProcessor)
    emitKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTables slices) {
    __shared__ WarpMemory sm_warps[kWarps];
    __shared__ PlaceStack sm_places[kWarps];
    const std::uint32_t warp = threadIdx.x / kWarp;
    const std::uint32_t slot = blockIdx.x * kWarps + warp;
    Emission(tables, slices, sm_warps[warp], sm_places[warp], static_cast<int>(threadIdx.x) % kWarp, slot)
        .run();
}

__global__ void __launch_bounds__(kThreads, kBlocksPerProcessor)
    flyKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTables slices) {
    __shared__ WarpMemory sm_warps[kWarps];
    __shared__ InteractionStack sm_interactions[kWarps];
    const std::uint32_t warp = threadIdx.x / kWarp;
    const std::uint32_t slot = blockIdx.x * kWarps + warp;
    Flight(tables, slices, sm_warps[warp], sm_interactions[warp], static_cast<int>(threadIdx.x) % kWarp, slot)
        .run();
}

template <bool everyBlock>
__global__ void __launch_bounds__(kThreads, kCrystalBlocksPerProcessor)
    crossKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTimes times,
                const __grid_constant__ SliceTables slices) {
    __shared__ WarpMemory sm_warps[kWarps];
    __shared__ DepositStack sm_deposits[kWarps];
    const std::uint32_t warp = threadIdx.x / kWarp;
    const std::uint32_t slot = blockIdx.x * kWarps + warp;
    Crossing<everyBlock>(tables, times, slices, sm_warps[warp], sm_deposits[warp],
                         static_cast<int>(threadIdx.x) % kWarp, slot)
        .run();
}

}  // namespace in_photon_kernels
using namespace in_photon_kernels;

void transport(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
               cudaStream_t stream, const SideStream& side) {
    static_assert(kUnitsPerSlice % kWarps == 0);
    static_assert(kRoundsAtOnce == 2, "one stream for each");
    check(cudaEventRecord(side.begun, stream), "follow photons");
    check(cudaStreamWaitEvent(side.stream, side.begun), "follow photons");
    SliceTables round = slices;
    bool aside = false;
    for (std::uint32_t first = 0; first < slices.slices; first += slices.slicesPerRound, aside = !aside) {
        round.firstOfRound = first;
        round.queues = slices.queues + (aside ? slices.slicesPerRound * kUnitsPerSlice : 0);
        const std::uint32_t n = std::min(slices.slicesPerRound, slices.slices - first);
        const unsigned blocks = n * kUnitsPerSlice / kWarps;
        cudaStream_t const its = aside ? side.stream : stream;
        emitKernel<<<blocks, kThreads, 0, its>>>(tables, round);
        flyKernel<<<blocks, kThreads, 0, its>>>(tables, round);
        (tables.readout.everyBlock ? crossKernel<true> : crossKernel<false>)<<<blocks, kThreads, 0, its>>>(
            tables, times, round);
        checkLaunch("follow photons", {n});
    }
    check(cudaEventRecord(side.done, side.stream), "follow photons");
    check(cudaStreamWaitEvent(stream, side.done), "follow photons");
}

}  // namespace tof::device
