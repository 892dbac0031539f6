// SPDX-License-Identifier: Apache-2.0
// What of an image is worth looking at: a range of values, and where the object is.
#pragma once

#include "recon/base/box.h"
#include "recon/base/lattice.h"

namespace tof {

/// Values at the ends of the colour map.
struct DisplayRange {
    double low = 0;
    double high = 1;
    [[nodiscard]] bool operator==(const DisplayRange&) const = default;
};

/// The smallest a x 10^k >= value with two significant digits; 0 for values that are not positive.
[[nodiscard]] double roundUpTwoDigits(double value);

/// Robust range for activity: 0 (or the 0.1th percentile where values are negative) to the 99.99th
/// percentile, rounded up to two significant digits. {0, 1} for an empty or constant-zero volume.
[[nodiscard]] DisplayRange robustRange(const Volume& volume);

/// Where the object is: the box of the layers in which more than 0.2 % of the voxels exceed a tenth of the
/// robust range, with a little room; the whole lattice where that is less than a quarter of it along some
/// axis.
[[nodiscard]] Box objectBox(const Volume& volume);

}  // namespace tof
