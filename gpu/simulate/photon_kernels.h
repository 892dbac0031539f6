// SPDX-License-Identifier: Apache-2.0
// Scans in time on the device: photons are followed by the functions that the host follows them with, then
// each slice of time is sorted and searched for coincidences.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "recon/simulate/pair_model.h"
#include "recon/simulate/philox_block.h"
#include "recon/simulate/pile_up.h"
#include "recon/simulate/slices.h"

namespace tof::device {

/// Everything that decides about photons, with pointers to device memory. A parameter of kernels, so its cut
/// lies elsewhere: a table in constant memory is slow where lanes look up different energies.
struct PhotonTables {
    EmissionView emission;
    MediumView medium;
    CrystalView crystals;
    Readout readout;
    PositronRange range;
    bool moves;
    bool acollinear;
    Compton compton;
    Compton crystalCompton;
    const ComptonCut* cut;
    LineAcceptance lines;
    PhiloxRounds rounds;  ///< what the seed makes of Philox
};

/// Times within a slice are whole 2^-32 parts of it, ticks, so that they go round as the slice does. A window
/// ends with the first tick that lies outside of it.
struct SliceTimes {
    double ticksPerPs;
    double psPerTick;
    float sigmaTicks;  ///< time resolution of one photon
    std::uint32_t window;
    std::uint32_t delay;
    std::uint32_t delayedEnd;  ///< the end of the delayed window
    std::uint32_t dead;        ///< 0: no dead time
};

/// What blocks and windows lose beside what comes while a block is dead.
struct Electronics {
    PileUp pileUp;              ///< its table in device memory
    std::uint32_t integration;  ///< ticks; 0: nothing piles up
    bool paralysable;           ///< each photon prolongs the dead time of its block
    Detection::Multiples multiples;
};

/// A photon that made a block busy.
struct DevicePhoton {
    std::uint32_t time;
    std::uint32_t crystal;
    std::uint32_t what;  ///< see kDecayBits and what follows
    float energy_keV;
};
inline constexpr std::uint32_t kDecayBits = kDecaysPerSlice - 1;
inline constexpr std::uint32_t kSecondBit = 1U << 14U;
inline constexpr std::uint32_t kWindowBit = 1U << 15U;
inline constexpr std::uint32_t kScatterShift = 16;          ///< seven bits
inline constexpr std::uint32_t kPartBit = 1U << 23U;        ///< TimedPhoton::part
inline constexpr std::uint32_t kUnrecordedBit = 1U << 24U;  ///< TimedPhoton::unrecorded
inline constexpr std::uint32_t kDeadBit = 1U << 31U;

/// A photon where photons of a slice are put in order.
struct PhotonKey {
    std::uint32_t time;
    std::uint32_t index;
};

/// A single where more than one pair within a window is not taken. The pair that a window gives begins at the
/// earlier of its photons.
struct WindowMark {
    std::uint16_t partner;        ///< so many places on lies the later photon; 0: no pair begins here
    std::uint16_t partnerOfLast;  ///< as taken by the window that goes on from the slice's end
    std::uint32_t within;         ///< 1: lies within an earlier single's window
    float most_keV;               ///< energy of the best pair of the window that begins here
};

struct DeviceEvent {
    std::uint32_t crystal1;
    std::uint32_t crystal2;
    float dt_ps;
    float energy1_keV;
    float energy2_keV;
    std::uint32_t kindAndScatters;  ///< kind in the low byte, scatters in the next
    float share;                    ///< share of the slice that had passed
};

/// What a slice gave; numbers may exceed what its tables hold.
struct SliceCounts {
    std::uint32_t photons;
    std::uint32_t attenuated;
    std::uint32_t missed;
    std::uint32_t outside;
    std::uint32_t singles;
    std::uint32_t dead;
    std::uint32_t piledUp;
    std::uint32_t beyond;
    std::uint32_t multiple;
    std::uint32_t carried;  ///< pairs of one decay that others' energy has carried into the window
    std::uint32_t counted;  ///< pairs of one decay that are events
    std::uint32_t prompts;
    std::uint32_t delayeds;
};

/// Decays that a warp follows.
inline constexpr std::uint32_t kDecaysPerUnit = 2048;

/// Photons of a unit between the kernels that follow them; a column each, so that lanes lie together.
struct PhotonQueue {
    static constexpr int kRoom = 2 * kDecaysPerUnit;
    static constexpr std::uint32_t kFateWords = kDecaysPerUnit / 8;  ///< four bits a decay
    float x[kRoom], y[kRoom], z[kRoom];
    float dx[kRoom], dy[kRoom], dz[kRoom];
    float energy[kRoom], path[kRoom];
    std::uint32_t id[kRoom];
    std::uint32_t drawn[kRoom];
    std::uint32_t time[kRoom];
    std::uint32_t fates[kFateWords];
    std::uint32_t flying;    ///< from the first place on
    std::uint32_t entering;  ///< from the last place downwards
};

/// The tables of a batch of slices.
struct SliceTables {
    std::uint64_t firstSlice;
    std::uint32_t slices;
    std::uint32_t photonRoom;  ///< per slice
    std::uint32_t promptRoom;
    std::uint32_t delayedRoom;  ///< 0: delayeds are only counted
    SliceCounts* counts;
    DevicePhoton* photons;  ///< [slice][photonRoom]
    std::uint32_t* groups;  ///< groups of the photons
    DeviceEvent* prompts;
    DeviceEvent* delayeds;
    std::uint32_t firstOfRound;  ///< slices whose photons are followed at a time
    std::uint32_t slicesPerRound;
    PhotonQueue* queues;      ///< one per unit of kRoundsAtOnce rounds
    PhotonKey* keys;          ///< [block of resolve()][photonRoom], of slices with too many for shared memory
    WindowMark* marks;        ///< [block of resolve()][photonRoom]; null where all pairs are taken
    std::uint32_t* recorded;  ///< CrystalSingles::recorded, to be added to; null: nobody wants them
    std::uint32_t* busy;      ///< CrystalSingles::busy
};

/// Where the gathered events go; offsets of the slices come from the host.
struct EventColumns {
    std::uint32_t* crystals;  ///< pairs
    float* dt_ps;
    std::uint8_t* kind;
    std::uint8_t* scatters;
    float* energy_keV;  ///< pairs
    float* share;
};

/// Blocks of resolve() at most: it needs tables for each.
[[nodiscard]] std::uint32_t resolveBlocks(int multiprocessors);
/// A second stream, so that a round's last blocks do not wait alone.
struct SideStream {
    cudaStream_t stream;
    cudaEvent_t begun;
    cudaEvent_t done;
};
inline constexpr std::uint32_t kRoundsAtOnce = 2;
/// Follows all photons of the batch, two rounds at a time; counts are zero before.
void transport(const PhotonTables& tables, const SliceTimes& times, const SliceTables& slices,
               cudaStream_t stream, const SideStream& side);
/// Sorts slices in time, marks the dead, finds coincidences. `electronics`: null where they lose no more.
void resolve(const PhotonTables& tables, const SliceTimes& times, const Electronics* electronics,
             const SliceTables& slices, const cudaDeviceProp& device, cudaStream_t stream);
enum class Coincidences { Prompt, Delayed };
/// Puts the events of all slices one after the other.
void gather(const SliceTables& slices, Coincidences which, const std::uint32_t* offsets,
            const EventColumns& columns, cudaStream_t stream);

}  // namespace tof::device
