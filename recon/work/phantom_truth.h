// SPDX-License-Identifier: Apache-2.0
// What a simulated phantom held in the frames that its list was cut into.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "recon/data/dynamic_image.h"
#include "recon/frames/gates.h"
#include "recon/kinetics/parametric_images.h"
#include "recon/systems/measurement.h"

namespace tof {

struct PhantomTruth {
    /// The mean over each frame on the data's lattice, in the units of `reconstruct --dynamic`
    /// (FramedCounts::concentrationPerEmission). It keeps an image for each part in each state.
    DynamicSource image;
    /// By shape that emits, after its name: the mean over each frame at a point that stays in it, sds 0.
    /// Points are left out, since they have no concentration.
    std::vector<RegionCurve> curves;
    /// Blood samples of PET BIDS of what drives the phantom's tissue, as plasma in `units` of the image,
    /// without decay: each second of the first 5 min, then each 10 s. Empty where nothing does.
    std::string blood;
};

/// Which gate of each frame is asked for, where data have gates.
struct TruthGate {
    int number = 0;    ///< from 1; 0: frames without gates
    GateRequest by{};  ///< as the list was cut
};

/// The truth of data that `source` names: of a list that simulateCourse() made. Throws BadInput for data of
/// another phantom, of one that emits nothing, without frames, cut for another nuclide or by other gates, and
/// what gatesFrom() throws. Calls `heed` for each state of the phantom's parts, and lets what it throws pass.
[[nodiscard]] PhantomTruth truthOf(
    const Measurement& data, const std::string& source, const TruthGate& gate = {},
    const std::function<void()>& heed = [] {});

}  // namespace tof
