// SPDX-License-Identifier: Apache-2.0
// Lines of response on the device: launchers, callable from plain C++, which return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <array>

#include "gpu/lines/line_part.h"
#include "recon/seam/space.h"

namespace tof::device {

/// p = F x, one thread per datum, neighbours in a warp along the radial direction.
void lineForward(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> image,
                 DeviceSpan<float> p);

/// image += F^T p by atomic additions of floats: nothing is lost, sums depend on the order.
void lineBackAtomic(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                    DeviceSpan<float> image);

/// *largest = bits of max |p|; zero when p is.
void largestDatum(cudaStream_t stream, DeviceSpan<const float> p, DeviceSpan<unsigned> largest);
/// *scale = the finest unit in which no sum of the part's data, each through the longest way in a voxel, can
/// reach 2^kFixedBits.
void lineScale(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
               DeviceSpan<FixedScale> scale);
/// sums += F^T p in fixed point. `part.op.grid` has the strides of `sums`; neighbours in a warp are
/// sinograms, which share their transverse path, so that strides with z fastest make them meet in the same
/// memory lines.
void lineBackFixed(cudaStream_t stream, const LinePart& part, DeviceSpan<const float> p,
                   DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums);
/// Writes what the sums stand for, which have the strides of `part.op.grid`; leaves the sums zero.
void lineFinishFixed(cudaStream_t stream, const LinePart& part, const std::array<int, 3>& size,
                     DeviceSpan<const FixedScale> scale, DeviceSpan<FixedSum> sums, Write write,
                     DeviceSpan<float> image);

}  // namespace tof::device
