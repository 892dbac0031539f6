// SPDX-License-Identifier: Apache-2.0
// What becomes of the photons of a slice of time, a block for each, by the rules of
// recon/simulate/slice_resolver.h: they are put in order, the dead are marked, light piles up, coincidences
// are found, chosen and gathered.
#include <algorithm>

#include "gpu/simulate/photon_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_slice_kernels {

constexpr int kResolveThreads = 512;
constexpr int kResolvePerProcessor = 2;
constexpr std::size_t kMostShared = 86 * 1024;  ///< room for keys, so that two blocks fit
constexpr std::uint32_t kBinBits = 12;
constexpr std::uint32_t kBins = 1U << kBinBits;
constexpr std::uint32_t kDecayWords = kDecaysPerSlice / 32;

struct ResolveMemory {
    std::uint32_t bins[kBins];
    std::uint32_t first[kDecayWords];  ///< decays whose first photon was recorded
    std::uint32_t second[kDecayWords];
    std::uint32_t dead[kDecayWords];
    std::uint32_t piled[kDecayWords];  ///< decays with a photon that pile-up took out of the window
    std::uint32_t warps[kResolveThreads / kWarp];
    std::uint32_t beyond;
    std::uint32_t multiple;
    std::uint32_t counted;
    std::uint32_t carried;
    std::uint32_t deadPairs;
    std::uint32_t piledPairs;
};

/// Whether electronics lose more than what comes while a block is dead.
enum class Losses { Dead, All };

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

template <Losses losses>
class Resolver {
  public:
    __device__ Resolver(const PhotonTables& tables, const SliceTimes& times, const Electronics& electronics,
                        const SliceTables& slices, ResolveMemory& memory, PhotonKey* keys,
                        std::uint32_t roomForKeys, std::uint32_t slice)
        : tables_(tables),
          times_(times),
          electronics_(electronics),
          slices_(slices),
          memory_(memory),
          slice_(slice),
          photons_(slices.photons + static_cast<std::size_t>(slice) * slices.photonRoom),
          groups_(slices.groups + static_cast<std::size_t>(slice) * slices.photonRoom),
          recorded_(min(slices.counts[slice].photons, slices.photonRoom)),
          keys_(recorded_ <= roomForKeys
                    ? keys
                    : slices.keys + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom),
          marks_(slices.marks + static_cast<std::size_t>(blockIdx.x) * slices.photonRoom) {}

    __device__ void run() {
        sort();
        if (times_.dead > 0) {
            if (losses == Losses::All && electronics_.paralysable) {
                markProlonged();
            } else {
                markDead();
            }
        }
        if (losses == Losses::All || times_.dead > 0) {
            noteRecorded();
            if (losses == Losses::All && electronics_.integration > 0) {
                addPiledUp();
            }
            countLost();
            dropDead();
        }
        if (slices_.recorded != nullptr) {
            countSingles();
        }
        if (losses == Losses::All && electronics_.multiples != Detection::Multiples::All) {
            choose();
        }
        const std::uint32_t prompts = pairs<false>();
        const std::uint32_t delayeds = pairs<true>();
        if (threadIdx.x == 0) {
            SliceCounts& counts = slices_.counts[slice_];
            counts.singles = count_;
            counts.dead = memory_.deadPairs;
            counts.piledUp = memory_.piledPairs;
            counts.beyond = memory_.beyond;
            counts.multiple = memory_.multiple;
            counts.carried = memory_.carried;
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
        return rank(a) != rank(b) ? rank(a) < rank(b) : groups_[a.index] < groups_[b.index];
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
            memory_.multiple = 0;
            memory_.counted = 0;
            memory_.carried = 0;
            memory_.deadPairs = 0;
            memory_.piledPairs = 0;
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

    /// Dead is what comes within the dead time after any photon of its group, around the circle.
    __device__ void markProlonged() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            const std::uint32_t group = groupAt(i);
            const std::uint32_t time = keys_[i].time;
            bool dead = false;
            for (std::uint32_t back = 1; !dead && back < count_; ++back) {
                const std::uint32_t j = i >= back ? i - back : i + count_ - back;
                if (time - keys_[j].time >= times_.dead) {
                    break;
                }
                dead = groupAt(j) == group;
            }
            if (dead) {
                photons_[keys_[i].index].what |= kDeadBit;
            }
        }
        __syncthreads();
    }

    static __device__ void note(std::uint32_t* decays, std::uint32_t what) {
        const std::uint32_t decay = what & kDecayBits;
        atomicOr(&decays[decay / 32], 1U << decay % 32);
    }
    [[nodiscard]] static __device__ bool noted(const std::uint32_t* decays, std::uint32_t what) {
        const std::uint32_t decay = what & kDecayBits;
        return (decays[decay / 32] >> decay % 32 & 1U) != 0;
    }

    /// Decays whose photons were recorded, and those of them that were dead.
    __device__ void noteRecorded() {
        for (std::uint32_t i = threadIdx.x; i < kDecayWords; i += kResolveThreads) {
            memory_.first[i] = 0;
            memory_.second[i] = 0;
            memory_.dead[i] = 0;
            memory_.piled[i] = 0;
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < recorded_; i += kResolveThreads) {
            const std::uint32_t what = photons_[i].what;
            if ((what & (kWindowBit | kPartBit)) == kWindowBit) {
                note((what & kSecondBit) != 0 ? memory_.second : memory_.first, what);
                if ((what & kDeadBit) != 0) {
                    note(memory_.dead, what);
                }
            }
        }
        __syncthreads();
    }

    /// Live photons get the light of those that come while their block integrates, which are dead.
    __device__ void addPiledUp() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            DevicePhoton& photon = photons_[keys_[i].index];
            if ((photon.what & kDeadBit) != 0) {
                continue;
            }
            const std::uint32_t group = groupAt(i);
            const std::uint32_t time = keys_[i].time;
            BlockLight light{photon.crystal, photon.energy_keV};
            bool more = false;
            for (std::uint32_t j = i + 1; j < count_ && keys_[j].time - time < electronics_.integration;
                 ++j) {
                if (groupAt(j) == group) {
                    const DevicePhoton& extra = photons_[keys_[j].index];
                    light = electronics_.pileUp.joined(tables_.crystals, tables_.readout.position, light,
                                                       {extra.crystal, extra.energy_keV},
                                                       (keys_[j].time - time) * times_.psPerTick);
                    more = true;
                }
            }
            if (more) {
                take(light, photon);
            }
        }
        __syncthreads();
    }

    __device__ void take(const BlockLight& light, DevicePhoton& photon) {
        const bool holds = (photon.what & kUnrecordedBit) == 0 && tables_.readout.holds(light.energy_keV);
        if ((photon.what & (kWindowBit | kPartBit)) == kWindowBit && !holds) {
            note(memory_.piled, photon.what);
        }
        photon.crystal = light.crystal;
        photon.energy_keV = light.energy_keV;
        photon.what = (photon.what & ~kWindowBit) | (holds ? kWindowBit : 0U);
    }

    /// Decays of which both photons were recorded, and one was dead or got too much light.
    __device__ void countLost() {
        std::uint32_t dead = 0;
        std::uint32_t piled = 0;
        for (std::uint32_t i = threadIdx.x; i < kDecayWords; i += kResolveThreads) {
            const std::uint32_t both = memory_.first[i] & memory_.second[i];
            dead += __popc(both & memory_.dead[i]);
            piled += __popc(both & memory_.piled[i] & ~memory_.dead[i]);
        }
        atomicAdd(&memory_.deadPairs, dead);
        atomicAdd(&memory_.piledPairs, piled);
        __syncthreads();
    }

    /// What SliceResolver::count() counts.
    __device__ void countSingles() const {
        const bool prolonged = losses == Losses::All && electronics_.paralysable;
        for (std::uint32_t i = threadIdx.x; i < recorded_; i += kResolveThreads) {
            const std::uint32_t what = photons_[i].what;
            const bool live = (what & kDeadBit) == 0;
            if (live || prolonged) {
                atomicAdd(&slices_.busy[groups_[i]], 1U);
            }
            if (live && (what & kWindowBit) != 0) {
                atomicAdd(&slices_.recorded[photons_[i].crystal], 1U);
            }
        }
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

    /// Keys that are left, going on around the circle.
    [[nodiscard]] __device__ const PhotonKey& keyAt(std::uint32_t i) const { return keys_[placeOf(i)]; }
    [[nodiscard]] __device__ std::uint32_t placeOf(std::uint32_t i) const {
        return i < count_ ? i : i - count_;
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

    /// Windows give one pair at most, and singles within a window open none: from each single that lies in
    /// nobody's window on, they are opened one after the other, until the next such one.
    __device__ void choose() {
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            marks_[i] = {};
        }
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < count_; i += kResolveThreads) {
            if (!beginsAfterAll(i)) {
                continue;
            }
            std::uint32_t opener = i;
            do {
                opener += chooseFrom(opener) + 1;
            } while (opener < count_ && !beginsAfterAll(opener));
        }
        __syncthreads();
    }

    [[nodiscard]] __device__ bool beginsAfterAll(std::uint32_t i) const {
        return i == 0 || keys_[i].time - keys_[i - 1].time >= times_.window;
    }

    /// The window of single i; returns how many others lie in it. The best pair is the first of those with
    /// the most energy, in the host's order.
    __device__ std::uint32_t chooseFrom(std::uint32_t i) {
        std::uint32_t within = 0;
        while (within + 1 < count_ && keyAt(i + within + 1).time - keys_[i].time < times_.window) {
            ++within;
            marks_[placeOf(i + within)].within = 1;
        }
        std::uint32_t good = 0;
        std::uint32_t first = 0;
        std::uint32_t second = 0;
        float most_keV = 0;
        for (std::uint32_t a = 0; a < within; ++a) {
            const DevicePhoton& early = photons_[keyAt(i + a).index];
            for (std::uint32_t b = a + 1; b <= within; ++b) {
                const DevicePhoton& late = photons_[keyAt(i + b).index];
                if (tables_.lines.accepts(early.crystal, late.crystal)) {
                    const float energy = early.energy_keV + late.energy_keV;
                    if (good == 0 || energy > most_keV) {
                        first = a;
                        second = b;
                        most_keV = energy;
                    }
                    ++good;
                }
            }
        }
        marks_[i].most_keV = most_keV;
        if (good == 1 || (good > 1 && electronics_.multiples == Detection::Multiples::Highest)) {
            WindowMark& mark = marks_[placeOf(i + first)];
            (i + first < count_ ? mark.partner : mark.partnerOfLast) =
                static_cast<std::uint16_t>(second - first);
        }
        return within;
    }

    enum class Verdict { Beyond, Multiple, Counted };

    /// What becomes of a pair of single i and the one that lies so many places after it.
    template <bool delayed>
    [[nodiscard]] __device__ Verdict verdictOn(std::uint32_t i, std::uint32_t places,
                                               const DevicePhoton& early, const DevicePhoton& late) const {
        if (!tables_.lines.accepts(early.crystal, late.crystal)) {
            return Verdict::Beyond;
        }
        if (losses == Losses::Dead || electronics_.multiples == Detection::Multiples::All) {
            return Verdict::Counted;
        }
        const WindowMark& mark = marks_[i];
        if (!delayed) {
            return mark.partner == places || mark.partnerOfLast == places ? Verdict::Counted
                                                                          : Verdict::Multiple;
        }
        const bool wins = !(mark.most_keV > 0) || (electronics_.multiples == Detection::Multiples::Highest &&
                                                   early.energy_keV + late.energy_keV > mark.most_keV);
        return mark.within == 0 && wins ? Verdict::Counted : Verdict::Multiple;
    }

    [[nodiscard]] static __device__ bool ofOneDecay(const DevicePhoton& one, const DevicePhoton& two) {
        return ((one.what ^ two.what) & kDecayBits) == 0 && ((one.what | two.what) & kPartBit) == 0;
    }

    __device__ void countPair(Verdict verdict, std::uint32_t what) {
        atomicAdd(verdict == Verdict::Counted    ? &memory_.counted
                  : verdict == Verdict::Multiple ? &memory_.multiple
                                                 : &memory_.beyond,
                  1U);
        if (losses == Losses::All && !(noted(memory_.first, what) && noted(memory_.second, what))) {
            atomicAdd(&memory_.carried, 1U);
        }
    }

    /// The pairs of a window, counted and written. Whether one of the first 32 partners is taken is kept
    /// between both.
    template <bool delayed>
    __device__ std::uint32_t pairs() {
        std::uint32_t found = 0;
        const std::uint32_t end = delayed ? times_.delayedEnd : times_.window;
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
                if (from < count_ && keyAt(i + from).time - time < end) {
                    early = photons_[keys_[i].index];
                }
                forEachPartner(i, time, from, end, [&](std::uint32_t n, const DevicePhoton& late) {
                    const Verdict verdict = verdictOn<delayed>(i, from + n, early, late);
                    const bool taken = verdict == Verdict::Counted;
                    mine += taken ? 1 : 0;
                    accepted |= taken && n < 32 ? 1U << n : 0U;
                    if (!delayed && ofOneDecay(early, late)) {
                        countPair(verdict, early.what);
                    }
                });
            }
            std::uint32_t total = 0;
            std::uint32_t place = found + scan(mine, memory_.warps, total);
            if (mine > 0 && room > 0) {
                forEachPartner(i, early.time, from, end, [&](std::uint32_t n, const DevicePhoton& late) {
                    if (n < 32 ? (accepted >> n & 1U) != 0
                               : verdictOn<delayed>(i, from + n, early, late) == Verdict::Counted) {
                        if (place < room) {
                            to[place] =
                                eventOf(early, late, late.time - early.time - (delayed ? times_.delay : 0U));
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
    __device__ void forEachPartner(std::uint32_t i, std::uint32_t time, std::uint32_t from, std::uint32_t end,
                                   const Visit& visit) const {
        for (std::uint32_t k = from; k < count_; ++k) {
            const PhotonKey& late = keyAt(i + k);
            if (late.time - time >= end) {
                break;
            }
            visit(k - from, photons_[late.index]);
        }
    }

    /// The event is what append() of recon/simulate/slice_resolver.cpp makes of two singles.
    [[nodiscard]] __device__ DeviceEvent eventOf(const DevicePhoton& early, const DevicePhoton& late,
                                                 std::uint32_t apart) const {
        const bool same = ofOneDecay(early, late);
        const bool swap = ((early.what ^ late.what) & kDecayBits) == 0 ? (early.what & kSecondBit) != 0
                                                                       : ((early.what ^ late.what) & 1U) != 0;
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
    const Electronics& electronics_;
    const SliceTables& slices_;
    ResolveMemory& memory_;
    std::uint32_t slice_;
    DevicePhoton* photons_;
    const std::uint32_t* groups_;
    std::uint32_t recorded_;
    PhotonKey* keys_;
    WindowMark* marks_;
    std::uint32_t count_ = 0;  ///< number of keys
};

template <Losses losses>
__global__ void __launch_bounds__(kResolveThreads, kResolvePerProcessor)
    resolveKernel(const __grid_constant__ PhotonTables tables, const __grid_constant__ SliceTimes times,
                  const __grid_constant__ Electronics electronics, const __grid_constant__ SliceTables slices,
                  std::uint32_t roomForKeys) {
    extern __shared__ PhotonKey sm_keys[];
    __shared__ ResolveMemory sm_memory;
    for (std::uint32_t slice = blockIdx.x; slice < slices.slices; slice += gridDim.x) {
        Resolver<losses>(tables, times, electronics, slices, sm_memory, sm_keys, roomForKeys, slice).run();
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

}  // namespace in_slice_kernels
using namespace in_slice_kernels;

std::uint32_t resolveBlocks(int multiprocessors) {
    constexpr int kPerProcessor = 6;
    return static_cast<std::uint32_t>(multiprocessors * kPerProcessor);
}

void resolve(const PhotonTables& tables, const SliceTimes& times, const Electronics* electronics,
             const SliceTables& slices, const cudaDeviceProp& device, cudaStream_t stream) {
    const std::size_t shared = std::min({kMostShared, slices.photonRoom * sizeof(PhotonKey),
                                         device.sharedMemPerBlockOptin - sizeof(ResolveMemory)});
    const auto kernel = electronics != nullptr ? resolveKernel<Losses::All> : resolveKernel<Losses::Dead>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
          "sort photons in shared memory");
    kernel<<<resolveBlocks(device.multiProcessorCount), kResolveThreads, shared, stream>>>(
        tables, times, electronics != nullptr ? *electronics : Electronics{}, slices,
        static_cast<std::uint32_t>(shared / sizeof(PhotonKey)));
    checkLaunch("find coincidences", {slices.slices});
}

void gather(const SliceTables& slices, Coincidences which, const std::uint32_t* offsets,
            const EventColumns& columns, cudaStream_t stream) {
    gatherKernel<<<slices.slices, kGatherThreads, 0, stream>>>(slices, which == Coincidences::Delayed,
                                                               offsets, columns);
    checkLaunch("gather events", {slices.slices});
}

}  // namespace tof::device
