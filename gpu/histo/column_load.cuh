// SPDX-License-Identifier: Apache-2.0
// The column kernel's first scope: source columns and rows of the value table into shared memory.
#pragma once

#include "gpu/histo/column_shared.cuh"

namespace tof::device {

inline constexpr int kNoRow = 0xFFFF;  // fills the lists of rows up

__device__ inline std::uint32_t pack(__nv_bfloat162 v) {
    return static_cast<std::uint32_t>(__bfloat16_as_ushort(v.x)) |
           static_cast<std::uint32_t>(__bfloat16_as_ushort(v.y)) << 16U;
}

/// Two floats as bf16 pair of values and pair of remainders.
__device__ inline void split(float a, float b, std::uint32_t& high, std::uint32_t& low) {
    const __nv_bfloat162 h = __floats2bfloat162_rn(a, b);
    high = pack(h);
    low = pack(
        __floats2bfloat162_rn(a - __uint_as_float(high << 16U), b - __uint_as_float(high & 0xFFFF0000U)));
}

/// Copies four bytes to shared memory without waiting for them.
__device__ inline void copyAside(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from));
#endif
}

__device__ inline void waitForCopies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Starts bringing the rows of the value table that the block needs into shared memory. Every warp first asks
/// for the numbers of all its rows, so that it waits for memory once.
__device__ inline void startTable(const ColumnWork& w, const BlockRows& rows, std::uint32_t* table) {
    constexpr int kAtOnce = 4;
    const int stride = w.view.rowStride;
    const std::uint16_t* const list =
        rows.needed.get() + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(rows.mostRows);
    const int warps = static_cast<int>(blockDim.x) >> 5;
    for (int first = static_cast<int>(threadIdx.x) >> 5; first < rows.mostRows; first += kAtOnce * warps) {
        int number[kAtOnce];
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            number[u] = first + u * warps < rows.mostRows ? list[first + u * warps] : kNoRow;
        }
#pragma unroll
        for (int u = 0; u < kAtOnce; ++u) {
            if (number[u] == kNoRow) {
                continue;
            }
            const std::uint32_t* const source =
                w.view.values.get() + static_cast<std::size_t>(number[u]) * static_cast<std::size_t>(stride);
            std::uint32_t* const target = table + (first + u * warps) * stride;
            for (int t = static_cast<int>(threadIdx.x) & 31; t < stride; t += 32) {
                copyAside(target + t, source + t);
            }
        }
    }
}

/// Columns that a thread brings at once: each is two places of 16 bytes, so that 64 loads are on their way.
inline constexpr int kFillAtOnce = 4;

/// Which third (or whole, of one tile) of a column an item of the filling is.
template <int Tiles>
__device__ inline int partOf(int item, int slots) {
    return Tiles == 1 || item < slots ? 0 : item < 2 * slots ? 1 : 2;
}

/// Asks for the pixels of a thread's items from `begin` on.
template <int Tiles>
__device__ inline void askForPixels(const ColumnWork& w, int begin, BlockPixel (&pixels)[kFillAtOnce]) {
    const int slots = w.view.slots;
#pragma unroll
    for (int u = 0; u < kFillAtOnce; ++u) {
        const int item = begin + u * static_cast<int>(blockDim.x);
        const int place = item < slots * Tiles ? item - partOf<Tiles>(item, slots) * slots : 0;
        const uint2 packed = __ldg(reinterpret_cast<const uint2*>(w.view.tile.get() + place));
        pixels[u] = {static_cast<std::int16_t>(packed.x & 0xFFFFU),
                     static_cast<std::int16_t>(packed.x >> 16U),
                     static_cast<std::uint16_t>(packed.y & 0xFFFFU), 0};
    }
}

/// A part of one column, 16 planes, on its way into the tile: every plane of a place of 16 bytes, two places.
template <int Tiles>
class ColumnPart {
  public:
    /// Asks for the part that `item` stands for, zeros outside the lattice; `pixel` is its column's.
    __device__ void ask(const ColumnWork& w, const WorkPlace& at, int item, const BlockPixel& pixel) {
        const int slots = w.view.slots;
        const int part = partOf<Tiles>(item, slots);
        target_ = item < slots * Tiles ? byteInTile(pixel.slot, 16 * Tiles, 2 * part) : -1;
        const auto plane = static_cast<std::uint32_t>(w.size[0] * w.size[1]);
        const int x = at.origin.x + pixel.x;
        const int y = at.origin.y + pixel.y;
        const bool inside = at.isInside(w, pixel);
        const float* const from = w.from.get() + static_cast<std::size_t>(at.z0) * plane;
        const float* const column = opaque(
            planesOn(from + (inside ? y * w.size[0] + x : 0), plane, 2U * static_cast<unsigned>(part)));
        if (at.z0 + 16 * Tiles <= w.size[2]) {
            askForPlanes(column, plane, inside);
        } else {
            askForPlanes(column, plane, inside ? w.size[2] - at.z0 - 2 * part : 0);
        }
    }
    /// Stands for nothing.
    __device__ void skip() { target_ = -1; }

    /// Writes the part as values and remainders.
    __device__ void put(unsigned char* tile, int remainders) const {
        if (target_ < 0) {
            return;
        }
#pragma unroll
        for (int o = 0; o < 2; ++o) {
            uint4 high;
            uint4 low;
            split(v_[o + 0], v_[o + 2], high.x, low.x);
            split(v_[o + 4], v_[o + 6], high.y, low.y);
            split(v_[o + 8], v_[o + 10], high.z, low.z);
            split(v_[o + 12], v_[o + 14], high.w, low.w);
            unsigned char* const to = tile + (target_ ^ (16 * o));
            *reinterpret_cast<uint4*>(to) = high;
            *reinterpret_cast<uint4*>(to + remainders) = low;
        }
    }

  private:
    static constexpr int kPartPlanes = 16;
    __device__ static constexpr int planeOf(int i) {
        return 2 * Tiles * (i >> 1) + (i & 1);
    }

    __device__ void askForPlanes(const float* column, std::uint32_t plane, bool inside) {
#pragma unroll
        for (int i = 0; i < kPartPlanes; ++i) {
            v_[i] = inside ? __ldg(planesOn(column, plane, static_cast<unsigned>(planeOf(i)))) : 0.0F;
        }
    }
    __device__ void askForPlanes(const float* column, std::uint32_t plane, int planes) {
#pragma unroll
        for (int i = 0; i < kPartPlanes; ++i) {
            const int z = planeOf(i);
            v_[i] = z < planes ? __ldg(planesOn(column, plane, static_cast<unsigned>(z))) : 0.0F;
        }
    }

    float v_[kPartPlanes];
    int target_;  ///< the first 16 bytes in the tile, or negative
};

/// Fills the tile with columns of the input, planes z0 .. z0 + 16 Tiles - 1, zero outside the lattice.
/// `pixels`: of the thread's first items, asked for before.
template <int Tiles>
__device__ inline void fillTile(const ColumnWork& w, const WorkPlace& at, BlockPixel (&pixels)[kFillAtOnce],
                                unsigned char* tile) {
    const int items = w.view.slots * Tiles;
    const int threads = static_cast<int>(blockDim.x);
    for (int begin = static_cast<int>(threadIdx.x); begin - at.lane < items; begin += kFillAtOnce * threads) {
        ColumnPart<Tiles> parts[kFillAtOnce];
#pragma unroll
        for (int u = 0; u < kFillAtOnce; ++u) {
            const int item = begin + u * threads;
            parts[u].skip();
            if (item - at.lane < items) {  // some of the warp
                parts[u].ask(w, at, item, pixels[u]);
            }
        }
        askForPixels<Tiles>(w, begin + kFillAtOnce * threads, pixels);
#pragma unroll
        for (int u = 0; u < kFillAtOnce; ++u) {
            parts[u].put(tile, w.view.slots * slotBytes(16 * Tiles));
        }
    }
}

}  // namespace tof::device
