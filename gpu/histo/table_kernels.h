// SPDX-License-Identifier: Apache-2.0
// The three look-up tables of every view, built on the device with the host's own arithmetic (design section
// 4).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "recon/base/vec3.h"
#include "recon/kernel/kernel_math.h"
#include "recon/kernel/radial_model.h"

namespace tof::device {

/// A tap as the device keeps it; w is unused.
struct alignas(8) Tap {
    std::int16_t x = 0;
    std::int16_t y = 0;
    std::int16_t z = 0;
    std::int16_t w = 0;
};

/// What one view's tables are made from.
struct ViewFrame {
    Vec3 u;
    Vec3 r;
    Vec3 a;
    SupportAxes support{};
    int half[3] = {0, 0, 0};  ///< taps lie within +- half
    int radialIds = 0;
    int rows = 0;
    std::size_t tapBegin = 0;    ///< of this view in the list of all taps
    std::size_t valueBegin = 0;  ///< of this view in the values of all views
    int taps = 0;
    int tapStride = 1;  ///< of neighbouring taps in the values
    int rowStride = 0;  ///< of neighbouring rows in the values
};

/// The lattice and kernel shared by all views.
struct TableInput {
    int size[3] = {0, 0, 0};
    Vec3 spacing;
    Vec3 origin;
    double idStep_mm = 2;
    double sigmaTof = 1;
    double sigmaAxial = 1;
    RadialModel radial;  ///< device pointers; radialIds is taken from the view
    int idPitch = 0;     ///< elements between rows of an id map
    int idPlane = 0;     ///< elements between the maps of two views
    const ViewFrame* views = nullptr;
};

/// How a value is stored: as it is, or as two bf16 whose sum it is, the larger in the lower half.
enum class ValueForm { Float, SplitBf16 };

/// counts[v] = number of taps of view v.
void countTaps(cudaStream_t stream, const TableInput& input, int views, int* counts);
/// Fills taps[views[v].tapBegin ...] in order of z, y, x.
void listTaps(cudaStream_t stream, const TableInput& input, int views, Tap* taps);
/// ids[v][y][x], rows idPitch apart; elements beyond size[0] are 0.
void mapIds(cudaStream_t stream, const TableInput& input, int views, std::int32_t* ids);
/// values of every view, row and tap at valueBegin + row rowStride + order[tapBegin + tap] tapStride,
/// normalised per row; order null: the tap itself, negative: not stored. *emptyRow becomes view + 1 where a
/// row sums to nothing. maxRows: over views.
void computeValues(cudaStream_t stream, const TableInput& input, int views, int maxRows, const Tap* taps,
                   const std::int32_t* order, ValueForm form, void* values, int* emptyRow);

}  // namespace tof::device
