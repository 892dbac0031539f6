// SPDX-License-Identifier: Apache-2.0
// The column kernel's input as a discrepancy whose floor, a share of the mean of what is expected, was not
// known when it was made: hardly any data have counts where less is expected, so that all are looked at only
// then.
#pragma once

#include "gpu/histo/column_load.cuh"
#include "gpu/space/floor.cuh"
#include "gpu/space/warp.cuh"
#include "recon/seam/element_math.h"

namespace tof::device {

/// The mean and the least of what is expected, from the parts that openDiscrepancy() has left. Every block
/// joins them in the same order.
class FloorCheck {
  public:
    /// Asks for the parts, which nobody waits for before join().
    __device__ explicit FloorCheck(const FloorParts& parts) {
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            mine_[u] = partOf(parts, threadIdx.x + static_cast<unsigned>(u) * blockDim.x);
        }
    }
    /// Joins those of a warp; a barrier of the block has to follow.
    __device__ void join(const FloorParts& parts) {
        if (parts.count == 0) {
            return;
        }
        float2 seen = mine_[0];
#pragma unroll
        for (int u = 1; u < kAtOnce; ++u) {
            seen = joinSeen(seen, mine_[u]);
        }
        for (unsigned i = threadIdx.x + kAtOnce * blockDim.x; i < parts.count; i += blockDim.x) {
            seen = joinSeen(seen, partOf(parts, i));
        }
        for (int offset = kWarp / 2; offset > 0; offset /= 2) {
            seen = joinSeen(seen, make_float2(__shfl_down_sync(kAllLanes, seen.x, offset),
                                              __shfl_down_sync(kAllLanes, seen.y, offset)));
        }
        if (threadIdx.x % kWarp == 0) {
            ofWarps()[threadIdx.x / kWarp] = seen;
        }
    }
    /// After the barrier: joins all, the same in every thread.
    __device__ void finish(const ColumnWork& w) {
        mine_[0] = ofWarps()[0];
        for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) {
            mine_[0] = joinSeen(mine_[0], ofWarps()[warp]);
        }
        floor_ = kExpectedFloor * (mine_[0].x / static_cast<float>(w.from.size()));
    }
    [[nodiscard]] __device__ float floor() const {
        return floor_;
    }
    /// Whether counts lie where no more is expected.
    [[nodiscard]] __device__ bool isPassed() const {
        return mine_[0].y <= floor_;
    }

  private:
    static constexpr int kAtOnce = 2;

    __device__ static float2 partOf(const FloorParts& parts, unsigned i) {
        return i < parts.count ? __ldcg(parts.parts + i) : make_float2(0, kNothingSeen);
    }
    __device__ static float2* ofWarps() {
        __shared__ float2 sm_warps[kColumnWarps];
        return sm_warps;
    }

    float2 mine_[kAtOnce];
    float floor_ = 0;
};

/// Puts right what the tile holds of data whose e is not above the floor. e follows from p = mult (y/e -
/// offset).
template <int Tiles>
__device__ inline void repairTile(const ColumnWork& w, const WorkPlace& at, float floor,
                                  unsigned char* tile) {
    constexpr int kPlaces = 2 * Tiles;  // places of 16 bytes, in a column
    constexpr int kPlanes = 16 * Tiles;
    const int remainders = w.view.slots * slotBytes(kPlanes);
    for (int item = static_cast<int>(threadIdx.x); item < w.view.slots * kPlanes;
         item += static_cast<int>(blockDim.x)) {
        const BlockPixel pixel = w.view.tile[item % w.view.slots];
        const int z = item / w.view.slots;
        if (!at.isInside(w, pixel) || at.z0 + z >= w.size[2]) {
            continue;
        }
        const auto row = static_cast<std::size_t>(at.z0 + z) * static_cast<std::size_t>(w.size[1]) +
                         static_cast<std::size_t>(at.origin.y + pixel.y);
        const std::size_t i =
            row * static_cast<std::size_t>(w.size[0]) + static_cast<std::size_t>(at.origin.x + pixel.x);
        const float y = w.floor.y[i];
        const float mult = w.floor.mult.empty() ? 1.0F : w.floor.mult[i];
        if (isBeneath(floor, w.from[i], y, mult, w.floor.offset)) {
            std::uint32_t high = 0;
            std::uint32_t low = 0;
            split(-mult * w.floor.offset, 0.0F, high, low);
            unsigned char* const to = tile + byteInTile(pixel.slot, kPlanes, z % kPlaces) + 2 * (z / kPlaces);
            *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(high);
            *reinterpret_cast<std::uint16_t*>(to + remainders) = static_cast<std::uint16_t>(low);
        }
    }
}

}  // namespace tof::device
