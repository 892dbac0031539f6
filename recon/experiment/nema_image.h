// SPDX-License-Identifier: Apache-2.0
// Image quality after NEMA NU 2-2018, or of a phantom with rods NU 4-2008, of an image that somebody has.
#pragma once

#include <string>

#include "recon/experiment/experiment.h"
#include "recon/nema/image_quality.h"
#include "recon/nema/published.h"
#include "recon/phantom/phantom.h"

namespace tof {

struct ImageQualityRequest {
    std::string name;  ///< what the image is called
    std::shared_ptr<const Volume> image;
    Phantom phantom;
    Vec3 centre;                               ///< where the phantom's origin lies in the image, mm
    std::vector<PublishedFigure> published{};  ///< what was published of the scanner, if it is known
};

/// What reports of it are called.
[[nodiscard]] Experiment imageQualityExperiment(const std::string& name);
/// Contrast, background variability, residual of the lung insert and recovery; where the spheres are 10 times
/// as active as the background, checks of EARL's limits, too. Throws BadInput.
[[nodiscard]] ExperimentReport imageQualityReport(const ImageQualityRequest& request);
/// Reports what was found of the request's image, whose spheres imageQuality() has evaluated.
[[nodiscard]] ExperimentReport imageQualityReport(const ImageQualityRequest& request,
                                                  const ImageQuality& quality);

}  // namespace tof
