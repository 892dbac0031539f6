// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"

namespace tof {

/// A Gaussian at voxels from its middle on, cut off at 4 sigma, `most` of them at most; its middle is 1.
/// `sigma` in voxels, > 0.
[[nodiscard]] std::vector<double> sampledGaussian(double sigma, std::size_t most);

/// Separable Gaussian blur of an image, the image-space resolution model of ring projectors. The kernel is
/// symmetric and voxels outside the lattice are zero, so the blur is its own adjoint.
class ImageBlur {
  public:
    /// `fwhm_mm` > 0; cut off at 4 sigma and normalised to sum 1. The weights have the variance of that width
    /// to 1 % from a tenth of a voxel on.
    ImageBlur(const Lattice& lattice, double fwhm_mm);

    static constexpr std::size_t kScratchImages = 1;
    /// out = blurred in. `scratch` and `out` hold lattice.voxels() floats; none may overlap.
    void forward(const float* in, float* scratch, float* out, const ThreadPool& pool) const;
    /// forward(), which is its own adjoint.
    void back(const float* in, float* scratch, float* out, const ThreadPool& pool) const {
        forward(in, scratch, out, pool);
    }
    /// Weight of an offset along one axis; offset 0 first.
    [[nodiscard]] const std::vector<float>& weights(std::size_t axis) const { return weights_[axis]; }

  private:
    void alongAxis(std::size_t axis, const float* in, float* out, const ThreadPool& pool) const;

    Lattice lattice_;
    std::array<std::vector<float>, 3> weights_;
};

}  // namespace tof
