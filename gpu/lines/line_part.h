// SPDX-License-Identifier: Apache-2.0
// Lines of response in device memory, as all kernels of lines are given them.
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <cstdint>

#include "gpu/space/device_span.h"
#include "recon/base/vec3.h"
#include "recon/scanner/michelogram.h"
#include "recon/systems/lines/event_path.h"
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
    std::size_t data = 0;  ///< data of this part

    DeviceSpan<const TransverseLine> transverse;  ///< [slot of the part][radial][ray]
    DeviceSpan<const PlaneEnds> planes;
    DeviceSpan<const double> axialShifts;  ///< [sinogram][axial ray]
    int sinograms = 0;
    int radialBins = 0;
    int timeBins = 1;
    int radialRays = 1;
    int axialRays = 1;

    DeviceSpan<const Vec3> points;  ///< points of the crystals; empty for a michelogram
    DeviceSpan<const uint2> pairs;  ///< pairs of the part's events
    DeviceSpan<const int> eventTimeBins;
    /// In place of the two lists above; only event_kernels.h and tile_kernels.h know of it.
    DeviceSpan<const EventRecord> events;
};

/// The table of time bins; no pieces without time of flight.
struct EventTable {
    DeviceSpan<const TimePiece> pieces;
    int count = 0;  ///< per kind of bin
    float perMm = 0;
};

/// Steps of many paths in 40 bytes each, as Way::packed() makes them; neighbours are loaded together.
struct KeptSteps {
    DeviceSpan<float4> faces;     ///< first, begin
    DeviceSpan<float4> advances;  ///< advance, limit
    DeviceSpan<uint2> places;     ///< voxel or plane, directions and kind of time bin; datum
    DeviceSpan<unsigned> slots;   ///< places in PieceSlots::seen; empty where images are read as a whole

    [[nodiscard]] bool empty() const { return places.empty(); }
    [[nodiscard]] KeptSteps from(std::size_t first) const {
        return {faces.from(first), advances.from(first), places.from(first), {}};
    }
};
/// Images of more voxels have no room for theirs.
inline constexpr std::size_t kMostKept = std::size_t{1} << 27U;

/// Sums in 64-bit fixed point are the same whatever the order of additions.
using FixedSum = unsigned long long;
/// No sum reaches 2^62 units.
inline constexpr int kFixedBits = 62;

/// Unit of a fixed point: 2^-exponent.
struct FixedScale {
    unsigned largest;  ///< bits of max |p|
    int exponent;      ///< 0 when p is
};

}  // namespace tof::device
