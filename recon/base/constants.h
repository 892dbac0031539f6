// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tof {

/// Distance along a line per picosecond of arrival-time difference: c/2 in mm/ps (docs/model.md section 1).
inline constexpr double kMmPerPs = 0.149896229;
/// FWHM of a Gaussian over its standard deviation, 2 sqrt(2 ln 2).
inline constexpr double kFwhmPerSigma = 2.354820045;
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kRadPerDeg = kPi / 180.0;

}  // namespace tof
