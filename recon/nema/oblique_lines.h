// SPDX-License-Identifier: Apache-2.0
// Lines of every tilt, as Fourier rebinning takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/nema/event_lines.h"
#include "recon/nema/slice_sinograms.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// What Fourier rebinning makes, where the sources are and which lines see them.
struct RebinningField {
    SinogramGrid grid;         ///< bins that come out; lines have twice its angles, over [0, 2 pi)
    Vec3 at;                   ///< sources lie around the line parallel to the axis through here
    double reach_mm = 0;       ///< and no farther from it than this
    double steepest = 0;       ///< largest tangent of a line's tilt, above 0
    double radius_mm = 0;      ///< no crystal lies farther from the axis
    double halfLength_mm = 0;  ///< height of the outermost crystals above the middle

    /// The field of a scanner's lines up to its acceptance.
    [[nodiscard]] static RebinningField of(const Scanner& scanner, const SinogramGrid& grid, Vec3 at,
                                           double reach_mm);

    /// How far from the axis sources may lie, mm.
    [[nodiscard]] double farthest_mm() const;
    /// Groups of lines by the tangents of their tilts, equally wide from 0 to the steepest. A group is so
    /// narrow that no source within the field appears more than a quarter of a slice beside the height at
    /// which the group's middle puts it, and that the ends of the scanner take no more than a slice from some
    /// of its lines alone.
    [[nodiscard]] int groups() const;
    /// The smaller tangent at which a group ends; that of groups() is the steepest.
    [[nodiscard]] double edge(int group) const { return steepest * group / groups(); }
    /// How many slices lines may lie above or below the grid whose sources lie in it.
    [[nodiscard]] int slicesBeyond() const;
    /// Bins on both sides of a source's line that hold the sources twice over, so that what a transform
    /// puts beyond one end does not reach the sources from the other. The number is even.
    [[nodiscard]] int windowBins() const;
    /// The first of the window's bins at one of twice the grid's angles; it may lie outside of the grid.
    [[nodiscard]] int windowAt(int angle) const;
};

/// Lines in groups of tilts. Every line counts once, in the direction in which it rises; a flat one counts
/// half in both. Lines past the sources, steeper than the field or too far above or below count nowhere. Not
/// thread-safe; reading is safe from any number of threads. It takes 12 bytes a line.
class ObliqueLines {
  public:
    /// Lines of one bin.
    struct Bin {
        std::int16_t slice;    ///< number in the grid, or up to slicesBeyond() outside of it
        std::uint16_t angle;   ///< one of twice the grid's
        std::uint16_t window;  ///< bin, counted from windowAt(angle)
        float events;
    };

    /// Throws WrongUse for a field of more than 32767 angles or slices or of no extent.
    explicit ObliqueLines(const RebinningField& field);

    /// Counts a line as often as `events` says, which need not be whole.
    void add(const EventLine& line, double events = 1);

    [[nodiscard]] const RebinningField& field() const { return field_; }
    /// Bins of a group, in the order in which lines came; one may be there several times.
    [[nodiscard]] const std::vector<Bin>& group(int group) const {
        return groups_[static_cast<std::size_t>(group)];
    }

  private:
    void addRising(const EventLine& line, double events);

    RebinningField field_;
    int count_;                             ///< groups
    int beyond_;                            ///< slices
    int bins_;                              ///< bins of a window
    std::vector<int> windows_;              ///< [angle] first bin
    std::vector<std::vector<Bin>> groups_;  ///< [group]
};

}  // namespace tof
