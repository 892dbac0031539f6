// SPDX-License-Identifier: Apache-2.0
// Sensitivity as NEMA NU 2-2018, section 5, evaluates it: a line source in one to five sleeves, extrapolated
// to none.
#pragma once

#include <array>
#include <vector>

#include "recon/phantom/phantom.h"

namespace tof {

/// Sleeves of aluminium of 700 mm: inner and outer diameter, mm. They lie in each other.
inline constexpr std::array<std::array<double, 2>, 5> kNemaSleeves_mm{
    {{3.9, 6.4}, {7.0, 9.5}, {10.2, 12.7}, {13.4, 15.9}, {16.6, 19.1}}};
inline constexpr double kNemaLine_mm = 700;

/// Line source of water, 1 mm thick in a tube of polyethylene of 3 mm, in the first `sleeves` sleeves, its
/// middle `height_mm` above the axis (-y).
[[nodiscard]] Phantom linesInSleeves(int sleeves, double height_mm);
/// Wall that a photon crosses head-on on its way out of the first `sleeves` sleeves, mm.
[[nodiscard]] double sleeveWall_mm(int sleeves);

/// R(X) = rate exp(-2 attenuation X).
struct SleeveFit {
    double rate = 0;                ///< without any wall
    double attenuation_per_mm = 0;  ///< as found, of metal that scatters into the window, too
};
/// Straight line through the logarithms, all of one weight; at least two walls, rates above 0.
[[nodiscard]] SleeveFit fitSleeves(const std::vector<double>& wall_mm, const std::vector<double>& rates);

}  // namespace tof
