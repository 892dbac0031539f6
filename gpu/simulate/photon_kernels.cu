// SPDX-License-Identifier: Apache-2.0
// Three kernels follow the photons of a round, a warp the same unit of decays in each: emitKernel starts
// pairs and keeps the photons that may reach crystals, flyKernel brings them through the phantom, crossKernel
// through the crystals. Between them photons lie in the unit's queue in device memory, so that each kernel
// holds little, and its lanes take full groups of 32. What few of them need waits in shared memory until 32
// do: places that were found, photons that interact in the phantom, photons that are read out. In the
// crystals photons take different numbers of steps: each lane keeps its photon there, all take a step
// together, and lanes that are through take the next ones. resolve: a block takes a slice.
#include "gpu/simulate/photon_kernels.h"

#include <algorithm>

#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"
#include "recon/simulate/philox_block.h"

namespace tof::device {

namespace in_photon_kernels {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
constexpr int kBlocksPerProcessor = 8;
constexpr int kCrystalBlocksPerProcessor = 6;
constexpr int kEnoughToChange = 8;  ///< lanes that are through, so that others take their places
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

constexpr std::uint32_t kRing = 16;        ///< words of a lane
constexpr std::uint32_t kWordsOfStep = 9;  ///< what most steps among crystals draw
constexpr int kStack = 2 * kWarp;          ///< less than a warp waits when up to a warp is added

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

/// What photons left in the block that is read out of each.
struct DepositStack {
    std::uint32_t group[kStack];
    std::int32_t module[kStack];
    float energy[kStack], column[kStack], row[kStack], path[kStack];
    std::array<std::int32_t, 2> first[kStack], most[kStack];
    std::uint32_t id[kStack], drawn[kStack], time[kStack];
    RingWords words;  ///< of those that are read out: photons on their way have the warp's
};

/// Called, not copied to each place that draws: the kernel's code must stay in the multiprocessor's cache.
__device__ __noinline__ PhiloxWords wordsOf(std::uint64_t key, std::uint64_t event, std::uint32_t attempt,
                                            std::uint32_t block) {
    return philoxBlock(key, event, attempt, block);
}

/// A RandomStream whose words lie in shared memory, made where ready() says so: lanes that need some make
/// them together, wherever each of them stands.
class LaneStream {
  public:
    LaneStream() = default;
    __device__ LaneStream(std::uint32_t* ring, std::uint64_t key, std::uint64_t event, std::uint32_t attempt,
                          std::uint32_t drawn)
        : ring_(ring), key_(key), event_(event), attempt_(attempt), drawn_(drawn), made_(drawn / 4 * 4) {}

    [[nodiscard]] __device__ std::uint32_t word() {
        if (static_cast<int>(made_ - drawn_) <= 0) {
            make();
        }
        return ring_[drawn_++ % kRing * kWarp];
    }
    [[nodiscard]] __device__ float uniform() {
        return (static_cast<float>(word()) + 0.5F) * (1.0F / 4294967296.0F);
    }
    [[nodiscard]] __device__ std::uint32_t drawn() const { return drawn_; }
    /// So many words at least from here, 13 at most.
    __device__ void fill(std::uint32_t words) {
        while (static_cast<int>(made_ - drawn_) < static_cast<int>(words)) {
            make();
        }
    }
    /// One of the last three words made, for a stream that goes on from here.
    [[nodiscard]] __device__ std::uint32_t last(std::uint32_t i) const {
        return ring_[(made_ - 3 + i) % kRing * kWarp];
    }
    /// Takes the words that were last() of the stream before.
    __device__ void resume(std::uint32_t one, std::uint32_t two, std::uint32_t three) {
        made_ = (drawn_ + 3) / 4 * 4;
        ring_[(made_ - 3) % kRing * kWarp] = one;
        ring_[(made_ - 2) % kRing * kWarp] = two;
        ring_[(made_ - 1) % kRing * kWarp] = three;
    }

  private:
    __device__ void make() {
        const PhiloxWords four = wordsOf(key_, event_, attempt_, made_ / 4);
        for (std::uint32_t i = 0; i < 4; ++i) {
            ring_[(made_ + i) % kRing * kWarp] = four.words[i];
        }
        made_ += 4;
    }

    std::uint32_t* ring_ = nullptr;
    std::uint64_t key_ = 0;
    std::uint64_t event_ = 0;
    std::uint32_t attempt_ = 0;
    std::uint32_t drawn_ = 0;
    std::uint32_t made_ = 0;
};

__device__ void ready(LaneStream& random) {
    random.fill(4);
}

__device__ int placeAmong(unsigned mask, int lane) {
    return __popc(mask & ((1U << static_cast<unsigned>(lane)) - 1U));
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
    [[nodiscard]] __device__ LaneStream numbersOf(std::uint32_t which, std::uint32_t drawn) const {
        return numbersOf(which, drawn, memory_.words);
    }
    [[nodiscard]] __device__ LaneStream numbersOf(std::uint32_t which, std::uint32_t drawn,
                                                  RingWords& words) const {
        return {&words[0][lane_], tables_.key, firstDecay_ + (which & (kUnit - 1)),
                kPhotonNumbers + ((which & kSecond) != 0 ? 1U : 0U), drawn};
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
        LaneStream random;
        if (seeks_) {
            random = {&memory_.words[0][lane_], tables_.key, firstDecay_ + decay_, attempt_, 0};
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
                places_.rest[i][at] = random.last(i);
            }
            seeks_ = false;
        }
        waiting_ += __popc(mask);
    }

    /// Both photons of up to 32 decays.
    __device__ void startPairs() {
        const int n = waiting_ < kWarp ? waiting_ : kWarp;
        waiting_ -= n;
        const int at = waiting_ + lane_;
        Photon first;
        Photon second;
        std::uint32_t decay = 0;
        std::uint32_t time = 0;
        if (lane_ < n) {
            decay = places_.decay[at];
            LaneStream random{&memory_.words[0][lane_], tables_.key, firstDecay_ + decay, places_.attempt[at],
                              places_.drawn[at]};
            random.resume(places_.rest[0][at], places_.rest[1][at], places_.rest[2][at]);
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
            if (!heads) {
                LaneStream random = numbersOf(which, 0);
                kept = mayBeTurned(tables_.compton, *tables_.cut, photon, random);
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
        const int n = flying_ < kWarp ? flying_ : kWarp;
        flying_ -= n;
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
            LaneStream random = numbersOf(marks & kWhich, queue_.drawn[at]);
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
        const int n = waiting_ < kWarp ? waiting_ : kWarp;
        waiting_ -= n;
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
            LaneStream random = numbersOf(marks, interactions_.drawn[at]);
            random.fill(kWordsOfStep);
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

    __device__ void run() {
        takeFates();
        entering_ = static_cast<int>(queue_.entering);
        InCrystals mine;
        CrystalDeposits deposits;
        while (true) {
            load(mine, deposits);
            const bool crosses = __any_sync(kAllLanes, mine.holds);
            if (waiting_ >= kWarp || (waiting_ > 0 && !crosses)) {
                readOutWaiting();
            } else if (crosses) {
                cross(mine, deposits);
            } else {
                break;
            }
            __syncwarp();
        }
        __syncwarp();
        count();
    }

  private:
    /// A photon on its way through the crystals.
    struct InCrystals {
        bool holds = false;
        Photon photon;
        float reach = 0;
        std::uint32_t which = 0;
        std::uint32_t time = 0;
        LaneStream random;
    };

    /// Gives lanes without a photon those that wait.
    __device__ void load(InCrystals& mine, CrystalDeposits& deposits) {
        const unsigned idle = __ballot_sync(kAllLanes, !mine.holds);
        const int n = min(__popc(idle), entering_);
        if (n == 0) {
            return;
        }
        const int place = placeAmong(idle, lane_);
        if (!mine.holds && place < n) {
            const int at = PhotonQueue::kRoom - entering_ + place;
            mine.holds = true;
            mine.photon = get(queue_, at);
            mine.reach = enterCrystals(tables_.crystals, mine.photon);
            mine.which = queue_.id[at] & kWhich;
            mine.time = queue_.time[at];
            mine.random = numbersOf(mine.which, queue_.drawn[at]);
            deposits.count = 0;
        }
        entering_ -= n;
        __syncwarp();
    }

    /// A step of every photon in the crystals; those that are through go once they are some.
    __device__ void cross(InCrystals& mine, CrystalDeposits& deposits) {
        if (mine.holds && mine.reach > 0) {
            mine.random.fill(kWordsOfStep);
            mine.reach = stepInCrystals(tables_.crystals, mine.photon, mine.reach, tables_.crystalCompton,
                                        mine.random, deposits);
        }
        __syncwarp();
        const bool through = mine.holds && !(mine.reach > 0);
        const unsigned done = __ballot_sync(kAllLanes, through);
        const unsigned held = __ballot_sync(kAllLanes, mine.holds);
        if (__popc(done) < kEnoughToChange && done != held) {
            return;
        }
        if (through) {
            mine.holds = false;
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
        const int n = waiting_ < kWarp ? waiting_ : kWarp;
        waiting_ -= n;
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
            LaneStream random = numbersOf(was.which, stack_.drawn[at], stack_.words);
            busy = read(most, was, 0U, random, single, record);
        }
        keep(busy, record, single.group);
    }

    /// Reads out a block; whether it is busy, and the record of it. A photon that is not recorded there is
    /// lost.
    __device__ bool read(const GroupDeposit& deposit, const WasPhoton& was, std::uint32_t bits,
                         LaneStream& random, Single& single, DevicePhoton& record) {
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
                                                   std::uint32_t bits, LaneStream& random) {
        ready(random);
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

// ---------------------------------------------------------------------------------------------------------

constexpr int kResolveThreads = 512;
constexpr int kResolvePerProcessor = 2;
constexpr std::size_t kMostShared = 86 * 1024;  ///< of keys, so that two blocks fit
constexpr std::uint32_t kBinBits = 12;
constexpr std::uint32_t kBins = 1U << kBinBits;
constexpr std::uint32_t kDecayWords = kDecaysPerSlice / 32;

struct ResolveMemory {
    std::uint32_t bins[kBins];
    std::uint32_t first[kDecayWords];  ///< decays whose first photon was recorded
    std::uint32_t second[kDecayWords];
    std::uint32_t dead[kDecayWords];
    std::uint32_t warps[kResolveThreads / kWarp];
    std::uint32_t beyond;
    std::uint32_t counted;
    std::uint32_t deadPairs;
};

/// Sum over the threads before this one; `total` of all. Every thread of the block takes part.
__device__ std::uint32_t scan(std::uint32_t value, std::uint32_t* warps, std::uint32_t& total) {
    const unsigned lane = threadIdx.x % kWarp;
    const unsigned warp = threadIdx.x / kWarp;
    std::uint32_t sum = value;
    for (unsigned step = 1; step < kWarp; step *= 2) {
        const std::uint32_t other = __shfl_up_sync(kAllLanes, sum, step);
        sum += lane >= step ? other : 0;
    }
    if (lane == kWarp - 1) {
        warps[warp] = sum;
    }
    __syncthreads();
    std::uint32_t before = 0;
    total = 0;
    for (unsigned w = 0; w < kResolveThreads / kWarp; ++w) {
        before += w < warp ? warps[w] : 0;
        total += warps[w];
    }
    __syncthreads();
    return before + sum - value;
}

class Resolver {
  public:
    __device__ Resolver(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
                        ResolveMemory& memory, PhotonKey* keys, std::uint32_t roomForKeys,
                        std::uint32_t slice)
        : tables_(tables),
          times_(times),
          slices_(slices),
          memory_(memory),
          slice_(slice),
          photons_(slices.photons + static_cast<std::size_t>(slice) * slices.photonRoom),
          groups_(slices.groups + static_cast<std::size_t>(slice) * slices.photonRoom),
          recorded_(min(slices.counts[slice].photons, slices.photonRoom)),
          keys_(recorded_ <= roomForKeys
                    ? keys
                    : slices.keys + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom) {}

    __device__ void run() {
        sort();
        if (times_.dead > 0) {
            markDead();
            countDead();
            dropDead();
        }
        const std::uint32_t prompts = pairs<false>();
        const std::uint32_t delayeds = pairs<true>();
        if (threadIdx.x == 0) {
            SliceCounts& counts = slices_.counts[slice_];
            counts.singles = count_;
            counts.dead = memory_.deadPairs;
            counts.beyond = memory_.beyond;
            counts.counted = memory_.counted;
            counts.prompts = prompts;
            counts.delayeds = delayeds;
        }
        __syncthreads();
    }

  private:
    [[nodiscard]] __device__ bool comesBefore(const PhotonKey& a, const PhotonKey& b) const {
        if (a.time != b.time) {
            return a.time < b.time;
        }
        const auto rank = [&](const PhotonKey& key) {
            const std::uint32_t what = photons_[key.index].what;
            return (what & kDecayBits) * 2 + ((what & kSecondBit) != 0 ? 1U : 0U);
        };
        return rank(a) < rank(b);
    }

    /// Without dead time what lies outside the window is of no consequence.
    [[nodiscard]] __device__ bool matters(std::uint32_t what) const {
        return times_.dead > 0 || (what & kWindowBit) != 0;
    }

    /// By counting into bins of time, then within each.
    __device__ void sort() {
        for (std::uint32_t i = threadIdx.x; i < kBins; i += kResolveThreads) {
            memory_.bins[i] = 0;
        }
        if (threadIdx.x == 0) {
            memory_.beyond = 0;
            memory_.counted = 0;
            memory_.deadPairs = 0;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < recorded_; i += kResolveThreads) {
            if (matters(photons_[i].what)) {
                atomicAdd(&memory_.bins[photons_[i].time >> (32 - kBinBits)], 1U);
            }
        }
        __syncthreads();
        constexpr std::uint32_t kMine = kBins / kResolveThreads;
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < kMine; ++i) {
            sum += memory_.bins[threadIdx.x * kMine + i];
        }
        std::uint32_t next = scan(sum, memory_.warps, count_);
        for (std::uint32_t i = 0; i < kMine; ++i) {
            const std::uint32_t here = memory_.bins[threadIdx.x * kMine + i];
            memory_.bins[threadIdx.x * kMine + i] = next;
            next += here;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < recorded_; i += kResolveThreads) {
            if (matters(photons_[i].what)) {
                const std::uint32_t time = photons_[i].time;
                keys_[atomicAdd(&memory_.bins[time >> (32 - kBinBits)], 1U)] = {time, i};
            }
        }
        __syncthreads();
        // Each bin's entry is now where the next bin begins.
        for (std::uint32_t bin = threadIdx.x; bin < kBins; bin += kResolveThreads) {
            const std::uint32_t begin = bin == 0 ? 0 : memory_.bins[bin - 1];
            const std::uint32_t end = memory_.bins[bin];
            for (std::uint32_t i = begin + 1; i < end; ++i) {
                const PhotonKey key = keys_[i];
                std::uint32_t j = i;
                for (; j > begin && comesBefore(key, keys_[j - 1]); --j) {
                    keys_[j] = keys_[j - 1];
                }
                keys_[j] = key;
            }
        }
        __syncthreads();
    }

    [[nodiscard]] __device__ std::uint32_t groupAt(std::uint32_t i) const { return groups_[keys_[i].index]; }

    /// A photon with none of its group within the dead time before it is live; from each such one on the
    /// others are told one after the other, until the next.
    __device__ void markDead() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            const std::uint32_t group = groupAt(i);
            const std::uint32_t time = keys_[i].time;
            bool alone = true;
            for (std::uint32_t j = i; alone && j > 0 && time - keys_[j - 1].time < times_.dead; --j) {
                alone = groupAt(j - 1) != group;
            }
            if (!alone) {
                continue;
            }
            std::uint32_t last = time;  // live one
            std::uint32_t previous = time;
            for (std::uint32_t j = i + 1; j < count_ && keys_[j].time - previous < times_.dead; ++j) {
                if (groupAt(j) != group) {
                    continue;
                }
                previous = keys_[j].time;
                if (previous - last < times_.dead) {
                    photons_[keys_[j].index].what |= kDeadBit;
                } else {
                    last = previous;
                }
            }
        }
        __syncthreads();
    }

    /// Decays of which both photons were recorded, and one was dead.
    __device__ void countDead() {
        for (std::uint32_t i = threadIdx.x; i < kDecayWords; i += kResolveThreads) {
            memory_.first[i] = 0;
            memory_.second[i] = 0;
            memory_.dead[i] = 0;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < recorded_; i += kResolveThreads) {
            const std::uint32_t what = photons_[i].what;
            if ((what & kWindowBit) != 0) {
                const std::uint32_t decay = what & kDecayBits;
                atomicOr(&((what & kSecondBit) != 0 ? memory_.second : memory_.first)[decay / 32],
                         1U << decay % 32);
                if ((what & kDeadBit) != 0) {
                    atomicOr(&memory_.dead[decay / 32], 1U << decay % 32);
                }
            }
        }
        __syncthreads();
        std::uint32_t pairs = 0;
        for (std::uint32_t i = threadIdx.x; i < kDecayWords; i += kResolveThreads) {
            pairs += __popc(memory_.first[i] & memory_.second[i] & memory_.dead[i]);
        }
        atomicAdd(&memory_.deadPairs, pairs);
        __syncthreads();
    }

    /// Leaves live singles in the window, in order.
    __device__ void dropDead() {
        std::uint32_t live = 0;
        for (std::uint32_t begin = 0; begin < count_; begin += kResolveThreads) {
            const std::uint32_t i = begin + threadIdx.x;
            PhotonKey key{};
            bool stays = false;
            if (i < count_) {
                key = keys_[i];
                stays = (photons_[key.index].what & (kWindowBit | kDeadBit)) == kWindowBit;
            }
            std::uint32_t total = 0;
            const std::uint32_t place = scan(stays ? 1U : 0U, memory_.warps, total);  // all have read
            if (stays) {
                keys_[live + place] = key;
            }
            live += total;
        }
        count_ = live;
        __syncthreads();
    }

    /// Of those that are left, going on around the circle.
    [[nodiscard]] __device__ const PhotonKey& keyAt(std::uint32_t i) const {
        return keys_[i < count_ ? i : i - count_];
    }

    /// How many places after single i the first one lies that comes the delay after it.
    [[nodiscard]] __device__ std::uint32_t firstAfterDelay(std::uint32_t i, std::uint32_t time) const {
        std::uint32_t low = 1;
        std::uint32_t high = count_;
        while (low < high) {
            const std::uint32_t middle = (low + high) / 2;
            if (keyAt(i + middle).time - time < times_.delay) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The pairs of a window, counted and written. Whether one of the first 32 partners is on an accepted
    /// line is kept between both.
    template <bool delayed>
    __device__ std::uint32_t pairs() {
        std::uint32_t found = 0;
        const std::uint32_t delay = delayed ? times_.delay : 0;
        const std::uint32_t room = delayed ? slices_.delayedRoom : slices_.promptRoom;
        DeviceEvent* const to =
            (delayed ? slices_.delayeds : slices_.prompts) + static_cast<std::size_t>(slice_) * room;
        for (std::uint32_t begin = 0; begin < count_; begin += kResolveThreads) {
            const std::uint32_t i = begin + threadIdx.x;
            std::uint32_t mine = 0;
            std::uint32_t from = 0;
            std::uint32_t accepted = 0;
            DevicePhoton early{};
            if (i < count_) {
                const std::uint32_t time = keys_[i].time;
                from = delayed ? firstAfterDelay(i, time) : 1;
                if (from < count_ && keyAt(i + from).time - time - delay < times_.window) {
                    early = photons_[keys_[i].index];
                }
                forEachPartner(i, time, from, delay, [&](std::uint32_t n, const DevicePhoton& late) {
                    const bool taken = tables_.lines.accepts(early.crystal, late.crystal);
                    mine += taken ? 1 : 0;
                    accepted |= taken && n < 32 ? 1U << n : 0U;
                    if (!delayed && ((early.what ^ late.what) & kDecayBits) == 0) {
                        atomicAdd(taken ? &memory_.counted : &memory_.beyond, 1U);
                    }
                });
            }
            std::uint32_t total = 0;
            std::uint32_t place = found + scan(mine, memory_.warps, total);
            if (mine > 0 && room > 0) {
                forEachPartner(i, early.time, from, delay, [&](std::uint32_t n, const DevicePhoton& late) {
                    if (n < 32 ? (accepted >> n & 1U) != 0
                               : tables_.lines.accepts(early.crystal, late.crystal)) {
                        if (place < room) {
                            to[place] = eventOf(early, late, late.time - early.time - delay);
                        }
                        ++place;
                    }
                });
            }
            found += total;
        }
        return found;
    }

    /// `visit` gets partners' numbers from 0 and what they are.
    template <class Visit>
    __device__ void forEachPartner(std::uint32_t i, std::uint32_t time, std::uint32_t from,
                                   std::uint32_t delay, const Visit& visit) const {
        for (std::uint32_t k = from; k < count_; ++k) {
            const PhotonKey& late = keyAt(i + k);
            if (late.time - time - delay >= times_.window) {
                break;
            }
            visit(k - from, photons_[late.index]);
        }
    }

    /// As append() of recon/simulate/timed_scan.cpp.
    [[nodiscard]] __device__ DeviceEvent eventOf(const DevicePhoton& early, const DevicePhoton& late,
                                                 std::uint32_t apart) const {
        const bool same = ((early.what ^ late.what) & kDecayBits) == 0;
        const bool swap = same ? (early.what & kSecondBit) != 0 : ((early.what ^ late.what) & 1U) != 0;
        const DevicePhoton& one = swap ? late : early;
        const DevicePhoton& two = swap ? early : late;
        const auto scattersOf = [](const DevicePhoton& p) { return p.what >> kScatterShift & 127U; };
        const std::uint32_t scatters = scattersOf(one) + scattersOf(two);
        const std::uint32_t kind = !same ? 2U : scatters > 0 ? 1U : 0U;
        const auto dt = static_cast<float>(apart * times_.psPerTick);
        return {one.crystal,
                two.crystal,
                swap ? dt : -dt,
                one.energy_keV,
                two.energy_keV,
                kind | scatters << 8U,
                static_cast<float>(early.time) * (1.0F / 4294967296.0F)};
    }

    const PhotonTables& tables_;
    const SliceTimes& times_;
    const SliceTables& slices_;
    ResolveMemory& memory_;
    std::uint32_t slice_;
    DevicePhoton* photons_;
    const std::uint32_t* groups_;
    std::uint32_t recorded_;
    PhotonKey* keys_;
    std::uint32_t count_ = 0;  ///< of keys
};

__global__ void __launch_bounds__(kResolveThreads, kResolvePerProcessor)
    resolveKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTimes times,
                  const __grid_constant__ SliceTables slices, std::uint32_t roomForKeys) {
    extern __shared__ PhotonKey sm_keys[];
    __shared__ ResolveMemory sm_memory;
    for (std::uint32_t slice = blockIdx.x; slice < slices.slices; slice += gridDim.x) {
        Resolver(tables, times, slices, sm_memory, sm_keys, roomForKeys, slice).run();
    }
}

constexpr int kGatherThreads = 64;

__global__ void __launch_bounds__(kGatherThreads)
    gatherKernel(const __grid_constant__ SliceTables slices, bool delayeds, const std::uint32_t* offsets,
                 EventColumns columns) {
    const std::uint32_t slice = blockIdx.x;
    const std::uint32_t count = delayeds ? slices.counts[slice].delayeds : slices.counts[slice].prompts;
    const std::size_t room = delayeds ? slices.delayedRoom : slices.promptRoom;
    const DeviceEvent* const from = (delayeds ? slices.delayeds : slices.prompts) + slice * room;
    for (std::uint32_t i = threadIdx.x; i < count; i += kGatherThreads) {
        const DeviceEvent event = from[i];
        const std::size_t to = offsets[slice] + i;
        columns.crystals[2 * to] = event.crystal1;
        columns.crystals[2 * to + 1] = event.crystal2;
        columns.dt_ps[to] = event.dt_ps;
        columns.kind[to] = static_cast<std::uint8_t>(delayeds ? 2U : event.kindAndScatters & 255U);
        columns.scatters[to] = static_cast<std::uint8_t>(event.kindAndScatters >> 8U);
        columns.energy_keV[2 * to] = event.energy1_keV;
        columns.energy_keV[2 * to + 1] = event.energy2_keV;
        columns.share[to] = event.share;
    }
}

}  // namespace in_photon_kernels
using namespace in_photon_kernels;

std::uint32_t resolveBlocks(int multiprocessors) {
    constexpr int kPerProcessor = 6;
    return static_cast<std::uint32_t>(multiprocessors * kPerProcessor);
}

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

void resolve(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
             int multiprocessors, cudaStream_t stream) {
    const std::size_t shared = std::min(kMostShared, slices.photonRoom * sizeof(PhotonKey));
    check(cudaFuncSetAttribute(resolveKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "sort photons in shared memory");
    resolveKernel<<<resolveBlocks(multiprocessors), kResolveThreads, shared, stream>>>(
        tables, times, slices, static_cast<std::uint32_t>(shared / sizeof(PhotonKey)));
    checkLaunch("find coincidences", {slices.slices});
}

void gather(const SliceTables& slices, Coincidences which, const std::uint32_t* offsets,
            const EventColumns& columns, cudaStream_t stream) {
    gatherKernel<<<slices.slices, kGatherThreads, 0, stream>>>(slices, which == Coincidences::Delayed,
                                                               offsets, columns);
    checkLaunch("gather events", {slices.slices});
}

}  // namespace tof::device
