// SPDX-License-Identifier: Apache-2.0
// How the tensor-core `column` strategy walks one view; worked out on the host, free of CUDA.
//
// Pixels are addressed along the TOF line (a) and across it (b): a is x and b is y, or the other way round
// when the line runs closer to y. A *line* follows the TOF axis: (a0 + i, l + c(i)),
// where c(i), its rise, is i times the slope, rounded.
// A *strip* is 8 pixels of a line, the columns of one matrix instruction. A *group* is four strips: two lines
// of 16 pixels, or four of 8. A block holds along x across groups.
//
// For one group, out[p][z] = sum over dz of (sum over source pixels q of W[p][q, dz] v[q])[z + dz]. The list
// of (q, dz) with any weight is the same for every group; it is cut into chunks of 16, the depth of a matrix
// instruction, sorted by dz. A strip has no weight for many of its group's sources, so sources that the same
// strips need share chunks, and chunks that the same strips need follow each other as a run. Columns are
// source planes, so the operands need no shifting along z; the accumulators are moved by one plane between
// two values of dz instead. Two warps share a group: one takes dz > 0, the other dz < 0, and each about half
// of the rest.
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

#include "gpu/histo/plan_table.h"
#include "gpu/histo/source_packer.h"

namespace tof {

inline constexpr int kPlanStrip = 8;   ///< pixels per strip
inline constexpr int kPlanStrips = 4;  ///< per group
inline constexpr int kPlanSplit = 2;   ///< warps per group
inline constexpr int kPlanLanes = 32;
inline constexpr int kPlanGroup = kPlanStrip * kPlanStrips;
inline constexpr int kPlanMostSlots = 4096;  ///< the most slots of a tile
/// Chunks after the last of a plan that may be looked up, though nothing comes of it.
inline constexpr int kPlanAhead = 2;

struct PlanShape {
    int along = 2;   ///< groups along the TOF line
    int across = 3;  ///< groups across it
    int lines = 2;   ///< lines of a group: 2 or 4
    [[nodiscard]] int groups() const { return along * across; }
    [[nodiscard]] int lineLength() const { return kPlanGroup / lines; }
    [[nodiscard]] bool operator==(const PlanShape&) const = default;
};

/// What happens to the accumulators after a run.
enum class PlanStep : std::uint8_t { Keep, FromAbove, FromBelow, Filter };

/// A run of chunks that the same strips (bits) need, and what follows it. FromAbove: plane z takes what was
/// in z + 1.
struct PlanRun {
    int chunks = 0;
    unsigned strips = 0;
    PlanStep after = PlanStep::Keep;
};

struct TilePlan {
    PlanShape shape;
    bool alongY = false;
    PlanForm form = PlanForm::AllTaps;
    int reach = 0;                         ///< largest |dz|
    int taps = 0;                          ///< places for values in a row of the table
    int rowStride = 0;                     ///< places of a row with the zeros at either end
    std::vector<std::int16_t> lineOffset;  ///< b of the pixels of line 0, per a of a block

    struct Pixel {
        std::int16_t a = 0;
        std::int16_t b = 0;
        std::uint16_t slot = 0;
        std::uint16_t unused = 0;
    };
    std::vector<Pixel>
        tile;  ///< source pixels of a block relative to its origin, x fastest; slot: place in the tile
    std::vector<Pixel> targets;           ///< target pixels of a block, x fastest
    std::vector<std::uint16_t> targetOf;  ///< [group][strip][pixel]: index in targets
    /// [group][chunk][16]: slots; then kPlanAhead chunks of zeros
    std::vector<std::uint16_t> sources;
    /// [chunk][strip][lane][4]: 4 times the position in a table row of the weights that the lane needs: pixel
    /// lane / 4 and sources 2 (lane % 4) + {0, 1, 8, 9}. taps * 4 or more where there is no weight.
    std::vector<std::uint16_t> weights;
    int chunks = 0;
    int products = 0;  ///< strips of all chunks
    std::array<int, kPlanSplit> firstChunk{};
    std::array<std::vector<PlanRun>, kPlanSplit> runs;
};

/// Whether a pixel of a tile stands for none of the lattice: it fills a slot.
[[nodiscard]] bool isFarOutside(const TilePlan::Pixel& pixel);

/// Which axis runs along and how much b grows per a; direction in voxels.
struct PlanLine {
    bool alongY = false;
    double slope = 0;
};
[[nodiscard]] PlanLine planLine(double ux, double uy, double spacingX, double spacingY);

/// Makes the plans of one view; what does not depend on the shape is worked out once.
class TilePlanner {
  public:
    /// `lines`: of a group (PlanShape).
    TilePlanner(std::span<const PlanTap> taps, PlanTable table, const PlanLine& line, PlanForm form,
                int lines);
    ~TilePlanner();
    TilePlanner(const TilePlanner&) = delete;
    TilePlanner& operator=(const TilePlanner&) = delete;

    /// along x across groups, without `weights`, which do not depend on them. Empty when offsets do not fit
    /// the encoding.
    [[nodiscard]] std::optional<TilePlan> plan(int along, int across);
    /// The plan without `sources`: what the choice of a shape rests on.
    [[nodiscard]] std::optional<TilePlan> outline(int along, int across);
    /// The weights of all plans.
    [[nodiscard]] std::vector<std::uint16_t> weights();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Origins (a, l) of the blocks that cover a plane of sizeA x sizeB pixels, fewest possible over the phase of
/// l.
[[nodiscard]] std::vector<std::array<std::int16_t, 2>> planBlocks(const TilePlan& plan, int sizeA, int sizeB);

/// A view whose taps are those of another seen in a mirror: (signA a, signB b, z) for every (a, b, z). Turned
/// upside down counts as both signs, since taps are symmetric about 0.
struct PlanMirror {
    int signA = 1;
    int signB = 1;
};

/// The axis that the lines of a view advance along.
enum class StepAxis { X, Y };

/// The plan of a view from that of one it is a mirror image of, with its line along y or x. `sources` and
/// `weights`, which serve both, are left out; so is `lineOffset`, as blocks come from mirroredBlocks().
[[nodiscard]] TilePlan mirroredPlan(const TilePlan& plan, PlanMirror mirror, StepAxis axis);
/// The origins of its blocks from those of planBlocks() for the other.
[[nodiscard]] std::vector<std::array<std::int16_t, 2>> mirroredBlocks(
    std::vector<std::array<std::int16_t, 2>> blocks, PlanMirror mirror, int sizeA, int sizeB);

}  // namespace tof
