// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recon/phantom/phantom.h"
#include "recon/simulate/random_stream.h"

namespace tof {

/// Draws emission points with the density of a phantom. Immutable; share between threads.
class EmissionSampler {
  public:
    /// Keeps a reference to `phantom`. Throws WrongUse when nothing emits.
    explicit EmissionSampler(const Phantom& phantom);

    /// One try; nothing when it fell outside the shape it was meant for, or into a shape that replaces it.
    [[nodiscard]] std::optional<Vec3> sample(RandomStream& random) const;

    /// The shape that emits most, when it is a cylinder. Its samples use a first number below `share` for the
    /// height, then one each for x and y.
    struct Bulk {
        std::size_t shape;
        double share;         ///< of all emissions
        std::uint32_t limit;  ///< first words below this choose it
        double coverLow;      ///< heights between which later shapes may replace it
        double coverHigh;
        double coverInner;  ///< distances from its axis between which they may
        double coverOuter;
    };
    [[nodiscard]] std::optional<Bulk> bulkCylinder() const;

  private:
    [[nodiscard]] std::optional<Vec3> sampleShape(RandomStream& random) const;
    [[nodiscard]] Vec3 sampleVoxel(RandomStream& random) const;
    [[nodiscard]] std::size_t pickRank(double uniform) const;
    [[nodiscard]] bool covered(std::size_t shape, Vec3 p) const;
    void buildAlias(const std::vector<double>& weights, double total);
    void rankShapes(const std::vector<double>& weights, double total);
    void findCovers();

    const Phantom& phantom_;
    // Shapes, those that emit most first, and up to which number each is chosen.
    std::vector<std::size_t> ranked_;
    std::vector<double> upTo_;
    // Voxels: Walker's alias table, built as Vose does. Entry i is kept with probability keep_[i], else
    // alias_[i] is taken.
    std::vector<double> keep_;
    std::vector<std::uint32_t> alias_;
    // Heights between which later shapes may replace a shape; empty ranges where none can.
    std::vector<double> coverLow_;
    std::vector<double> coverHigh_;
};

}  // namespace tof
