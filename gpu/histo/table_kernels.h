// SPDX-License-Identifier: Apache-2.0
// The values of the look-up tables of every view, computed on the device with the host's own arithmetic
// (docs/model.md section 2) over frames made on the host (recon/kernel/frame.h).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "gpu/space/device_span.h"
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

/// One view's table of values: what it is made from, and where it goes.
struct ViewTable {
    Vec3 u;
    Vec3 r;
    Vec3 a;
    int radialIds = 0;
    int rows = 0;
    std::size_t tapBegin = 0;    ///< where this view begins in the list of all taps
    std::size_t valueBegin = 0;  ///< where this view begins in the values of all views
    int taps = 0;
    int tapStride = 1;     ///< distance of neighbouring taps in the values
    int rowStride = 0;     ///< distance of neighbouring rows in the values
    bool clipped = false;  ///< taps may lie outside `support`, where the kernel is 0
    SupportAxes support{};
};

/// A radial profile in device memory.
struct RadialProfile {
    RadialModel shape;  ///< all but its arrays and the number of ids
    DeviceSpan<const double> sigma;
    DeviceSpan<const double> s;
    DeviceSpan<const int> first;
    DeviceSpan<const double> q;
    DeviceSpan<const double> w;
};

/// What the values of all views are made from.
struct TableInput {
    Vec3 spacing;
    double sigmaTof = 1;
    double sigmaAxial = 1;
    RadialProfile radial;
    DeviceSpan<const ViewTable> views;
    DeviceSpan<const Tap> taps;  ///< taps of all views
    DeviceSpan<const std::int32_t>
        order;        ///< by tap: its place in a row, negative: not stored; empty: itself
    int maxRows = 0;  ///< over views
};

/// Values of every view, row and tap at valueBegin + row rowStride + order[tapBegin + tap] tapStride,
/// normalised per row. *emptyRow becomes view + 1 where a row sums to nothing.
void computeValues(cudaStream_t stream, const TableInput& input, DeviceSpan<float> values,
                   DeviceSpan<int> emptyRow);
/// Computes every value as two bf16 whose sum it is, the larger in the lower half.
void computeValues(cudaStream_t stream, const TableInput& input, DeviceSpan<std::uint32_t> values,
                   DeviceSpan<int> emptyRow);

}  // namespace tof::device
