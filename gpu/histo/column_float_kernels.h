// SPDX-License-Identifier: Apache-2.0
// Columns of voxels in registers, single precision.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/histo/gather.h"
#include "gpu/space/element_kernels.h"
#include "recon/seam/space.h"

namespace tof::device {

/// The taps of one in-plane offset, neighbours along z.
struct TapRun {
    int offset = 0;  ///< in the padded volume, from target to the first source voxel
    int plane = 0;   ///< its part within a plane
    int first = 0;   ///< first of the run in the values, in order of rising source z
    int count = 0;
};

/// A volume with zeros around it: lattice voxel (x, y, z) is at ((z + hz) py + y + hy) px + x + hx.
struct PaddedShape {
    int px = 0;
    int py = 0;
    int pz = 0;
    int hx = 0;
    int hy = 0;
    int hz = 0;
};

struct ColumnFloatWork {
    DeviceSpan<const float> padded;
    DeviceSpan<const std::int32_t> ids;  ///< padded plane, py x px
    DeviceSpan<const TapRun> runs;
    int runCount = 0;                ///< how many runs there are
    DeviceSpan<const float> values;  ///< [tap in run order][row]
    int rows = 0;
    PaddedShape shape;
    int size[3] = {0, 0, 0};
    int zBlockBegin = 0;  ///< in blocks of kColumnDepth
    int zBlocks = 0;
    DeviceSpan<float> out;
    Write write = Write::Overwrite;
};

inline constexpr int kColumnDepth = 16;
inline constexpr int kColumnThreads = 128;

/// Copies a volume into the padded one, whose margins are zero already.
void padVolume(Launch launch, DeviceSpan<const float> from, const int (&size)[3], const PaddedShape& shape,
               DeviceSpan<float> padded);
/// ids: rows of `pitch`; padded must be zero before.
void padIds(cudaStream_t stream, DeviceSpan<const std::int32_t> ids, int pitch, const int (&size)[3],
            const PaddedShape& shape, DeviceSpan<std::int32_t> padded);
void projectColumnFloat(Launch launch, const ColumnFloatWork& work, Gather gather);
[[nodiscard]] const void* columnFloatFunction(Gather gather);

}  // namespace tof::device
