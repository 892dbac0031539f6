// SPDX-License-Identifier: Apache-2.0
// What the scopes of the column kernel share: its shared memory, where a thread works, numbers of a plan.
#pragma once

#include <cuda_bf16.h>

#include "gpu/histo/column_work.h"
#include "gpu/space/warp.cuh"

namespace tof::device {

/// Elements between planes of the results in shared memory.
__host__ __device__ constexpr int resultPitch(int groups) {
    return 32 * groups + 4;
}

struct SharedLayout {
    std::size_t table;
    std::size_t slotRows;
    std::size_t total;
};

__host__ __device__ inline std::size_t alignUp(std::size_t n) {
    return (n + 127) / 128 * 128;
}

/// The tile lies at 0; the results take its place once it is not needed any more.
__host__ __device__ inline SharedLayout sharedLayout(const ColumnView& v, int planes, bool bySource) {
    SharedLayout s{};
    const std::size_t tile =
        2 * static_cast<std::size_t>(v.slots) * static_cast<std::size_t>(slotBytes(planes));
    const std::size_t results = static_cast<std::size_t>(2 * planes) *
                                static_cast<std::size_t>(resultPitch(v.groups)) * sizeof(float);
    s.table = alignUp(tile > results ? tile : results);
    s.slotRows = alignUp(s.table + static_cast<std::size_t>(v.mostRows[bySource ? 1 : 0]) *
                                       static_cast<std::size_t>(v.rowStride) * sizeof(std::uint32_t));
    s.total = s.slotRows + (bySource ? static_cast<std::size_t>(v.slots) * sizeof(std::uint16_t) : 0);
    return s;
}

/// Where a thread works: its block's window in the image, its warp's group and half, and its lane.
struct WorkPlace {
    int lane;
    int group;
    int half;
    short2 origin;
    int window;
    int z0;

    __device__ WorkPlace(const ColumnWork& w, int planes)
        : lane(static_cast<int>(threadIdx.x) & 31),
          group(static_cast<int>(threadIdx.x) >> 6),
          // Told by one lane, so that the compiler knows that it is the same for all.
          half(__shfl_sync(kAllLanes, static_cast<int>(threadIdx.x) >> 5 & 1, 0)),
          origin(w.view.origins[blockIdx.x]),
          window(w.windowBegin + static_cast<int>(blockIdx.y)),
          z0(window * (planes - 2 * w.view.reach)) {}

    [[nodiscard]] __device__ bool isInside(const ColumnWork& w, const BlockPixel& p) const {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
    }
};

/// Hides from the compiler how a pointer was made, so that it adds offsets to it instead of working every
/// address out anew.
template <typename T>
__device__ inline T* opaque(T* pointer) {
    asm volatile("" : "+l"(pointer));
    return pointer;
}

/// `planes` planes further, in one instruction when that is a constant.
template <typename T>
__device__ inline T* planesOn(T* column, std::uint32_t planeElements, unsigned planes) {
    return column + static_cast<std::uint64_t>(planeElements) * planes;
}

}  // namespace tof::device
