// SPDX-License-Identifier: Apache-2.0
// The inner loops of the cpu projector of two panels, compiled once per instruction set. Plain structs and
// pointers only: recon/systems/histo/simd/column_kernels.cpp says why.
//
// The image is kept apart by the place of a voxel in its crystal: rows along y of every D-th voxel. A shift
// by a crystal is one float, so all lines of a class and sign are one correlation of rows with the kernel.
#pragma once

#include <cstdint>

namespace tof {

/// Floats that may be read, or written unchanged, beyond the end of a row.
inline constexpr int kPanelOverrun = 64;

/// A class with one sign, or the entries of it in one plane.
struct PanelRun {
    const std::int32_t* offsets;  ///< where each entry's voxel is at shift (0, 0), floats
    const float* weights;
    int entries;
    int rows;                 ///< shifts along z
    int length;               ///< shifts along y
    std::int64_t rowStride;   ///< floats of the image from one shift along z to the next
    std::int64_t dataStride;  ///< floats of the data from one row to the next
};

/// panelForward: data[row][shift] = sum over the entries of weight image[...].
/// panelBack: image[...] += weight data[row][shift]; the data beyond `length` are zero to the next whole
/// vector.
#define TOF_DECLARE_PANEL_KERNELS(isa)                                       \
    namespace isa {                                                          \
    void panelForward(const PanelRun& run, const float* image, float* data); \
    void panelBack(const PanelRun& run, const float* data, float* image);    \
    }
TOF_DECLARE_PANEL_KERNELS(baseline)
TOF_DECLARE_PANEL_KERNELS(avx2)
TOF_DECLARE_PANEL_KERNELS(avx512)
#undef TOF_DECLARE_PANEL_KERNELS

}  // namespace tof
