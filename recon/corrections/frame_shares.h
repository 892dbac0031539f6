// SPDX-License-Identifier: Apache-2.0
// Scatter, randoms and dead time of a scan as the frames have them that it is cut into.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recon/data/framed_counts.h"

namespace tof {

/// What is known of all frames together.
struct CorrectionsOfScan {
    double randoms = 0;  ///< expected counts
    double scatter = 0;
    /// Mean share of their photons that blocks keep; none: losses are not corrected.
    std::optional<double> alive{};
    std::vector<double> delayeds{};  ///< how many every frame has; empty: not known
    /// Randoms as FramedCounts::randoms has them; null: add holds nothing else.
    std::shared_ptr<const std::vector<float>> values{};
};

/// How many of the delayeds at these times lie in every frame: gates share those of their frame by how long
/// they were on. Throws BadInput where times go back.
[[nodiscard]] std::vector<double> delayedsOfFrames(const FramedCounts& frames,
                                                   std::span<const std::uint32_t> time_ms,
                                                   const std::string& source);

/// Randoms of every frame of `total`, where nobody has counted delayeds: their rate is k t^2, t being the
/// rate of the other prompts, with one k for all: activity that changes in amount, not in place.
[[nodiscard]] std::vector<double> randomsOfFrames(const FramedCounts& frames, double total);

/// The frames with their live times, and with their shares where there are randoms or scatter. Randoms go by
/// the delayeds, or else as randomsOfFrames(); scatter goes by the prompts that are left. Blocks are dead for
/// a time after each photon that they see (alive = 1 / (1 + rate tau)), whose rate goes with the activity: t
/// over alive^2; the mean of alive over all frames is that of the scan.
[[nodiscard]] std::shared_ptr<const FramedCounts> withCorrections(FramedCounts frames,
                                                                  const CorrectionsOfScan& scan);

}  // namespace tof
