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

/// The weights that a lane brings for the chunks of its warp, in order. Three chunks are under way: the lists
/// of the one after next, the weights of the next, the product of this one.
template <Gather gather>
class WeightStream {
  public:
    static constexpr bool kBySource = gather == Gather::BySource;

    /// Asks for the lists of the first chunks, which lie in global memory.
    __device__ WeightStream(const ColumnWork& w, const WorkPlace& at)
        : lane_(at.lane),
          rowOfPixel_(w.view.blockRows[kBySource ? 1 : 0].rowOfPixel.get() +
                      static_cast<std::size_t>(blockIdx.x) *
                          static_cast<std::size_t>(w.view.blockRows[kBySource ? 1 : 0].pixels)) {
        const int first = w.view.firstChunk[at.half];
        left_ = (at.half == 0 ? w.view.firstChunk[1] : w.view.chunks) - first;
        sources_ = w.view.sources.get() + (at.group * w.view.chunks + first) * kPlanChunk + (lane_ & 7) +
                   ((lane_ >> 4) << 3);
#pragma unroll
        for (int ahead = 0; ahead < 3; ++ahead) {
            source_[ahead] = sourceAhead(ahead);
        }
        places_ = w.view.weights.get() + static_cast<std::size_t>(first) * (kPlanStrips * 32) + lane_;
        if constexpr (!kBySource) {
#pragma unroll
            for (int strip = 0; strip < kPlanStrips; ++strip) {
                row_[strip] = rowOfPixel_[at.group * kPlanGroup + strip * kPlanStrip + (lane_ >> 2)];
            }
        }
    }

    /// Asks for where the weights of the first chunk lie.
    __device__ void askForPlaces() {
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            askForPlace(strip, source_[0], 0);
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

    /// Tells where in shared memory the table begins, and by source the rows of the slots.
    __device__ void openTable(const ColumnWork& w, std::uint32_t table, const std::uint16_t* slotRows) {
        rowBytes_ = static_cast<std::uint32_t>(w.view.rowStride) * 4;
        slotRows_ = slotRows;
        if constexpr (!kBySource) {
#pragma unroll
            for (std::uint32_t& r : row_) {
                r = table + 4 * kPlanZeros + rowBytes_ * r;
            }
        }
        lastTap_ = table + static_cast<std::uint32_t>(kPlanZeros + w.view.taps - 1) * 4;
    }

    /// A group without work: its stream ends here.
    __device__ void endUnless(bool needed) {
        left_ = needed ? left_ : 0;
    }
    [[nodiscard]] __device__ int left() const {
        return left_;
    }

    /// Brings the weights of the first chunk.
    __device__ void start() {
        findRows(rowOfSource(source_[0]));
#pragma unroll
        for (int strip = 0; strip < kPlanStrips; ++strip) {
            gatherWeights(strip, source_[0]);
            askForPlace(strip, source_[1], 1);
        }
        findRows(rowOfSource(source_[1]));
    }

    /// This lane's column of the chunk that is to be multiplied, and above its slot the strips of the chunk.
    [[nodiscard]] __device__ unsigned source() const {
        return source_[0];
    }
    [[nodiscard]] __device__ SplitWeights weights(int strip) const {
        return splitWeights(raw_[strip]);
    }

    /// Asks for the lists of the chunk three ahead, whose turn comes with advance().
    __device__ void lookAhead() {
        rowAfterNext_ = rowOfSource(source_[2]);
        third_ = sourceAhead(3);
    }
    /// Replaces a strip's weights by those of the next chunk.
    __device__ void bringNext(int strip) {
        gatherWeights(strip, source_[1]);
        askForPlace(strip, source_[2], 2);
    }
    __device__ void advance() {
        findRows(rowAfterNext_);
        sources_ += kPlanChunk;
        places_ += kPlanStrips * 32;
        --left_;
        source_[0] = source_[1];
        source_[1] = source_[2];
        source_[2] = third_;
    }

  private:
    [[nodiscard]] __device__ unsigned sourceAhead(int chunks) const {
        return left_ > chunks ? __ldg(sources_ + chunks * kPlanChunk) : 0U;
    }
    __device__ void askForPlace(int strip, unsigned source, int ahead) {
        if (needs(source, strip)) {
            place_[strip] = __ldg(places_ + (ahead * kPlanStrips + strip) * 32);
        }
    }
    [[nodiscard]] __device__ std::uint32_t rowOfSource(unsigned source) const {
        return kBySource ? slotRows_[slotOf(source)] : 0U;
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
    __device__ void gatherWeights(int strip, unsigned source) {
        if (!needs(source, strip)) {
            return;
        }
        const std::uint32_t tap[4] = {place_[strip].x & 0xFFFFU, place_[strip].x >> 16U,
                                      place_[strip].y & 0xFFFFU, place_[strip].y >> 16U};
#pragma unroll
        for (int k = 0; k < 4; ++k) {  // by source: K of the source at the opposite offset, the mirrored tap
            raw_[strip][k] = loadShared(kBySource ? row_[k] - tap[k] : row_[strip] + tap[k]);
        }
    }

    int lane_;
    const std::uint16_t* rowOfPixel_;
    int left_;
    const std::uint16_t* sources_;
    const uint2* places_;
    unsigned source_[3];
    unsigned third_ = 0;
    uint2 place_[kPlanStrips] = {};
    std::uint32_t row_[kPlanStrips] = {};  ///< by target: of this lane's pixel of every strip
    std::uint32_t rowAfterNext_ = 0;
    std::uint32_t rowBytes_ = 0;
    std::uint32_t lastTap_ = 0;
    const std::uint16_t* slotRows_ = nullptr;
    LaneWeights raw_[kPlanStrips] = {};
};

/// The source columns of one chunk as matrices: values and remainders of 16 Tiles planes.
template <int Tiles>
struct ChunkColumns {
    std::uint32_t value[Tiles][4];
    std::uint32_t rest[Tiles][4];

    __device__ void load(std::uint32_t tile, std::uint32_t remainders, unsigned source) {
        const unsigned slot = slotOf(source);
        const std::uint32_t column = (tile + slot * static_cast<std::uint32_t>(slotBytes(16 * Tiles))) ^
                                     static_cast<std::uint32_t>(swizzle(static_cast<int>(slot)));
#pragma unroll
        for (int m = 0; m < Tiles; ++m) {
            loadMatrices(value[m], column + static_cast<std::uint32_t>(m * 32));
            loadMatrices(rest[m], column + remainders + static_cast<std::uint32_t>(m * 32));
        }
    }
};

/// A warp's sums: of every strip 16 Tiles planes and 8 pixels.
template <int Tiles>
struct Accumulators {
    float of[kPlanStrips][Tiles][4] = {};

    /// Adds 16 sources' columns times their weights to `Strips` strips. Results of one are awaited by its
    /// next product, so there should be others in between.
    template <int Strips>
    __device__ void multiply(int first, const SplitWeights* weights, const ChunkColumns<Tiles>& columns) {
#pragma unroll
        for (int product = 0; product < 3; ++product) {
#pragma unroll
            for (int strip = 0; strip < Strips; ++strip) {
                const std::uint32_t(&b)[2] = product == 1 ? weights[strip].low : weights[strip].high;
#pragma unroll
                for (int m = 0; m < Tiles; ++m) {
                    multiplyAdd(of[first + strip][m], product == 2 ? columns.rest[m] : columns.value[m], b[0],
                                b[1]);
                }
            }
        }
    }

    /// The same for the strips of a pair that are needed (bits).
    __device__ void multiplyPair(int first, unsigned needed, const SplitWeights (&weights)[2],
                                 const ChunkColumns<Tiles>& columns) {
        // Loops of one pass or none: as conditions, products would be predicated, which takes as long.
#pragma unroll 1
        for (unsigned both = needed == 3 ? 1 : 0; both != 0; --both) {
            multiply<2>(first, weights, columns);
        }
#pragma unroll 1
        for (unsigned one = needed == 1 ? 1 : 0; one != 0; --one) {
            multiply<1>(first, weights, columns);
        }
#pragma unroll 1
        for (unsigned other = needed == 2 ? 1 : 0; other != 0; --other) {
            multiply<1>(first + 1, weights + 1, columns);
        }
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

/// Multiplies the next chunk of the stream.
template <int Tiles, Gather gather>
__device__ inline void addChunk(WeightStream<gather>& stream, std::uint32_t tile, std::uint32_t remainders,
                                Accumulators<Tiles>& sums) {
    ChunkColumns<Tiles> columns;
    columns.load(tile, remainders, stream.source());
    stream.lookAhead();
#pragma unroll
    for (int pair = 0; pair < kPlanStrips; pair += 2) {
        const SplitWeights weights[2] = {stream.weights(pair), stream.weights(pair + 1)};
        stream.bringNext(pair);
        stream.bringNext(pair + 1);
        sums.multiplyPair(pair, stream.source() >> (kPlanSlotBits + pair) & 3U, weights, columns);
    }
    stream.advance();
}

}  // namespace tof::device
