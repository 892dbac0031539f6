// SPDX-License-Identifier: Apache-2.0
// Who: a block per multiprocessor; a warpgroup of 4 warps per group of 64 pixels and a window's planes, a
// warp per line, and one warp that brings stages of sources through a ring in shared memory. A warpgroup
// makes the weights of 16 sources and one dz in registers, in two parts, and multiplies them with the
// sources' two parts where they lie: three of the four products. Sums on the tensor cores are cut off at
// every step, so they are moved to single precision after some dozens. Groups are dealt out evenly,
// neighbours to the same block.
//
// Compiled for sm_90a (gpu/CMakeLists.txt).
#include <type_traits>

#include "gpu/histo/hopper.cuh"
#include "gpu/histo/stream_kernels.h"
#include "gpu/histo/stream_weights.cuh"
#include "gpu/space/cuda_check.h"
#include "gpu/space/launch.cuh"
#include "gpu/space/warp.cuh"

namespace tof::device {

namespace in_stream_kernels {

constexpr int kWarpgroup = 128;
constexpr int kMostDepth = 4;
constexpr int kPartBytes = 2 * kStreamOctet;  // high or low parts of a plane of an octet
/// Steps whose products are summed up on the tensor cores: 600 lose 4e-5 of the sum.
constexpr int kStepsAtOnce = 64;
/// Untilted views have two sums, and more to go through when they are moved.
constexpr int kFlatStepsAtOnce = 200;

/// Registers of a thread: 65,536 in all, less those of the warpgroup that brings the sources.
template <int Groups>
constexpr int kRegisters = Groups == 3 ? 160 : 232;
template <int Groups>
constexpr int kRegistersLeft = Groups == 3 ? 32 : 40;

struct SharedLists {
    std::uint32_t ring;
    const std::uint16_t* support;
    const StreamEntry* entries;
    const StreamStage* stages;
};

/// Copies a list into shared memory, word by word; where the next begins.
template <typename T>
__device__ unsigned char* placeList(DeviceSpan<const T> list, unsigned char* to) {
    constexpr std::size_t kAlign = 16;
    static_assert(sizeof(T) % sizeof(std::uint16_t) == 0);
    auto* const halves = reinterpret_cast<std::uint16_t*>(to);
    const auto* const from = reinterpret_cast<const std::uint16_t*>(list.get());
    const std::size_t count = list.size() * sizeof(T) / sizeof(std::uint16_t);
    for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) {
        halves[i] = from[i];
    }
    return to + (list.size() * sizeof(T) + kAlign - 1) / kAlign * kAlign;
}

__device__ SharedLists placeLists(const StreamView& v, unsigned char* shared) {
    SharedLists lists;
    lists.ring = sharedAddress(shared);
    unsigned char* at = shared + static_cast<std::size_t>(v.depth) * static_cast<std::size_t>(v.stageBytes);
    lists.support = reinterpret_cast<const std::uint16_t*>(at);
    at = placeList(v.support, at);
    lists.entries = reinterpret_cast<const StreamEntry*>(at);
    at = placeList(v.entries, at);
    lists.stages = reinterpret_cast<const StreamStage*>(at);
    placeList(v.stages, at);
    return lists;
}

/// Neighbouring groups that the block takes at once.
struct Tile {
    int along = 0;  ///< first pixel
    int line = 0;   ///< first line
    int base = 0;   ///< rise of the first pixel
    int groups = 0;
    int window = 0;
    bool inside = false;  ///< all octets across meet the lattice
};

/// The tiles of a block.
class TileWalk {
  public:
    __device__ TileWalk(const StreamWork& w, int most)
        : perWindow_(w.view.columns * w.view.tilesPerColumn),
          most_(most),
          next_(w.tileBegin[blockIdx.x]),
          last_(w.tileBegin[blockIdx.x + 1]) {}
    __device__ bool next(const StreamWork& w, Tile& tile) {
        if (next_ >= last_) {
            return false;
        }
        const int window = next_ / perWindow_;
        const int inWindow = next_ - window * perWindow_;
        const int column = inWindow / w.view.tilesPerColumn;
        const int group = most_ * (inWindow - column * w.view.tilesPerColumn);
        tile.groups = min(most_, w.view.groupsPerColumn - group);
        tile.along = column * kStreamAlong;
        tile.base = kStreamAlong / kStreamOctet * column * w.view.climb;
        tile.line = kStreamLines * group - w.view.highestOfGroup - tile.base;
        tile.window = w.windowBegin + window;
        const int first = tile.line + tile.base;
        tile.inside = first + w.view.lowestAcross + w.view.highest >= 0 &&
                      first + w.view.highestAcross + w.view.lowest < (w.view.alongY ? w.size[0] : w.size[1]);
        ++next_;
        return true;
    }

  private:
    int perWindow_;
    int most_;
    int next_;
    int last_;
};

/// Whether octets at `octet` whose first pixels' b run from `low` to `high` meet the lattice.
__device__ bool meetsLattice(const StreamWork& w, int low, int high) {
    const int sizeB = w.view.alongY ? w.size[0] : w.size[1];
    return high + w.view.highest >= 0 && low + w.view.lowest < sizeB;
}

__device__ bool usesStage(const StreamWork& w, const StreamStage& stage, const Tile& tile) {
    const int octet = tile.along / kStreamOctet + stage.octet;
    const int low = tile.line + stage.line + octet * w.view.climb;
    return octet >= 0 && octet < w.view.octets && meetsLattice(w, low, low + stage.lines - 1);
}

/// An octet of the image, or of zeros beyond the lattice.
__device__ const unsigned char* octetAt(const StreamWork& w, int window, int octet, int line) {
    const int b = line + octet * w.view.climb;
    const int l = line - w.view.firstLine;
    if (l < 0 || l >= w.view.lines || !meetsLattice(w, b, b)) {
        return w.zero.get();
    }
    const auto place =
        (static_cast<std::size_t>(window - w.windowBegin) * static_cast<std::size_t>(w.view.octets) +
         static_cast<std::size_t>(octet)) *
            static_cast<std::size_t>(w.view.lines) +
        static_cast<std::size_t>(l);
    return w.image.get() + place * static_cast<std::size_t>(w.view.octetBytes);
}

/// Barriers of the ring: a stage is there; it has been used.
struct RingBarriers {
    std::uint32_t full;
    std::uint32_t empty;
    __device__ CopyBarrier isFull(int slot) const {
        return CopyBarrier(full + 8U * static_cast<unsigned>(slot));
    }
    __device__ CopyBarrier isEmpty(int slot) const {
        return CopyBarrier(empty + 8U * static_cast<unsigned>(slot));
    }
};

/// One warp: brings the stages of all tiles.
__device__ void bringStages(const StreamWork& w, const SharedLists& lists, RingBarriers bars,
                            TileWalk tiles) {
    const int lane = static_cast<int>(threadIdx.x & 31U);
    const StreamView& v = w.view;
    int slot = 0;
    std::uint32_t phase = 1;
    Tile tile;
    while (tiles.next(w, tile)) {
        for (std::size_t s = 0; s < v.stages.size(); ++s) {
            const StreamStage& stage = lists.stages[s];
            if (!usesStage(w, stage, tile)) {
                continue;
            }
            bars.isEmpty(slot).wait(phase);
            if (lane == 0) {
                bars.isFull(slot).arriveExpecting(stage.lines * v.octetBytes);
            }
            __syncwarp();
            if (lane < stage.lines) {
                const unsigned char* const from = octetAt(
                    w, tile.window, tile.along / kStreamOctet + stage.octet, tile.line + stage.line + lane);
                bars.isFull(slot).copy(
                    lists.ring + static_cast<std::uint32_t>(slot * v.stageBytes + lane * v.octetBytes), from,
                    v.octetBytes);
            }
            if (++slot == v.depth) {
                slot = 0;
                phase ^= 1U;
            }
        }
    }
}

/// The ring as a warpgroup uses it. Stages are numbered over all tiles.
class StageReader {
  public:
    __device__ StageReader(RingBarriers bars, int depth) : bars_(bars), depth_(depth), seenSlot_(depth - 1) {}

    /// The last stage waited for, and its place in the ring.
    [[nodiscard]] __device__ int seen() const { return seen_; }
    [[nodiscard]] __device__ int slot() const { return seenSlot_; }

    __device__ void waitForNext() {
        ++seen_;
        seenSlot_ = seenSlot_ + 1 == depth_ ? 0 : seenSlot_ + 1;
        phase_ ^= seenSlot_ == 0 ? 1U : 0U;
        bars_.isFull(seenSlot_).wait(phase_);
    }
    /// Gives back the stages before `to`.
    __device__ void release(int to) {
#pragma unroll 1
        while (released_ < to) {
            if ((threadIdx.x & 31U) == 0) {
                bars_.isEmpty(releasedSlot_).arrive();
            }
            ++released_;
            releasedSlot_ = releasedSlot_ + 1 == depth_ ? 0 : releasedSlot_ + 1;
        }
    }
    /// Waits for stage `to`, whose predecessors are not needed any more but for that of the products under
    /// way, the last of which read stage `issued`. One stage at most is held while the next is awaited.
    __device__ void advance(int to, int issued) {
        if (seen_ >= to) {
            return;
        }
        if (seen_ + 1 < to) {
            waitForProducts<0>();
            release(seen_ + 1);
        } else {
            waitForProducts<1>();
            release(issued);
        }
        waitForNext();
#pragma unroll 1
        while (seen_ < to) {
            release(seen_ + 1);
            waitForNext();
        }
    }
    /// Goes past all stages up to `last`, with no products under way.
    __device__ void finish(int last) {
        release(seen_ + 1);
#pragma unroll 1
        while (seen_ < last) {
            waitForNext();
            release(seen_ + 1);
        }
    }

  private:
    RingBarriers bars_;
    int depth_;
    int seen_ = -1;
    int seenSlot_;
    std::uint32_t phase_ = 1;
    int released_ = 0;
    int releasedSlot_ = 0;
};

/// The entries of a group over all stages that its tile uses.
class EntryWalk {
  public:
    /// `base`: number of the tile's first stage.
    __device__ EntryWalk(const Tile& tile, int group, int base)
        : tile_(tile), group_(group), order_(base - 1) {}

    /// False after the last; stage() is that of the tile's last stage then.
    __device__ bool next(const StreamWork& w, const SharedLists& lists, int& entry, int& stage) {
        for (;;) {
#pragma unroll 1
            while (at_ < end_) {
                const std::int16_t* const across = lists.entries[at_].across;
                const int base = tile_.line + tile_.base;
                if (tile_.inside || meetsLattice(w, base + across[0], base + across[1])) {
                    entry = at_++;
                    stage = order_;
                    return true;
                }
                ++at_;
            }
#pragma unroll 1
            do {
                if (++which_ >= static_cast<int>(w.view.stages.size())) {
                    return false;
                }
            } while (!usesStage(w, lists.stages[which_], tile_));
            ++order_;
            const StreamStage& here = lists.stages[which_];
            at_ = here.begin[group_];
            end_ = group_ < tile_.groups ? here.begin[group_ + 1] : at_;
        }
    }
    [[nodiscard]] __device__ int order() const {
        return order_;
    }
    /// Its place along and its first line, of the entry found last.
    [[nodiscard]] __device__ int octet(const SharedLists& lists) const {
        return tile_.along / kStreamOctet + lists.stages[which_].octet;
    }
    [[nodiscard]] __device__ int line(const SharedLists& lists) const {
        return tile_.line + lists.stages[which_].line;
    }

  private:
    const Tile& tile_;
    int group_;
    int which_ = -1;
    int at_ = 0;
    int end_ = 0;
    int order_;
};

/// The entries of a group, one in use, the factors of the next and the rows of the one after asked for.
template <Gather gather, StreamForm form>
class EntryPipe {
  public:
    __device__ EntryPipe(const StreamWork& w, const SharedLists& lists, const Tile& tile, int group, int base,
                         StreamWeights<gather, form>& weights)
        : w_(w), lists_(lists), tile_(tile), walk_(tile, group, base), weights_(weights) {
        hasNext_ = walk_.next(w_, lists_, next_, nextStage_);
        if (hasNext_) {
            askForRows(next_);
            askForFactors();
        }
    }
    /// There is an entry to turn to.
    [[nodiscard]] __device__ bool hasNext() const { return hasNext_; }
    [[nodiscard]] __device__ int nextStage() const { return nextStage_; }
    /// After the last entry: the tile's last stage.
    [[nodiscard]] __device__ int lastStage() const { return walk_.order(); }

    /// Turns to the next entry, whose stage has come, at `ring` in shared memory.
    __device__ void turn(std::uint32_t ring) {
        const StreamEntry& entry = lists_.entries[next_];
        left_ = weights_.turnTo(entry);
        operand_ = entry.address + (ring >> 4);
        next_ = afterNext_;
        nextStage_ = afterNextStage_;
        hasNext_ = hasAfterNext_;
        if (hasNext_) {
            askForFactors();
        }
    }
    /// Flat: the first d of the next entry's pass.
    [[nodiscard]] __device__ int nextPass() const {
        return static_cast<int>(lists_.entries[next_].info & 31U);
    }
    /// Steps of the entry in use that are left.
    [[nodiscard]] __device__ int left() const { return left_; }
    [[nodiscard]] __device__ std::uint32_t operand() const { return operand_; }
    __device__ void step() {
        operand_ += form == StreamForm::Flat ? 0 : 1;
        --left_;
    }

  private:
    __device__ void askForFactors() {
        weights_.ask(lists_.entries[next_], rows_);
        hasAfterNext_ = walk_.next(w_, lists_, afterNext_, afterNextStage_);
        if (hasAfterNext_) {
            askForRows(afterNext_);
        }
    }
    /// By source: the table rows of the octets' pixels, of the entry that the walk stands at.
    __device__ void askForRows(int entry) {
        if constexpr (gather == Gather::BySource) {
            const std::uint32_t info = lists_.entries[entry].info;
            const StreamView& v = w_.view;
            const int first = walk_.octet(lists_) * (v.lines + 2 * kStreamEdge) + walk_.line(lists_) -
                              v.firstLine + kStreamEdge;
#pragma unroll
            for (int o = 0; o < 2; ++o) {
                const int at = first + static_cast<int>(info >> (15 + 8 * o) & 255U);
                rows_[o] = __ldg(reinterpret_cast<const unsigned*>(v.sourceRows.get()) +
                                 (static_cast<unsigned>(at) * (kStreamOctet / 2) + (threadIdx.x & 3U)));
            }
        }
    }

    const StreamWork& w_;
    const SharedLists& lists_;
    const Tile& tile_;
    EntryWalk walk_;
    StreamWeights<gather, form>& weights_;
    bool hasNext_ = false;
    bool hasAfterNext_ = false;
    int next_ = 0;
    int nextStage_ = 0;
    int afterNext_ = 0;
    int afterNextStage_ = 0;
    int left_ = 0;
    std::uint32_t operand_ = 0;
    std::uint32_t rows_[2] = {0, 0};
};

/// The two targets of a lane.
struct Targets {
    int a[2];
    int b[2];
    bool inside[2];

    __device__ Targets(const StreamWork& w, const Tile& tile, int group, int warp, int lane) {
        const int sizeA = w.view.alongY ? w.size[1] : w.size[0];
        const int sizeB = w.view.alongY ? w.size[0] : w.size[1];
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const StreamPixel pixel = targetOf(w.view, warp, lane, r);
            a[r] = tile.along + pixel.along;
            b[r] = tile.line + kStreamLines * group + pixel.line + tile.base + w.view.rise[pixel.along];
            inside[r] = a[r] < sizeA && b[r] >= 0 && b[r] < sizeB;
        }
    }
    /// Row of the table; 0 beyond the lattice.
    [[nodiscard]] __device__ unsigned row(const StreamView& v, int r) const {
        const int at = v.alongY ? a[r] * v.idPitch + b[r] : b[r] * v.idPitch + a[r];
        return inside[r] ? static_cast<unsigned>(v.ids[at]) : 0U;
    }
};

/// Writes the planes 8 j + 2 (lane % 4) + {0, 1} of both targets.
template <int Planes>
__device__ void store(const StreamWork& w, const Tile& tile, const Targets& to, int lane,
                      const float (&sums)[Planes / 2]) {
    const auto plane = static_cast<std::size_t>(w.size[0]) * static_cast<std::size_t>(w.size[1]);
    const int first = 2 * (lane & 3);
    const int z0 = tile.window * w.view.windowStep + first;
    const int beyond = w.view.reach - w.view.margin;  // planes that the neighbouring window writes
    const int lowest = tile.window == 0 ? 0 : beyond;
    const int highest = tile.window == w.allWindows - 1 ? Planes : Planes - beyond;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        if (!to.inside[r]) {
            continue;
        }
        const int x = w.view.alongY ? to.b[r] : to.a[r];
        const int y = w.view.alongY ? to.a[r] : to.b[r];
        float* const out = w.out.get() + static_cast<std::size_t>(y * w.size[0] + x);
#pragma unroll
        for (int j = 0; j < Planes / 8; ++j) {
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const int z = z0 + 8 * j + e;
                const int inWindow = first + 8 * j + e;
                if (inWindow >= lowest && inWindow < highest && z < w.size[2]) {
                    float* const at = out + static_cast<std::size_t>(z) * plane;
                    *at = sums[4 * j + 2 * r + e] + (w.add ? *at : 0.0F);
                }
            }
        }
    }
}

/// A step: the weights of one dz, and the three products with the sources that it needs.
template <int Planes, Gather gather, StreamForm form>
__device__ __forceinline__ void addStep(EntryPipe<gather, form>& pipe, StreamWeights<gather, form>& weights,
                                        std::uint32_t remainders, int keep, std::uint32_t (&parts)[4],
                                        std::uint32_t (&rests)[4], float (&sums)[Planes / 2]) {
    weights.make(parts, rests);
    beginProducts();
    multiply<Planes>(sums, parts, operandAt(pipe.operand()), keep);
    multiply<Planes>(sums, rests, operandAt(pipe.operand()), 1);
    multiply<Planes>(sums, parts, operandAt(pipe.operand() + remainders), 1);
    endProducts();
    pipe.step();
}

/// One warpgroup: the sums of its group of a tile.
template <int Planes, Gather gather, StreamForm form>
__device__ __forceinline__ void addUp(const StreamWork& w, const SharedLists& lists, StageReader& stages,
                                      EntryPipe<gather, form>& pipe, StreamWeights<gather, form>& weights,
                                      float (&total)[Planes / 2]) {
    const auto remainders = static_cast<std::uint32_t>(Planes + 2 * w.view.margin);  // 16 bytes each
    float sums[Planes / 2];
    // Two sets of operands take turns: the products under way read the other one.
    std::uint32_t parts[2][4];
    std::uint32_t rests[2][4];
#pragma unroll
    for (int i = 0; i < Planes / 2; ++i) {
        total[i] = 0;
        sums[i] = 0;
    }
    int issued = stages.seen();
    const auto turn = [&] {
        stages.advance(pipe.nextStage(), issued);
        pipe.turn(lists.ring + static_cast<std::uint32_t>(stages.slot() * w.view.stageBytes));
    };
    if (pipe.hasNext()) {
        turn();
    }
    while (pipe.left() > 0) {
        int keep = 0;
        int steps = 0;
        for (;;) {
            bool ends = false;
#pragma unroll
            for (int set = 0; set < 2; ++set) {
                addStep<Planes>(pipe, weights, remainders, keep, parts[set], rests[set], sums);
                keep = 1;
                ++steps;
                issued = stages.seen();
                if (pipe.left() == 0) {
                    ends = !pipe.hasNext() || steps >= kStepsAtOnce;
                    if (ends) {
                        break;
                    }
                    turn();
                }
                waitForProducts<1>();
                stages.release(issued);
            }
            if (ends) {
                break;
            }
        }
        waitForProducts<0>();
#pragma unroll
        for (int i = 0; i < Planes / 2; ++i) {
            total[i] += sums[i];
        }
        if (pipe.hasNext()) {
            turn();
        }
    }
}

/// The planes of one of a lane's targets, 8 j + 2 (lane % 4) + e at [j][e].
template <int Planes>
struct Planewise {
    float at[Planes / 8][2];

    /// Plane z takes what was in z + 1; the last, 0.
    __device__ void shiftDown(int lane) {
        const int t = lane & 3;
        const int next = (lane & ~3) | ((t + 1) & 3);
#pragma unroll
        for (int j = 0; j < Planes / 8; ++j) {
            const float above = j + 1 < Planes / 8 ? at[j + 1 < Planes / 8 ? j + 1 : j][0] : 0.0F;
            const float first = __shfl_sync(kAllLanes, t == 0 ? above : at[j][0], next);
            at[j][0] = at[j][1];
            at[j][1] = first;
        }
    }
    /// Plane z takes what was in z - 1; the first, 0.
    __device__ void shiftUp(int lane) {
        const int t = lane & 3;
        const int previous = (lane & ~3) | ((t + 3) & 3);
#pragma unroll
        for (int j = Planes / 8 - 1; j >= 0; --j) {
            const float below = j > 0 ? at[j > 0 ? j - 1 : j][1] : 0.0F;
            const float last = __shfl_sync(kAllLanes, t == 3 ? below : at[j][1], previous);
            at[j][1] = at[j][0];
            at[j][0] = last;
        }
    }
};

/// total += the shifts by d and -d of both sums of a pass, d = first and first + 1, times their gains.
template <int Planes>
__device__ __forceinline__ void addShifted(const StreamView& v, int first, int lane,
                                           const float (&sums)[2][Planes / 2], float (&total)[Planes / 2]) {
    const float gains[2] = {v.gain[first], v.gain[first + 1]};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int way = 0; way < 2; ++way) {
            const auto shift = [&](Planewise<Planes>& x) {
                if (way == 0) {
                    x.shiftDown(lane);
                } else {
                    x.shiftUp(lane);
                }
            };
            // The second sum is shifted once more than the first, which joins it on the way. Unshifted, the
            // first counts once.
            const float gain = first == 0 && way == 1 ? 0.0F : gains[0];
            Planewise<Planes> x;
#pragma unroll
            for (int j = 0; j < Planes / 8; ++j) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    x.at[j][e] = gains[1] * sums[1][4 * j + 2 * r + e];
                }
            }
            shift(x);
#pragma unroll
            for (int j = 0; j < Planes / 8; ++j) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    x.at[j][e] += gain * sums[0][4 * j + 2 * r + e];
                }
            }
#pragma unroll 1
            for (int d = 0; d < first; ++d) {
                shift(x);
            }
#pragma unroll
            for (int j = 0; j < Planes / 8; ++j) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    total[4 * j + 2 * r + e] += x.at[j][e];
                }
            }
        }
    }
}

/// The kernel of an untilted view.
template <int Planes, Gather gather>
__device__ __forceinline__ void addUp(const StreamWork& w, const SharedLists& lists, StageReader& stages,
                                      EntryPipe<gather, StreamForm::Flat>& pipe,
                                      StreamWeights<gather, StreamForm::Flat>& weights,
                                      float (&total)[Planes / 2]) {
    constexpr std::uint32_t kRemainders = Planes;
    float sums[2][Planes / 2];
    std::uint32_t parts[2][4];
    std::uint32_t rests[2][4];
#pragma unroll
    for (int i = 0; i < Planes / 2; ++i) {
        total[i] = 0;
        sums[0][i] = 0;
        sums[1][i] = 0;
    }
    int issued = stages.seen();
    while (pipe.hasNext()) {
        const int pass = pipe.nextPass();
        int keep[2] = {0, 0};
        int steps = 0;
        // An entry, beginning with the set of operands that the products under way do not read. True when it
        // used both, so that the next begins with the same.
        const auto take = [&](auto set) {
            constexpr int kFirst = decltype(set)::value;
            constexpr int kSecond = 1 - kFirst;
            stages.advance(pipe.nextStage(), issued);
            pipe.turn(lists.ring + static_cast<std::uint32_t>(stages.slot() * w.view.stageBytes));
            addStep<Planes>(pipe, weights, kRemainders, keep[0], parts[kFirst], rests[kFirst], sums[0]);
            keep[0] = 1;
            ++steps;
            issued = stages.seen();
            waitForProducts<1>();
            stages.release(issued);
            if (pipe.left() == 0) {
                return false;
            }
            addStep<Planes>(pipe, weights, kRemainders, keep[1], parts[kSecond], rests[kSecond], sums[1]);
            keep[1] = 1;
            ++steps;
            waitForProducts<1>();
            return true;
        };
        const auto goesOn = [&] {
            return pipe.hasNext() && pipe.nextPass() == pass && steps < kFlatStepsAtOnce;
        };
        do {
            while (take(std::integral_constant<int, 0>()) && goesOn()) {
            }
            if (!goesOn()) {
                break;
            }
            while (take(std::integral_constant<int, 1>()) && goesOn()) {
            }
        } while (goesOn());
        waitForProducts<0>();
        if (keep[1] == 0) {
#pragma unroll
            for (int i = 0; i < Planes / 2; ++i) {
                sums[1][i] = 0;
            }
        }
        addShifted<Planes>(w.view, pass, static_cast<int>(threadIdx.x & 31U), sums, total);
    }
}

template <int Planes, int Groups, Gather gather, StreamForm form>
__global__ void __launch_bounds__((Groups + 1) * kWarpgroup, 1)
    streamKernel(const __grid_constant__ StreamWork w) {
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ __align__(8) std::uint64_t sm_barriers[2 * kMostDepth];
    const SharedLists lists = placeLists(w.view, shared);
    const RingBarriers bars{sharedAddress(sm_barriers), sharedAddress(sm_barriers + kMostDepth)};
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < w.view.depth; ++slot) {
            bars.isFull(slot).init(1);
            bars.isEmpty(slot).init(4 * Groups);  // warps
        }
        CopyBarrier::publish();
    }
    waitForEarlierWork();
    __syncthreads();
    letLaterWorkPrepare();
    const int group = __shfl_sync(kAllLanes, static_cast<int>(threadIdx.x) / kWarpgroup, 0);
    TileWalk tiles(w, Groups);
    if (group == Groups) {
        leaveRegisters<kRegistersLeft<Groups>>();
        if (threadIdx.x < Groups * kWarpgroup + 32) {
            bringStages(w, lists, bars, tiles);
        }
    } else {
        takeRegisters<kRegisters<Groups>>();
        const int lane = static_cast<int>(threadIdx.x & 31U);
        const int warp = static_cast<int>(threadIdx.x >> 5 & 3U);
        StreamWeights<gather, form> weights(w.view, lists.support, warp, lane);
        StageReader stages(bars, w.view.depth);
        int base = 0;
        Tile tile;
        while (tiles.next(w, tile)) {
            const Targets targets(w, tile, group, warp, lane);
            if constexpr (gather == Gather::ByTarget) {
                weights.setRows(targets.row(w.view, 0), targets.row(w.view, 1));
            }
            EntryPipe<gather, form> pipe(w, lists, tile, group, base, weights);
            float total[Planes / 2];
            addUp<Planes>(w, lists, stages, pipe, weights, total);
            stages.finish(pipe.lastStage());  // those that held nothing for this group count, too
            base = pipe.lastStage() + 1;
            if (group < tile.groups) {
                store<Planes>(w, tile, targets, lane, total);
            }
        }
    }
}

/// The row whose kernel is the mirror image of a row's.
__device__ int mirrorRow(const StreamView& v, int row) {
    return row < v.sidedIds ? row + v.sidedIds : row < 2 * v.sidedIds ? row - v.sidedIds : row;
}

constexpr int kSplitLines = 32;
constexpr int kSplitRows = 16;  // planes
constexpr int kSplitThreads = 256;

/// The parts of a block's octets in shared memory, [part][row][line][pixel], rows of lines 16 bytes apart
/// more than they need, for the banks.
class SplitTile {
  public:
    __device__ explicit SplitTile(unsigned char* shared) : at_(shared) {}
    __device__ void put(int row, int line, int pixel, float value) const {
        std::uint32_t part = 0;
        std::uint32_t rest = 0;
        splitTwo(value, 0, part, rest);
        *reinterpret_cast<std::uint16_t*>(place(0, row, line) + 2 * pixel) = static_cast<std::uint16_t>(part);
        *reinterpret_cast<std::uint16_t*>(place(1, row, line) + 2 * pixel) = static_cast<std::uint16_t>(rest);
    }
    [[nodiscard]] __device__ uint4 get(int part, int row, int line) const {
        return *reinterpret_cast<const uint4*>(place(part, row, line));
    }
    static constexpr int kRowBytes = (kSplitLines + 1) * kPartBytes;
    static constexpr int kBytes = 2 * kSplitRows * kRowBytes;

  private:
    [[nodiscard]] __device__ unsigned char* place(int part, int row, int line) const {
        return at_ + (part * kSplitRows + row) * kRowBytes + line * kPartBytes;
    }
    unsigned char* at_;
};

/// A block: one octet along, some lines, some planes of a window; those beyond it that the kernel reaches
/// belong to it. Values are read as they lie, neighbours in x together, and written as they lie in the image.
__global__ void __launch_bounds__(kSplitThreads)
    splitKernel(const __grid_constant__ StreamWork w, int planes) {
    __shared__ __align__(16) unsigned char sm_tile[SplitTile::kBytes];
    const SplitTile tile(sm_tile);
    const StreamView& v = w.view;
    const int tid = static_cast<int>(threadIdx.x);
    const int rows = planes + 2 * v.margin;
    const int blocksOfRows = (rows + kSplitRows - 1) / kSplitRows;
    const int octet = static_cast<int>(blockIdx.x);
    const int firstLine = static_cast<int>(blockIdx.y) * kSplitLines + v.firstLine;
    const int window = w.windowBegin + static_cast<int>(blockIdx.z) / blocksOfRows;
    const int firstRow = static_cast<int>(blockIdx.z) % blocksOfRows * kSplitRows;
    const int first = firstLine + octet * v.climb;  // b of the first line's first pixel
    const int sizeA = v.alongY ? w.size[1] : w.size[0];
    const int sizeB = v.alongY ? w.size[0] : w.size[1];
    waitForEarlierWork();
    letLaterWorkPrepare();
    if (!meetsLattice(w, first, first + kSplitLines - 1)) {
        return;
    }
    const int lane = tid % 32;
    const int warp = tid / 32;
    // A warp takes two planes.
    static_assert(kSplitRows == 2 * kSplitThreads / 32 && kSplitLines == 32);
    const float* plane[2];
    for (int k = 0; k < 2; ++k) {
        const int z = window * v.windowStep + firstRow + warp + k * kSplitThreads / 32 - v.margin;
        plane[k] = z >= 0 && z < w.size[2]
                       ? w.from.get() + static_cast<std::size_t>(z) * static_cast<std::size_t>(w.size[0]) *
                                            static_cast<std::size_t>(w.size[1])
                       : nullptr;
    }
    const auto place = [&](int pixel, int across) {  // at b = first + across
        const int a = octet * kStreamOctet + pixel;
        const int b = first + across;
        const int line = across - ((pixel * v.climb + kStreamOctet / 2) >> 3);
        const bool inside = a < sizeA && b >= 0 && b < sizeB;
        const int at = v.alongY ? a * w.size[0] + b : b * w.size[0] + a;
        if (line >= 0 && line < kSplitLines) {
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const float value = inside && plane[k] != nullptr ? __ldg(plane[k] + at) : 0.0F;
                tile.put(warp + k * kSplitThreads / 32, line, pixel, value);
            }
        }
    };
    if (v.alongY) {
#pragma unroll
        for (int pixel = 0; pixel < kStreamOctet; ++pixel) {
            place(pixel, lane + ((pixel * v.climb + kStreamOctet / 2) >> 3));
        }
    } else {
        constexpr int kAcross = kSplitLines + kStreamOctet;  // b of all lines' pixels
#pragma unroll
        for (int across = 0; across < kAcross; across += 32 / kStreamOctet) {
            place(lane % kStreamOctet, across + lane / kStreamOctet + v.lowest);
        }
    }
    __syncthreads();
    const auto octetOf = [&](int line) {  // null where there is none to write
        const int b = first + line;
        return firstLine + line < v.firstLine + v.lines && meetsLattice(w, b, b)
                   ? const_cast<unsigned char*>(octetAt(w, window, octet, firstLine + line))
                   : nullptr;
    };
    for (int item = tid; item < 2 * kSplitLines * kSplitRows; item += kSplitThreads) {
        const int row = item % kSplitRows;
        const int line = item / kSplitRows % kSplitLines;
        const int part = item / (kSplitRows * kSplitLines);
        unsigned char* const to = octetOf(line);
        if (to != nullptr && firstRow + row < rows) {
            *reinterpret_cast<uint4*>(to + kPartBytes * (part * rows + firstRow + row)) =
                tile.get(part, row, line);
        }
    }
}

/// One thread per pixel of an octet.
__global__ void sourceRowsKernel(StreamView v, int sizeX, int sizeY, std::uint16_t* rows) {
    const int perOctet = v.lines + 2 * kStreamEdge;
    const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int pixel = item % kStreamOctet;
    const int line = item / kStreamOctet % perOctet + v.firstLine - kStreamEdge;
    const int octet = item / (kStreamOctet * perOctet);
    if (octet >= v.octets) {
        return;
    }
    const int a = octet * kStreamOctet + pixel;
    const int b = line + octet * v.climb + v.rise[pixel];
    const bool inside = a < (v.alongY ? sizeY : sizeX) && b >= 0 && b < (v.alongY ? sizeX : sizeY);
    const int id = inside ? v.ids[v.alongY ? a * v.idPitch + b : b * v.idPitch + a] : 0;
    rows[item] = static_cast<std::uint16_t>(mirrorRow(v, id));
}

__global__ void scaleKernel(float* radial, std::size_t count, const float* scale, unsigned box) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        radial[i] *= scale[i % box];
    }
}

using Kernel = void (*)(StreamWork);

template <Gather gather, StreamForm form>
Kernel kernelFor(int planes) {
    switch (planes) {
        case 16: return streamKernel<16, 3, gather, form>;
        case 48: return streamKernel<48, 3, gather, form>;
        default: return streamKernel<96, 2, gather, form>;
    }
}

Kernel kernelFor(int planes, Gather gather, StreamForm form) {
    switch (form) {
        case StreamForm::Flat:
            return gather == Gather::ByTarget ? kernelFor<Gather::ByTarget, StreamForm::Flat>(planes)
                                              : kernelFor<Gather::BySource, StreamForm::Flat>(planes);
        case StreamForm::Table:
            return gather == Gather::ByTarget ? kernelFor<Gather::ByTarget, StreamForm::Table>(planes)
                                              : kernelFor<Gather::BySource, StreamForm::Table>(planes);
        default:
            return gather == Gather::ByTarget ? kernelFor<Gather::ByTarget, StreamForm::Tilted>(planes)
                                              : kernelFor<Gather::BySource, StreamForm::Tilted>(planes);
    }
}

}  // namespace in_stream_kernels
using namespace in_stream_kernels;

bool streamBuilt() {
    return true;
}

int streamPlanes(int nz) {
    return nz <= 16 ? 16 : nz <= 48 ? 48 : 96;
}

int streamGroups(int planes) {
    return planes == 96 ? 2 : 3;
}

std::size_t streamSharedLimit(const cudaDeviceProp& card) {
    constexpr std::size_t kStaticBytes = 1024;  // more than the kernels declare themselves
    return card.sharedMemPerBlockOptin - kStaticBytes;
}

void prepareStream(std::size_t sharedBytes) {
    for (const int planes : {16, 48, 96}) {
        for (const Gather gather : {Gather::ByTarget, Gather::BySource}) {
            for (const StreamForm form : {StreamForm::Tilted, StreamForm::Flat, StreamForm::Table}) {
                check(cudaFuncSetAttribute(kernelFor(planes, gather, form),
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           static_cast<int>(sharedBytes)),
                      "reserve shared memory", {sharedBytes});
            }
        }
    }
}

void scaleRadial(cudaStream_t stream, DeviceSpan<float> radial, DeviceSpan<const float> scale) {
    constexpr unsigned kThreads = 256;
    scaleKernel<<<blocksFor(radial.size(), kThreads), kThreads, 0, stream>>>(
        radial.get(), radial.size(), scale.get(), static_cast<unsigned>(scale.size()));
    checkLaunch("scale the radial factors", {radial.size()});
}

void listSourceRows(cudaStream_t stream, const StreamView& v, const int (&size)[3],
                    DeviceSpan<std::uint16_t> rows) {
    constexpr unsigned kThreads = 256;
    sourceRowsKernel<<<blocksFor(rows.size(), kThreads), kThreads, 0, stream>>>(v, size[0], size[1],
                                                                                rows.get());
    checkLaunch("list the rows of sources", {rows.size()});
}

void splitForStream(Launch l, const StreamWork& w, int planes) {
    const int rows = planes + 2 * w.view.margin;
    const dim3 grid(static_cast<unsigned>(w.view.octets), blocksFor(w.view.lines, kSplitLines),
                    static_cast<unsigned>(w.windows) * blocksFor(rows, kSplitRows));
    check(launchDependent(l.overlap, splitKernel, grid, dim3(kSplitThreads), 0, l.stream, w, planes),
          "split the sources", {grid.x, grid.y, grid.z});
}

void projectStream(Launch l, const StreamWork& w, int planes, std::size_t sharedBytes, int blocks,
                   Gather gather) {
    const dim3 block(static_cast<unsigned>((streamGroups(planes) + 1) * kWarpgroup));
    check(launchDependent(l.overlap, kernelFor(planes, gather, w.view.form),
                          dim3(static_cast<unsigned>(blocks)), block, sharedBytes, l.stream, w),
          "project with the stream kernel", {static_cast<std::size_t>(blocks), block.x});
}

const void* streamFunction(Gather gather) {
    return reinterpret_cast<const void*>(kernelFor(96, gather, StreamForm::Tilted));
}

int streamThreads() {
    return (streamGroups(96) + 1) * kWarpgroup;
}

}  // namespace tof::device
