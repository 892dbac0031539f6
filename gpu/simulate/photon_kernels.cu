// SPDX-License-Identifier: Apache-2.0
// Three kernels follow the photons of a round, a warp the same unit of decays in each: emitKernel starts
// pairs and keeps the photons that may reach crystals, flyKernel brings them through the phantom, crossKernel
// through the crystals. Between them photons lie in the unit's queue in device memory, so that each kernel
// holds little, and its lanes take full groups of 32. In the crystals photons take different numbers of
// steps: each lane keeps its photon there, all take a step together, and lanes that are through take the next
// ones. resolve: a block takes a slice.
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
constexpr int kEnoughToReadOut = 12;  ///< lanes that are through
constexpr std::uint32_t kUnit = kDecaysPerUnit;
constexpr std::uint32_t kUnitsPerSlice = kDecaysPerSlice / kUnit;
constexpr std::uint32_t kFateWords = PhotonQueue::kFateWords;

// PhotonQueue::id holds: decay in the unit, bit 11 the second photon, bit 12 whether it heads for crystals,
// scatters from bit 13.
constexpr std::uint32_t kWhich = (1U << 12U) - 1;
constexpr std::uint32_t kSecond = 1U << 11U;
constexpr std::uint32_t kHeads = 1U << 12U;
constexpr std::uint32_t kScattersFrom = 13;

__device__ void put(PhotonQueue& queue, int at, const Photon& p, bool heads, std::uint32_t which,
                    std::uint32_t drawn, std::uint32_t time) {
    queue.x[at] = p.at.x;
    queue.y[at] = p.at.y;
    queue.z[at] = p.at.z;
    queue.dx[at] = p.direction.x;
    queue.dy[at] = p.direction.y;
    queue.dz[at] = p.direction.z;
    queue.energy[at] = p.energy_keV;
    queue.path[at] = p.path_mm;
    queue.id[at] = which | (heads ? kHeads : 0U) | (p.scatters < 127 ? p.scatters : 127) << kScattersFrom;
    queue.drawn[at] = drawn;
    queue.time[at] = time;
}

__device__ Photon get(const PhotonQueue& queue, int at) {
    Photon p;
    p.at = {queue.x[at], queue.y[at], queue.z[at]};
    p.direction = {queue.dx[at], queue.dy[at], queue.dz[at]};
    p.energy_keV = queue.energy[at];
    p.path_mm = queue.path[at];
    p.scatters = queue.id[at] >> kScattersFrom;
    return p;
}

constexpr int kRing = 8;  ///< words of a lane

struct WarpMemory {
    std::uint32_t fates[kFateWords];
    std::uint32_t words[kRing][kWarp];
};

/// Places found that wait for a full warp of them.
struct PlaceStack {
    float x[2 * kWarp], y[2 * kWarp], z[2 * kWarp];
    std::uint32_t decay[2 * kWarp], attempt[2 * kWarp], drawn[2 * kWarp];
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
    /// Four words at least from here.
    __device__ void fill() {
        if (static_cast<int>(made_ - drawn_) < kRing - 4) {
            make();
        }
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
    random.fill();
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
        return {&memory_.words[0][lane_], tables_.key, firstDecay_ + (which & (kUnit - 1)),
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
            put(queue_, flying_ + placeAmong(mask, lane_), photon, heads, which, drawn, time);
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
    using UnitWork::UnitWork;

    __device__ void run() {
        takeFates();
        flying_ = static_cast<int>(queue_.flying);
        while (flying_ > 0) {
            fly();
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
        const bool mine = lane_ < n;
        Photon photon;
        bool again = false;
        bool enters = false;
        bool heads = false;
        std::uint32_t which = 0;
        std::uint32_t time = 0;
        std::uint32_t drawn = 0;
        if (mine) {
            const int at = flying_ + lane_;
            photon = get(queue_, at);
            which = queue_.id[at] & kWhich;
            heads = (queue_.id[at] & kHeads) != 0;
            time = queue_.time[at];
            LaneStream random = numbersOf(which, queue_.drawn[at]);
            const FlightEnd end =
                flyInPhantom(tables_.medium, photon, tables_.compton,
                             heads ? PhotonAim::Crystals : PhotonAim::Elsewhere, *tables_.cut, random);
            PhotonFate fate = PhotonFate::Attenuated;
            if (end == FlightEnd::Escaped) {
                enters = heads;
                fate = PhotonFate::Missed;
            } else if (end == FlightEnd::Scattered) {
                heads = headsForCrystals(tables_.crystals, photon);
                again = heads || mayBeTurned(tables_.compton, *tables_.cut, photon, random);
                fate = PhotonFate::Missed;
            }
            if (!enters && !again) {
                lose(which, fate);
            }
            drawn = random.drawn();
        }
        __syncwarp();
        const unsigned scattered = __ballot_sync(kAllLanes, again);
        const unsigned entered = __ballot_sync(kAllLanes, enters);
        if (again) {
            put(queue_, flying_ + placeAmong(scattered, lane_), photon, heads, which, drawn, time);
        }
        if (enters) {
            put(queue_, PhotonQueue::kRoom - 1 - entering_ - placeAmong(entered, lane_), photon, true, which,
                drawn, time);
        }
        flying_ += __popc(scattered);
        entering_ += __popc(entered);
    }

    int flying_ = 0;
    int entering_ = 0;
};

class Crossing : public UnitWork {
  public:
    __device__ Crossing(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
                        WarpMemory& memory, int lane, std::uint32_t slot)
        : UnitWork(tables, slices, memory, lane, slot), times_(times) {}

    __device__ void run() {
        takeFates();
        entering_ = static_cast<int>(queue_.entering);
        InCrystals mine;
        CrystalDeposits deposits;
        while (true) {
            load(mine, deposits);
            if (!__any_sync(kAllLanes, mine.holds)) {
                break;
            }
            cross(mine, deposits);
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

    /// A step of every photon in the crystals; reads out those that are through once they are some.
    __device__ void cross(InCrystals& mine, CrystalDeposits& deposits) {
        if (mine.holds && mine.reach > 0) {
            mine.reach = stepInCrystals(tables_.crystals, mine.photon, mine.reach, tables_.crystalCompton,
                                        mine.random, deposits);
        }
        __syncwarp();
        const bool through = mine.holds && !(mine.reach > 0);
        const unsigned done = __ballot_sync(kAllLanes, through);
        const unsigned held = __ballot_sync(kAllLanes, mine.holds);
        if (__popc(done) >= kEnoughToReadOut || done == held) {
            readOutThose(through, mine, deposits);
        }
    }

    __device__ void readOutThose(bool through, InCrystals& mine, const CrystalDeposits& deposits) {
        bool busy = false;
        DevicePhoton record{};
        Single single;
        if (through) {
            mine.holds = false;
            PhotonFate fate = PhotonFate::Missed;
            if (deposits.count > 0) {
                fate = readOut(tables_.crystals, tables_.readout, deposits, mine.random, single)
                           ? PhotonFate::Recorded
                           : PhotonFate::OutsideWindow;
                busy = single.energy_keV >= tables_.readout.trigger_keV;
                if (busy) {
                    record = recordOf(mine, single, fate == PhotonFate::Recorded ? kWindowBit : 0U);
                }
            }
            if (fate != PhotonFate::Recorded) {
                lose(mine.which, fate);
            }
        }
        keep(busy, record, single.group);
        for (std::int32_t i = 0; tables_.readout.everyBlock && i < CrystalDeposits::kGroups; ++i) {
            Single part;
            busy = through && i < deposits.count && deposits[i].group != single.group;
            if (busy) {
                const bool inWindow =
                    readBlock(tables_.crystals, tables_.readout, deposits[i], mine.random, part);
                busy = part.energy_keV >= tables_.readout.trigger_keV;
                if (busy) {
                    record = recordOf(mine, part, kPartBit | (inWindow ? kWindowBit : 0U));
                }
            }
            keep(busy, record, part.group);
        }
    }

    /// A block that a photon made busy, and when.
    [[nodiscard]] __device__ DevicePhoton recordOf(InCrystals& mine, const Single& single,
                                                   std::uint32_t bits) {
        ready(mine.random);
        constexpr float kPsPerMm = static_cast<float>(1 / (2 * kMmPerPs));
        const double late = static_cast<double>(single.path_mm * kPsPerMm) * times_.ticksPerPs +
                            static_cast<double>(times_.sigmaTicks * drawNormal(mine.random));
        DevicePhoton record{};
        record.time = mine.time + static_cast<std::uint32_t>(static_cast<std::int64_t>(rint(late)));
        record.crystal = single.crystal;
        record.energy_keV = single.energy_keV;
        record.what = (firstInSlice_ + (mine.which & (kUnit - 1))) |
                      ((mine.which & kSecond) != 0 ? kSecondBit : 0U) | bits |
                      (single.unrecorded ? kUnrecordedBit : 0U) |
                      (mine.photon.scatters < 127 ? mine.photon.scatters : 127U) << kScatterShift;
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
    int entering_ = 0;
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
    const std::uint32_t warp = threadIdx.x / kWarp;
    const std::uint32_t slot = blockIdx.x * kWarps + warp;
    Flight(tables, slices, sm_warps[warp], static_cast<int>(threadIdx.x) % kWarp, slot).run();
}

__global__ void __launch_bounds__(kThreads, kCrystalBlocksPerProcessor)
    crossKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTimes times,
                const __grid_constant__ SliceTables slices) {
    __shared__ WarpMemory sm_warps[kWarps];
    const std::uint32_t warp = threadIdx.x / kWarp;
    const std::uint32_t slot = blockIdx.x * kWarps + warp;
    Crossing(tables, times, slices, sm_warps[warp], static_cast<int>(threadIdx.x) % kWarp, slot).run();
}

// ---------------------------------------------------------------------------------------------------------

constexpr int kResolveThreads = 256;
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
                        ResolveMemory& memory, std::uint32_t slice)
        : tables_(tables),
          times_(times),
          slices_(slices),
          memory_(memory),
          slice_(slice),
          count_(min(slices.counts[slice].photons, slices.photonRoom)),
          photons_(slices.photons + static_cast<std::size_t>(slice) * slices.photonRoom),
          groups_(slices.groups + static_cast<std::size_t>(slice) * slices.photonRoom),
          sorted_(slices.sorted + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom),
          sortedGroups_(slices.sortedGroups + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom),
          live_(slices.live + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom) {}

    __device__ void run() {
        sort();
        if (times_.dead > 0) {
            markDead();
        }
        countDead();
        listLive();
        const std::uint32_t prompts = pairs<false>();
        const std::uint32_t delayeds = pairs<true>();
        if (threadIdx.x == 0) {
            SliceCounts& counts = slices_.counts[slice_];
            counts.singles = liveCount_;
            counts.dead = memory_.deadPairs;
            counts.beyond = memory_.beyond;
            counts.counted = memory_.counted;
            counts.prompts = prompts;
            counts.delayeds = delayeds;
        }
        __syncthreads();
    }

  private:
    [[nodiscard]] static __device__ bool comesBefore(const DevicePhoton& a, const DevicePhoton& b) {
        const auto rank = [](const DevicePhoton& p) {
            return (p.what & kDecayBits) * 2 + ((p.what & kSecondBit) != 0 ? 1U : 0U);
        };
        return a.time != b.time ? a.time < b.time : rank(a) < rank(b);
    }

    /// By counting into bins of time, then within each.
    __device__ void sort() {
        for (std::uint32_t i = threadIdx.x; i < kBins; i += kResolveThreads) {
            memory_.bins[i] = 0;
        }
        for (std::uint32_t i = threadIdx.x; i < kDecayWords; i += kResolveThreads) {
            memory_.first[i] = 0;
            memory_.second[i] = 0;
            memory_.dead[i] = 0;
        }
        if (threadIdx.x == 0) {
            memory_.beyond = 0;
            memory_.counted = 0;
            memory_.deadPairs = 0;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            atomicAdd(&memory_.bins[photons_[i].time >> (32 - kBinBits)], 1U);
        }
        __syncthreads();
        constexpr std::uint32_t kMine = kBins / kResolveThreads;
        std::uint32_t sum = 0;
        for (std::uint32_t i = 0; i < kMine; ++i) {
            sum += memory_.bins[threadIdx.x * kMine + i];
        }
        std::uint32_t total = 0;
        std::uint32_t next = scan(sum, memory_.warps, total);
        for (std::uint32_t i = 0; i < kMine; ++i) {
            const std::uint32_t here = memory_.bins[threadIdx.x * kMine + i];
            memory_.bins[threadIdx.x * kMine + i] = next;
            next += here;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            const DevicePhoton photon = photons_[i];
            const std::uint32_t to = atomicAdd(&memory_.bins[photon.time >> (32 - kBinBits)], 1U);
            sorted_[to] = photon;
            sortedGroups_[to] = groups_[i];
        }
        __syncthreads();
        // Each bin's entry is now where the next bin begins.
        for (std::uint32_t bin = threadIdx.x; bin < kBins; bin += kResolveThreads) {
            const std::uint32_t begin = bin == 0 ? 0 : memory_.bins[bin - 1];
            const std::uint32_t end = memory_.bins[bin];
            for (std::uint32_t i = begin + 1; i < end; ++i) {
                const DevicePhoton photon = sorted_[i];
                const std::uint32_t group = sortedGroups_[i];
                std::uint32_t j = i;
                for (; j > begin && comesBefore(photon, sorted_[j - 1]); --j) {
                    sorted_[j] = sorted_[j - 1];
                    sortedGroups_[j] = sortedGroups_[j - 1];
                }
                sorted_[j] = photon;
                sortedGroups_[j] = group;
            }
        }
        __syncthreads();
    }

    /// A photon with none of its group within the dead time before it is live; from each such one on the
    /// others are told one after the other, until the next.
    __device__ void markDead() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            const std::uint32_t group = sortedGroups_[i];
            const std::uint32_t time = sorted_[i].time;
            bool alone = true;
            for (std::uint32_t j = i; j > 0 && time - sorted_[j - 1].time < times_.dead; --j) {
                if (sortedGroups_[j - 1] == group) {
                    alone = false;
                    break;
                }
            }
            if (!alone) {
                continue;
            }
            std::uint32_t last = time;  // live one
            std::uint32_t previous = time;
            for (std::uint32_t j = i + 1; j < count_ && sorted_[j].time - previous < times_.dead; ++j) {
                if (sortedGroups_[j] != group) {
                    continue;
                }
                previous = sorted_[j].time;
                if (previous - last < times_.dead) {
                    sorted_[j].what |= kDeadBit;
                } else {
                    last = previous;
                }
            }
        }
        __syncthreads();
    }

    /// Decays of which both photons were recorded, and one was dead.
    __device__ void countDead() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            const std::uint32_t what = sorted_[i].what;
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

    /// Live singles in the window, in order.
    __device__ void listLive() {
        liveCount_ = 0;
        for (std::uint32_t begin = 0; begin < count_; begin += kResolveThreads) {
            const std::uint32_t i = begin + threadIdx.x;
            const bool live = i < count_ && (sorted_[i].what & (kWindowBit | kDeadBit)) == kWindowBit;
            std::uint32_t total = 0;
            const std::uint32_t place = scan(live ? 1U : 0U, memory_.warps, total);
            if (live) {
                live_[liveCount_ + place] = i;
            }
            liveCount_ += total;
        }
        __syncthreads();
    }

    [[nodiscard]] __device__ const DevicePhoton& singleAt(std::uint32_t i) const { return sorted_[live_[i]]; }

    /// How many places after live single i the first one lies that comes the delay after it.
    [[nodiscard]] __device__ std::uint32_t firstAfterDelay(std::uint32_t i, std::uint32_t time) const {
        std::uint32_t low = 1;
        std::uint32_t high = liveCount_;
        while (low < high) {
            const std::uint32_t middle = (low + high) / 2;
            const std::uint32_t k = i + middle;
            if (singleAt(k < liveCount_ ? k : k - liveCount_).time - time < times_.delay) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    template <bool delayed>
    __device__ std::uint32_t pairs() {
        std::uint32_t found = 0;
        const std::uint32_t delay = delayed ? times_.delay : 0;
        const std::uint32_t room = delayed ? slices_.delayedRoom : slices_.promptRoom;
        DeviceEvent* const to =
            (delayed ? slices_.delayeds : slices_.prompts) + static_cast<std::size_t>(slice_) * room;
        for (std::uint32_t begin = 0; begin < liveCount_; begin += kResolveThreads) {
            const std::uint32_t i = begin + threadIdx.x;
            std::uint32_t mine = 0;
            std::uint32_t from = 0;
            DevicePhoton early{};
            if (i < liveCount_) {
                early = singleAt(i);
                from = delayed ? firstAfterDelay(i, early.time) : 1;
                forEachPartner(i, early, from, delay, [&](const DevicePhoton& late, std::uint32_t /*apart*/) {
                    const bool taken = tables_.lines.accepts(early.crystal, late.crystal);
                    mine += taken ? 1 : 0;
                    if (!delayed && ((early.what ^ late.what) & kDecayBits) == 0) {
                        atomicAdd(taken ? &memory_.counted : &memory_.beyond, 1U);
                    }
                });
            }
            std::uint32_t total = 0;
            std::uint32_t place = found + scan(mine, memory_.warps, total);
            if (mine > 0 && room > 0) {
                forEachPartner(i, early, from, delay, [&](const DevicePhoton& late, std::uint32_t apart) {
                    if (tables_.lines.accepts(early.crystal, late.crystal)) {
                        if (place < room) {
                            to[place] = eventOf(early, late, apart);
                        }
                        ++place;
                    }
                });
            }
            found += total;
        }
        return found;
    }

    template <class Visit>
    __device__ void forEachPartner(std::uint32_t i, const DevicePhoton& early, std::uint32_t from,
                                   std::uint32_t delay, const Visit& visit) const {
        for (std::uint32_t k = from; k < liveCount_; ++k) {
            const DevicePhoton late = singleAt(i + k < liveCount_ ? i + k : i + k - liveCount_);
            const std::uint32_t apart = late.time - early.time - delay;
            if (apart >= times_.window) {
                break;
            }
            visit(late, apart);
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
    std::uint32_t count_;
    const DevicePhoton* photons_;
    const std::uint32_t* groups_;
    DevicePhoton* sorted_;
    std::uint32_t* sortedGroups_;
    std::uint32_t* live_;
    std::uint32_t liveCount_ = 0;
};

__global__ void __launch_bounds__(kResolveThreads)
    resolveKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTimes times,
                  const __grid_constant__ SliceTables slices) {
    __shared__ ResolveMemory sm_memory;
    for (std::uint32_t slice = blockIdx.x; slice < slices.slices; slice += gridDim.x) {
        Resolver(tables, times, slices, sm_memory, slice).run();
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
               cudaStream_t stream) {
    static_assert(kUnitsPerSlice % kWarps == 0);
    SliceTables round = slices;
    for (std::uint32_t first = 0; first < slices.slices; first += slices.slicesPerRound) {
        round.firstOfRound = first;
        const std::uint32_t n = std::min(slices.slicesPerRound, slices.slices - first);
        const unsigned blocks = n * kUnitsPerSlice / kWarps;
        emitKernel<<<blocks, kThreads, 0, stream>>>(tables, round);
        flyKernel<<<blocks, kThreads, 0, stream>>>(tables, round);
        crossKernel<<<blocks, kThreads, 0, stream>>>(tables, times, round);
        checkLaunch("follow photons", {n});
    }
}

void resolve(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
             int multiprocessors, cudaStream_t stream) {
    resolveKernel<<<resolveBlocks(multiprocessors), kResolveThreads, 0, stream>>>(tables, times, slices);
    checkLaunch("find coincidences", {slices.slices});
}

void gather(const SliceTables& slices, Coincidences which, const std::uint32_t* offsets,
            const EventColumns& columns, cudaStream_t stream) {
    gatherKernel<<<slices.slices, kGatherThreads, 0, stream>>>(slices, which == Coincidences::Delayed,
                                                               offsets, columns);
    checkLaunch("gather events", {slices.slices});
}

}  // namespace tof::device
