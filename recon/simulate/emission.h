// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "recon/simulate/phantom.h"
#include "recon/simulate/random_stream.h"

namespace tof {

/// Draws emission points with the density of a phantom. Immutable; share between threads.
class EmissionSampler {
  public:
    /// Keeps a reference to `phantom`. Throws WrongUse when nothing emits.
    explicit EmissionSampler(const Phantom& phantom);

    [[nodiscard]] Vec3 sample(RandomStream& random) const;

  private:
    [[nodiscard]] std::size_t pick(RandomStream& random) const;
    [[nodiscard]] Vec3 sampleShape(RandomStream& random) const;
    [[nodiscard]] Vec3 sampleVoxel(RandomStream& random) const;
    [[nodiscard]] bool covered(std::size_t shape, Vec3 p) const;

    const Phantom& phantom_;
    // Walker's alias table, built as Vose does: entry i is kept with probability keep_[i], else alias_[i] is
    // taken.
    std::vector<double> keep_;
    std::vector<std::uint32_t> alias_;
    std::vector<char> coverable_;  ///< per shape: a later shape may replace part of it
};

}  // namespace tof
