// SPDX-License-Identifier: Apache-2.0
// Do the times of flight of a list have the sign that we take them to have?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/vec3.h"

namespace tof {

enum class TofSign {
    AsStated,  ///< t1 - t2, positive nearer crystal 2
    Reversed,
    Undecided  ///< both are as likely: what was measured is too symmetric, or there are too few events
};

/// What the most likely points of events say, with their times as stated and reversed.
struct TofCheck {
    std::size_t events = 0;  ///< looked at, evenly spread over the list
    /// Share of the most likely points that lie inside the field of view.
    double inside = 0;
    double insideReversed = 0;
    /// How concentrated the points are: the chance that two of them share a cell of 10 mm, over that of
    /// points drawn anywhere on their lines inside the field of view.
    double sharpness = 0;
    double sharpnessReversed = 0;
    /// Difference of the two over its standard error, from ten groups of events.
    double significance = 0;
    TofSign sign = TofSign::Undecided;  ///< decided from 5 standard errors on
    Vec3 centre;                        ///< mean of the most likely points inside the field, mm
    Vec3 point;                         ///< point nearest to the lines that pass it, mm; of point sources
};

/// Every n-th of so many events is looked at, from the first on.
[[nodiscard]] std::size_t tofCheckStep(std::size_t events);

/// At most 10^5 events are looked at. `points`: reference points of the crystals; `radius_mm`: of the field
/// of view around the axis. Throws BadInput when there are no events or no times.
[[nodiscard]] TofCheck checkTof(const std::vector<Vec3>& points,
                                const std::vector<std::array<std::uint32_t, 2>>& pairs,
                                const std::vector<float>& dt_ps, double radius_mm);

}  // namespace tof
