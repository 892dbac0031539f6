// SPDX-License-Identifier: Apache-2.0
// What becomes of the photons of a slice of time, a block for each: they are put in order, the dead are
// marked, coincidences are found and gathered.
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

    /// Keys that are left, going on around the circle.
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

    /// The event is what append() of recon/simulate/slice_resolver.cpp makes of two singles.
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
    std::uint32_t count_ = 0;  ///< number of keys
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

}  // namespace in_slice_kernels
using namespace in_slice_kernels;

std::uint32_t resolveBlocks(int multiprocessors) {
    constexpr int kPerProcessor = 6;
    return static_cast<std::uint32_t>(multiprocessors * kPerProcessor);
}

void resolve(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
             const cudaDeviceProp& device, cudaStream_t stream) {
    const std::size_t shared = std::min({kMostShared, slices.photonRoom * sizeof(PhotonKey),
                                         device.sharedMemPerBlockOptin - sizeof(ResolveMemory)});
    check(cudaFuncSetAttribute(resolveKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "sort photons in shared memory");
    resolveKernel<<<resolveBlocks(device.multiProcessorCount), kResolveThreads, shared, stream>>>(
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
