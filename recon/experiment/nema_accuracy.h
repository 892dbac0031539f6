// SPDX-License-Identifier: Apache-2.0
// Accuracy after NEMA NU 2-2018, section 6, of images that somebody has.
#pragma once

#include <vector>

#include "recon/experiment/experiment.h"
#include "recon/nema/accuracy.h"
#include "recon/nema/published.h"

namespace tof {

struct AccuracyRequest {
    std::vector<AccuracyScan> scans;  ///< activities ascend
    Vec3 centre;                      ///< the phantom's middle in the images, mm
    /// What was published of the scanner; an activity of NECR's peak bounds the largest error.
    std::vector<PublishedFigure> published{};
    double halfLength_mm = kAccuracyHalfLength_mm;  ///< slices farther from the centre are not looked at
};

/// What reports of it are called.
[[nodiscard]] Experiment accuracyExperiment();
/// Errors of slices against activity, as a table and curves. Throws as accuracyErrors().
[[nodiscard]] ExperimentReport accuracyReport(const AccuracyRequest& request);

}  // namespace tof
