// SPDX-License-Identifier: Apache-2.0
// A penalty on differences between consecutive frames of a voxel.
#pragma once

#include <span>
#include <vector>

#include "recon/seam/prior_math.h"

namespace tof {

/// beta sum_m (T_m + T_m+1) / 2 psi(u_m, u_m+1) of a voxel's activity u in M frames that count for T seconds
/// each. Immutable; share between threads.
class TemporalPenalty {
  public:
    /// `potential` is that of a PriorKind::Objective; `seconds` are above 0.
    TemporalPenalty(const Potential& potential, double beta, std::vector<double> seconds);

    /// Replaces `u`, what expectation maximisation makes of each frame by itself, by what makes
    /// sum_m T_m (u_m log v_m - v_m) minus the penalty of v largest: the step of expectation maximisation
    /// with the penalty (P. J. Green, J. R. Stat. Soc. B 52 (1990) 443), where that is as strong in each
    /// voxel as the voxel's sensitivity, which cancels. All values are at least 0; u stays 0 where all of it
    /// is.
    void maximise(std::span<double> u) const;

  private:
    Potential potential_;
    std::vector<double> seconds_;
    std::vector<double> pairs_;  ///< beta (T_m + T_m+1) / 2
};

}  // namespace tof
