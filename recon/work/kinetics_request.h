// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tof {

enum class DecayStated { AsStated, Yes, No };
enum class FrameWeights { Decay, Duration, Equal };

/// What is asked of the frames of an image.
struct DecayRequest {
    DecayStated corrected = DecayStated::AsStated;  ///< whether values are decay-corrected
    double halfLife_min = 0;                        ///< 0: the file's
};

struct KineticsRequest : DecayRequest {
    std::string model;      ///< a name of kineticModels()
    std::string input;      ///< blood samples (recon/kinetics/blood_file.h), or empty
    std::string inputRoi;   ///< the ROI whose mean is taken for plasma, or empty
    std::string reference;  ///< the ROI that is the reference region, or empty
    double start_s = -1;    ///< where lines begin; below 0: not said
    FrameWeights weights = FrameWeights::Decay;
    double threshold_percent = 0;  ///< voxels below this part of the largest mean over time stay 0
    double slowest_perMin = 0.006;
    double fastest_perMin = 6;
    double referenceK2_perMin = 0;
    std::string replicates;  ///< dynamic images of replicates of the scan, joined by commas, or empty
};

}  // namespace tof
