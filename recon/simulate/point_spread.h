// SPDX-License-Identifier: Apache-2.0
// How far from the lines between crystals the pairs were emitted that they record.
#pragma once

#include <functional>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// What a list's lines make of a point, by its distance from the scanner's axis: a narrow Gaussian with axes
/// along the radius, across it and along the scanner's axis, and around it a wide one of the same shape.
///
/// Seen along a line the three widths are those of the line: what slanted photons do to lines far from the
/// axis grows with the square of the line's distance from it, and that is the square of the point's times the
/// squared sine of the angle between line and radius. Plain data.
struct PointSpread {
    /// Standard deviations of the narrow Gaussian.
    struct Widths {
        double radial_mm = 0;
        double tangential_mm = 0;
        double axial_mm = 0;
    };
    double step_mm = 1;      ///< between the distances, > 0
    std::vector<Widths> at;  ///< at the distances 0, step_mm, ..., two at least
    double tailShare = 0;    ///< share of events in the wide Gaussian
    double tailWidth = 1;    ///< wide Gaussian's width over the narrow one's

    /// Variances between two distances lie on a straight line; beyond the last one its widths hold.
    [[nodiscard]] Widths widths(double radius_mm) const;
    /// Blurred once more, by a Gaussian of that standard deviation; the wide Gaussian as much wider as the
    /// narrow one.
    [[nodiscard]] PointSpread widened(double sigma_mm) const;
};

/// From pairs of a few points at each of some distances up to the scanner's field of view, simulated with all
/// the physics of its description but scatter in the object and what rates do, and put on the lines between
/// their crystals' reference points. Half a crystal's pitch of the places is random, so that no comb of lines
/// is met. 24,000 pairs a distance: widths are right to 1 %. The same every time; two to eight seconds on two
/// cores. `progress` (may be empty) is told the share that is done, in the caller's thread, and may throw
/// Cancelled. Throws WrongUse for two panels, where nothing is recorded, where nothing is known of what
/// crystals stop, and for crystals so large that most lines pass their point by more than 40 mm.
[[nodiscard]] PointSpread pointSpreadOf(const Scanner& scanner, const ThreadPool& pool,
                                        const std::function<void(double)>& progress = {});

}  // namespace tof
