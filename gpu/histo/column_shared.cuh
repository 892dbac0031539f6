// SPDX-License-Identifier: Apache-2.0
// What the scopes of the column kernel share: its shared memory, where a thread works, numbers of a plan.
#pragma once

#include <cuda_bf16.h>

#include "gpu/histo/column_work.h"

namespace tof::device {

/// Bytes of a source column's values in the tile; the remainders of all columns follow the values of all.
__host__ __device__ constexpr int slotBytes(int planes) {
    return planes * 2;
}

/// Flips bit 4 of the place of 16 bytes within a slot, so that those of eight neighbouring slots, 2 or 6
/// times 16 bytes apart, lie in different banks.
__device__ inline int swizzle(int slot) {
    return ((slot >> 2) & 1) << 4;
}

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
          half(static_cast<int>(threadIdx.x) >> 5 & 1),
          origin(w.view.origins[blockIdx.x]),
          window(w.windowBegin + static_cast<int>(blockIdx.y)),
          z0(window * (planes - 2 * w.view.reach)) {}

    [[nodiscard]] __device__ bool isInside(const ColumnWork& w, const BlockPixel& p) const {
        const int x = origin.x + p.x;
        const int y = origin.y + p.y;
        return x >= 0 && y >= 0 && x < w.size[0] && y < w.size[1];
    }
};

/// True when the strip is among those that the chunk of `source` is needed by.
__device__ inline bool needs(unsigned source, int strip) {
    return (source >> (kPlanSlotBits + strip) & 1U) != 0;
}

__device__ inline unsigned slotOf(unsigned source) {
    return source & ((1U << kPlanSlotBits) - 1U);
}

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
