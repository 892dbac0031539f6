// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/view.h"
#include "recon/kernel/kernel_math.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

/// Integer voxel offset of a kernel value.
struct KernelTap {
    std::int16_t x = 0;
    std::int16_t y = 0;
    std::int16_t z = 0;
    [[nodiscard]] bool operator==(const KernelTap&) const = default;
};

/// What the tables of one view are made over, wherever their values are computed: made once, on the host, so
/// that every engine has the same limits, ids and taps.
struct KernelFrame {
    ViewAxes axes;
    int radialIds = 0;  ///< ids 0 .. radialIds-1 exist on the lattice
    int rows = 0;       ///< rows of the table of values: radialIds, or 2 radialIds + 1 when sided
    SupportAxes support{};
    std::array<int, 3> half{};      ///< no tap lies further from 0, voxels along x, y, z
    std::vector<std::int32_t> ids;  ///< LORmap: by column of the lattice, [y][x]
    std::vector<KernelTap> taps;    ///< mSR: the offsets in the support, in order of z, y, x
};

/// Throws BadInput when the spec is invalid, the lattice has more than a million ids, or the kernel more than
/// 4 million taps.
[[nodiscard]] KernelFrame makeKernelFrame(const KernelSpec& spec, const Lattice& lattice, const View& view);

/// Half-axes of a valid kernel's support in a view of `radialIds` ids, mm: what makeKernelFrame() finds taps
/// in.
[[nodiscard]] SupportAxes kernelSupport(const KernelSpec& spec, const Lattice& lattice, const ViewAxes& axes,
                                        int radialIds);

/// Makes a frame with the taps inside `support` instead of those inside the kernel's own: for plans
/// that several kernels share.
[[nodiscard]] KernelFrame makeKernelFrameWithin(const KernelSpec& spec, const Lattice& lattice,
                                                const View& view, const SupportAxes& support);

/// Makes a frame with the ids of another view's frame of the same kernel whose radial axis is the
/// same.
[[nodiscard]] KernelFrame makeKernelFrameBeside(const KernelSpec& spec, const Lattice& lattice,
                                                const View& view, const KernelFrame& other);

/// Components along u, r, a of an offset of (x, y, z) voxels, mm.
[[nodiscard]] Vec3 offsetAlong(const ViewAxes& axes, const Lattice& lattice, int x, int y, int z);

/// FWHM in mm of the radial profile that serves radial id `id` (its first Gaussian when asymmetric).
[[nodiscard]] double radialFwhm(const KernelSpec& spec, int id);

}  // namespace tof
