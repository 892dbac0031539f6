// SPDX-License-Identifier: Apache-2.0
// How the tensor-core `column` strategy walks one view; worked out on the host, free of CUDA.
//
// Pixels are addressed along the TOF line (a) and across it (b): a is x and b is y, or the other way round
// when the line runs closer to y. A *line* is 16 pixels that follow the TOF axis: (a0 + i, l + c(i)), c(i)
// the rounded slope. A *group* is two neighbouring lines: the 32 rows of two matrix tiles. A block holds
// along x across groups.
//
// For one group, out[p][z] = sum over dz of (sum over source pixels q of W[p][q, dz] v[q])[z + dz]. The list
// of (q, dz) with any weight is the same for every group; it is cut into chunks of 16, the depth of a matrix
// instruction, sorted by dz. Columns are source planes, so the operands need no shifting along z; the
// accumulators are moved by one plane between two values of dz instead. Two warps share a group: one takes dz
// > 0, the other dz < 0, and each half of dz = 0.
//
// Untilted kernels are a product of an in-plane part and one along z. When they reach one plane up and down,
// only the in-plane part is multiplied: first the pixels that reach it, then the accumulators are filtered
// along z, then the pixels that do not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tof {

/// A tap in the plane of a plan: along, across, axial.
struct PlanTap {
    int a = 0;
    int b = 0;
    int z = 0;
};

struct PlanShape {
    int along = 2;   ///< groups along the TOF line
    int across = 3;  ///< groups across it
    [[nodiscard]] int groups() const { return along * across; }
};

/// What happens to the accumulators after a segment.
enum class PlanStep : std::uint8_t { Keep, FromAbove, FromBelow, Filter };

/// A run of chunks and what follows it. FromAbove: plane z takes what was in z + 1.
struct PlanSegment {
    int chunks = 0;
    PlanStep after = PlanStep::Keep;
};

inline constexpr int kPlanLine = 16;  ///< pixels per line, and sources per chunk
inline constexpr int kPlanSplit = 2;  ///< warps per group
inline constexpr int kPlanLanes = 32;

struct ColumnPlan {
    PlanShape shape;
    bool alongY = false;
    bool filtered = false;                 ///< the untilted form: tables hold the taps of dz = 0 only
    int reach = 0;                         ///< largest |dz|
    int taps = 0;                          ///< values per row of the table, without the zero at either end
    std::vector<std::int16_t> lineOffset;  ///< b of the pixels of line 0, per a = 0 .. 16 along - 1

    struct Pixel {
        std::int16_t a = 0;
        std::int16_t b = 0;
        std::uint16_t slot = 0;
        std::uint16_t unused = 0;
    };
    std::vector<Pixel>
        tile;  ///< source pixels of a block relative to its origin, x fastest; slot: place in the tile
    std::vector<Pixel> targets;          ///< target pixels of a block, x fastest
    std::vector<std::uint16_t> place;    ///< [group][line][pixel] -> index in targets
    std::vector<std::uint16_t> sources;  ///< [group][chunk][16] slots
    /// [chunk][lane][16]: 4 times the tap index of the weights that the lane needs: per line of the group,
    /// the four registers of a 16 x 16 operand in their order, two values each. taps * 4 where there is no
    /// weight.
    std::vector<std::uint16_t> weights;
    int chunks = 0;
    std::array<int, kPlanSplit> firstChunk{};
    std::array<std::vector<PlanSegment>, kPlanSplit> segments;
};

/// Which axis runs along and how much b grows per a; direction in voxels.
struct PlanLine {
    bool alongY = false;
    double slope = 0;
};
[[nodiscard]] PlanLine planLine(double ux, double uy, double spacingX, double spacingY);

/// Makes the plans of one view; what does not depend on the shape is worked out once.
class ColumnPlanner {
  public:
    /// index[t]: place of tap t in a table row; when `filtered`, that of a tap with z != 0 is ignored.
    ColumnPlanner(std::span<const PlanTap> taps, std::span<const int> index, const PlanLine& line,
                  bool filtered);
    ~ColumnPlanner();
    ColumnPlanner(const ColumnPlanner&) = delete;
    ColumnPlanner& operator=(const ColumnPlanner&) = delete;

    /// Chunks of a group, whatever the shape.
    [[nodiscard]] int chunks() const;
    /// Empty when offsets do not fit the encoding.
    [[nodiscard]] std::optional<ColumnPlan> plan(PlanShape shape);

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Origins (a, l) of the blocks that cover a plane of sizeA x sizeB pixels, fewest possible over the phase of
/// l.
[[nodiscard]] std::vector<std::array<std::int16_t, 2>> planBlocks(const ColumnPlan& plan, int sizeA,
                                                                  int sizeB);

}  // namespace tof
