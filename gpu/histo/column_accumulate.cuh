// SPDX-License-Identifier: Apache-2.0
// The column kernel's second scope: weights times columns, and the accumulators.
#pragma once

#include "gpu/histo/column_load.cuh"
#include "gpu/space/warp.cuh"

namespace tof::device {

__device__ inline void loadMatrices(std::uint32_t (&r)[4], std::uint32_t address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
#endif
}

__device__ inline void multiplyAdd(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                   std::uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

__device__ inline std::uint32_t loadShared(std::uint32_t address) {
    std::uint32_t value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}

/// Loads two words of global memory that nobody writes when they are needed. Not as a branch, which products
/// could not be moved across.
__device__ inline void loadConstantIf(unsigned needed, uint2& value, const uint2* address) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.u32 p, %3, 0;\n"
        "@p ld.global.nc.v2.u32 {%0, %1}, [%2];\n"
        "}\n"
        : "+r"(value.x), "+r"(value.y)
        : "l"(address), "r"(needed));
}

/// base + (or -) one of two 16-bit halves of a word, in one instruction.
template <int Half, int Sign>
__device__ inline std::uint32_t plusHalf(std::uint32_t base, std::uint32_t halves) {
    static_assert((Half == 0 || Half == 1) && (Sign == 1 || Sign == -1));
    constexpr int kFactor = (Sign & 0xFF) << 8 * Half;
    std::uint32_t sum;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(halves), "r"(kFactor), "r"(base));
    return sum;
}

/// Moves or filters the accumulators of one strip along z. A lane holds planes 2 Tiles g + j of pixels 2 t
/// and 2 t + 1, g = lane / 4, t = lane % 4; plane j of pixel p is element 2 (j % 2) + p of tile j / 2.
template <int Tiles>
__device__ inline void takeStep(float (&c)[Tiles][4], PlanStep step, float filter, int lane) {
    constexpr int kHeld = 2 * Tiles;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
        const auto at = [&](int j) -> float& { return c[j >> 1][2 * (j & 1) + p]; };
        float above = __shfl_down_sync(kAllLanes, at(0), 4);
        float below = __shfl_up_sync(kAllLanes, at(kHeld - 1), 4);
        above = lane < 28 ? above : 0.0F;
        below = lane >= 4 ? below : 0.0F;
        if (step == PlanStep::FromAbove) {
#pragma unroll
            for (int j = 0; j + 1 < kHeld; ++j) {
                at(j) = at(j + 1);
            }
            at(kHeld - 1) = above;
        } else if (step == PlanStep::FromBelow) {
#pragma unroll
            for (int j = kHeld - 1; j > 0; --j) {
                at(j) = at(j - 1);
            }
            at(0) = below;
        } else {
            float previous = below;
#pragma unroll
            for (int j = 0; j < kHeld; ++j) {
                const float mine = at(j);
                const float next = j + 1 < kHeld ? at(j + 1 < kHeld ? j + 1 : j) : above;
                at(j) = mine + filter * (next + previous);
                previous = mine;
            }
        }
    }
}

/// The weights of one lane for one strip: pixel lane / 4, sources 2 (lane % 4) + {0, 1, 8, 9}.
using LaneWeights = std::uint32_t[4];

/// A lane's weights as two bf16 each, ready to be multiplied.
struct SplitWeights {
    std::uint32_t high[2];
    std::uint32_t low[2];
};
__device__ inline SplitWeights splitWeights(const LaneWeights& raw) {
    return {{__byte_perm(raw[0], raw[1], 0x5410), __byte_perm(raw[2], raw[3], 0x5410)},
            {__byte_perm(raw[0], raw[1], 0x7632), __byte_perm(raw[2], raw[3], 0x7632)}};
}

/// Calls visit(strip) for some strips (bits).
template <unsigned Strips, typename Visit>
__device__ inline void forEachStrip(const Visit& visit) {
#pragma unroll
    for (int strip = 0; strip < kPlanStrips; ++strip) {
        if ((Strips >> strip & 1U) != 0) {
            visit(strip);
        }
    }
}

/// A warp's sums: of every strip 16 Tiles planes and 8 pixels.
template <int Tiles>
struct Accumulators {
    float of[kPlanStrips][Tiles][4] = {};

    /// Adds 16 sources' columns times a part of their weights to some strips. Results of one product are
    /// awaited by the next of the same strip and planes, so the others come in between.
    template <unsigned Strips>
    __device__ void multiply(const std::uint32_t (&columns)[Tiles][4],
                             const SplitWeights (&weights)[kPlanStrips],
                             std::uint32_t (SplitWeights::*part)[2]) {
        forEachStrip<Strips>([&](int strip) {
#pragma unroll
            for (int m = 0; m < Tiles; ++m) {
                multiplyAdd(of[strip][m], columns[m], (weights[strip].*part)[0], (weights[strip].*part)[1]);
            }
        });
    }

    __device__ void step(PlanStep step, float filter, int lane) {
        if (step != PlanStep::Keep) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                takeStep<Tiles>(of[strip], step, filter, lane);
            }
        }
    }

    /// Lays the sums out in shared memory, [half][plane][pixel].
    __device__ void layOut(const WorkPlace& at, int pitch, float* results) const {
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            float* const mine = results + (at.half * 16 * Tiles + 2 * Tiles * (at.lane >> 2)) * pitch +
                                at.group * kPlanGroup + strip * kPlanStrip + 2 * (at.lane & 3);
#pragma unroll
            for (int j = 0; j < 2 * Tiles; ++j) {
                *reinterpret_cast<float2*>(mine + j * pitch) =
                    make_float2(of[strip][j >> 1][2 * (j & 1)], of[strip][j >> 1][2 * (j & 1) + 1]);
            }
        }
    }
};

/// The chunks of a warp, in order, and what they are multiplied by. The next chunk's list, the places of its
/// weights and its values are under way while a chunk is multiplied. All that is done for a chunk is one
/// piece of code without branches, so that loads and arithmetic pass between products; which strips need it
/// is known to the compiler, as a load that is switched off takes its time all the same.
template <int Tiles, Gather gather>
class ChunkStream {
  public:
    static constexpr bool kBySource = gather == Gather::BySource;
    static constexpr int kPlanes = 16 * Tiles;

    /// Asks for the lists of the first chunk, which lie in global memory; `strips` need it.
    __device__ ChunkStream(const ColumnWork& w, const WorkPlace& at, unsigned strips)
        : lane_(at.lane),
          rowOfPixel_(w.view.blockRows[kBySource ? 1 : 0].rowOfPixel.get() +
                      static_cast<std::size_t>(blockIdx.x) *
                          static_cast<std::size_t>(w.view.blockRows[kBySource ? 1 : 0].pixels)) {
        const int first = w.view.firstChunk[at.half];
        sources_ = w.view.sources.get() + (at.group * w.view.chunks + first) * kPlanChunk + (lane_ & 7) +
                   ((lane_ >> 4) << 3);
        now_ = sourceAhead(0);
        next_ = sourceAhead(1);
        places_ = w.view.weights.get() + static_cast<std::size_t>(first) * (kPlanStrips * 32) + lane_;
        askForPlaces(strips, 0);
        if constexpr (!kBySource) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                row_[strip] = rowOfPixel_[at.group * kPlanGroup + strip * kPlanStrip + (lane_ >> 2)];
            }
        }
    }

    /// By source: starts bringing the rows of the tile's slots into shared memory.
    __device__ void startRows(const ColumnWork& w, std::uint16_t* slotRows) const {
        if constexpr (kBySource) {
            for (int p = 2 * static_cast<int>(threadIdx.x); p < w.view.slots;
                 p += 2 * static_cast<int>(blockDim.x)) {
                copyAside(slotRows + p, rowOfPixel_ + p);
            }
        }
    }

    /// Brings the first chunk's columns. Everything is in shared memory: the tile, the table, and by source
    /// the rows of the slots, where this tells.
    __device__ void start(const ColumnWork& w, std::uint32_t tile, std::uint32_t table,
                          const std::uint16_t* slotRows) {
        tile_ = tile;
        remainders_ = static_cast<std::uint32_t>(w.view.slots * slotBytes(kPlanes));
        rowBytes_ = static_cast<std::uint32_t>(w.view.rowStride) * 4;
        slotRows_ = slotRows;
        if constexpr (!kBySource) {
#pragma unroll
            for (std::uint32_t& r : row_) {
                r = table + 4 * kPlanZeros + rowBytes_ * r;
            }
        }
        lastTap_ = table + static_cast<std::uint32_t>(kPlanZeros + w.view.taps - 1) * 4;
        findRows(rowOfSource(now_));
        column_ = columnOf(now_);
        loadMatricesOf(value_, column_);
    }

    /// Multiplies a chunk that `Strips` need, and adds to their sums; `next` need the one after it.
    template <unsigned Strips>
    __device__ void multiply(unsigned next, Accumulators<Tiles>& sums) {
        LaneWeights raw[kPlanStrips];
        forEachStrip<Strips>([&](int strip) { gatherWeights(strip, raw[strip]); });
        std::uint32_t rest[Tiles][4];
        loadMatricesOf(rest, column_ + remainders_);
        askForPlaces(next, 1);
        const std::uint32_t rowOfNext = rowOfSource(next_);
        column_ = columnOf(next_);
        next_ = sourceAhead(2);
        SplitWeights weights[kPlanStrips];
        forEachStrip<Strips>([&](int strip) { weights[strip] = splitWeights(raw[strip]); });
        sums.template multiply<Strips>(value_, weights, &SplitWeights::high);
        sums.template multiply<Strips>(value_, weights, &SplitWeights::low);
        loadMatricesOf(value_, column_);
        sums.template multiply<Strips>(rest, weights, &SplitWeights::high);
        findRows(rowOfNext);
        sources_ += kPlanChunk;
        places_ += kPlanStrips * 32;
    }

  private:
    [[nodiscard]] __device__ unsigned sourceAhead(int chunks) const {
        return __ldg(sources_ + chunks * kPlanChunk);
    }
    __device__ void askForPlaces(unsigned strips, int ahead) {
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            loadConstantIf(strips & 1U << strip, place_[strip], places_ + (ahead * kPlanStrips + strip) * 32);
        }
    }
    [[nodiscard]] __device__ std::uint32_t rowOfSource(unsigned source) const {
        return kBySource ? slotRows_[slotOfPlace(source, kPlanes)] : 0U;
    }
    /// By source: from the rows of all lanes' sources where those of this lane's four end.
    __device__ void findRows(std::uint32_t rowOfMine) {
        if constexpr (kBySource) {
            const std::uint32_t mine = lastTap_ + rowBytes_ * rowOfMine;
            const int k = 2 * (lane_ & 3);
            row_[0] = __shfl_sync(kAllLanes, mine, k);
            row_[1] = __shfl_sync(kAllLanes, mine, k + 1);
            row_[2] = __shfl_sync(kAllLanes, mine, k + 16);
            row_[3] = __shfl_sync(kAllLanes, mine, k + 17);
        }
    }
    /// By source: K of the source at the opposite offset, the mirrored tap.
    __device__ void gatherWeights(int strip, LaneWeights& raw) const {
        constexpr int kSign = kBySource ? -1 : 1;
        const auto row = [&](int k) { return row_[kBySource ? k : strip]; };
        raw[0] = loadShared(plusHalf<0, kSign>(row(0), place_[strip].x));
        raw[1] = loadShared(plusHalf<1, kSign>(row(1), place_[strip].x));
        raw[2] = loadShared(plusHalf<0, kSign>(row(2), place_[strip].y));
        raw[3] = loadShared(plusHalf<1, kSign>(row(3), place_[strip].y));
    }

    /// Where a lane's part of a column begins.
    [[nodiscard]] __device__ std::uint32_t columnOf(unsigned source) const {
        return (tile_ + (source << 4U)) ^ static_cast<std::uint32_t>(((lane_ >> 3) & 1) << 4);
    }
    /// 16 Tiles planes of 16 columns.
    __device__ static void loadMatricesOf(std::uint32_t (&matrices)[Tiles][4], std::uint32_t column) {
#pragma unroll
        for (int m = 0; m < Tiles; ++m) {
            loadMatrices(matrices[m], column + static_cast<std::uint32_t>(m * 32));
        }
    }

    int lane_;
    const std::uint16_t* rowOfPixel_;
    const std::uint16_t* sources_;
    const uint2* places_;
    unsigned now_;
    unsigned next_;
    std::uint32_t tile_ = 0;
    std::uint32_t remainders_ = 0;
    std::uint32_t column_ = 0;
    uint2 place_[kPlanStrips] = {};
    std::uint32_t row_[kPlanStrips] = {};  ///< by target: of this lane's pixel of every strip
    std::uint32_t rowBytes_ = 0;
    std::uint32_t lastTap_ = 0;
    const std::uint16_t* slotRows_ = nullptr;
    std::uint32_t value_[Tiles][4];  ///< the chunk that comes next
};

/// Multiplies a run of chunks, of which there is one at least.
template <unsigned Strips, int Tiles, Gather gather>
__device__ inline void multiplyChunks(ChunkStream<Tiles, gather>& stream, ChunkRun run,
                                      Accumulators<Tiles>& sums) {
    unsigned left = run.chunks();
#pragma unroll 1
    do {
        stream.template multiply<Strips>(left > 1 ? Strips : run.next(), sums);
    } while (--left > 0);
}

/// Multiplies a run of chunks by the code that is made for its strips: bit by bit, as a switch would compare
/// anew at every branch. `Strips`: of those above `Bit`.
template <unsigned Strips = 0, unsigned Bit = 1U << (kPlanStrips - 1), int Tiles, Gather gather>
__device__ inline void multiplyRun(ChunkStream<Tiles, gather>& stream, ChunkRun run,
                                   Accumulators<Tiles>& sums) {
    if constexpr (Bit != 0) {
        if ((run.strips() & Bit) != 0) {
            multiplyRun<Strips | Bit, Bit / 2>(stream, run, sums);
        } else {
            multiplyRun<Strips, Bit / 2>(stream, run, sums);
        }
    } else if constexpr (Strips != 0) {
        multiplyChunks<Strips>(stream, run, sums);
    }
}

}  // namespace tof::device
