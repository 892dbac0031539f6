// SPDX-License-Identifier: Apache-2.0
// Kinetic models on dynamic images, as a command or a window asks for them.
#pragma once

#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/base/work_progress.h"
#include "recon/data/dynamic_image.h"
#include "recon/io/bytes/destination.h"
#include "recon/kinetics/parametric_images.h"
#include "recon/metrics/roi.h"
#include "recon/work/kinetics_request.h"

namespace tof {

struct KineticsResult {
    ParametricImages made;
    std::vector<Volume> sds;  ///< SD (n - 1) of each image over replicates; empty without them
    std::vector<TimeFrame> frames;
    std::size_t firstFrame = 0;      ///< the first that is fitted
    std::vector<double> inputMeans;  ///< means of the input over frames, in the image's units
    std::vector<double> weights;     ///< relative to the largest
    std::vector<std::string> notes;  ///< what was assumed, a sentence each
};

/// What the frames of `image` are multiplied with so that all are decay-corrected to time zero. Throws
/// BadInput where the image, which `source` names, does not say enough.
[[nodiscard]] std::vector<double> decayFactors(const DynamicInfo& image, const DecayRequest& request,
                                               const std::string& source);

/// What values are multiplied by to be those measured in their frames, not corrected for decay. Throws
/// BadInput where the image does not say enough.
[[nodiscard]] std::vector<double> measuredFactors(const DynamicInfo& image, const std::string& source);

/// Fits the model to the image, and to each of its replicates. `rois` are those that the request names ROIs
/// of. Throws WrongUse, BadInput, and Cancelled from `progress`.
[[nodiscard]] KineticsResult fitKinetics(const DynamicImage& image, const std::string& source,
                                         const KineticsRequest& request, const std::vector<Roi>& rois,
                                         const ThreadPool& pool, WorkProgress& progress);

/// Writes an image for each parameter, NAME + `extension`, its SD as NAME_sd where there is one, and
/// kinetics.json, which says how they were made, into a folder, which is made where it is not there. Returns
/// the names of the images. Throws CannotWrite.
std::vector<std::string> writeKinetics(const Destination& to, const std::string& extension,
                                       const KineticsResult& result, const KineticsRequest& request,
                                       const std::string& source);

}  // namespace tof
