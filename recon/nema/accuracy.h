// SPDX-License-Identifier: Apache-2.0
// Accuracy of corrections for count losses and randoms as NEMA NU 2-2018, section 6, evaluates it.
#pragma once

#include <memory>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// A corrected image of the scatter phantom. Values are concentrations, or anything that is proportional to
/// them by one factor for all images, of what decays per time.
struct AccuracyScan {
    std::shared_ptr<const Volume> image;
    double kBqPerMl = 0;  ///< mean activity while it was taken, over any volume
};

/// How far slices lie from what the three lowest activities say, %.
struct AccuracyError {
    double kBqPerMl = 0;
    double mean = 0;  ///< error of all slices together
    double lowest = 0;
    double highest = 0;
    [[nodiscard]] double largest() const;
};

inline constexpr std::size_t kAccuracyReferences = 3;

inline constexpr double kAccuracyHalfLength_mm = 325;

/// Means in a circle of 180 mm around `centre` of every slice within `halfLength_mm` of it, each over what
/// the three scans of lowest activity say of that slice: the mean of their values per activity times the
/// activity. Throws WrongUse for fewer than four scans or activities that do not ascend, BadInput for images
/// of different lattices or units, of decays in a scan instead of a rate, that do not hold the circle, or
/// whose slices are not above 0 at low activity.
[[nodiscard]] std::vector<AccuracyError> accuracyErrors(const std::vector<AccuracyScan>& scans, Vec3 centre,
                                                        double halfLength_mm = kAccuracyHalfLength_mm);

}  // namespace tof
