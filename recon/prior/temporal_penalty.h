// SPDX-License-Identifier: Apache-2.0
// A penalty on differences between frames of a voxel.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "recon/seam/prior_math.h"

namespace tof {

/// Two frames that are compared, `one` before `other`.
struct FramePair {
    std::size_t one = 0;
    std::size_t other = 1;
    [[nodiscard]] bool operator==(const FramePair&) const = default;
};

/// beta sum (T_a + T_b) / 2 psi(u_a, u_b) over pairs (a, b) of a voxel's frames, whose activity is u and
/// which count for T seconds each. Immutable; share between threads.
class TemporalPenalty {
  public:
    /// `potential` is that of a PriorKind::Objective; `seconds` are above 0. Time goes with the square of the
    /// largest distance between two frames that are compared.
    TemporalPenalty(const Potential& potential, double beta, std::vector<double> seconds,
                    std::vector<FramePair> pairs);

    /// Replaces `u`, what expectation maximisation makes of each frame by itself, by what makes
    /// sum_m T_m (u_m log v_m - v_m) minus the penalty of v largest: the step of expectation maximisation
    /// with the penalty (P. J. Green, J. R. Stat. Soc. B 52 (1990) 443), where that is as strong in each
    /// voxel as the voxel's sensitivity, which cancels. All values are at least 0; u stays 0 where all of it
    /// is.
    void maximise(std::span<double> u) const;

  private:
    Potential potential_;
    std::vector<double> seconds_;
    std::vector<FramePair> pairs_;
    std::vector<double> weights_;  ///< beta (T_a + T_b) / 2, by pair
};

}  // namespace tof
