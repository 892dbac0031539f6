// SPDX-License-Identifier: Apache-2.0
// Every use of a seed in the product, in one list.
#pragma once

#include <cstdint>

namespace tof {

/// What random numbers are for. Each use has numbers of its own: one seed may be given to all of them in one
/// study (simulate, bin), and event i and bin i must not draw the same words.
///
/// The values are parts of Philox's key, see streamKey(): digits of pi, which mean nothing and lie so far
/// apart that no seeds a person writes bring two uses together. A new use of a seed gets a row here and
/// nowhere else; no row is ever changed, because files name the seeds they were made with. Shuffles with a
/// seed of their own in the code, which no file or option names, are not listed: they use other generators.
/// Nor is the part that an iteration begins with (recon/base/view.h): one whole number, by a formula of its
/// own.
enum class RandomUse : std::uint64_t {
    Events = 0,                       ///< Monte Carlo list-mode, by event and attempt: recon/simulate
    Counts = 0x243F6A8885A308D3,      ///< Poisson counts, by bin: recon/simulate/poisson.h
    Deposit = 0x13198A2E03707344,     ///< places on crystals' faces, by event: recon/binning/face_spread.h
    Singles = 0xA4093822299F31D0,     ///< decays followed to count single photons: recon/simulate/singles.h
    Photons = 0x082EFA98EC4E6C89,     ///< pairs with all their physics, by event and attempt, or by slice of
                                      ///< time and decay: recon/simulate
    Replicates = 0x452821E638D01377,  ///< resampled counts, by bin and replicate: recon/work/replicates.h
    Steps = 0xBE5466CF34E90C6C  ///< seeds of the steps of a motion, by run: recon/simulate/moved_scan.cpp
};

/// Philox's key for one use of a seed.
[[nodiscard]] constexpr std::uint64_t streamKey(std::uint64_t seed, RandomUse use) {
    return seed ^ static_cast<std::uint64_t>(use);
}

}  // namespace tof
