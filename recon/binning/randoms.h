// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/scanner/michelogram.h"

namespace tof {

/// Expected randoms of every bin from the bins of delayed coincidences (data order, no time of flight). Pairs
/// of crystals are taken to have randoms in proportion to the product of two crystals' rates, a crystal's
/// rate to be that of its place in the ring times that of its ring; the rates are fitted to the sums over
/// fans (M. E. Casey and E. J. Hoffman, 1986), so that the noise of single bins goes and their total stays.
class RandomsEstimate {
  public:
    /// Throws WrongUse for time bins and arc-corrected bins.
    RandomsEstimate(const Michelogram& michelogram, const std::vector<std::uint32_t>& delayeds);

    /// Over all bins: the number of delayeds.
    [[nodiscard]] double total() const { return total_; }
    [[nodiscard]] float at(std::size_t bin) const;
    /// The randoms of all bins.
    [[nodiscard]] std::vector<float> all() const;

  private:
    [[nodiscard]] std::size_t cellOf(std::size_t bin) const;
    [[nodiscard]] std::size_t planeOf(std::size_t bin) const;

    const Michelogram& m_;
    double total_ = 0;
    std::vector<double> across_;  ///< share of every [angle][radial]
    std::vector<double> along_;   ///< share of every plane
};

}  // namespace tof
