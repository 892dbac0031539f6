// SPDX-License-Identifier: Apache-2.0
// The grid that Fourier engines transform and how kernels lie on it; shared by fftw and cufft.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/kernel/kernel_tables.h"
#include "recon/systems/histo/histo_model.h"
#include "recon/systems/histo/spectrum.h"

namespace tof {

/// The index of an offset on a side of `size` samples, whose two ends meet.
[[nodiscard]] inline int wrappedIndex(int offset, int size) {
    return ((offset % size) + size) % size;
}

/// Samples [z][y][x], of which the transform is pairs [kz][ky][kx] with kx = 0 .. size[0]/2.
struct FourierGrid {
    std::array<int, 3> size{};

    [[nodiscard]] std::size_t lines() const {
        return static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2]);
    }
    [[nodiscard]] std::size_t reals() const { return lines() * static_cast<std::size_t>(size[0]); }
    [[nodiscard]] std::size_t pairs() const { return lines() * static_cast<std::size_t>(size[0] / 2 + 1); }
    /// What a transform and its unnormalised inverse must be multiplied with.
    [[nodiscard]] float scale() const { return 1.0F / static_cast<float>(reals()); }
    /// The sample that a tap falls on. A kernel longer than the grid meets itself: that is what the unpadded
    /// transform means.
    [[nodiscard]] std::size_t place(KernelTap tap) const;
};

/// A kernel that is the same everywhere: taps in order of z, y, x with their values.
struct SampledKernel {
    std::vector<KernelTap> taps;
    std::vector<float> values;
};

/// The kernel of a view, or of all views, of a model with an invariant kernel. Throws as buildKernelTables()
/// does.
[[nodiscard]] SampledKernel sampledKernel(const DirectModel& model, const View& view);
[[nodiscard]] std::vector<SampledKernel> sampledKernels(const DirectModel& model, const ThreadPool& pool);

/// Largest |offset| along x, y, z of the taps of any of the kernels.
template <typename Kernels>
[[nodiscard]] std::array<int, 3> largestReach(const Kernels& kernels) {
    std::array<int, 3> largest{};
    for (const auto& kernel : kernels) {
        const std::array<int, 3> mine = reachOf(kernel.taps);
        for (std::size_t d = 0; d < 3; ++d) {
            largest[d] = std::max(largest[d], mine[d]);
        }
    }
    return largest;
}

/// Values at places of a grid, each place once.
struct GridValues {
    std::vector<std::uint32_t> places;
    std::vector<float> values;  ///< [term][place]
};

/// Kernels with the same taps, `values` [term][tap], on a grid; what falls on one place is added up, in
/// order.
[[nodiscard]] GridValues gridValues(const FourierGrid& grid, const std::vector<KernelTap>& taps,
                                    std::span<const float> values);

/// The analytic spectrum of a view's kernel, one float per pair, the grid's scale included.
void fillAnalytic(const DirectModel& model, const View& view, const FourierGrid& grid, const ThreadPool& pool,
                  std::span<float> spectrum);

}  // namespace tof
