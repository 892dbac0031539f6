// SPDX-License-Identifier: Apache-2.0
// Element-wise work and reductions on the device. Launchers return without waiting; spans of one call are of
// one size.
#pragma once

#include <cuda_runtime_api.h>
#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "gpu/space/device_span.h"
#include "recon/seam/element_math.h"

namespace tof::device {

/// Blocks of a reduction: fixed, so that sums are the same bits every time, on every card.
inline constexpr unsigned kReductionBlocks = 512;

/// Where reductions leave partial results and their total. All device memory.
struct ReductionArea {
    double* partial = nullptr;   ///< kReductionBlocks
    double* total = nullptr;     ///< one
    unsigned* ticket = nullptr;  ///< one, zero between uses
};

inline constexpr float kNothingSeen = std::numeric_limits<float>::infinity();
/// What openDiscrepancy() leaves of every one of its blocks: x, the sum of e, in single precision like the
/// floor that follows from it, and y, the least positive e of data that have counts; kNothingSeen where there
/// are none.
struct FloorParts {
    float2* parts = nullptr;  ///< in device memory
    unsigned count = 0;       ///< how many blocks; kReductionBlocks at most
};

struct Launch {
    cudaStream_t stream = nullptr;
    bool overlap = false;  ///< dependent launches may overlap (compute capability 9.0 and newer)
};

void fill(Launch launch, DeviceSpan<float> x, float value);
/// x = value where s >= floor and s > 0, else 0.
void fillSeen(Launch launch, DeviceSpan<const float> s, float floor, float value, DeviceSpan<float> x);
void multiply(Launch launch, DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> out);
/// out += factor * a
/// x[place] += value for every place, by atomic additions.
void addAt(Launch launch, DeviceSpan<const std::uint64_t> places, float value, DeviceSpan<float> x);
void addScaled(Launch launch, DeviceSpan<const float> a, float factor, DeviceSpan<float> out);
void sum(Launch launch, DeviceSpan<const float> x, ReductionArea area);
void maximum(Launch launch, DeviceSpan<const float> x, ReductionArea area);
/// p = mult p + add and the sum of it. Empty mult means 1, empty add means 0.
void expected(Launch launch, DeviceSpan<const float> mult, DeviceSpan<const float> add, DeviceSpan<float> p,
              ReductionArea area);
/// p = mult (y/p - offset) with y/p = 0 where mult = 0 or p <= 1e-9 total/n. Empty mult means 1. Reads y and
/// mult before the launch before this one is done, which must not write them.
void ratio(Launch launch, DeviceSpan<const float> y, DeviceSpan<const float> mult, float offset,
           DeviceSpan<float> p, ReductionArea area);
/// The sum of y log(e) - e (logLikelihoodOf()).
void logLikelihood(Launch launch, DeviceSpan<const float> y, DeviceSpan<const float> e, ReductionArea area);
/// What discrepancies are made of. y, and where they are not empty mult and add, are of one size.
struct DeviceData {
    DeviceSpan<const float> y;
    DeviceSpan<const float> mult;  ///< empty: 1
    DeviceSpan<const float> add;   ///< empty: 0
};
/// p from forward projection to mult (y/e - offset), e = mult p + add, in one pass: y/e = 0 where mult = 0 or
/// e is not positive, but not yet where e <= 1e-9 mean(e). Whoever projects p back has to see to that, if the
/// least of `left` says that there is such a datum. Sets left.count. Reads the data before the launch before
/// this one is done, which must not write them.
void openDiscrepancy(Launch launch, const DeviceData& data, float offset, DeviceSpan<float> p,
                     FloorParts& left);
/// *to = the parts joined: the sum of e over `whole`, and the least e.
void joinFloor(Launch launch, const FloorParts& left, double whole, float2* to);
/// Puts right what openDiscrepancy() made where e is at or below the floor, if any is: 1e-9 of the sum of
/// what `shares` have of the mean, joined in their order. e follows from p.
void closeDiscrepancy(Launch launch, const DeviceData& data, float offset, DeviceSpan<float> p,
                      const FloorParts& shares);
/// Mirrors UpdateTerms; empty where there is none.
struct DeviceTerms {
    DeviceSpan<const float> correction;
    DeviceSpan<const float> sensitivity;
    bool settled = false;  ///< the launch before this one does not write the sensitivity
    DeviceSpan<const float> lambda;
    DeviceSpan<const float> att;
    DeviceSpan<float> attenuated;
};
/// As Space::update(). Reads x, att and a settled sensitivity before the launch before this one is done,
/// which must not write them.
void update(Launch launch, const VoxelUpdate& how, const DeviceTerms& terms, DeviceSpan<float> x);

}  // namespace tof::device
