// SPDX-License-Identifier: Apache-2.0
// How the `stream` strategy walks one view; worked out on the host, free of CUDA.
//
// Pixels are addressed along the TOF line (a) and across it (b), as in tile_plan.h. A *line* climbs by
// climb / 8 of a pixel per pixel, so that all its *octets*, 8 pixels that begin at a multiple of 8, look
// alike. A *group* is 16 pixels along by 4 lines, the 64 rows of a matrix instruction; its columns are the
// planes of a window along z. The depth of an instruction is two octets of sources at one axial offset dz
// each. The image is kept octet by octet, [octet along][line], each [high or low part][plane][8 pixels], so
// that dz is nothing but an address.
//
// No table of weights is looked up. With the same in-plane offset (da, db) between source and target, the
// weights of all dz lie on a Gaussian along z that is the same for every row of the value table but for a
// factor: weight = radial(row; da, db) G(dz - centre(da, db)) where the support has that tap. The factor is
// gathered once per pair of octets; the Gaussian goes from plane to plane by two multiplications, as the
// ratio of neighbours has a constant ratio; a bit per dz says whether there is a tap, so taps are exactly the
// host's.
//
// An untilted view has the same Gaussian everywhere, and a kernel that reaches h(da, db) planes there
// is the sum over d of gain(d) (shift by d + shift by -d) of its in-plane part where h >= d. So its products
// are taken once per d instead of once per dz, of sources as they are, with their own accumulators for every
// d; it is those that are shifted along z. Registers hold two sets of them, so two d make a *pass* over the
// sources.
//
// A *stage* is what is brought into shared memory at once: neighbouring lines of octets at one place along.
// Its *entries* are the pairs of octets that a group multiplies, with the range of dz that any of their
// weights needs.
//
// In-plane offsets are numbered by their *place*: (db - rise(da)) pitch + da from that of offset 0, so that
// the box of places is as narrow as the support is. Forward weighs source j's contribution to target t = j -
// m by the row of j at offset -m: that is the mirror row's factor at m, and the Gaussian and the support are
// symmetric.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gpu/histo/tile_plan.h"
#include "recon/base/lattice.h"
#include "recon/kernel/frame.h"
#include "recon/kernel/kernel_spec.h"

namespace tof {

inline constexpr int kStreamOctet = 8;
inline constexpr int kStreamAlong = 16;  ///< pixels of a group along its lines
inline constexpr int kStreamLines = 4;   ///< lines of a group
inline constexpr int kStreamGroups = 3;  ///< the most groups of a block
/// Planes that one word of the support holds; its lowest bit stays 0, for an octet without weights.
inline constexpr int kStreamWord = 15;
inline constexpr int kStreamNone = 31;  ///< first dz of an octet without weights

/// Sources that are brought at once: `lines` lines of octets, `octet` octets from the group's first pixel.
/// Lines are relative to the first of the block's first group.
struct StreamStage {
    std::int16_t octet = 0;
    std::int16_t line = 0;
    std::int16_t lines = 0;
    std::int16_t unused = 0;
    std::int32_t begin[kStreamGroups + 1] = {};  ///< entries of group g: begin[g] .. begin[g + 1]
};

/// Two octets of a stage, each with the dz of its first weight.
struct alignas(16) StreamEntry {
    std::int32_t place[2] = {0, 0};  ///< place of the offset between the first pixels of octet and group
    float distance[2] = {0, 0};  ///< distance of that offset's first dz from the Gaussian's centre, in its
                                 ///< unit; Table: (first dz + reach) times the box
    /// Bits 0-4, 5-9: the first dz within its word of the support, or the first d (kStreamNone: no weights);
    /// 10-14: number of them; 15-22, 23-30: lines of the stage.
    std::uint32_t info = 0;
    std::uint32_t address = 0;  ///< where the first octet's first plane is in the stage, and how much further
                                ///< the second's lies (upper half); in units of 16 bytes
    std::int16_t across[2] = {0, 0};  ///< b of the octets' first pixels from the group's first line
    std::int32_t word = 0;            ///< word of the support where it begins
};

/// What the steps of an entry are: neighbouring dz, or, of untilted views, the d of a pass. Table:
/// neighbouring dz whose weights come from a table after all, [row][dz][place], for kernels averaged over
/// voxels in tilted views, which have no Gaussian along z.
enum class StreamForm { Tilted, Flat, Table };

inline constexpr int kStreamPass = 2;  ///< d of a pass

struct StreamLimits {
    int planes = 0;  ///< planes of a window
    int groups = 0;  ///< groups of a block
    std::size_t sharedBytes = 0;
};

struct StreamPlan {
    bool alongY = false;
    std::array<int, 2> size{};  ///< size of the lattice: along, across
    int climb = 0;              ///< what a line rises per octet
    StreamForm form = StreamForm::Tilted;
    int reach = 0;   ///< planes
    int margin = 0;  ///< planes of sources beyond a window
    int pitch = 0;   ///< pitch of the box of places
    int centre = 0;  ///< place of offset 0
    int box = 0;     ///< places
    int words = 0;   ///< how many the support has per place
    /// The Gaussian's centre is gradient . (da, db) planes; exp2(-(root d)^2) at d planes from it;
    /// neighbours' ratios have the ratio `bend`.
    std::array<double, 2> gradient{};
    std::array<double, kStreamWord + 1> gain{};  ///< flat: of the shifts by d
    double root = 0;
    double bend = 0;
    int firstLine = 0;  ///< lines that meet the lattice: first and number
    int lines = 0;
    int octets = 0;  ///< along
    int planes = 0;  ///< planes of a window
    int groups = 0;  ///< groups of a block
    int depth = 0;   ///< stages in shared memory
    int stageLines = 0;
    std::vector<StreamStage> stages;
    std::vector<StreamEntry> entries;
    /// [word][place]: bit 15 - k is dz = word kStreamWord + k - reach; flat: bit 15 - d is d.
    std::vector<std::uint16_t> support;
    /// By tap: where its value goes in a row of factors, or -1: but in tables, all values except that nearest
    /// the Gaussian's centre.
    std::vector<std::int32_t> placeOf;
    std::vector<float> scale;  ///< tilted, by place: what makes a factor of that value
    int steps = 0;             ///< matrix products of a group, times their three parts
    int pairs = 0;             ///< pairs of octets, for a group

    /// b of pixel a of line 0.
    [[nodiscard]] int rise(int a) const;
    [[nodiscard]] int octetBytes() const;
    /// Factors of a row of the value table.
    [[nodiscard]] int rowStride() const { return form == StreamForm::Table ? box * (2 * reach + 1) : box; }
    [[nodiscard]] std::size_t stageBytes() const;
    [[nodiscard]] std::size_t sharedBytes() const;
    /// Groups along, and groups across one of them.
    [[nodiscard]] int columns() const { return (size[0] + kStreamAlong - 1) / kStreamAlong; }
    [[nodiscard]] int groupsPerColumn() const;
    /// Planes from window to window, and windows of nz planes.
    [[nodiscard]] int windowStep() const { return planes - 2 * (reach - margin); }
    [[nodiscard]] int windows(int nz) const {
        return nz <= planes ? 1 : 1 + (nz - planes + windowStep() - 1) / windowStep();
    }
    /// Neighbouring groups across that a block takes at once, `groups` of them but for the last of a column.
    [[nodiscard]] int tilesPerColumn() const { return (groupsPerColumn() + groups - 1) / groups; }
    /// Steps of every tile of a window, column by column: fewer where sources lie beyond the lattice.
    [[nodiscard]] std::vector<int> tileSteps() const;
    /// That a projection of nz planes takes on a card of `blocks` multiprocessors, roughly.
    [[nodiscard]] double clocks(int nz, int blocks) const;
};

/// Deals the tiles of some windows out to blocks as runs, so that the longest takes least: where each begins,
/// and the end.
[[nodiscard]] std::vector<std::int32_t> dealTiles(const std::vector<int>& steps, int windows, int blocks);

/// A view's plan, or why this kernel cannot be streamed within the limits.
[[nodiscard]] std::variant<StreamPlan, std::string> makeStreamPlan(const KernelSpec& kernel,
                                                                   const Lattice& lattice,
                                                                   const KernelFrame& frame,
                                                                   const StreamLimits& limits);

}  // namespace tof
