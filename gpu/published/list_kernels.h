// SPDX-License-Identifier: Apache-2.0
// The kernels of paper 002: projection-mask lists sorted by TOF distance, a 3-D cloud, look-up tables per
// direction.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/published/texture_kernels.h"

namespace tof::device {

/// One view's mask and cloud.
struct ListView {
    DeviceSpan<const std::uint32_t> mask;      ///< pixels in order of list, then TOF distance
    DeviceSpan<const std::uint32_t> position;  ///< place of every pixel in the mask
    DeviceSpan<const std::int32_t> ids;        ///< LORmap, rows idPitch apart
    int idPitch = 0;
    DeviceSpan<const Tap> cloud;  ///< in layers of z
    int taps = 0;
    DeviceSpan<const int> layers;  ///< first cloud point of each layer; layerCount + 1 entries
    int layerCount = 0;
    DeviceSpan<const float> lutTof;          ///< per cloud point
    DeviceSpan<const float> lutAxial;        ///< per cloud point
    DeviceSpan<const float> lutRadial;       ///< [row][in-plane point], normalised
    DeviceSpan<const std::int32_t> inPlane;  ///< in-plane point of every cloud point
    int inPlanePoints = 0;
    DeviceSpan<const int2> ranges;  ///< mask positions that the sources of each block of targets span
};

struct ListWork {
    ListView view;
    int size[3] = {0, 0, 0};
    int zBegin = 0;
    int zEnd = 0;
    DeviceSpan<const float> from;       ///< for shared-list
    cudaTextureObject_t image = 0;      ///< for texture-reduce
    cudaTextureObject_t idTexture = 0;  ///< for texture-reduce
    DeviceSpan<float> out;
    Write write = Write::Overwrite;
};

inline constexpr int kListThreads = 256;   ///< targets of a block of shared-list
inline constexpr int kListEntries = 8192;  ///< source voxels in shared memory at a time
inline constexpr int kReduceThreads = 128;
inline constexpr int kReduceTargets = 32;  ///< list elements of a block of texture-reduce

void projectSharedList(cudaStream_t stream, const ListWork& work, Gather gather);
void projectTextureReduce(cudaStream_t stream, const ListWork& work, Gather gather);
[[nodiscard]] const void* sharedListFunction(Gather gather);
[[nodiscard]] const void* textureReduceFunction(Gather gather);

}  // namespace tof::device
