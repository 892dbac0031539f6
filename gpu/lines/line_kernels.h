// SPDX-License-Identifier: Apache-2.0
// Lines of response on the device: launchers, callable from plain C++. Pointers are device memory; launches
// return without waiting.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "recon/base/vec3.h"
#include "recon/scanner/michelogram.h"
#include "recon/systems/lines/line_operator.h"

namespace tof::device {

/// z of the two ends of a sinogram's lines, mm.
struct PlaneEnds {
    double z1;
    double z2;
};

/// One event in an order of its own.
struct EventRecord {
    std::uint32_t one;  ///< crystals
    std::uint32_t two;
    std::int32_t timeBin;
    std::uint32_t datum;  ///< in its part
};

/// The lines of one part: bins of a michelogram, or events of a list.
struct LinePart {
    LineOperator op;
    std::size_t data = 0;  ///< of this part

    const TransverseLine* transverse = nullptr;  ///< [slot of the part][radial][ray]
    const PlaneEnds* planes = nullptr;
    const double* axialShifts = nullptr;
    int sinograms = 0;
    int radialBins = 0;
    int timeBins = 1;
    int radialRays = 1;
    int axialRays = 1;

    const Vec3* points = nullptr;  ///< of the crystals; null for a michelogram
    const uint2* pairs = nullptr;  ///< of the part's events
    const int* eventTimeBins = nullptr;
    /// In place of the two lists above; only event_kernels.h and tile_kernels.h know of it.
    const EventRecord* events = nullptr;
};

/// p = F x, one thread per datum, neighbours in a warp along the radial direction.
void ringForward(cudaStream_t stream, const LinePart& part, const float* image, float* p);

/// image += F^T p by plain read-modify-write: updates that collide are lost.
void ringBackRacy(cudaStream_t stream, const LinePart& part, const float* p, float* image);
/// image += F^T p by atomic additions of floats: nothing is lost, sums depend on the order.
void ringBackAtomic(cudaStream_t stream, const LinePart& part, const float* p, float* image);

/// largest = bits of max |p|; zero when p is. `largest` is set by this call.
void ringLargest(cudaStream_t stream, const float* p, std::size_t n, unsigned* largest);
/// Unit of a fixed point: 2^-exponent.
struct FixedScale {
    unsigned largest;  ///< bits of max |p|
    int exponent;      ///< 0 when p is
};
/// *scale = the finest unit in which no sum of the part's data, each through the longest way in a voxel, can
/// reach 2^62.
void ringScale(cudaStream_t stream, const LinePart& part, const float* p, FixedScale* scale);
/// sums += F^T p in 64-bit fixed point, so that none depends on the order. `part.op.grid` has the strides of
/// `sums`; neighbours in a warp are sinograms, which share their transverse path, so that strides with z
/// fastest make them meet in the same memory lines.
void ringBackFixed(cudaStream_t stream, const LinePart& part, const float* p, const FixedScale* scale,
                   unsigned long long* sums);
/// image = (or +=) the sums, which have the strides of `part.op.grid`; leaves the sums zero.
void ringFinishFixed(cudaStream_t stream, const LinePart& part, const int size[3], const FixedScale* scale,
                     unsigned long long* sums, bool add, float* image);

/// counts[voxel] += 1 for every voxel of every line, by plain read-modify-write as ringBackRacy() does it;
/// *updates = how many there were.
void ringCountRacy(cudaStream_t stream, const LinePart& part, unsigned* counts, unsigned long long* updates);

/// One axis of a separable symmetric blur; weights[0] is the centre.
void blurAxis(cudaStream_t stream, const int size[3], int axis, const float* weights, int count,
              const float* in, float* out);

}  // namespace tof::device
