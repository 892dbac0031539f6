// SPDX-License-Identifier: Apache-2.0
// What an observer makes of the spheres in replicates: one place for the command and the window.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "recon/base/request_row.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/observer.h"

namespace tof {

/// How an observer looks at replicates.
struct ObserverRequest {
    std::string observer = "cho";  ///< "cho", at the sphere's place, or "lroc", which searches it, too
    std::string channels = "laguerre-gauss";  ///< or "dog"
    int channelCount = 6;                     ///< how many of Laguerre and Gauss
    double channelWidth = 1.5;                ///< their width, in diameters of the sphere
    double internalNoise = 0;                 ///< variance over that of each channel
    double search_mm = 30;                    ///< "lroc": radius of the region that is searched
};

/// The one table of what can be asked of an observer.
[[nodiscard]] const std::vector<RequestRow<ObserverRequest>>& observerRows();

/// What an observer makes of one signal in the images of one iteration, beside their figures.
struct ObserverRow {
    int iteration = 0;
    std::string roi;
    TaskFigures task;
    double crc = 0;    ///< mean over the images with the signal
    double noise = 0;  ///< likewise
};

using ReplicateImages = std::vector<std::shared_ptr<const Volume>>;

/// A row for every ROI of role Sphere. `present` and `absent` are on the evaluator's lattice; where there are
/// no images without the signal, patches at the ROIs of role Uniform of the others stand for them. `goOn` is
/// called often and may throw. Throws BadInput for ROIs without spheres and too few images.
[[nodiscard]] std::vector<ObserverRow> observeReplicates(const ObserverRequest& request, int iteration,
                                                         const ReplicateImages& present,
                                                         const ReplicateImages& absent,
                                                         const FigureEvaluator& evaluator,
                                                         const std::function<void()>& goOn);

}  // namespace tof
