// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recon/scanner/michelogram.h"

namespace tof {

/// How many delayed coincidences lie in each angle and radial bin, and in each plane.
class DelayedSums {
  public:
    /// Keeps a reference. Throws WrongUse for time bins and arc-corrected bins.
    explicit DelayedSums(const Michelogram& michelogram);
    /// Adds those in these bins (data order).
    void add(std::span<const std::uint32_t> bins);

    [[nodiscard]] const Michelogram& michelogram() const { return m_; }
    [[nodiscard]] double total() const { return total_; }
    /// By [angle][radial], and by plane.
    [[nodiscard]] const std::vector<double>& across() const { return across_; }
    [[nodiscard]] const std::vector<double>& along() const { return along_; }
    /// Where a bin is counted in these.
    [[nodiscard]] static std::size_t cellOf(const Michelogram& michelogram, std::size_t bin);
    [[nodiscard]] static std::size_t planeOf(const Michelogram& michelogram, std::size_t bin);

  private:
    const Michelogram& m_;
    double total_ = 0;
    std::vector<double> across_;
    std::vector<double> along_;
};

/// Expected randoms of every bin from the bins of delayed coincidences (data order, no time of flight). Pairs
/// of crystals are taken to have randoms in proportion to the product of two crystals' rates, a crystal's
/// rate to be that of its place in the ring times that of its ring; the rates are fitted to the sums over
/// fans (M. E. Casey and E. J. Hoffman, 1986), so that the noise of single bins goes and their total stays.
class RandomsEstimate {
  public:
    explicit RandomsEstimate(const DelayedSums& delayeds);
    /// From the bins of all of them. Throws WrongUse for time bins and arc-corrected bins.
    RandomsEstimate(const Michelogram& michelogram, std::span<const std::uint32_t> delayeds);

    /// Over all bins: the number of delayeds.
    [[nodiscard]] double total() const { return total_; }
    [[nodiscard]] float at(std::size_t bin) const;
    /// The randoms of all bins.
    [[nodiscard]] std::vector<float> all() const;

  private:
    const Michelogram& m_;
    double total_ = 0;
    std::vector<double> across_;  ///< share of every [angle][radial]
    std::vector<double> along_;   ///< share of every plane
};

}  // namespace tof
