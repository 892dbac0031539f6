// SPDX-License-Identifier: Apache-2.0
// What Fourier engines multiply with; shared by fftw and cufft.
#pragma once

#include <array>
#include <variant>

#include "recon/base/fourier.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/seam/engine.h"
#include "recon/systems/histo/histo_model.h"

namespace tof {

/// Closed-form Fourier transform of the kernel's Gaussian at one DFT frequency of a grid of `size` samples
/// with the lattice's spacing: exp(-2 pi^2 ((st fu)^2 + (sr fr)^2 + (sa fa)^2)), f in cycles per mm along u,
/// r, a; for a kernel that holds the voxel times sin^2(pi f h)/(pi f h)^2 along x, y and z.
///
/// Where an index is the Nyquist frequency, +f and -f are the same sample: the mean over both signs is taken,
/// so that the filter is real and even and the pair of projections adjoint.
class AnalyticSpectrum {
  public:
    AnalyticSpectrum(const KernelSpec& spec, const Lattice& lattice, const View& view,
                     std::array<int, 3> size);
    [[nodiscard]] double at(int kx, int ky, int kz) const;

  private:
    [[nodiscard]] double value(double fx, double fy, double fz) const;

    std::array<int, 3> size_;
    std::array<double, 3> step_{};              // cycles per mm between samples
    std::array<double, 3> side_{};              // side of the voxel, mm; 0 where the kernel does not hold it
    std::array<std::array<double, 3>, 3> q_{};  // quadratic form of the exponent in (fx, fy, fz)
};

/// Strategies of a Fourier engine for a system: fft for histo-images alone.
[[nodiscard]] std::vector<Strategy> fourierStrategies(const std::string& system);

/// The DIRECT model when a Fourier engine can project it with these options, or why it cannot: its one
/// strategy is `fft`, and the analytic spectrum is of one symmetric kernel.
[[nodiscard]] std::variant<const DirectModel*, Unsupported> fourierModel(const SystemModel& model,
                                                                         const EngineOptions& options);

/// A size not below n that FFTW transforms fast in a plane: multiples of 16 take 1.2 to 1.8 ns for a sample
/// and both directions, of 8 or 4 about a half more, others up to three times as much
/// (docs/measurements/performance.md).
[[nodiscard]] int quickPlaneSize(int n);

/// Largest |offset| of any tap along x, y, z.
[[nodiscard]] std::array<int, 3> reachOf(const std::vector<KernelTap>& taps);

/// The grid that the transforms use. Throws WrongUse for a padding by hand that is negative or makes a side
/// longer than 65535.
[[nodiscard]] std::array<int, 3> paddedSize(const std::array<int, 3>& size, const std::array<int, 3>& reach,
                                            const Padding& padding);

}  // namespace tof
