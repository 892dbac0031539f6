// SPDX-License-Identifier: Apache-2.0
// How far from their lines events are put.
#pragma once

#include <functional>

namespace tof {

/// Standard deviations in mm of the place that an event is given, beside where its pair was emitted.
struct LineResponse {
    double along = 0;                      ///< TOF axis
    double axial = 0;                      ///< across, axial
    std::function<double(double)> radial;  ///< across, in the transverse plane, by the distance |s|
    /// Share of the events in tails across, in both directions, and how many times as wide these are.
    double tailShare = 0;
    double tailWidth = 1;
};

}  // namespace tof
