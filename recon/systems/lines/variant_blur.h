// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/simulate/point_spread.h"
#include "recon/systems/lines/image_blur.h"
#include "recon/systems/lines/line_model.h"

namespace tof {

/// Blur of an image by a scanner's point spread, which differs from place to place: the image-space
/// resolution model of list-mode. A voxel is spread along z and then across, by the Gaussians of its own
/// distance from the axis; the wide Gaussian of the tails is one for all places, that of the mean widths.
/// What would lie beyond the lattice is lost. Immutable; share between threads.
///
/// Weights let as much of a wave through as the point spread does, at the highest frequency that voxels carry
/// or, where the point spread is wider, at that of which it leaves 1/e. Its variances are then right to 1 %,
/// and where voxels are as coarse as it they are too large, but what is as small as a voxel comes out right.
/// What following a line by interpolation (Joseph) blurs by itself is left out: an edge of a voxel squared
/// over 12 along z, and 2/pi of that across, the mean over azimuths.
class VariantBlur {
  public:
    VariantBlur(const Lattice& lattice, const PointSpread& spread, RayMethod method, const ThreadPool& pool);

    static constexpr std::size_t kScratchImages = 2;
    /// out = blurred in. `scratch` holds kScratchImages times lattice.voxels() floats, `out` as many as one;
    /// none may overlap.
    void forward(const float* in, float* scratch, float* out, const ThreadPool& pool) const;
    /// Its adjoint.
    void back(const float* in, float* scratch, float* out, const ThreadPool& pool) const;

    /// Offsets of voxels across, in voxels along x and y; (0, 0) first, and of every other one and its
    /// opposite, which has the same weight, one.
    [[nodiscard]] const std::vector<std::array<int, 2>>& taps() const { return taps_; }
    /// What a voxel of a column sends by a tap, [tap][y][x]; sums to 1 - tailShare().
    [[nodiscard]] const std::vector<float>& across() const { return across_; }
    /// What it sends so many voxels up, and down, [voxels][y][x].
    [[nodiscard]] const std::vector<float>& axial() const { return axial_; }
    /// The tails' own blur, none where there are none.
    [[nodiscard]] const std::optional<ImageBlur>& tails() const { return tails_; }
    [[nodiscard]] float tailShare() const { return tailShare_; }

  private:
    void fillAxial(const std::vector<double>& sigmas);
    void fillAcross(const std::vector<std::array<double, 3>>& covariances, const ThreadPool& pool);
    [[nodiscard]] const float* weightsOf(std::size_t tap, int y) const {
        return across_.data() + tap * columns_ + lattice_.index(0, y, 0);
    }
    template <class Body>
    void forEachRow(const ThreadPool& pool, const Body& body) const;
    template <class Visit>
    void forEachTap(const Visit& visit) const;
    void alongZ(const float* in, float* out, const ThreadPool& pool) const;
    void addTails(const float* in, float* scratch, float* out, const ThreadPool& pool) const;

    Lattice lattice_;
    std::size_t columns_;
    std::vector<std::array<int, 2>> taps_;
    std::vector<float> across_;
    std::vector<float> axial_;
    std::optional<ImageBlur> tails_;
    float tailShare_ = 0;
};

}  // namespace tof
